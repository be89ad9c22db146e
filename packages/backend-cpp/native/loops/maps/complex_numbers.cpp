// The rows of complex arithmetic, over vectors of real parts beside vectors of imaginary ones. No product is fused with a sum: of
// a number times its conjugate nothing imaginary is to be left.
#include "loops/vectors/unfused.hpp"  // before all else

#include "loops/math/float_math.hpp"
#include "loops/math/power_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/tiles.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
struct Parts {
    Vec<T> re, im;
};

template <class T>
inline Parts<T> parts_at(const T* pairs, int64_t stride, int64_t n) {
    constexpr int L = kLanes<T>;
    if (stride == 0) return {every(pairs[0]), every(pairs[1])};
    T some[2 * L];
    if (stride != 1 || n < L) {
        for (int64_t i = 0; i < L; ++i) {
            some[2 * i] = i < n ? pairs[2 * i * stride] : T(1);
            some[2 * i + 1] = i < n ? pairs[2 * i * stride + 1] : T(0);
        }
        pairs = some;
    }
    const Vec<T> first = load(pairs), second = load(pairs + L);
    return {every_second<T>(first, second, 0), every_second<T>(first, second, 1)};
}

template <class T>
inline void put(T* to, int64_t stride, int64_t n, const Parts<T>& z) {
    constexpr int L = kLanes<T>;
    T some[2 * L];
    T* const pairs = stride == 1 && n >= L ? to : some;
    store<T>(pairs, by_turns<T>(z.re, z.im, false));
    store<T>(pairs + L, by_turns<T>(z.re, z.im, true));
    if (pairs == to) return;
    for (int64_t i = 0; i < n && i < L; ++i) {
        to[2 * i * stride] = some[2 * i];
        to[2 * i * stride + 1] = some[2 * i + 1];
    }
}

template <class T>
inline void put(T* to, int64_t stride, int64_t n, const Vec<T>& v) {
    store_strided<T>(to, stride, n, v);
}

template <class F, class T>
void of_one(char* const* p, const int64_t* s, int64_t n) {
    constexpr int64_t L = kLanes<T>, kOut = std::is_same_v<decltype(F::of(Parts<T>{})), Vec<T>> ? 1 : 2;  // numbers that a result has
    T* out = reinterpret_cast<T*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    for (int64_t i = 0; i < n; i += L) put(out + kOut * i * s[0], s[0], n - i, F::of(parts_at(x + 2 * i * s[1], s[1], n - i)));
}

template <class F, class T>
void of_two(char* const* p, const int64_t* s, int64_t n) {
    constexpr int64_t L = kLanes<T>;
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]);
    for (int64_t i = 0; i < n; i += L)
        put(out + 2 * i * s[0], s[0], n - i, F::of(parts_at(a + 2 * i * s[1], s[1], n - i), parts_at(b + 2 * i * s[2], s[2], n - i)));
}

struct Product {
    template <class T>
    static inline Parts<T> of(const Parts<T>& a, const Parts<T>& b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
};

struct Square {
    template <class T>
    static inline Parts<T> of(const Parts<T>& x) { return Product::of(x, x); }
};

struct Conjugate {
    template <class T>
    static inline Parts<T> of(const Parts<T>& x) { return {x.re, -x.im}; }
};

// Smith's algorithm: scaled by the greater part of the divisor, so that nothing overflows on the way.
struct Quotient {
    template <class T>
    static inline Parts<T> of(const Parts<T>& a, const Parts<T>& b) {
        const Vec<T> size = magnitude(b.re), other = magnitude(b.im), zero{};
        const Lanes<T> level = size >= other, nothing = (size == zero) & (other == zero);
        const Vec<T> great = choose(level, b.re, b.im), small = choose(level, b.im, b.re), ratio = small / great;
        const Vec<T> first = choose(level, a.re, a.im), second = choose(level, a.im, a.re);
        const Vec<T> scale = T(1) / (great + small * ratio), taken = first * ratio;
        const Vec<T> re = (first + second * ratio) * scale, im = choose(level, second - taken, taken - second) * scale;
        return {choose(nothing, a.re / size, re), choose(nothing, a.im / other, im)};
    }
};

struct Inverse {
    template <class T>
    static inline Parts<T> of(const Parts<T>& x) { return Quotient::of(Parts<T>{every(T(1)), Vec<T>{}}, x); }
};

struct Modulus {
    static inline F32 of(const Parts<float>& x) { return vhypot(x.re, x.im); }
    static inline F64 of(const Parts<double>& x) { return dhypot(x.re, x.im); }
};

struct Argument {
    static inline F32 of(const Parts<float>& x) { return vatan2(x.im, x.re); }
    static inline F64 of(const Parts<double>& x) { return datan2(x.im, x.re); }
};

struct Direction {
    template <class T>
    static inline Parts<T> of(const Parts<T>& x) {
        const Lanes<T> nothing = (x.re == T(0)) & (x.im == T(0));
        const Parts<T> unit = Quotient::of(x, Parts<T>{Modulus::of(x), Vec<T>{}});
        return {choose(nothing, Vec<T>{}, unit.re), choose(nothing, Vec<T>{}, unit.im)};
    }
};

#define LAMINA_COMPLEX_ROWS(T, code, real_code)                                                                 \
    {"multiply", code, code, 2, 2, of_two<Product, T>}, {"divide", code, code, 2, 6, of_two<Quotient, T>},      \
    {"square", code, code, 1, 2, of_one<Square, T>}, {"conj", code, code, 1, 1, of_one<Conjugate, T>},          \
    {"reciprocal", code, code, 1, 6, of_one<Inverse, T>}, {"sign", code, code, 1, 10, of_one<Direction, T>},    \
    {"abs", code, real_code, 1, 4, of_one<Modulus, T>}, {"angle", code, real_code, 1, 12, of_one<Argument, T>},

const MapRow kComplexNumbers[] = {LAMINA_COMPLEX_ROWS(float, kComplex64, kFloat32) LAMINA_COMPLEX_ROWS(double, kComplex128, kFloat64)};

extern const Maps complex_numbers = {kComplexNumbers, int(sizeof kComplexNumbers / sizeof *kComplexNumbers)};

}  // namespace lamina::LAMINA_ISA
