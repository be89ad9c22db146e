// The rows of any, all and count_nonzero for every dtype: words with their signs cut off are compared with 0, whatever they mean.
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// A partial result is whether a word was found that decides: one that is not 0 for any, one that is for all.
template <class W, W kMask, bool kAll>
inline bool decides(W word) {
    return ((word & kMask) == 0) == kAll;
}

void start_any_all(void* partials, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<uint64_t*>(partials)[i] = 0;
}

template <class W, W kMask, bool kAll>
void row_any_all(const char* bytes, int64_t stride, int64_t n, void* partial) {
    const W* x = reinterpret_cast<const W*>(bytes);
    uint64_t& found = *static_cast<uint64_t*>(partial);
    for (int64_t i = 0; i < n && found == 0; i += 2048) {
        const int64_t end = n - i < 2048 ? n : i + 2048;
        W seen = 0;
        if (stride == 1)
            for (int64_t j = i; j < end; ++j) seen |= W(decides<W, kMask, kAll>(x[j]));
        else
            for (int64_t j = i; j < end; ++j) seen |= W(decides<W, kMask, kAll>(x[j * stride]));
        found = seen != 0;
    }
}

template <class W, W kMask, bool kAll>
void columns_any_all(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    uint64_t* found = static_cast<uint64_t*>(partials);
    W seen[512];
    for (int64_t c = 0; c < count; c += 512) {
        const int64_t width = count - c < 512 ? count - c : 512;
        for (int64_t j = 0; j < width; ++j) seen[j] = 0;
        for (int64_t i = 0; i < rows; ++i) {
            const W* line = reinterpret_cast<const W*>(bytes) + i * row_stride + c * column_stride;
            if (column_stride == 1)
                for (int64_t j = 0; j < width; ++j) seen[j] |= W(decides<W, kMask, kAll>(line[j]));
            else
                for (int64_t j = 0; j < width; ++j) seen[j] |= W(decides<W, kMask, kAll>(line[j * column_stride]));
        }
        for (int64_t j = 0; j < width; ++j) found[c + j] |= seen[j] != 0;
    }
}

void join_any_all(void* partials, const void* others, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<uint64_t*>(partials)[i] |= static_cast<const uint64_t*>(others)[i];
}

template <bool kAll>
void finish_any_all(char* out, int64_t stride, const void* partials, int64_t count, double) {
    for (int64_t i = 0; i < count; ++i) out[i * stride] = char((static_cast<const uint64_t*>(partials)[i] != 0) != kAll);
}

// A partial result is the number of words that are not 0. Words without gaps are counted side by side, in lanes of their width.
template <class W, W kMask>
void row_count(const char* bytes, int64_t stride, int64_t n, void* partial) {
    constexpr int64_t kLanes = 64 / sizeof(W), kTimes = 255;  // which the narrowest lanes can count
    const W* x = reinterpret_cast<const W*>(bytes);
    int64_t i = 0;
    uint64_t total = 0;
    for (; stride == 1 && i + kLanes <= n;) {
        W lanes[kLanes] = {};
        for (int64_t t = 0; t < kTimes && i + kLanes <= n; ++t, i += kLanes)
            for (int64_t j = 0; j < kLanes; ++j) lanes[j] = W(lanes[j] + W((x[i + j] & kMask) != 0));
        for (int64_t j = 0; j < kLanes; ++j) total += lanes[j];
    }
    for (; i < n; ++i) total += (x[i * stride] & kMask) != 0;
    *static_cast<uint64_t*>(partial) += total;
}

template <class W, W kMask>
void columns_count(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    for (int64_t i = 0; i < rows; ++i) {
        const W* line = reinterpret_cast<const W*>(bytes) + i * row_stride;
        for (int64_t j = 0; j < count; ++j) static_cast<uint64_t*>(partials)[j] += (line[j * column_stride] & kMask) != 0;
    }
}

void join_count(void* partials, const void* others, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<uint64_t*>(partials)[i] += static_cast<const uint64_t*>(others)[i];
}

void finish_count(char* out, int64_t stride, const void* partials, int64_t count, double) {
    for (int64_t i = 0; i < count; ++i) reinterpret_cast<uint64_t*>(out)[i * stride] = static_cast<const uint64_t*>(partials)[i];
}

#define LAMINA_ANY_ALL(name, all, code, W, mask)                                                                          \
    {name, code, kBool, start_any_all, row_any_all<W, W(mask), all>, columns_any_all<W, W(mask), all>, join_any_all, finish_any_all<all>},
#define LAMINA_ANY_ALL_COUNT(code, W, mask)                                                                                   \
    LAMINA_ANY_ALL("any", false, code, W, mask) LAMINA_ANY_ALL("all", true, code, W, mask)                                 \
    {"count_nonzero", code, kInt64, start_any_all, row_count<W, W(mask)>, columns_count<W, W(mask)>, join_count, finish_count},

const ReductionRow kAnyAll[] = {
    LAMINA_ANY_ALL_COUNT(kBool, uint8_t, 0xff) LAMINA_ANY_ALL_COUNT(kUInt8, uint8_t, 0xff) LAMINA_ANY_ALL_COUNT(kInt8, uint8_t, 0xff)
    LAMINA_ANY_ALL_COUNT(kUInt16, uint16_t, 0xffff) LAMINA_ANY_ALL_COUNT(kInt16, uint16_t, 0xffff)
    LAMINA_ANY_ALL_COUNT(kFloat16, uint16_t, 0x7fff) LAMINA_ANY_ALL_COUNT(kBFloat16, uint16_t, 0x7fff)
    LAMINA_ANY_ALL_COUNT(kUInt32, uint32_t, 0xffffffff) LAMINA_ANY_ALL_COUNT(kInt32, uint32_t, 0xffffffff)
    LAMINA_ANY_ALL_COUNT(kFloat32, uint32_t, 0x7fffffff) LAMINA_ANY_ALL_COUNT(kUInt64, uint64_t, ~0ull) LAMINA_ANY_ALL_COUNT(kInt64, uint64_t, ~0ull)
    LAMINA_ANY_ALL_COUNT(kFloat64, uint64_t, 0x7fffffffffffffffull) LAMINA_ANY_ALL_COUNT(kComplex64, uint64_t, 0x7fffffff7fffffffull)
};

extern const Reductions any_all = {kAnyAll, int(sizeof kAnyAll / sizeof *kAnyAll)};

}  // namespace lamina::LAMINA_ISA
