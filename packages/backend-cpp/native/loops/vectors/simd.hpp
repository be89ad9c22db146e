// Vectors of as many items as this instruction set's registers hold, by GCC's vector extensions.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lamina::LAMINA_ISA {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T>
struct VectorOf {
    typedef T type __attribute__((vector_size(kVectorBytes)));
};
template <class T>
using Vec = typename VectorOf<T>::type;

template <class T>
constexpr int kLanes = kVectorBytes / int(sizeof(T));

// Whole numbers of an item's size: places of lanes, and masks.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 2, int16_t, std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;
template <class T>
using Lanes = Vec<Lane<T>>;

using F32 = Vec<float>;
using I32 = Vec<int32_t>;
using U32 = Vec<uint32_t>;  // for arithmetic on bits: it may wrap

template <class T>
inline Vec<T> load(const T* from) {
    Vec<T> v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

template <class T>
inline void store(T* to, const Vec<T>& v) {
    std::memcpy(to, &v, sizeof v);
}

template <class T>
inline Vec<T> load_some(const T* from, int64_t n, T rest) {
    T lanes[kLanes<T>];
    for (int i = 0; i < kLanes<T>; ++i) lanes[i] = i < n ? from[i] : rest;
    return load<T>(lanes);
}

template <class T>
inline void store_some(T* to, const Vec<T>& v, int64_t n) {
    T lanes[kLanes<T>];
    store<T>(lanes, v);
    for (int64_t i = 0; i < n; ++i) to[i] = lanes[i];
}

#if defined(__AVX512F__)
template <>
inline F32 load_some(const float* from, int64_t n, float rest) {
    return F32(_mm512_mask_loadu_ps(_mm512_set1_ps(rest), __mmask16((1u << n) - 1), from));
}
template <>
inline void store_some(float* to, const F32& v, int64_t n) {
    _mm512_mask_storeu_ps(to, __mmask16((1u << n) - 1), __m512(v));
}
template <>
inline Vec<double> load_some(const double* from, int64_t n, double rest) {
    return Vec<double>(_mm512_mask_loadu_pd(_mm512_set1_pd(rest), __mmask8((1u << n) - 1), from));
}
template <>
inline void store_some(double* to, const Vec<double>& v, int64_t n) {
    _mm512_mask_storeu_pd(to, __mmask8((1u << n) - 1), __m512d(v));
}
template <>
inline void store_some(int64_t* to, const Vec<int64_t>& v, int64_t n) {
    _mm512_mask_storeu_epi64(to, __mmask8((1u << n) - 1), __m512i(v));
}
#elif defined(__AVX2__)
inline I32 first_lanes(int64_t n) { return I32{0, 1, 2, 3, 4, 5, 6, 7} < int32_t(n); }
template <>
inline F32 load_some(const float* from, int64_t n, float rest) {
    const I32 there = first_lanes(n);
    const F32 loaded = F32(_mm256_maskload_ps(from, __m256i(there)));
    return F32(_mm256_blendv_ps(_mm256_set1_ps(rest), __m256(loaded), __m256(there)));
}
template <>
inline void store_some(float* to, const F32& v, int64_t n) {
    _mm256_maskstore_ps(to, __m256i(first_lanes(n)), __m256(v));
}
inline Vec<int64_t> first_pairs(int64_t n) { return Vec<int64_t>{0, 1, 2, 3} < n; }
template <>
inline Vec<double> load_some(const double* from, int64_t n, double rest) {
    const __m256i there = __m256i(first_pairs(n));
    return Vec<double>(_mm256_blendv_pd(_mm256_set1_pd(rest), _mm256_maskload_pd(from, there), __m256d(there)));
}
template <>
inline void store_some(double* to, const Vec<double>& v, int64_t n) {
    _mm256_maskstore_pd(to, __m256i(first_pairs(n)), __m256d(v));
}
template <>
inline void store_some(int64_t* to, const Vec<int64_t>& v, int64_t n) {
    _mm256_maskstore_epi64(reinterpret_cast<long long*>(to), __m256i(first_pairs(n)), __m256i(v));
}
#endif

// A vector of a line, or its last n items, fewer than there are lanes, before zeros.
template <class T>
inline Vec<T> items_at(const T* line, int64_t n) {
    return n < kLanes<T> ? load_some(line, n, T(0)) : load(line);
}

template <class T>
inline void put_items(T* line, const Vec<T>& v, int64_t n) {
    if (n < kLanes<T>)
        store_some<T>(line, v, n);
    else
        store<T>(line, v);
}

template <class T>
inline Vec<T> every(T x) {
    return x - Vec<T>{};
}

template <class To, class From>
inline To bits_as(const From& v) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &v, sizeof to);
    return to;
}

template <class Mask, class V>
inline V choose(const Mask& mask, const V& a, const V& b) {
    return bits_as<V>((mask & bits_as<Mask>(a)) | (~mask & bits_as<Mask>(b)));
}

// The first n lanes, and zeros.
template <class T>
inline Vec<T> first_of(const Vec<T>& v, int64_t n) {
    Vec<T> lane;
    for (int i = 0; i < kLanes<T>; ++i) lane[i] = T(i);
    return choose(lane < T(n), v, Vec<T>{});
}

#if defined(__clang__)  // what GCC has; where the places are constants, Clang makes instructions of GCC's kind of it, too
template <class V, class Places>
[[gnu::always_inline]] inline V __builtin_shuffle(const V& a, const V& b, const Places& places) {
    constexpr int L = int(sizeof(Places) / sizeof(places[0]));
    V items;
    for (int i = 0; i < L; ++i) items[i] = places[i] < L ? a[places[i] % L] : b[places[i] % L];
    return items;
}
#endif

// The first half of 2 * kStep lanes, or of as many vectors, with the second, again and again, down to one.
template <int kStep, class X, class F>
inline void reduce_halves(X* reduced, const F& both) {
#pragma GCC unroll 8
    for (int j = 0; j < kStep; ++j) reduced[j] = both(reduced[j], reduced[j + kStep]);
    if constexpr (kStep > 1) reduce_halves<kStep / 2>(reduced, both);
}

template <class T>
inline T sum_of_lanes(const Vec<T>& v) {
    T lanes[kLanes<T>];
    store<T>(lanes, v);
    reduce_halves<kLanes<T> / 2>(lanes, [](T a, T b) { return a + b; });
    return lanes[0];
}

// The halves of a vector, in double.
inline void in_double(const F32& v, Vec<double>& low, Vec<double>& high) {
    using Half = float __attribute__((vector_size(kVectorBytes / 2)));
    Half halves[2];
    std::memcpy(halves, &v, sizeof halves);
    low = __builtin_convertvector(halves[0], Vec<double>);
    high = __builtin_convertvector(halves[1], Vec<double>);
}

// Whether a comparison was true of some lane.
template <class Mask>
inline bool any_lane(const Mask& mask) {
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask(__m512i(mask), __m512i(mask)) != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_epi8(__m256i(mask)) != 0;
#else
    int64_t parts[kVectorBytes / 8], all = 0;
    std::memcpy(parts, &mask, sizeof parts);
    for (const int64_t part : parts) all |= part;
    return all != 0;
#endif
}

template <class V>
inline V floored(const V& x) {
    V y;
    for (int i = 0; i < int(sizeof(V) / sizeof(x[0])); ++i) y[i] = __builtin_floor(x[i]);
    return y;
}

}  // namespace lamina::LAMINA_ISA
