// Several operands cut into rows along one axis or some neighbouring ones: rows whose items do not lie side by side pass through
// a buffer, some at a time, and so do items of 16 bits, as float32.
#pragma once

#include <algorithm>
#include <memory>
#include <new>

#include "dtypes/narrow_floats.hpp"
#include "loops/loops.hpp"
#include "runtime/operand.hpp"
#include "runtime/threads.hpp"

namespace lamina {

class Rows {
   public:
    static constexpr int kMost = 6;

    // Rows of `like` along `span` axes from `axis` on; all other axes count them.
    Rows(const View& like, int axis, int span = 1) : axis_(axis), span_(span), ndim_(like.g.ndim) {
        for (int d = 0; d < ndim_; ++d) {
            if (d >= axis && d < axis + span) {
                n *= like.g.shape[d];
                continue;
            }
            shape_[outer_++] = like.g.shape[d];
            count *= like.g.shape[d];
        }
    }

    // Whether an operand steps evenly along its rows.
    bool even(const View& v) const {
        int64_t next = 0;  // the stride that goes on where the axes behind end
        bool any = false;
        for (int d = axis_ + span_ - 1; d >= axis_; --d) {
            if (v.g.shape[d] == 1) continue;
            if (any && v.g.strides[d] != next) return false;
            next = v.g.strides[d] * v.g.shape[d];
            any = true;
        }
        return true;
    }

    // An operand with whole rows, or one with one item per row (it lacks the axes, or has no dimensions at all).
    int add(const View& v, bool whole, bool written = false) {
        Column& column = columns_[operands_];
        column.data = v.data;
        column.code = v.code;
        column.item = v.itemsize();
        column.written = written;
        for (int d = 0, at = 0; d < ndim_; ++d) {
            if (d >= axis_ && d < axis_ + span_) continue;
            column.strides[at] = v.g.ndim == 0 ? 0 : v.g.strides[whole ? d : at];
            ++at;
        }
        column.step = 1;
        for (int d = axis_; whole && n > 1 && d < axis_ + span_; ++d)
            if (v.g.shape[d] > 1) column.step = v.g.strides[d];
        column.buffered = column.step != 1 || (whole && is_narrow(v.code));
        buffered_ += column.buffered;
        return operands_++;
    }

    // An operand of which a row only wants to know where its first item is.
    int add_starts(const View& v) {
        const int added = add(v, true);
        buffered_ -= columns_[added].buffered;
        columns_[added].buffered = false;
        return added;
    }

    // Calls row(i, p) for each row, where p are the operands' items; on several threads if it is worth it.
    template <class F>
    void run(int64_t cost, const F& row) const {
        const double work = double(count) * double(n) * double(cost);  // broadcast rows may be longer than any memory
        const int64_t each = buffered_ ? 4 : kPiecesEach;  // as each piece has a buffer
        const int64_t pieces = work < double(kParallel) ? 1 : std::min<int64_t>(count, each * num_threads());
        run_pieces(pieces, work, [&](int64_t, int64_t i, char* const* p) { row(i, p); });
    }

    // Calls row(piece, i, p), where each piece is a range of rows, done in order by one thread.
    template <class F>
    void run_pieces(int64_t pieces, double work, const F& row) const {
        if (pieces == 0 || count == 0) return;
        const int64_t grain = (count + pieces - 1) / pieces;
        if (buffered_ > 0 && n > kLongest) throw std::bad_alloc();  // a broadcast row: the bytes of its buffer would overflow
        const int64_t tile = buffered_ ? std::max<int64_t>(1, std::min<int64_t>(kTile, (1 << 17) / std::max<int64_t>(n, 1))) : 1;
        const int64_t own = (buffered_ * tile * n + 8) * 8;  // made here, as parts must not throw
        std::unique_ptr<double[]> buffers(buffered_ ? new double[size_t(pieces * own / 8)] : nullptr);
        const WithoutGil free(work >= double(kReleaseGil));
        parallel(count, grain, [&](int64_t begin, int64_t end) {
            const int64_t piece = begin / grain;
            char* buffer = reinterpret_cast<char*>(buffers.get()) + (buffered_ ? piece * own : 0);
            for (int64_t i = begin; i < end; i += tile)
                tiled(i, std::min(end, i + tile), buffer, [&](int64_t r, char* const* p) { row(piece, r, p); });
        });
    }

    int64_t n = 1, count = 1;

   private:
    static constexpr int64_t kTile = 16, kLongest = int64_t(1) << 40;

    struct Column {
        char* data;
        int code, item;
        bool buffered, written;
        int64_t step, strides[kMaxDims];
    };

    char* at(const Column& column, int64_t row) const {
        int64_t found = 0;
        for (int d = outer_ - 1; d >= 0 && row > 0; --d) {
            const int64_t rest = d > 0 ? row / shape_[d] : 0;
            found += (row - rest * shape_[d]) * column.strides[d];
            row = rest;
        }
        return column.data + found * column.item;
    }

    template <class F>
    void tiled(int64_t begin, int64_t end, char* buffer, const F& row) const {
        char *start[kMost][kTile], *p[kMost], *rows[kMost];
        int items[kMost];
        for (int k = 0; k < operands_; ++k) {
            const Column& column = columns_[k];
            for (int64_t r = begin; r < end; ++r) start[k][r - begin] = at(column, r);
            rows[k] = nullptr;
            items[k] = is_narrow(column.code) ? 4 : column.item;
            if (!column.buffered) continue;
            rows[k] = buffer;
            buffer += (end - begin) * n * 8;
            if (!column.written) moved(column, start[k], rows[k], end - begin, true);
        }
        for (int64_t r = begin; r < end; ++r) {
            for (int k = 0; k < operands_; ++k)
                p[k] = rows[k] != nullptr ? rows[k] + (r - begin) * n * items[k] : start[k][r - begin];
            row(r, p);
        }
        for (int k = 0; k < operands_; ++k)
            if (rows[k] != nullptr && columns_[k].written) moved(columns_[k], start[k], rows[k], end - begin, false);
    }

    void moved(const Column& column, char* const* start, char* rows, int64_t count, bool in) const {
        if (column.item == 2)
            for (int64_t r = 0; r < count; ++r) {
                float* row = reinterpret_cast<float*>(rows) + r * n;
                in ? widen(row, start[r], column.code, column.step, n) : narrow(start[r], row, column.code, column.step, n);
            }
        else if (column.item == 4)
            moved_items<int32_t>(column.step, start, rows, count, in);
        else
            moved_items<int64_t>(column.step, start, rows, count, in);
    }

    template <class T>
    void moved_items(int64_t step, char* const* start, char* rows, int64_t count, bool in) const {
        T* buffer = reinterpret_cast<T*>(rows);
        if (step == 0 && in) {  // one item repeated, as a sum's gradient is
            for (int64_t r = 0; r < count; ++r) std::fill_n(buffer + r * n, n, *reinterpret_cast<const T*>(start[r]));
            return;
        }
        for (int64_t j = 0; j < n; ++j)
            for (int64_t r = 0; r < count; ++r) {
                T& outside = reinterpret_cast<T*>(start[r])[j * step];
                if (in)
                    buffer[r * n + j] = outside;
                else
                    outside = buffer[r * n + j];
            }
    }

    const int axis_, span_, ndim_;
    int outer_ = 0, operands_ = 0;
    int64_t buffered_ = 0;
    int64_t shape_[kMaxDims];
    Column columns_[kMost];
};

}  // namespace lamina
