// Exponentials, powers and lengths of float64 vectors, within about 1 ulp: what was rounded away is kept in a second part (Dekker 1971; Muller, "Elementary Functions").
#pragma once

#include "loops/math/float_math.hpp"
#include "loops/vectors/multiply_add.hpp"

namespace lamina::LAMINA_ISA {

// A rounded product, which the compiler does not fuse into the sums that tell what it was rounded by.
inline F64 settled(F64 x) {
#if defined(__x86_64__)
    asm("" : "+x"(x));
#else
    asm("" : "+w"(x));
#endif
    return x;
}

// (q + q_low) * exp(high + low), rounded once; 0 or infinite where high is beyond 800.
inline F64 times_exp(F64 high, F64 low, const F64& q, const F64& q_low) {
    const I64 far = magnitude(high) > 800.0;
    low = choose(far, every(0.0), low);
    high = choose(far, with_sign_of(every(800.0), high), high);
    const F64 shifted = high * 1.4426950408889634074 + kRounding64, n = shifted - kRounding64;
    const F64 rest = high - settled(n * kLn2High64), taken = settled(n * kLn2Low64), r = rest - taken;
    const F64 r_low = ((rest - r) - taken) + low, rough = small_expm1(r), e = rough + (r_low + r_low * rough);
    const F64 p = q + (q_low + q * e);
    const U64 exponent = bits_as<U64>(shifted) - bits_as<U64>(every(kRounding64));
    const U64 half = ((exponent + 4096) >> 1) - 2048;
    return p * power_of_two(half) * power_of_two(exponent - half);
}

inline F64 exp_of_parts(const F64& high, const F64& low) { return times_exp(high, low, every(1.0), every(0.0)); }

#if defined(__FMA__) || defined(__aarch64__)

// log(x) = high + low for ordinary x > 0, with 65 bits: with s = f / (2 + f) it is n ln 2 + 2 s + s**3 (2/3 + ...).
inline F64 log_in_parts(const F64& x, F64& low) {
    static constexpr double c[] = {0.11572341430151509, 0.11721326752109222, 0.13334216688104267, 0.15384606187576816,
                                   0.18181818227318314, 0.22222222222137927, 0.285714285714286, 0.4};
    F64 f;
    const F64 n = split_log(x, f), below = 2.0 + f;
    const F64 s = f / below, s_low = (multiply_add(-s, below, f) - s * (f - (below - 2.0))) / below;
    const F64 z = settled(s * s), z_low = multiply_add(s, s, -z) + 2.0 * s * s_low;
    const F64 more = settled(z * polynomial(z, c));
    const F64 factor = 0.6666666666666666 + more, factor_low = ((0.6666666666666666 - factor) + more) + 3.700743415417188e-17;
    const F64 w = settled(z * factor), w_low = multiply_add(z, factor, -w) + (z * factor_low + z_low * factor);
    const F64 u = settled(s * w), u_low = multiply_add(s, w, -u) + (s * w_low + s_low * w);
    const F64 twice = s + s, small = twice + u, small_low = ((twice - small) + u) + (2.0 * s_low + u_low);
    const F64 whole = settled(n * kLn2High64), part = settled(n * kLn2Low64), large = whole + small, high = large + part;
    low = ((large - high) + part) + (((whole - large) + small) + small_low);
    return high;
}

// |a|**b = exp(b log |a|); the sign is that of a where b is odd, and there is none where b is no integer.
[[gnu::noinline]] inline F64 dpow(const F64& a, const F64& b) {
    const F64 size = magnitude(a), infinity = every(__builtin_inf());
    F64 low;
    const F64 logarithm = log_at_edges(size, log_in_parts(size, low)), product = settled(b * logarithm);
    F64 y = exp_of_parts(product, multiply_add(b, logarithm, -product) + b * low);
    const F64 half = 0.5 * b;
    const I64 whole = floored(b) == b, odd = whole & (floored(half) != half);
    y = choose((bits_as<I64>(a) < 0) & odd, -y, y);
    y = choose((a < 0.0) & ~whole & (size != infinity), every(__builtin_nan("")), y);
    return choose((b == 0.0) | (a == 1.0) | ((size == 1.0) & (magnitude(b) == infinity)), every(1.0), y);
}

#else  // products with an error term take too long: the library's is faster

[[gnu::noinline]] inline F64 dpow(const F64& a, const F64& b) {
    F64 y;
    for (int i = 0; i < kLanes<double>; ++i) y[i] = __builtin_pow(a[i], b[i]);
    return y;
}

#endif

// sqrt(a * a + b * b), scaled by a power of two where the squares would overflow or vanish; infinite if one is, whatever the other.
inline F64 dhypot(const F64& a, const F64& b) {
    const F64 x = magnitude(a), y = magnitude(b), great = choose(x > y, x, y), infinity = every(__builtin_inf());
    const I64 large = great > 1e150, small = great < 1e-140;
    const F64 by = choose(large, every(0x1p-600), choose(small, every(0x1p600), every(1.0)));
    const F64 back = choose(large, every(0x1p600), choose(small, every(0x1p-600), every(1.0)));
    const F64 u = x * by, v = y * by, root = dsqrt(u * u + v * v) * back;
    return choose((x == infinity) | (y == infinity), infinity, root);
}

// Squares of float32 overflow nowhere in float64.
inline F64 hypot_of_singles(const F64& a, const F64& b) {
    const F64 infinity = every(__builtin_inf());
    return choose((magnitude(a) == infinity) | (magnitude(b) == infinity), infinity, dsqrt(a * a + b * b));
}

inline F32 vhypot(const F32& a, const F32& b) {
    return narrowed(hypot_of_singles(widened(a, 0), widened(b, 0)), hypot_of_singles(widened(a, 1), widened(b, 1)));
}

}  // namespace lamina::LAMINA_ISA
