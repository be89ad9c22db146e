// Quotients of many items by one number, rounded as division rounds them, without dividing: the reciprocal in two parts gives a quotient
// that is at most one unit of the last place wrong, and what is left of the dividend, which is exact, corrects it. That this is the right one
// is a theorem of Markstein's: "Computation of elementary functions on the IBM RISC System/6000 processor" (1990).
#pragma once

#include "loops/vectors/multiply_add.hpp"

namespace lamina::LAMINA_ISA {

// Within these bounds no quotient overflows, and neither it nor the least part of what is left is subnormal.
template <class T>
struct DivisionBounds;
template <>
struct DivisionBounds<float> {
    using Bits = uint32_t;
    static constexpr float kDivisor = 0x1p24f;  // and its reciprocal
    static constexpr Bits kLow = (127u - 100) << 23, kHigh = (127u + 100) << 23, kSign = 1u << 31;  // of dividends
};
template <>
struct DivisionBounds<double> {
    using Bits = uint64_t;
    static constexpr double kDivisor = 0x1p53;
    static constexpr Bits kLow = (1023ull - 900) << 52, kHigh = (1023ull + 900) << 52, kSign = 1ull << 63;
};

// Whether some lane of a is above that of b.
template <class V>
inline bool any_above(const V& a, const V& b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(a[0]) == 4) return _mm512_cmpgt_epu32_mask(__m512i(a), __m512i(b)) != 0;
    return _mm512_cmpgt_epu64_mask(__m512i(a), __m512i(b)) != 0;
#else
    return any_lane(a > b);
#endif
}

template <class T>
class OneDivisor {
public:
    using Bounds = DivisionBounds<T>;
    using Bits = Vec<typename Bounds::Bits>;

    explicit OneDivisor(T y) : y_(every(y)), reciprocal_(every(T(1) / y)) {
        fits = y >= T(1) / Bounds::kDivisor && y <= Bounds::kDivisor;
        rest_ = multiply_add(-reciprocal_, y_, every(T(1))) / y_;
    }

    // Of two vectors: one's latency hides the other's.
    void divide(Vec<T>& a, Vec<T>& b) const {
        const Bits above_a = above(a), above_b = above(b), most = every(Bounds::kHigh - Bounds::kLow);
        const bool beyond = any_above(above_a, most) | any_above(above_b, most);
        if (__builtin_expect(beyond, 0) && any_lane(((above_a > most) & (a != T(0))) | ((above_b > most) & (b != T(0))))) {
            a = a / y_;
            b = b / y_;
        } else {
            a = quotient(a);
            b = quotient(b);
        }
    }

    bool fits;

private:
    // How far a magnitude lies above the least one; of zeros and smaller ones, and of those that are too large, farther than the largest.
    static Bits above(const Vec<T>& x) { return (bits_as<Bits>(x) & ~Bounds::kSign) - Bounds::kLow; }

    Vec<T> quotient(const Vec<T>& x) const {
        const Vec<T> near = multiply_add(x, reciprocal_, x * rest_), right = multiply_add(multiply_add(-near, y_, x), reciprocal_, near);
        return bits_as<Vec<T>>(bits_as<Bits>(right) | (bits_as<Bits>(x) & Bounds::kSign));  // that of a zero
    }

    Vec<T> y_, reciprocal_, rest_;
};

constexpr int64_t kWorthAReciprocal = 16;  // vectors

// As `binary` does it, for a divisor that stays.
template <class T>
void divide_by_one(T* out, const T* x, T y, int64_t n) {
    constexpr int L = kLanes<T>;
    int64_t i = 0;
    if (n >= kWorthAReciprocal * L) {
        const OneDivisor<T> divisor(y);
        for (; i + 2 * L <= n && divisor.fits; i += 2 * L) {
            Vec<T> first = load(x + i), second = load(x + i + L);
            divisor.divide(first, second);
            store<T>(out + i, first);
            store<T>(out + i + L, second);
        }
    }
#pragma GCC ivdep
    for (; i < n; ++i) out[i] = x[i] / y;
}

}  // namespace lamina::LAMINA_ISA
