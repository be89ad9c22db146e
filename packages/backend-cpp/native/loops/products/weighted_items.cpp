// Weighted sums of items of an axis: row by row, or where the axis is the last one, along as many lines as a vector has lanes.
#include "kernels/products/weighted_items.hpp"

#include "loops/products/packing.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

template <class T, int V>
inline void sum_terms(const WeightTable& t, const T* weights, int64_t row, const T* x, int64_t x_row, T* out) {
    constexpr int L = kLanes<T>;
    Vec<T> sums[V] = {};
    for (int64_t i = t.begin[row]; i < t.begin[row + 1]; ++i) {
        const Vec<T> weight = every(weights[i]);
        const T* from = x + t.indices[i] * x_row;
        if (i == t.begin[row])
            for (int v = 0; v < V; ++v) sums[v] = weight * load(from + v * L);
        else
            for (int v = 0; v < V; ++v) sums[v] += weight * load(from + v * L);
    }
    for (int v = 0; v < V; ++v) store<T>(out + v * L, sums[v]);
}

template <class T>
inline void sum_last_terms(const WeightTable& t, const T* weights, int64_t row, const T* x, int64_t x_row, T* out, int64_t n) {
    Vec<T> sum = {};
    for (int64_t i = t.begin[row]; i < t.begin[row + 1]; ++i) {
        const Vec<T> items = load_some<T>(x + t.indices[i] * x_row, n, T(0)), weight = every(weights[i]);
        sum = i == t.begin[row] ? weight * items : sum + weight * items;
    }
    store_some<T>(out, sum, n);
}

template <class T>
void weighted_rows(const WeightedRows& r) {
    constexpr int L = kLanes<T>;
    const T *x = reinterpret_cast<const T*>(r.x), *weights = reinterpret_cast<const T*>(r.table.weights);
    T* out = reinterpret_cast<T*>(r.out);
    for (int64_t i = r.first; i < r.last; ++i) {
        T* to = out + i * r.out_row;
        int64_t j = 0;
        for (; j + 4 * L <= r.n; j += 4 * L) sum_terms<T, 4>(r.table, weights, i, x + j, r.x_row, to + j);
        for (; j + L <= r.n; j += L) sum_terms<T, 1>(r.table, weights, i, x + j, r.x_row, to + j);
        if (j < r.n) sum_last_terms<T>(r.table, weights, i, x + j, r.x_row, to + j, r.n - j);
    }
}

template <class T>
void weighted_lines(const WeightedLines& s) {
    constexpr int L = kLanes<T>;
    const WeightTable& t = s.table;
    const T* weights = reinterpret_cast<const T*>(t.weights);
    T* scratch = reinterpret_cast<T*>(s.scratch);
    for (int64_t i = 0; i < s.length; i += L) {
        const int64_t n = s.length - i < L ? s.length - i : L;
        Vec<T> turned[L];
        for (int l = 0; l < L; ++l) {
            const T* from = reinterpret_cast<const T*>(s.x[l < s.lines ? l : 0]) + i;
            turned[l] = n == L ? load(from) : load_some<T>(from, n, T(0));
        }
        swap_corners<T, 1>(turned);
        for (int64_t j = 0; j < n; ++j) store<T>(scratch + (i + j) * L, turned[j]);
    }
    for (int64_t i = 0; i < s.count; i += L) {
        const int64_t n = s.count - i < L ? s.count - i : L;
        Vec<T> sums[L];
        for (int64_t j = 0; j < L; ++j) {
            Vec<T> sum = {};
            if (j < n) {
                int64_t term = t.begin[i + j];
                const int64_t end = t.begin[i + j + 1];
                if (term < end) sum = every(weights[term]) * load(scratch + t.indices[term] * L);
                for (++term; term < end; ++term) sum += every(weights[term]) * load(scratch + t.indices[term] * L);
            }
            sums[j] = sum;
        }
        swap_corners<T, 1>(sums);
        for (int l = 0; l < s.lines; ++l) {
            T* to = reinterpret_cast<T*>(s.out[l]) + i;
            if (n == L)
                store<T>(to, sums[l]);
            else
                store_some<T>(to, sums[l], n);
        }
    }
}

static_assert(kLanes<float> <= kMostLines);

extern const WeightedItems weighted_items = {
    kVectorBytes, {weighted_rows<float>, weighted_rows<double>}, {weighted_lines<float>, weighted_lines<double>}};

}  // namespace lamina::LAMINA_ISA
