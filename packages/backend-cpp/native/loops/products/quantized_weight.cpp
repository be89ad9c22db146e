// Rows of floats by weights of few bits, which are taken apart in registers: what is read of memory is bits.
#include "kernels/products/quantized_weight.hpp"

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

// A chunk of items: of 8 bits the first and the second half of them, of 4 bits those at even and at odd places.
template <int kBits>
inline void take_apart(const char* from, F32& first, F32& second) {
    if constexpr (kBits == 8) {
        first = as_floats(signed_bytes(from));
        second = as_floats(signed_bytes(from + kLength));
    } else {
        const I32 pairs = unsigned_bytes(from);
        first = as_floats(pairs & 15);
        second = as_floats(pairs >> 4);
    }
}

template <int kBits>
constexpr int64_t bytes_of(int64_t items) {
    return (items * kBits + 7) / 8;
}

// The last items of a group, fewer than a chunk: what lies behind them is not read.
template <int kBits>
inline void take_last_apart(const char* from, int64_t items, F32& first, F32& second) {
    char bytes[kChunk] = {};
    std::memcpy(bytes, from, size_t(bytes_of<kBits>(items)));
    take_apart<kBits>(bytes, first, second);
}

inline int64_t chunks_of(int64_t items) { return (items + kChunk - 1) / kChunk; }

inline int64_t length_of(const QuantizedWeight& w, int64_t group) {
    const int64_t rest = w.k - group * w.group;
    return rest < w.group ? rest : w.group;
}

int64_t prepared(const QuantizedWeight& w) {
    int64_t chunks = 0;
    for (int64_t g = 0; g < w.groups; ++g) chunks += chunks_of(length_of(w, g));
    return chunks * kChunk;
}

void prepare(float* to, float* sums, const float* x, const QuantizedWeight& w) {
    for (int64_t g = 0; g < w.groups; ++g) {
        const int64_t items = length_of(w, g);
        F32 sum = {};
        for (int64_t i = 0; i < items; i += kChunk, to += kChunk) {
            const int64_t n = items - i < kChunk ? items - i : kChunk;
            for (int j = 0; j < kChunk; ++j) {
                const int64_t from = w.bits == 8 ? j : j < kLength ? 2 * j : 2 * (j - kLength) + 1;
                to[j] = from < n ? x[i + from] : 0;
            }
            sum += load(to) + load(to + kLength);
        }
        x += items;
        if (sums != nullptr) sums[g] = sum_of_lanes<float>(sum);
    }
}

// One channel and R rows.
template <int kBits, int R>
inline void dots_of(float* out, int64_t out_row, const float* x, const float* sums, const PreparedRows& rows, const QuantizedWeight& w,
                    int64_t channel) {
    constexpr int kTogether = R == 1 ? 2 : 1;  // chunks: so many sums that none waits for the one before
    const char* values = w.values + channel * w.row;
    const float* scales = w.scales + channel * w.groups;
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
                take_apart<kBits>(values, first, second);
                values += bytes_of<kBits>(kChunk);
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
                take_apart<kBits>(values, first, second);
            else
                take_last_apart<kBits>(values, n, first, second);
            values += bytes_of<kBits>(n);
#pragma GCC unroll 4
            for (int r = 0; r < R; ++r) {
                parts[r][0] += load(x + r * rows.x_row) * first;
                parts[r][1] += load(x + r * rows.x_row + kLength) * second;
            }
            x += kChunk;
            i += n;
        }
        const float scale = scales[g], shift = scale * (zeros == nullptr ? w.zero : zeros[g]);
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

template <int kBits>
inline void dots_of_bits(float* out, int64_t out_row, const PreparedRows& rows, const QuantizedWeight& w, int64_t first, int64_t last) {
    for (int64_t channel = first; channel < last; ++channel)
        for (int64_t r = 0; r < rows.m; r += 4) {
            const float *x = rows.x + r * rows.x_row, *sums = rows.sums + r * rows.sum_row;
            float* to = out + r * out_row + channel;
            switch (rows.m - r) {
                case 1: dots_of<kBits, 1>(to, out_row, x, sums, rows, w, channel); break;
                case 2: dots_of<kBits, 2>(to, out_row, x, sums, rows, w, channel); break;
                case 3: dots_of<kBits, 3>(to, out_row, x, sums, rows, w, channel); break;
                default: dots_of<kBits, 4>(to, out_row, x, sums, rows, w, channel);
            }
        }
}

void dots(float* out, int64_t out_row, const PreparedRows& rows, const QuantizedWeight& w, int64_t first, int64_t last) {
    if (w.bits == 8)
        dots_of_bits<8>(out, out_row, rows, w, first, last);
    else
        dots_of_bits<4>(out, out_row, rows, w, first, last);
}

// Items of one group; of 4 bits they begin at an even place.
template <int kBits>
inline void unpack_run(float* to, const char* from, int64_t n, float scale, float zero) {
    int64_t i = 0;
    for (; i + kChunk <= n; i += kChunk, from += bytes_of<kBits>(kChunk)) {
        F32 first, second;
        take_apart<kBits>(from, first, second);
        first = (first - zero) * scale;
        second = (second - zero) * scale;
        if constexpr (kBits == 8) {
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
    for (int64_t j = 0; i + j < n; ++j) {
        int q;
        if constexpr (kBits == 8)
            q = static_cast<signed char>(from[j]);
        else
            q = static_cast<unsigned char>(from[j / 2]) >> 4 * (j & 1) & 15;
        to[i + j] = (float(q) - zero) * scale;
    }
}

void unpack(float* to, const QuantizedWeight& w, int64_t channel, int64_t i, int64_t n) {
    const char* values = w.values + channel * w.row;
    for (const int64_t end = i + n; i < end;) {
        const int64_t g = i / w.group, behind = (g + 1) * w.group < end ? (g + 1) * w.group : end;
        const float scale = w.scales[channel * w.groups + g], zero = w.zeros == nullptr ? w.zero : w.zeros[channel * w.groups + g];
        if (w.bits == 8)
            unpack_run<8>(to, values + i, behind - i, scale, zero);
        else
            unpack_run<4>(to, values + i / 2, behind - i, scale, zero);
        to += behind - i;
        i = behind;
    }
}

extern const QuantizedLoops quantized = {prepared, prepare, dots, unpack};

}  // namespace lamina::LAMINA_ISA
