// The rows of ops that compare an item with others or with 0: clip, lerp, sign, round, copysign, signbit, shifts.
#include <cmath>

#include "float_math.hpp"
#include "item_loops.hpp"
#include "tables.hpp"
#include "vector_loops.hpp"

namespace lamina::LAMINA_ISA {

LAMINA_UNARY(Sign, T((x > T(0)) - (x < T(0))))
LAMINA_UNARY(Round, std::rint(x))
LAMINA_UNARY(SignBit, uint8_t(std::signbit(x)))
LAMINA_UNARY(IsNegative, uint8_t(x < T(0)))
LAMINA_BINARY(CopySign, std::copysign(a, b))
// A count that is negative, or the width or more, pushes all bits out.
LAMINA_BINARY(LeftShift, std::make_unsigned_t<T>(b) >= 8 * sizeof(T) ? T(0) : T(W<T>(a) << W<T>(b)))
LAMINA_BINARY(RightShift, std::make_unsigned_t<T>(b) >= 8 * sizeof(T) ? T(a < T(0) ? -1 : 0) : T(a >> b))

// min(max(x, low), high): a NaN among them stays.
struct Clip {
    template <class V>
    static inline V of(const V& x, const V& low, const V& high) {
        const V y = choose((x > low) | (x != x), x, low);
        return choose((y < high) | (y != y), y, high);
    }
};
template <class T>
struct WholeClip {
    static inline T of(T x, T low, T high) {
        const T y = x > low ? x : low;
        return y < high ? y : high;
    }
};

// From the nearer end, so that weight 1 gives b itself.
template <class T>
struct Lerp {
    static inline T of(T a, T b, T weight) {
        const T reach = b - a;
        return std::fabs(weight) < T(0.5) ? a + weight * reach : b - reach * (T(1) - weight);
    }
};

template <class F, class T>
void ternary(char* const* p, const int64_t* s, int64_t n) {
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]), *c = reinterpret_cast<const T*>(p[3]);
    const int64_t so = s[0], sa = s[1], sb = s[2], sc = s[3];
    if (so == 1 && sa == 1 && sb == 0 && sc == 0) {
        const T y = *b, z = *c;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], y, z);
    } else if (so == 1 && sa == 1 && sb == 1 && sc == 0) {
        const T z = *c;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], b[i], z);
    } else if (so == 1 && sa == 1 && sb == 1 && sc == 1) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; ++i) out[i] = F::of(a[i], b[i], c[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) out[i * so] = F::of(a[i * sa], b[i * sb], c[i * sc]);
    }
}

#define LAMINA_BOUND1(name, F, T, code, R, out_code) {name, code, out_code, 1, 1, unary<F, T, R>},
#define LAMINA_BOUND2(name, F, T, code) {name, code, code, 2, 1, binary<F, T, T>},
#define LAMINA_WHOLE_BOUNDS(T, code)                                \
    {"clip", code, code, 3, 1, ternary<WholeClip<T>, T>},           \
    LAMINA_BOUND1("sign", Sign, T, code, T, code)                   \
    LAMINA_BOUND1("signbit", IsNegative, T, code, uint8_t, kBool)   \
    LAMINA_BOUND2("bitwise_left_shift", LeftShift, T, code)         \
    LAMINA_BOUND2("bitwise_right_shift", RightShift, T, code)
#define LAMINA_FLOAT_BOUNDS(T, code)                             \
    {"clip", code, code, 3, 1, vector_ternary<Clip, T>},        \
    {"lerp", code, code, 3, 1, ternary<Lerp<T>, T>},             \
    LAMINA_BOUND1("sign", Sign, T, code, T, code)                \
    LAMINA_BOUND1("signbit", SignBit, T, code, uint8_t, kBool)   \
    LAMINA_BOUND1("round", Round, T, code, T, code)              \
    LAMINA_BOUND2("copysign", CopySign, T, code)

const MapRow kBounds[] = {
    LAMINA_FLOAT_BOUNDS(float, kFloat32) LAMINA_FLOAT_BOUNDS(double, kFloat64)
    LAMINA_WHOLE_BOUNDS(int64_t, kInt64) LAMINA_WHOLE_BOUNDS(int32_t, kInt32) LAMINA_WHOLE_BOUNDS(uint8_t, kUInt8)
};

extern const Maps bounds = {kBounds, int(sizeof kBounds / sizeof *kBounds)};

}  // namespace lamina::LAMINA_ISA
