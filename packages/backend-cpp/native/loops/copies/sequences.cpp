// Numbers at even distances, and the same ones again and again.
#include <cmath>
#include <cstring>

#include "loops/tables.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

// From both ends to the middle; the product and the sum are rounded once. 0 is added so that no item is -0. Counted by 32 bits, where
// they reach, as these are made numbers of in vectors.
template <class T, class Count>
inline void evenly_counted(T* out, int64_t stride, Count n, T start, T stop) {
    const T step = n > 1 ? (stop - start) / T(n - 1) : T(0);
    const Count half = n / 2, last = n - 1;
    const T end = n > 1 ? stop : start;
    if (stride == 1) {
        for (Count i = 0; i < half; ++i) out[i] = std::fma(T(i), step, start) + T(0);
        for (Count i = half; i < n; ++i) out[i] = std::fma(T(last - i), -step, end) + T(0);
    } else {
        for (Count i = 0; i < half; ++i) out[i * stride] = std::fma(T(i), step, start) + T(0);
        for (Count i = half; i < n; ++i) out[i * stride] = std::fma(T(last - i), -step, end) + T(0);
    }
}

template <class T>
void evenly(char* data, int64_t stride, int64_t n, double start, double stop) {
    T* out = reinterpret_cast<T*>(data);
    if (n <= INT32_MAX)
        evenly_counted<T, int32_t>(out, stride, int32_t(n), T(start), T(stop));
    else
        evenly_counted<T, int64_t>(out, stride, n, T(start), T(stop));
}

void repeat(char* out, const char* pattern, int64_t bytes) {
    constexpr int kVectors = kRepeated / kVectorBytes;
    Vec<char> vectors[kVectors];
    std::memcpy(vectors, pattern, kRepeated);
    int64_t at = 0;
    for (; at + kRepeated <= bytes; at += kRepeated)
        for (int i = 0; i < kVectors; ++i) store<char>(out + at + i * kVectorBytes, vectors[i]);
    std::memcpy(out + at, pattern, size_t(bytes - at));
}

extern const Sequences sequences = {{evenly<float>, evenly<double>}, repeat};

}  // namespace lamina::LAMINA_ISA
