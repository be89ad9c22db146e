// Rows of attention's scores: as many at a time as a vector has lanes, of which each then holds what belongs to one row.
#pragma once

#include "loops/fused/class_rows.hpp"
#include "loops/vectors/corners.hpp"

namespace lamina::LAMINA_ISA::passes {

inline F32 log_of(const F32& x) { return vlog(x); }
inline F64 log_of(const F64& x) { return dlog(x); }

// Calls run(i, v, some) for the vectors of n items, with how many items each has; the last may have fewer than all, before `rest`.
template <class T, class F>
inline void each_vector(const T* x, int64_t n, T rest, const F& run) {
    constexpr int L = kLanes<T>;
    int64_t i = 0;
    for (; i + L <= n; i += L) run(i, load(x + i), L);
    if (i < n) run(i, load_some<T>(x + i, n - i, rest), n - i);
}

// Lane r is what `both` makes of the lanes that row(r, lanes) finds, from `start` on.
template <class T, class F, class G>
inline Vec<T> reduced(int64_t rows, const Vec<T>& start, const F& both, const G& row) {
    Vec<T> found[kLanes<T>];
    for (int64_t r = 0; r < kLanes<T>; ++r) found[r] = start;
    for (int64_t r = 0; r < rows; ++r) row(r, found[r]);
    return reduced_rows<T>(found, both);
}

template <class T, class G>
inline Vec<T> sums_of(int64_t rows, const G& row) {
    return reduced<T>(rows, Vec<T>{}, [](const Vec<T>& a, const Vec<T>& b) { return a + b; }, row);
}

template <class T>
void attention_weights(const ScoreRows& s, char* greatest, char* totals, char* kept) {
    constexpr int L = kLanes<T>;
    const Vec<T> least = every(T(-__builtin_inf()));
    for (int64_t first = 0; first < s.rows; first += L) {
        const int64_t rows = s.rows - first < L ? s.rows - first : L;
        T* scores = items<T>(s.scores) + first * s.stride;
        const auto greater = [](const Vec<T>& a, const Vec<T>& b) { return Greatest<T>::both(a, b); };
        const Vec<T> own = reduced<T>(rows, least, greater, [&](int64_t r, Vec<T>& found) {
            each_vector<T>(scores + r * s.stride, s.n, least[0], [&](int64_t, const Vec<T>& v, int64_t) { found = greater(found, v); });
        });
        const Vec<T> before = load(items<T>(greatest) + first), top = greater(before, own);
        const Vec<T> shift = choose(top == least, Vec<T>{}, top);  // where nothing is seen, there is nothing to be less than
        T shifts[L];
        store<T>(shifts, shift);
        const Vec<T> sums = sums_of<T>(rows, [&](int64_t r, Vec<T>& found) {
            T* row = scores + r * s.stride;
            each_vector<T>(row, s.n, least[0], [&](int64_t i, const Vec<T>& v, int64_t some) {
                const Vec<T> weight = exp_of(v - every(shifts[r]));
                put_items<T>(row + i, weight, some);
                found += weight;
            });
        });
        const Vec<T> scale = exp_of(before - shift);
        store<T>(items<T>(greatest) + first, top);
        store<T>(items<T>(totals) + first, load(items<T>(totals) + first) * scale + sums);
        store<T>(items<T>(kept) + first, scale);
    }
}

template <class T>
void attention_result(char* out, int64_t stride, const char* sums, int64_t rows, int64_t n, const char* greatest, const char* totals,
                      char* logs) {
    constexpr int L = kLanes<T>;
    for (int64_t first = 0; first < rows; first += L) {
        const int64_t some = rows - first < L ? rows - first : L;
        const Vec<T> total = load(items<T>(totals) + first);
        T factors[L];
        store<T>(factors, choose(total == T(0), Vec<T>{}, T(1) / total));
        for (int64_t r = first; r < first + some; ++r) {
            const T factor = factors[r - first];
            each_vector<T>(items<T>(sums) + r * n, n, T(0), [&](int64_t i, const Vec<T>& v, int64_t rest) {
                put_items<T>(items<T>(out) + r * stride + i, v * factor, rest);
            });
        }
        const Vec<T> found = choose(total == T(0), every(T(__builtin_inf())), load(items<T>(greatest) + first) + log_of(total));
        put_items<T>(items<T>(logs) + first, found, some);
    }
}

template <class T>
void attention_means(const char* x, int64_t x_stride, const char* y, int64_t y_stride, int64_t rows, int64_t n, char* means) {
    constexpr int L = kLanes<T>;
    for (int64_t first = 0; first < rows; first += L) {
        const int64_t some = rows - first < L ? rows - first : L;
        store<T>(items<T>(means) + first, sums_of<T>(some, [&](int64_t r, Vec<T>& found) {
            const T* other = items<T>(y) + (first + r) * y_stride;
            each_vector<T>(items<T>(x) + (first + r) * x_stride, n, T(0), [&](int64_t i, const Vec<T>& v, int64_t rest) {
                found += v * items_at(other + i, rest);
            });
        }));
    }
}

template <class T>
void attention_gradients(const ScoreRows& s, char* gradients, const char* logs, const char* means, double by) {
    const T factor = T(by);
    for (int64_t r = 0; r < s.rows; ++r) {
        T *score = items<T>(s.scores) + r * s.stride, *gradient = items<T>(gradients) + r * s.stride;
        const T sum = items<T>(logs)[r], mean = items<T>(means)[r];
        each_vector<T>(score, s.n, T(0), [&](int64_t i, const Vec<T>& v, int64_t some) {
            const Vec<T> weight = exp_of(v - sum), g = items_at(gradient + i, some);
            put_items<T>(score + i, weight, some);
            put_items<T>(gradient + i, weight * (g - mean) * factor, some);
        });
    }
}

}  // namespace lamina::LAMINA_ISA::passes
