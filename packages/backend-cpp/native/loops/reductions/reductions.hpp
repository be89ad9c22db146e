// The inner loops of reductions: along rows in several accumulators, down columns side by side.
//
// float32 is summed in short blocks, and the blocks in double: the error does not grow with the length.
#pragma once

#include <cmath>
#include <type_traits>

#include "loops/loops.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

constexpr int64_t kRowBlock = 1024;   // items summed in their own precision
constexpr int64_t kColumnBlock = 64;  // rows summed in their own precision
constexpr int kColumnTile = 512;      // columns side by side
static_assert(kRowPart % kRowBlock == 0);

// What differs between reductions: items T are gathered in blocks of B, and blocks in partials P.
template <class T, class B_, class P_>
struct Sums {
    static constexpr bool kLanesInPartials = false;
    using Item = T;
    using B = B_;
    using P = P_;
    static P start() { return P(0); }
    static B first() { return B(0); }
    template <class X>
    static X both(X a, X b) {
        return a + b;
    }
};

template <class T, class B_, class P_>
struct Factors {
    static constexpr bool kLanesInPartials = true;  // their product may vanish in float32
    using Item = T;
    using B = B_;
    using P = P_;
    static P start() { return P(1); }
    static B first() { return B(1); }
    template <class X>
    static X both(X a, X b) {
        return a * b;
    }
};

template <class T>
constexpr T least_of() {
    if constexpr (std::is_floating_point_v<T>)
        return T(-INFINITY);
    else
        return std::is_signed_v<T> ? T(uint64_t(1) << (8 * sizeof(T) - 1)) : T(0);
}

template <class T>
constexpr T greatest_of() {
    if constexpr (std::is_floating_point_v<T>)
        return T(INFINITY);
    else
        return T(~least_of<T>());
}

// The greater and the lesser of two numbers, lane by lane; the second where they are equal, or one is NaN.
template <class T>
inline Vec<T> greater_of(const Vec<T>& a, const Vec<T>& b) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float>) return Vec<T>(_mm512_max_ps(__m512(a), __m512(b)));
    if constexpr (std::is_same_v<T, double>) return Vec<T>(_mm512_max_pd(__m512d(a), __m512d(b)));
#elif defined(__AVX2__)
    if constexpr (std::is_same_v<T, float>) return Vec<T>(_mm256_max_ps(__m256(a), __m256(b)));
    if constexpr (std::is_same_v<T, double>) return Vec<T>(_mm256_max_pd(__m256d(a), __m256d(b)));
#endif
    return a > b ? a : b;
}

template <class T>
inline Vec<T> lesser_of(const Vec<T>& a, const Vec<T>& b) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float>) return Vec<T>(_mm512_min_ps(__m512(a), __m512(b)));
    if constexpr (std::is_same_v<T, double>) return Vec<T>(_mm512_min_pd(__m512d(a), __m512d(b)));
#elif defined(__AVX2__)
    if constexpr (std::is_same_v<T, float>) return Vec<T>(_mm256_min_ps(__m256(a), __m256(b)));
    if constexpr (std::is_same_v<T, double>) return Vec<T>(_mm256_min_pd(__m256d(a), __m256d(b)));
#endif
    return a < b ? a : b;
}

// Whether some of the vectors that were looked at had a NaN.
template <class T>
class AnyNan {
public:
    void look_at(const Vec<T>& a, const Vec<T>& b) {
#if defined(__AVX512F__)
        if constexpr (std::is_same_v<T, float>) seen_ |= _mm512_cmp_ps_mask(__m512(a), __m512(b), _CMP_UNORD_Q);
        if constexpr (std::is_same_v<T, double>) seen_ |= _mm512_cmp_pd_mask(__m512d(a), __m512d(b), _CMP_UNORD_Q);
#elif defined(__AVX2__)
        if constexpr (std::is_same_v<T, float>) seen_ |= Seen(_mm256_cmp_ps(__m256(a), __m256(b), _CMP_UNORD_Q));
        if constexpr (std::is_same_v<T, double>) seen_ |= Seen(_mm256_cmp_pd(__m256d(a), __m256d(b), _CMP_UNORD_Q));
#else
        seen_ |= Seen((a != a) | (b != b));
#endif
    }
    bool any() const {
#if defined(__AVX512F__)
        return seen_ != 0;
#else
        return any_lane(seen_);
#endif
    }

private:
#if defined(__AVX512F__)
    unsigned seen_ = 0;
#else
    using Seen = decltype(Vec<T>{} != Vec<T>{});
    Seen seen_ = {};
#endif
};

template <class T>
struct Greatest {
    static constexpr bool kLanesInPartials = false;
    using Item = T;
    using B = T;
    using P = T;
    static P start() { return least_of<T>(); }
    static B first() { return start(); }
    static T both(T a, T b) { return (b > a) | (b != b) ? b : a; }  // a NaN stays: nothing is greater
    static Vec<T> both(const Vec<T>& a, const Vec<T>& b) { return (b > a) | (b != b) ? b : a; }
    static T number(T a, T b) { return b > a ? b : a; }
    static Vec<T> numbers(const Vec<T>& a, const Vec<T>& b) { return greater_of<T>(b, a); }
};

template <class T>
struct Least {
    static constexpr bool kLanesInPartials = false;
    using Item = T;
    using B = T;
    using P = T;
    static P start() { return greatest_of<T>(); }
    static B first() { return start(); }
    static T both(T a, T b) { return (b < a) | (b != b) ? b : a; }
    static Vec<T> both(const Vec<T>& a, const Vec<T>& b) { return (b < a) | (b != b) ? b : a; }
    static T number(T a, T b) { return b < a ? b : a; }
    static Vec<T> numbers(const Vec<T>& a, const Vec<T>& b) { return lesser_of<T>(b, a); }
};

template <class P>
inline P* slots(void* partials) {
    return static_cast<P*>(partials);
}

template <class F>
void start(void* partials, int64_t count) {
    for (int64_t i = 0; i < count; ++i) slots<typename F::P>(partials)[i] = F::start();
}

template <class F>
void join(void* partials, const void* others, int64_t count) {
    using P = typename F::P;
    const P* more = static_cast<const P*>(others);
    for (int64_t i = 0; i < count; ++i) slots<P>(partials)[i] = F::both(slots<P>(partials)[i], more[i]);
}

// Down to one of 2 * kStep lanes or vectors.
template <class F, int kStep, class X>
inline void reduce_to_one(X* reduced) {
    reduce_halves<kStep>(reduced, [](const X& a, const X& b) { return F::both(a, b); });
}

template <class F>
inline typename F::P reduced_lanes(const Vec<typename F::Item>& v) {
    using T = typename F::Item;
    if constexpr (F::kLanesInPartials && std::is_same_v<T, float>) {
        using Wide = Factors<double, double, double>;
        Vec<double> low, high;
        in_double(v, low, high);
        return reduced_lanes<Wide>(Wide::both(low, high));
    }
    T lanes[kLanes<T>];
    store<T>(lanes, v);
    reduce_to_one<F, kLanes<T> / 2>(lanes);
    return typename F::P(lanes[0]);
}

template <class F>
struct IsExtreme : std::false_type {};
template <class T>
struct IsExtreme<Greatest<T>> : std::is_floating_point<T> {};
template <class T>
struct IsExtreme<Least<T>> : std::is_floating_point<T> {};

// The greatest or least of n adjacent numbers, some at the end left out; or false where one is NaN. How many is put into `n`.
template <class F>
inline bool extreme_of_numbers(const typename F::Item* x, int64_t& n, typename F::Item& found) {
    using T = typename F::Item;
    constexpr int L = kLanes<T>, U = 8;
    Vec<T> tops[U];
    for (auto& top : tops) top = every(F::first());
    AnyNan<T> nan;
    int64_t i = 0;
    for (; i + U * L <= n; i += U * L)
#pragma GCC unroll 8  // or the greatest would have to lie in memory
        for (int j = 0; j < U; j += 2) {
            const Vec<T> a = load(x + i + j * L), b = load(x + i + (j + 1) * L);
            nan.look_at(a, b);
            tops[j] = F::numbers(tops[j], a);
            tops[j + 1] = F::numbers(tops[j + 1], b);
        }
    reduce_halves<U / 2>(tops, [](const Vec<T>& a, const Vec<T>& b) { return F::numbers(a, b); });
    for (; i + L <= n; i += L) {
        const Vec<T> a = load(x + i);
        nan.look_at(a, a);
        tops[0] = F::numbers(tops[0], a);
    }
    n = i;
    T lanes[L];
    store<T>(lanes, tops[0]);
    reduce_halves<L / 2>(lanes, [](T a, T b) { return F::number(a, b); });
    found = lanes[0];
    return !nan.any();
}

// n <= kRowBlock adjacent items into one block value.
template <class F>
inline typename F::P block(const typename F::Item* x, int64_t n) {
    using T = typename F::Item;
    using B = typename F::B;
    using P = typename F::P;
    P total = F::start();
    int64_t i = 0;
    if constexpr (IsExtreme<F>::value) {
        int64_t looked_at = n;
        T found;
        if (n >= kLanes<T> && extreme_of_numbers<F>(x, looked_at, found)) {
            for (i = looked_at; i < n; ++i) found = F::both(found, x[i]);
            return found;
        }
    }
    if constexpr (std::is_same_v<T, B>) {
        constexpr int L = kLanes<T>, U = 8;  // as many sums as hide an addition's latency
        if (n >= U * L) {
            Vec<T> sums[U];
            for (auto& sum : sums) sum = every(F::first());
            for (; i + U * L <= n; i += U * L)
                for (int j = 0; j < U; ++j) sums[j] = F::both(sums[j], load(x + i + j * L));
#pragma GCC unroll 8  // or the sums would have to lie in memory
            for (int j = 0; j < U; ++j) {
                if (i + L > n) break;
                sums[j] = F::both(sums[j], load(x + i));
                i += L;
            }
            if (std::is_same_v<T, float> && i < n) {
                sums[0] = F::both(sums[0], load_some(x + i, n - i, F::first()));
                i = n;
            }
            if constexpr (F::kLanesInPartials) {
                for (const auto& sum : sums) total = F::both(total, reduced_lanes<F>(sum));
            } else {
                reduce_to_one<F, U / 2>(sums);
                total = reduced_lanes<F>(sums[0]);
            }
        } else if (n >= L) {
            Vec<T> sum = load(x);
            for (i = L; i + L <= n; i += L) sum = F::both(sum, load(x + i));
            if (std::is_same_v<T, float> && i < n) {
                sum = F::both(sum, load_some(x + i, n - i, F::first()));
                i = n;
            }
            total = reduced_lanes<F>(sum);
        }
        B rest = F::first();
        for (; i < n; ++i) rest = F::both(rest, B(x[i]));
        return F::both(total, P(rest));
    } else {
        B sum = F::first();
        for (; i < n; ++i) sum = F::both(sum, B(x[i]));
        return F::both(total, P(sum));
    }
}

// The sum of whole blocks: what each lane of a block came to is added up in double, and the lanes once, at the end.
inline double sum_of_blocks(const float* x, int64_t blocks) {
    constexpr int L = kLanes<float>, U = 8;
    Vec<double> totals[2] = {};
    for (; blocks > 0; --blocks, x += kRowBlock) {
        Vec<float> sums[U];
        for (int j = 0; j < U; ++j) sums[j] = load(x + j * L);
#pragma GCC unroll 1  // unrolled, the lines of a page are read out of order, and nothing prefetches the next
        for (int64_t i = U * L; i < kRowBlock; i += U * L)
            for (int j = 0; j < U; ++j) sums[j] += load(x + i + j * L);
        reduce_to_one<Sums<float, float, double>, U / 2>(sums);
        Vec<double> low, high;
        in_double(sums[0], low, high);
        totals[0] += low;
        totals[1] += high;
    }
    return sum_of_lanes<double>(totals[0] + totals[1]);
}

// A row of one item over and over, as the gradient of a sum is: all whole blocks come to the same.
template <class F>
[[gnu::noinline]] typename F::P row_of_one(typename F::Item item, int64_t n, typename F::P total) {
    typename F::Item same[kRowBlock];
    const int64_t held = n < kRowBlock ? n : kRowBlock;
    for (int64_t i = 0; i < held; ++i) same[i] = item;
    const auto whole = block<F>(same, held);
    for (; n >= held; n -= held) total = F::both(total, whole);
    return n > 0 ? F::both(total, block<F>(same, n)) : total;
}

template <class F>
void row(const char* bytes, int64_t stride, int64_t n, void* partial) {
    using P = typename F::P;
    const auto* x = reinterpret_cast<const typename F::Item*>(bytes);
    P total = *slots<P>(partial);
    if (stride == 0 && n > 1) {
        *slots<P>(partial) = row_of_one<F>(*x, n, total);
        return;
    }
    int64_t i = 0;
    if constexpr (std::is_same_v<F, Sums<float, float, double>>) {
        for (int64_t some; stride == 1 && n - i >= kRowBlock; i += some) {
            some = (n - i < kRowPart ? n - i : kRowPart) / kRowBlock * kRowBlock;
            total += sum_of_blocks(x + i, some / kRowBlock);
        }
    }
    for (; i < n; i += kRowBlock) {
        const int64_t some = n - i < kRowBlock ? n - i : kRowBlock;
        if (stride == 1) {
            total = F::both(total, block<F>(x + i, some));
        } else {
            for (int64_t j = 0; j < some; ++j) total = F::both(total, P(x[(i + j) * stride]));
        }
    }
    *slots<P>(partial) = total;
}

// Reduces four rows at once, so that the sums are touched once for all.
template <class F>
inline void four_rows(typename F::B* sums, const typename F::Item* a, int64_t row_stride, int64_t width) {
    constexpr int L = kLanes<typename F::Item>;
    const auto *b = a + row_stride, *c = b + row_stride, *d = c + row_stride;
    int64_t j = 0;
    for (; j + L <= width; j += L) {
        const auto upper = F::both(load(a + j), load(b + j)), lower = F::both(load(c + j), load(d + j));
        store<typename F::Item>(sums + j, F::both(load(sums + j), F::both(upper, lower)));
    }
    for (; j < width; ++j) sums[j] = F::both(sums[j], F::both(F::both(a[j], b[j]), F::both(c[j], d[j])));
}

template <class F>
void columns(const char* bytes, int64_t column_stride, int64_t count, int64_t row_stride, int64_t rows, void* partials) {
    using B = typename F::B;
    using P = typename F::P;
    const auto* x = reinterpret_cast<const typename F::Item*>(bytes);
    B sums[kColumnTile];
    for (int64_t c = 0; c < count; c += kColumnTile) {
        const int64_t width = count - c < kColumnTile ? count - c : kColumnTile;
        P* total = slots<P>(partials) + c;
        for (int64_t r = 0; r < rows; r += kColumnBlock) {
            const int64_t end = rows - r < kColumnBlock ? rows : r + kColumnBlock;
            for (int64_t j = 0; j < width; ++j) sums[j] = F::first();
            int64_t i = r;
            if constexpr (std::is_same_v<typename F::Item, B>)
                for (; column_stride == 1 && i + 4 <= end; i += 4)
                    four_rows<F>(sums, x + i * row_stride + c, row_stride, width);
            for (; i < end; ++i) {
                const auto* line = x + i * row_stride + c * column_stride;
                if (column_stride == 1) {
#pragma GCC ivdep
                    for (int64_t j = 0; j < width; ++j) sums[j] = F::both(sums[j], B(line[j]));
                } else {
                    for (int64_t j = 0; j < width; ++j) sums[j] = F::both(sums[j], B(line[j * column_stride]));
                }
            }
            for (int64_t j = 0; j < width; ++j) total[j] = F::both(total[j], P(sums[j]));
        }
    }
}

template <class F, class R, bool kMean>
void finish(char* bytes, int64_t stride, const void* partials, int64_t count, double divisor) {
    R* out = reinterpret_cast<R*>(bytes);
    const auto* totals = static_cast<const typename F::P*>(partials);
    for (int64_t i = 0; i < count; ++i) {
        if constexpr (kMean)
            out[i * stride] = R(totals[i] / divisor);
        else
            out[i * stride] = R(totals[i]);
    }
}

}  // namespace lamina::LAMINA_ISA
