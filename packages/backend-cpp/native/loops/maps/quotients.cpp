// The rows of division, with a remainder or without. Of floats the remainder is exact; integers are only divided by a number that is not 0.
#include <cmath>

#include "loops/maps/integer_rows.hpp"
#include "loops/maps/item_functions.hpp"
#include "loops/maps/one_divisor.hpp"
#include "loops/math/float_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {

inline F64 truncated(const F64& x) {
#if defined(__AVX512F__)
    return F64(_mm512_roundscale_pd(__m512d(x), 3));
#elif defined(__AVX2__)
    return F64(_mm256_round_pd(__m256d(x), 3));
#else
    F64 y;
    for (int i = 0; i < kLanes<double>; ++i) y[i] = __builtin_trunc(x[i]);
    return y;
#endif
}

// a - b trunc(a / b). The quotient is rounded, so it may be one too large: then the rest comes out negative.
// Quotients that do not fit a significand (and what is infinite) are left to the library.
inline F64 rest_of(const F64& a, const F64& b) {
    const F64 x = magnitude(a), y = magnitude(b), q = truncated(x / y);
    F64 r = multiply_add(-q, y, x);
    r = choose(r < 0.0, r + y, r);
    r = choose(r >= y, r - y, r);
    F64 found = with_sign_of(r, a);
    const I64 plain = (q < 9007199254740992.0) & (y < __builtin_inf());
    if (any_lane(~plain))
        for (int i = 0; i < kLanes<double>; ++i)
            if (!plain[i]) found[i] = __builtin_fmod(a[i], b[i]);
    return found;
}

inline F32 rest_of(const F32& a, const F32& b) {
    return narrowed(rest_of(widened(a, 0), widened(b, 0)), rest_of(widened(a, 1), widened(b, 1)));
}

struct Fmod {
    template <class V>
    static inline V of(const V& a, const V& b) {
        return rest_of(a, b);
    }
};

struct Remainder {
    template <class V>
    static inline V of(const V& a, const V& b) {
        const V rest = rest_of(a, b), zero = {};
        return choose((rest != zero) & ((rest < zero) != (b < zero)), rest + b, rest);
    }
};

struct FloorDivide {
    template <class V>
    static inline V of(const V& a, const V& b) {
        const V rest = rest_of(a, b), zero = {}, exact = a / b;
        V quotient = (a - rest) / b;
        quotient = choose((rest != zero) & ((b < zero) != (rest < zero)), quotient - 1, quotient);
        V low = floored(quotient);
        low = choose(quotient - low > zero + decltype(a[0] + 0)(0.5), low + 1, low);
        low = choose(quotient == zero, with_sign_of(zero, exact), low);
        return choose(b == zero, exact, low);
    }
};

template <class T>
void divide(char* const* p, const int64_t* s, int64_t n) {
#if defined(__FMA__)
    if (s[0] == 1 && s[1] == 1 && s[2] == 0)
        return divide_by_one(reinterpret_cast<T*>(p[0]), reinterpret_cast<const T*>(p[1]), *reinterpret_cast<const T*>(p[2]), n);
#endif
    binary<Divide, T, T>(p, s, n);
}

LAMINA_BINARY(TruncDivide, std::trunc(a / b))

#define LAMINA_QUOTIENT(name, F)                                     \
    {name, kFloat32, kFloat32, 2, 4, vector_binary<F, float>},       \
    {name, kFloat64, kFloat64, 2, 4, vector_binary<F, double>},
const MapRow kQuotients[] = {
    {"divide", kFloat32, kFloat32, 2, 1, divide<float>, kExactNumbers},
    {"divide", kFloat64, kFloat64, 2, 1, divide<double>},
    LAMINA_QUOTIENT("floor_divide", FloorDivide) LAMINA_QUOTIENT("remainder", Remainder) LAMINA_QUOTIENT("fmod", Fmod)
    {"trunc_divide", kFloat32, kFloat32, 2, 1, binary<TruncDivide, float, float>},
    {"trunc_divide", kFloat64, kFloat64, 2, 1, binary<TruncDivide, double, double>},
    LAMINA_WHOLE_QUOTIENTS(int64_t, kInt64)
};

extern const Maps quotients = {kQuotients, int(sizeof kQuotients / sizeof *kQuotients)};

}  // namespace lamina::LAMINA_ISA
