// The rows of addcmul and addcdiv: an item and a product, or a quotient, of others times one number.
#include "loops/vectors/memory_bound.hpp"  // before the loops

#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

template <class T>
void addcmul(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]), *c = reinterpret_cast<const T*>(p[3]);
    const T value = *reinterpret_cast<const T*>(p[4]);
    const int64_t so = s[0], sa = s[1], sb = s[2], sc = s[3];
    if (so == 1 && sa == 1 && sb == 1 && sc == 0) {
        const T factor = value * *c;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = a[i] + factor * b[i];
    } else if (so == 1 && sa == 1 && sb == 1 && sc == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = a[i] + (value * c[i]) * b[i];
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = a[i * sa] + (value * c[i * sc]) * b[i * sb];
    }
}

template <class T>
void addcdiv(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]), *c = reinterpret_cast<const T*>(p[3]);
    const T value = *reinterpret_cast<const T*>(p[4]);
    const int64_t so = s[0], sa = s[1], sb = s[2], sc = s[3];
    if (so == 1 && sa == 1 && sb == 1 && sc == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = a[i] + value * b[i] / c[i];
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = a[i * sa] + value * b[i * sb] / c[i * sc];
    }
}

const MapRow kRows[] = {
    {"addcmul", kFloat32, kFloat32, 4, 1, addcmul<float>, kExactNumbers},
    {"addcmul", kFloat64, kFloat64, 4, 1, addcmul<double>},
    {"addcdiv", kFloat32, kFloat32, 4, 1, addcdiv<float>, kExactNumbers},
    {"addcdiv", kFloat64, kFloat64, 4, 1, addcdiv<double>},
};

}  // namespace

extern const Maps scaled_sums = {kRows, int(sizeof kRows / sizeof *kRows)};

}  // namespace lamina::LAMINA_ISA
