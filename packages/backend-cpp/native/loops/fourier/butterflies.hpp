// Fourier transforms of as many rows as a vector has lanes, pass by pass.
//
// Each pass is in place: items are brought in the order of their mirrored digits, which whoever reads them does on the way, and the
// last pass leaves them sorted. So all fits into the first cache: Van Loan, Computational Frameworks for the Fast Fourier Transform,
// 1992, section 1.6. Each number is two vectors, of real and of imaginary parts.
#pragma once

#include "kernels/fourier/fourier.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
struct Complexes {
    Vec<T> re, im;
};

template <class T>
[[gnu::always_inline]] inline Complexes<T> operator+(const Complexes<T>& a, const Complexes<T>& b) { return {a.re + b.re, a.im + b.im}; }
template <class T>
[[gnu::always_inline]] inline Complexes<T> operator-(const Complexes<T>& a, const Complexes<T>& b) { return {a.re - b.re, a.im - b.im}; }
template <class T>
[[gnu::always_inline]] inline Complexes<T> times(const Complexes<T>& a, T factor) { return {a.re * factor, a.im * factor}; }
template <class T, class W>
[[gnu::always_inline]] inline Complexes<T> turned(const Complexes<T>& a, W re, W im) {
    return {a.re * re - a.im * im, a.im * re + a.re * im};
}
// Minus and plus i times b, added to a.
template <class T>
[[gnu::always_inline]] inline Complexes<T> minus_i(const Complexes<T>& a, const Complexes<T>& b) { return {a.re + b.im, a.im - b.re}; }
template <class T>
[[gnu::always_inline]] inline Complexes<T> plus_i(const Complexes<T>& a, const Complexes<T>& b) { return {a.re - b.im, a.im + b.re}; }

template <class T>
[[gnu::always_inline]] inline Complexes<T> number_at(const Vec<T>* x, int64_t i) { return {x[2 * i], x[2 * i + 1]}; }
template <class T>
[[gnu::always_inline]] inline void put_at(Vec<T>* y, int64_t i, const Complexes<T>& v) {
    y[2 * i] = v.re;
    y[2 * i + 1] = v.im;
}

template <int R>
struct Butterfly;

template <>
struct Butterfly<2> {
    template <class T>
    [[gnu::always_inline]] static inline void run(Complexes<T>* v) {
        const Complexes<T> a = v[0];
        v[0] = a + v[1];
        v[1] = a - v[1];
    }
};
template <>
struct Butterfly<3> {
    template <class T>
    [[gnu::always_inline]] static inline void run(Complexes<T>* v) {
        const Complexes<T> sum = v[1] + v[2], turn = times(v[1] - v[2], T(0.86602540378443864676));
        const Complexes<T> middle = v[0] - times(sum, T(0.5));
        v[0] = v[0] + sum;
        v[1] = minus_i(middle, turn);
        v[2] = plus_i(middle, turn);
    }
};
template <>
struct Butterfly<4> {
    template <class T>
    [[gnu::always_inline]] static inline void run(Complexes<T>* v) {
        const Complexes<T> a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];
        v[0] = a + c;
        v[1] = minus_i(b, d);
        v[2] = a - c;
        v[3] = plus_i(b, d);
    }
};
template <>
struct Butterfly<5> {
    template <class T>
    [[gnu::always_inline]] static inline void run(Complexes<T>* v) {
        constexpr T c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410);
        constexpr T s1 = T(0.95105651629515357212), s2 = T(0.58778525229247312917);
        const Complexes<T> a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3], x = v[0];
        const Complexes<T> near = x + times(a, c1) + times(b, c2), far = x + times(a, c2) + times(b, c1);
        const Complexes<T> one = times(c, s1) + times(d, s2), two = times(c, s2) - times(d, s1);
        v[0] = x + a + b;
        v[1] = minus_i(near, one);
        v[2] = minus_i(far, two);
        v[3] = plus_i(far, two);
        v[4] = plus_i(near, one);
    }
};
template <>
struct Butterfly<8> {
    template <class T>
    [[gnu::always_inline]] static inline void run(Complexes<T>* v) {
        constexpr T h = T(0.70710678118654752440);
        Complexes<T> e[4] = {v[0], v[2], v[4], v[6]}, o[4] = {v[1], v[3], v[5], v[7]};
        Butterfly<4>::run(e);
        Butterfly<4>::run(o);
        const Complexes<T> first = times(Complexes<T>{o[1].re + o[1].im, o[1].im - o[1].re}, h);
        const Complexes<T> third = times(Complexes<T>{o[3].im - o[3].re, -o[3].re - o[3].im}, h);
        v[0] = e[0] + o[0];
        v[4] = e[0] - o[0];
        v[1] = e[1] + first;
        v[5] = e[1] - first;
        v[2] = minus_i(e[2], o[2]);
        v[6] = plus_i(e[2], o[2]);
        v[3] = e[3] + third;
        v[7] = e[3] - third;
    }
};

template <>
struct Butterfly<16> {
    template <class T>
    [[gnu::always_inline]] static inline void run(Complexes<T>* v) {
        constexpr T c = T(0.92387953251128675613), s = T(0.38268343236508977173), h = T(0.70710678118654752440);
        Complexes<T> t[4][4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            Complexes<T> u[4] = {v[k], v[k + 4], v[k + 8], v[k + 12]};
            Butterfly<4>::run(u);
            for (int j = 0; j < 4; ++j) t[j][k] = u[j];
        }
        t[1][1] = turned(t[1][1], c, -s);
        t[1][2] = times(Complexes<T>{t[1][2].re + t[1][2].im, t[1][2].im - t[1][2].re}, h);
        t[1][3] = turned(t[1][3], s, -c);
        t[2][1] = times(Complexes<T>{t[2][1].re + t[2][1].im, t[2][1].im - t[2][1].re}, h);
        t[2][2] = {t[2][2].im, -t[2][2].re};
        t[2][3] = times(Complexes<T>{t[2][3].im - t[2][3].re, -t[2][3].re - t[2][3].im}, h);
        t[3][1] = turned(t[3][1], s, -c);
        t[3][2] = times(Complexes<T>{t[3][2].im - t[3][2].re, -t[3][2].re - t[3][2].im}, h);
        t[3][3] = turned(t[3][3], -c, s);
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
            Butterfly<4>::run(t[j]);
            for (int k = 0; k < 4; ++k) v[j + 4 * k] = t[j][k];
        }
    }
};

// One butterfly of numbers that lie `apart` from each other.
template <int R, bool kTurn, class T>
[[gnu::always_inline]] inline void butterfly(Vec<T>* x, int64_t apart, const T* turns) {
    Complexes<T> v[R];
#pragma GCC unroll 16
    for (int k = 0; k < R; ++k) v[k] = number_at<T>(x, k * apart);
    Butterfly<R>::run(v);
    put_at(x, 0, v[0]);
#pragma GCC unroll 16
    for (int k = 1; k < R; ++k) put_at(x, k * apart, kTurn ? turned(v[k], turns[2 * k - 2], turns[2 * k - 1]) : v[k]);
}

template <int R, class T>
[[gnu::noinline]] void run_pass(const FourierPass& pass, const T* turns, Vec<T>* x) {
    const int64_t s = pass.stride;
    for (int64_t q = 0; q < s; ++q) butterfly<R, false, T>(x + 2 * q, s, nullptr);
    for (int64_t group = 1; group < pass.groups; ++group)
        for (int64_t q = 0; q < s; ++q) butterfly<R, true, T>(x + 2 * (group * s * R + q), s, turns + group * 2 * (R - 1));
}

// Of an odd radix: sums and differences of what lies opposite, times cosines and sines.
template <class T>
[[gnu::noinline]] void run_odd_pass(const FourierPass& pass, const T* turns, const T* circle, Vec<T>* x) {
    const int64_t s = pass.stride, radix = pass.radix;
    const int half = int(radix / 2);
    const T *cosines = circle, *sines = circle + half * half;
    Complexes<T> sums[kLargestRadix / 2], differences[kLargestRadix / 2];
    for (int64_t group = 0; group < pass.groups; ++group, turns += 2 * (radix - 1), x += 2 * s * radix)
        for (int64_t q = 0; q < s; ++q) {
            const Complexes<T> first = number_at<T>(x, q);
            Complexes<T> all = first;
            for (int k = 0; k < half; ++k) {
                const Complexes<T> a = number_at<T>(x, q + (k + 1) * s), b = number_at<T>(x, q + (radix - 1 - k) * s);
                sums[k] = a + b;
                differences[k] = a - b;
                all = all + sums[k];
            }
            put_at(x, q, all);
            for (int j = 0; j < half; ++j) {
                Complexes<T> even = first, odd{};
                for (int k = 0; k < half; ++k) {
                    even = even + times(sums[k], cosines[j * half + k]);
                    odd = odd + times(differences[k], sines[j * half + k]);
                }
                const T *near = turns + 2 * j, *far = turns + 2 * (radix - 2 - j);
                put_at(x, q + (j + 1) * s, turned(minus_i(even, odd), near[0], near[1]));
                put_at(x, q + (radix - 1 - j) * s, turned(plus_i(even, odd), far[0], far[1]));
            }
        }
}

template <class T>
void run_passes(const FourierPlan& plan, Vec<T>* x) {
    const T* table = plan.of<T>(plan.turns);
    for (const FourierPass& pass : plan.passes) {
        const T* turns = table + 2 * pass.turns;
        switch (pass.radix) {
            case 2: run_pass<2, T>(pass, turns, x); break;
            case 3: run_pass<3, T>(pass, turns, x); break;
            case 4: run_pass<4, T>(pass, turns, x); break;
            case 5: run_pass<5, T>(pass, turns, x); break;
            case 8: run_pass<8, T>(pass, turns, x); break;
            case 16: run_pass<16, T>(pass, turns, x); break;
            default: run_odd_pass<T>(pass, turns, table + 2 * pass.circle, x);
        }
    }
}

// The transform of x, whose items lie at the plan's places: in x, or in y, which is wanted where there is a longer length, whose
// scratch both have then. Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform", 1970: with
// j k = (j**2 + k**2 - (k - j)**2) / 2 it is a convolution.
template <class T>
Vec<T>* transform_lanes(const FourierPlan& plan, Vec<T>* x, Vec<T>* y) {
    if (plan.longer == nullptr) {
        run_passes<T>(plan, x);
        return x;
    }
    const int64_t n = plan.n, size = plan.longer->n, *place = plan.places.data();
    const T *chirp = plan.of<T>(plan.chirp), *response = plan.of<T>(plan.response);
    for (int64_t j = 0; j < n; ++j) put_at(x, place[j], turned(number_at<T>(x, place[j]), chirp[2 * j], chirp[2 * j + 1]));
    for (int64_t j = n; j < size; ++j) put_at(x, place[j], Complexes<T>{});
    run_passes<T>(*plan.longer, x);
    for (int64_t j = 0; j < size; ++j) {  // real and imaginary parts exchanged: the next transform is the inverse
        const Complexes<T> found = turned(number_at<T>(x, j), response[2 * j], response[2 * j + 1]);
        put_at(y, place[j], Complexes<T>{found.im, found.re});
    }
    run_passes<T>(*plan.longer, y);
    for (int64_t j = 0; j < n; ++j) put_at(y, j, turned(Complexes<T>{y[2 * j + 1], y[2 * j]}, chirp[2 * j], chirp[2 * j + 1]));
    return y;
}

}  // namespace lamina::LAMINA_ISA
