// Depthwise correlation: some rows by a vector of columns at once, each tap's weight used for all of them; edges by masked reads.
#include "../depthwise.hpp"

#include <type_traits>

#include "simd.hpp"
#include "tables.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
using Lanes = Vec<std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;

// The items of lanes whose mask is set; nothing else is read.
template <class T>
inline Vec<T> load_where(const T* from, const Lanes<T>& mask) {
    Vec<T> v = {};
    for (int l = 0; l < kLanes<T>; ++l)
        if (mask[l]) v[l] = from[l];
    return v;
}
#if defined(__AVX512F__)
template <>
inline F32 load_where(const float* from, const Lanes<float>& mask) {
    return F32(_mm512_maskz_loadu_ps(_mm512_movepi32_mask(__m512i(mask)), from));
}
template <>
inline Vec<double> load_where(const double* from, const Lanes<double>& mask) {
    return Vec<double>(_mm512_maskz_loadu_pd(_mm512_movepi64_mask(__m512i(mask)), from));
}
#elif defined(__AVX2__)
template <>
inline F32 load_where(const float* from, const Lanes<float>& mask) {
    return F32(_mm256_maskload_ps(from, __m256i(mask)));
}
template <>
inline Vec<double> load_where(const double* from, const Lanes<double>& mask) {
    return Vec<double>(_mm256_maskload_pd(from, __m256i(mask)));
}
#endif

template <class T>
inline Lanes<T> lanes_within(int64_t begin, int64_t end) {
    using Lane = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    constexpr int L = kLanes<T>;
    Lanes<T> numbers;
    for (int l = 0; l < L; ++l) numbers[l] = l;
    const Lane first = Lane(begin < 0 ? 0 : begin > L ? L : begin), last = Lane(end < 0 ? 0 : end > L ? L : end);
    return (numbers >= first) & (numbers < last);
}

// R rows of a vector of columns from `column` on, of which `some` are written.
template <class T, int R, bool Edge>
inline void correlate_block(const Depthwise& d, const T* const (*rows)[R], int64_t row, int64_t column, int64_t some) {
    constexpr int L = kLanes<T>;
    Vec<T> sums[R];
    const Vec<T> bias = every(d.bias != nullptr ? *reinterpret_cast<const T*>(d.bias) : T(0));
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) sums[r] = bias;
    for (int64_t i = 0; i < d.taps[0]; ++i) {
        const T* w = reinterpret_cast<const T*>(d.weights) + i * d.tap_stride[0];
        int64_t at = column + d.start[1];
        for (int64_t j = 0; j < d.taps[1]; ++j, w += d.tap_stride[1], at += d.apart[1]) {
            const Vec<T> weight = every(*w);
            if (Edge && (at < 0 || at + L > d.length[1])) {
                const Lanes<T> mask = lanes_within<T>(-at, d.length[1] - at);
#pragma GCC unroll 8
                for (int r = 0; r < R; ++r) sums[r] += weight * load_where(rows[i][r] + at, mask);
            } else {
#pragma GCC unroll 8
                for (int r = 0; r < R; ++r) sums[r] += weight * load(rows[i][r] + at);
            }
        }
    }
    T* out = reinterpret_cast<T*>(d.out) + row * d.out_row + column;
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) {
        if (Edge && some < L)
            store_some<T>(out + r * d.out_row, sums[r], some);
        else
            store<T>(out + r * d.out_row, sums[r]);
    }
}

// Blocks of R rows, the last of them over the one in front of it; likewise vectors.
template <class T, int R>
void correlate_plane(const Depthwise& d) {
    constexpr int L = kLanes<T>;
    const T *x = reinterpret_cast<const T*>(d.x), *zeros = reinterpret_cast<const T*>(d.zeros);
    const T* rows[kMostTapRows][R];
    const int64_t reach = (d.taps[1] - 1) * d.apart[1];
    for (int64_t done = 0; done < d.count[0]; done += R) {
        const int64_t row = done + R <= d.count[0] ? done : d.count[0] - R;
        for (int64_t i = 0; i < d.taps[0]; ++i)
            for (int r = 0; r < R; ++r) {
                const int64_t y = (row + r) * d.step + i * d.apart[0] + d.start[0];
                rows[i][r] = y >= 0 && y < d.length[0] ? x + y * d.x_row : zeros;
            }
        for (int64_t ready = 0; ready < d.count[1]; ready += L) {
            const int64_t column = ready + L <= d.count[1] || d.count[1] < L ? ready : d.count[1] - L;
            const int64_t some = d.count[1] - column < L ? d.count[1] - column : L, at = column + d.start[1];
            if (some < L || at < 0 || at + reach + L > d.length[1])
                correlate_block<T, R, true>(d, rows, row, column, some);
            else
                correlate_block<T, R, false>(d, rows, row, column, some);
        }
    }
}

template <class T>
void correlate_depthwise(const Depthwise& d) {
    if (d.count[0] >= 8) return correlate_plane<T, 8>(d);
    if (d.count[0] >= 4) return correlate_plane<T, 4>(d);
    correlate_plane<T, 1>(d);
}

extern const DepthwiseLoops depthwise = {{correlate_depthwise<float>, correlate_depthwise<double>}};

}  // namespace lamina::LAMINA_ISA
