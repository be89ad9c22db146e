// Rows of floats by weights of 4, 8 or 16 bits an item, which become floats in registers.
#include "kernels/products/narrow_weights.hpp"

#include "loops/copies/half_bits.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

constexpr int kLength = kLanes<float>, kChunk = 2 * kLength;  // items that are taken apart at once

// As many bytes as a vector has lanes.
inline I32 signed_bytes(const char* from) {
#if defined(__AVX512F__)
    return I32(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__AVX2__)
    return I32(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
    I32 v;
    for (int i = 0; i < kLength; ++i) v[i] = static_cast<signed char>(from[i]);
    return v;
#endif
}

inline I32 unsigned_bytes(const char* from) {
#if defined(__AVX512F__)
    return I32(_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#elif defined(__AVX2__)
    return I32(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
    I32 v;
    for (int i = 0; i < kLength; ++i) v[i] = static_cast<unsigned char>(from[i]);
    return v;
#endif
}

inline F32 as_floats(const I32& v) { return __builtin_convertvector(v, F32); }

inline F32 brains(const char* from) {
#if defined(__AVX512F__)
    return bits_as<F32>(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))), 16));
#elif defined(__AVX2__)
    return bits_as<F32>(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))), 16));
#else
    uint16_t items[kLength];
    std::memcpy(items, from, sizeof items);
    U32 v;
    for (int i = 0; i < kLength; ++i) v[i] = uint32_t(items[i]) << 16;
    return bits_as<F32>(v);
#endif
}

inline F32 halves(const char* from) {
#if defined(__AVX512F__)
    return F32(_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__AVX2__)
    return F32(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
    uint16_t items[kLength];
    std::memcpy(items, from, sizeof items);
    F32 v;
    for (int i = 0; i < kLength; ++i) v[i] = from_half(items[i]);
    return v;
#endif
}

// A chunk of items: the first and the second half of them, but of 4 bits those at even and at odd places.
template <NarrowFormat kFormat>
inline void take_apart(const char* from, F32& first, F32& second) {
    if constexpr (kFormat == kSignedBytes) {
        first = as_floats(signed_bytes(from));
        second = as_floats(signed_bytes(from + kLength));
    } else if constexpr (kFormat == kHalfBytes) {
        const I32 pairs = unsigned_bytes(from);
        first = as_floats(pairs & 15);
        second = as_floats(pairs >> 4);
    } else if constexpr (kFormat == kHalves) {
        first = halves(from);
        second = halves(from + 2 * kLength);
    } else {
        first = brains(from);
        second = brains(from + 2 * kLength);
    }
}

template <NarrowFormat kFormat>
constexpr int64_t bytes_of(int64_t items) {
    return kFormat == kSignedBytes ? items : kFormat == kHalfBytes ? (items + 1) / 2 : 2 * items;
}

// The last items of a group, fewer than a chunk: what lies behind them is not read.
template <NarrowFormat kFormat>
inline void take_last_apart(const char* from, int64_t items, F32& first, F32& second) {
    char bytes[2 * kChunk] = {};
    std::memcpy(bytes, from, size_t(bytes_of<kFormat>(items)));
    take_apart<kFormat>(bytes, first, second);
}

inline int64_t chunks_of(int64_t items) { return (items + kChunk - 1) / kChunk; }

inline int64_t length_of(const NarrowWeight& w, int64_t group) {
    const int64_t rest = w.k - group * w.group;
    return rest < w.group ? rest : w.group;
}

int64_t prepared(const NarrowWeight& w) {
    int64_t chunks = 0;
    for (int64_t g = 0; g < w.groups; ++g) chunks += chunks_of(length_of(w, g));
    return chunks * kChunk;
}

void prepare(float* to, float* sums, const float* x, const NarrowWeight& w) {
    for (int64_t g = 0; g < w.groups; ++g) {
        const int64_t items = length_of(w, g);
        F32 sum = {};
        for (int64_t i = 0; i < items; i += kChunk, to += kChunk) {
            const int64_t n = items - i < kChunk ? items - i : kChunk;
            for (int j = 0; j < kChunk; ++j) {
                const int64_t from = w.format != kHalfBytes ? j : j < kLength ? 2 * j : 2 * (j - kLength) + 1;
                to[j] = from < n ? x[i + from] : 0;
            }
            sum += load(to) + load(to + kLength);
        }
        x += items;
        if (sums != nullptr) sums[g] = sum_of_lanes<float>(sum);
    }
}

// One channel and R rows.
template <NarrowFormat kFormat, int R>
inline void dots_of(float* out, int64_t out_row, const float* x, const float* sums, const PreparedRows& rows, const NarrowWeight& w,
                    int64_t channel) {
    constexpr int kTogether = R == 1 ? 2 : 1;  // chunks: so many sums that none waits for the one before
    const char* values = w.values + channel * w.row;
    const float* scales = w.scales == nullptr ? nullptr : w.scales + channel * w.groups;
    const float* zeros = w.zeros == nullptr ? nullptr : w.zeros + channel * w.groups;
    const bool has_zeros = w.has_zeros();
    F32 totals[R] = {};
    float less[R] = {};
    for (int64_t g = 0; g < w.groups; ++g) {
        const int64_t items = length_of(w, g);
        F32 first, second, parts[R][2 * kTogether] = {};
        int64_t i = 0;
        for (; i + kTogether * kChunk <= items; i += kTogether * kChunk) {
#pragma GCC unroll 2
            for (int c = 0; c < kTogether; ++c) {
                take_apart<kFormat>(values, first, second);
                values += bytes_of<kFormat>(kChunk);
#pragma GCC unroll 4
                for (int r = 0; r < R; ++r) {
                    parts[r][2 * c] += load(x + r * rows.x_row) * first;
                    parts[r][2 * c + 1] += load(x + r * rows.x_row + kLength) * second;
                }
                x += kChunk;
            }
        }
        while (i < items) {
            const int64_t n = items - i < kChunk ? items - i : kChunk;
            if (n == kChunk)
                take_apart<kFormat>(values, first, second);
            else
                take_last_apart<kFormat>(values, n, first, second);
            values += bytes_of<kFormat>(n);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                parts[r][0] += load(x + r * rows.x_row) * first;
                parts[r][1] += load(x + r * rows.x_row + kLength) * second;
            }
            x += kChunk;
            i += n;
        }
        const float scale = scales == nullptr ? 1 : scales[g], shift = scale * (zeros == nullptr ? w.zero : zeros[g]);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
            F32 sum = parts[r][0] + parts[r][1];
            if constexpr (kTogether == 2) sum += parts[r][2] + parts[r][3];
            totals[r] += scale * sum;
            if (has_zeros) less[r] += shift * sums[r * rows.sum_row + g];
        }
    }
    for (int r = 0; r < R; ++r) out[r * out_row] = sum_of_lanes<float>(totals[r]) - less[r];
}

template <NarrowFormat kFormat>
inline void dots_of_format(float* out, int64_t out_row, const PreparedRows& rows, const NarrowWeight& w, int64_t first, int64_t last) {
    for (int64_t channel = first; channel < last; ++channel)
        for (int64_t r = 0; r < rows.m; r += 4) {
            const float *x = rows.x + r * rows.x_row, *sums = rows.sums + r * rows.sum_row;
            float* to = out + r * out_row + channel;
            switch (rows.m - r) {
                case 1: dots_of<kFormat, 1>(to, out_row, x, sums, rows, w, channel); break;
                case 2: dots_of<kFormat, 2>(to, out_row, x, sums, rows, w, channel); break;
                case 3: dots_of<kFormat, 3>(to, out_row, x, sums, rows, w, channel); break;
                default: dots_of<kFormat, 4>(to, out_row, x, sums, rows, w, channel);
            }
        }
}

void dots(float* out, int64_t out_row, const PreparedRows& rows, const NarrowWeight& w, int64_t first, int64_t last) {
    switch (w.format) {
        case kSignedBytes: return dots_of_format<kSignedBytes>(out, out_row, rows, w, first, last);
        case kHalfBytes: return dots_of_format<kHalfBytes>(out, out_row, rows, w, first, last);
        case kHalves: return dots_of_format<kHalves>(out, out_row, rows, w, first, last);
        case kBrains: return dots_of_format<kBrains>(out, out_row, rows, w, first, last);
    }
}

// Items of one group; of 4 bits they begin at an even place.
template <NarrowFormat kFormat>
inline void unpack_run(float* to, const char* from, int64_t n, float scale, float zero) {
    int64_t i = 0;
    for (; i + kChunk <= n; i += kChunk, from += bytes_of<kFormat>(kChunk)) {
        F32 first, second;
        take_apart<kFormat>(from, first, second);
        first = (first - zero) * scale;
        second = (second - zero) * scale;
        if constexpr (kFormat != kHalfBytes) {
            store<float>(to + i, first);
            store<float>(to + i + kLength, second);
        } else {
            I32 low, high;
            for (int j = 0; j < kLength; ++j) {
                low[j] = (j & 1) * kLength + j / 2;
                high[j] = low[j] + kLength / 2;
            }
            store<float>(to + i, __builtin_shuffle(first, second, low));
            store<float>(to + i + kLength, __builtin_shuffle(first, second, high));
        }
    }
    if (i == n) return;
    F32 parts[2];
    take_last_apart<kFormat>(from, n - i, parts[0], parts[1]);
    for (int64_t j = 0; i + j < n; ++j) {
        const float q = kFormat == kHalfBytes ? parts[j & 1][j / 2] : parts[j / kLength][j % kLength];
        to[i + j] = (q - zero) * scale;
    }
}

template <NarrowFormat kFormat>
inline void unpack_format(float* to, const NarrowWeight& w, int64_t channel, int64_t i, int64_t n) {
    const char* values = w.values + channel * w.row;
    for (const int64_t end = i + n; i < end;) {
        const int64_t g = i / w.group, behind = (g + 1) * w.group < end ? (g + 1) * w.group : end;
        const float scale = w.scales == nullptr ? 1 : w.scales[channel * w.groups + g];
        const float zero = w.zeros == nullptr ? w.zero : w.zeros[channel * w.groups + g];
        unpack_run<kFormat>(to, values + bytes_of<kFormat>(i), behind - i, scale, zero);
        to += behind - i;
        i = behind;
    }
}

void unpack(float* to, const NarrowWeight& w, int64_t channel, int64_t i, int64_t n) {
    switch (w.format) {
        case kSignedBytes: return unpack_format<kSignedBytes>(to, w, channel, i, n);
        case kHalfBytes: return unpack_format<kHalfBytes>(to, w, channel, i, n);
        case kHalves: return unpack_format<kHalves>(to, w, channel, i, n);
        case kBrains: return unpack_format<kBrains>(to, w, channel, i, n);
    }
}

extern const NarrowWeightLoops narrow_weights = {prepared, prepare, dots, unpack};

}  // namespace lamina::LAMINA_ISA
