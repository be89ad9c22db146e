// a * b + c of vectors, rounded once.
#pragma once

#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

#if defined(__AVX512F__)
inline F32 multiply_add(const F32& a, const F32& b, const F32& c) { return F32(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c))); }
inline Vec<double> multiply_add(const Vec<double>& a, const Vec<double>& b, const Vec<double>& c) {
    return Vec<double>(_mm512_fmadd_pd(__m512d(a), __m512d(b), __m512d(c)));
}
#elif defined(__AVX2__)
inline F32 multiply_add(const F32& a, const F32& b, const F32& c) { return F32(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c))); }
inline Vec<double> multiply_add(const Vec<double>& a, const Vec<double>& b, const Vec<double>& c) {
    return Vec<double>(_mm256_fmadd_pd(__m256d(a), __m256d(b), __m256d(c)));
}
#else
inline F32 multiply_add(const F32& a, const F32& b, const F32& c) {  // the product of two float32 is exact in float64
    F32 y;
    for (int i = 0; i < kLanes<float>; ++i) y[i] = float(double(a[i]) * double(b[i]) + double(c[i]));
    return y;
}
inline Vec<double> multiply_add(const Vec<double>& a, const Vec<double>& b, const Vec<double>& c) {
    Vec<double> y;
    for (int i = 0; i < kLanes<double>; ++i) y[i] = __builtin_fma(a[i], b[i], c[i]);
    return y;
}
#endif

}  // namespace lamina::LAMINA_ISA
