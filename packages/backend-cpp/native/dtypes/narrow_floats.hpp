// Items of 16 bits as kernels of float32 take them, and their results rounded once.
#pragma once

#include <memory>

#include "loops/loops.hpp"
#include "runtime/operand.hpp"
#include "runtime/threads.hpp"

namespace lamina {

constexpr int kFloats[] = {kFloat32, kFloat64, kFloat16, kBFloat16};

inline bool is_narrow(int code) { return code == kFloat16 || code == kBFloat16; }

// The dtype that items are computed with.
inline int wide(int code) { return is_narrow(code) ? int(kFloat32) : code; }

// `stride` is that of the narrow items.
inline void widen(float* to, const char* from, int code, int64_t stride, int64_t n) {
    static const Narrows& narrows = *best_loops().narrows;
    narrows.widen[code == kBFloat16](to, from, stride, n);
}

inline void narrow(char* to, const float* from, int code, int64_t stride, int64_t n) {
    static const Narrows& narrows = *best_loops().narrows;
    narrows.narrow[code == kBFloat16](to, stride, from, n);
}

// Some rows of adjacent items of several arrays, `stride` items from row to row; where they are among those of a whole.
struct Tile {
    int64_t row, rows, stride, column, columns;
};

// Calls run(p, tile) for tiles that make up rows of `kArrays` arrays: for all of it, or for items of 16 bits for so many at a time
// as stay in the nearest cache, as float32. `read` and `written` have a bit per array. An array that is null stays so.
template <int kArrays, class F>
void in_tiles(int code, char* const* arrays, unsigned read, unsigned written, Tile all, const F& run) {
    if (!is_narrow(code)) return run(arrays, all);
    constexpr int64_t kItems = 1024;
    float buffers[kArrays][kItems];
    char* p[kArrays];
    for (int k = 0; k < kArrays; ++k) p[k] = arrays[k] == nullptr ? nullptr : reinterpret_cast<char*>(buffers[k]);
    const int64_t width = all.columns < kItems ? all.columns : kItems, height = width > 0 ? kItems / width : 1;
    for (int64_t c = 0; c < all.columns; c += width)
        for (int64_t r = 0; r < all.rows; r += height) {
            const int64_t columns = all.columns - c < width ? all.columns - c : width;
            const Tile tile = {r, all.rows - r < height ? all.rows - r : height, columns, c, columns};
            const auto each_row = [&](unsigned chosen, const auto& move) {
                for (int k = 0; k < kArrays; ++k)
                    for (int64_t i = 0; i < tile.rows && p[k] != nullptr && (chosen >> k & 1); ++i)
                        move(buffers[k] + i * columns, arrays[k] + ((r + i) * all.stride + c) * 2);
            };
            each_row(read, [&](float* to, const char* from) { widen(to, from, code, 1, columns); });
            run(p, tile);
            each_row(written, [&](const float* from, char* to) { narrow(to, from, code, 1, columns); });
        }
}

// The same of `n` adjacent items: run(p, n).
template <int kArrays, class F>
void in_blocks(int code, char* const* arrays, unsigned read, unsigned written, int64_t n, const F& run) {
    in_tiles<kArrays>(code, arrays, read, written, {0, 1, n, 0, n}, [&](char* const* p, const Tile& tile) { run(p, tile.columns); });
}

// Calls part(row, first, n) for all items of some rows, on several threads where they are many.
template <class F>
void in_parallel(int64_t rows, int64_t columns, const F& part) {
    const int64_t items = rows * columns;
    parallel(items, grain_of(items, items), [&](int64_t begin, int64_t end) {
        while (begin < end) {
            const int64_t row = begin / columns, first = begin % columns;
            const int64_t n = columns - first < end - begin ? columns - first : end - begin;
            part(row, first, n);
            begin += n;
        }
    });
}

// An operand in the dtype that is computed with: its own items, or those of 16 bits as float32, row-major; null where it was left out.
class Wide {
   public:
    // Of a dense operand.
    void read(const View& v) { read(v, 1, v.g.size, [&](int64_t) { return v.data; }); }

    // Of one cut into rows of `columns` adjacent items: row(i) is where one begins.
    template <class F>
    void read(const View& v, int64_t rows, int64_t columns, const F& row) {
        if (!allocate(v)) return;
        float* to = reinterpret_cast<float*>(data);
        in_parallel(rows, columns, [&](int64_t i, int64_t first, int64_t n) {
            widen(to + i * columns + first, row(i) + first * 2, v.code, 1, n);
        });
    }

    // Of an operand that is only written: what was made of it goes there by `finish`.
    void write(const View& v) {
        if (allocate(v)) target_ = &v;
    }

    void finish() const {
        if (target_ != nullptr) finish(1, target_->g.size, [&](int64_t) { return target_->data; });
    }

    // To an operand cut into rows of `columns` adjacent items: row(i) is where one begins.
    template <class F>
    void finish(int64_t rows, int64_t columns, const F& row) const {
        if (target_ == nullptr) return;
        const float* from = reinterpret_cast<const float*>(data);
        in_parallel(rows, columns, [&](int64_t i, int64_t first, int64_t n) {
            narrow(row(i) + first * 2, from + i * columns + first, target_->code, 1, n);
        });
    }

    char* data = nullptr;

   private:
    // Whether it has items of its own.
    bool allocate(const View& v) {
        data = v.data;
        if (v.data == nullptr || !is_narrow(v.code)) return false;
        own_.reset(new float[size_t(v.g.size + 1)]);
        data = reinterpret_cast<char*>(own_.get());
        return true;
    }

    const View* target_ = nullptr;
    std::unique_ptr<float[]> own_;
};

// A view whose items of 16 bits are float32 for the length of a call, in a copy of the memory that it spans; one of others is left as it
// is. False where it is written and not dense, or spans much that is not its own.
class AsFloats {
   public:
    bool read(View& v) { return replace(v, true, false); }
    bool write(View& v) { return replace(v, false, true); }
    bool update(View& v) { return replace(v, true, true); }
    void finish() const {
        if (target_ != nullptr)
            in_parallel(1, size_, [&](int64_t, int64_t first, int64_t n) { narrow(target_ + first * 2, floats_.get() + first, code_, 1, n); });
    }

   private:
    bool replace(View& v, bool read, bool written) {
        if (!is_narrow(v.code)) return true;
        const int64_t before = v.g.offset - v.g.low;
        size_ = v.g.high - v.g.low + 1;
        if (written ? !v.g.contiguous : size_ > 2 * v.g.size) return false;
        char* const items = v.data - before * 2;
        code_ = v.code;
        floats_.reset(new float[size_t(size_ + 1)]);
        if (read)
            in_parallel(1, size_, [&](int64_t, int64_t first, int64_t n) { widen(floats_.get() + first, items + first * 2, code_, 1, n); });
        if (written) target_ = items;
        v.data = reinterpret_cast<char*>(floats_.get() + before);
        v.code = kFloat32;
        return true;
    }

    std::unique_ptr<float[]> floats_;
    char* target_ = nullptr;
    int64_t size_ = 0;
    int code_ = 0;
};

}  // namespace lamina
