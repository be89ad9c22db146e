// Vectors of as many items as this instruction set's registers hold, by GCC's vector extensions.
#pragma once

#include <cstdint>
#include <cstring>

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

using F32 = Vec<float>;
using I32 = Vec<int32_t>;

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

}  // namespace lamina::LAMINA_ISA
