// How the special functions are put together: fitted rational functions, and regions that are only computed where items lie in them.
#pragma once

#include "loops/math/fits.hpp"
#include "loops/math/float_math.hpp"

namespace lamina::LAMINA_ISA {

template <int N>
inline F64 ascending(const F64& x, const double (&c)[N]) {  // the sum of c[k] * x**k
    F64 p = every(c[N - 1]);
    for (int i = N - 2; i >= 0; --i) p = p * x + c[i];
    return p;
}

template <int N, int D>
inline F64 rational(const F64& x, const Fit<N, D>& fit) {
    const F64 numerator = ascending(x, fit.numerator);
    if constexpr (D == 1) return numerator;
    return numerator / ascending(x, fit.denominator);
}

// `first` where `inside`, else `second`; neither is computed for nothing.
template <class A, class B>
inline F64 by_region(const I64& inside, const A& first, const B& second) {
    F64 found = {};
    if (any_lane(inside)) found = first();
    if (any_lane(~inside)) found = choose(inside, found, second());
    return found;
}

// How far x is from the nearest integer, in [-1/2, 1/2], exactly: what functions of pi x depend on.
inline F64 from_integer(const F64& x) {
    F64 nearest;
    for (int i = 0; i < kLanes<double>; ++i) nearest[i] = __builtin_rint(x[i]);
    return x - nearest;
}

}  // namespace lamina::LAMINA_ISA
