// What the taps of windows that lie side by side read: a vector of a row, a lane for each window.
#pragma once

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

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
    constexpr int L = kLanes<T>;
    Lanes<T> numbers;
    for (int l = 0; l < L; ++l) numbers[l] = l;
    const Lane<T> first = Lane<T>(begin < 0 ? 0 : begin > L ? L : begin), last = Lane<T>(end < 0 ? 0 : end > L ? L : end);
    return (numbers >= first) & (numbers < last);
}

// What a tap reads of a row for a vector of windows that are S items apart (0: `step`), the first of them at `at`. At an edge it is 0
// in front of the row and from its `end` on, and nothing is read there.
template <class T, int S, bool Edge>
struct Tap {
    int64_t at, step, end;
    Lanes<T> mask, behind;  // of what is read, and for windows 2 apart of what is behind it

    void ready(int64_t first, int64_t apart, int64_t length) {
        constexpr int L = kLanes<T>;
        at = first, step = apart, end = length;
        if (Edge && S > 0) mask = lanes_within<T>(-at, end - at);
        if (Edge && S == 2) behind = lanes_within<T>(-at - (L - 1), end - at - (L - 1));
    }

    Vec<T> read(const T* from) const {  // from: where the first of them is
        constexpr int L = kLanes<T>;
        if constexpr (S == 1) {
            return Edge ? load_where(from, mask) : load(from);
        } else if constexpr (S == 2) {
            // The second half comes from a vector that begins one item earlier, so that nothing behind is read.
            Lanes<T> picked;
            for (int l = 0; l < L; ++l) picked[l] = l < L / 2 ? 2 * l : 2 * l + 1;
            return Edge ? Vec<T>(__builtin_shuffle(load_where(from, mask), load_where(from + L - 1, behind), picked))
                        : Vec<T>(__builtin_shuffle(load(from), load(from + L - 1), picked));
        } else {
            Vec<T> v = {};
            for (int l = 0; l < L; ++l)
                if (!Edge || (at + l * step >= 0 && at + l * step < end)) v[l] = from[l * step];
            return v;
        }
    }
};

}  // namespace lamina::LAMINA_ISA
