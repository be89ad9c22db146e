// Householder reflections of a panel of few columns.
//
// Golub and Van Loan, Matrix Computations, 4th ed., section 5.2.
#include "kernels/linear_algebra/reflections.hpp"

#include "loops/linear_algebra/panel_rows.hpp"
#include "loops/linear_algebra/reflection.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

constexpr int N = int(kFewColumns);

// The columns of a panel from `first` on become those of (1 - scale * v @ v^T) @ panel.
template <class T>
inline void apply(T* panel, const T* v, T scale, int64_t rows, int first) {
    PanelRow<T> even{}, odd{};
    int64_t i = 0;
    for (; i + 2 <= rows; i += 2) {
        even.add(v[i], PanelRow<T>::at(panel + i * N));
        odd.add(v[i + 1], PanelRow<T>::at(panel + (i + 1) * N));
    }
    if (i < rows) even.add(v[i], PanelRow<T>::at(panel + i * N));
    even.add(T(1), odd);
    T sums[N];
    even.to(sums);
    for (int c = 0; c < N; ++c) sums[c] = c < first ? T(0) : -scale * sums[c];
    const PanelRow<T> shares = PanelRow<T>::at(sums);
    for (i = 0; i < rows; ++i) {
        PanelRow<T> row = PanelRow<T>::at(panel + i * N);
        row.add(v[i], shares);
        row.to(panel + i * N);
    }
}

template <class T>
void reflect(char* data, int64_t rows, int64_t columns, char* scales, char* scratch) {
    T *panel = reinterpret_cast<T*>(data), *scale = reinterpret_cast<T*>(scales), *v = reinterpret_cast<T*>(scratch);
    for (int64_t j = 0; j < columns && j < rows; ++j) {
        T* below = panel + j * N;
        const int64_t n = rows - j;
        for (int64_t i = 0; i < n; ++i) v[i] = below[i * N + j];
        const T head = reflection(v, n, scale + j);
        if (scale[j] != 0 && j + 1 < columns) apply(below, v, scale[j], n, int(j) + 1);
        below[j] = head;
        for (int64_t i = 1; i < n; ++i) below[i * N + j] = v[i];
    }
}

// From the last reflection to the first, so that each touches no more than the rows and columns it must.
template <class T>
void product(char* to, const char* packed, const char* scales, int64_t rows, int64_t count, char* scratch) {
    T *q = reinterpret_cast<T*>(to), *v = reinterpret_cast<T*>(scratch);
    const T *panel = reinterpret_cast<const T*>(packed), *scale = reinterpret_cast<const T*>(scales);
    for (int64_t i = 0; i < rows * N; ++i) q[i] = T(0);
    for (int64_t i = 0; i < rows && i < N; ++i) q[i * N + i] = T(1);
    for (int64_t j = count; j-- > 0;) {
        const int64_t n = rows - j;
        for (int64_t i = 1; i < n; ++i) v[i] = panel[(j + i) * N + j];
        v[0] = T(1);
        apply(q + j * N, v, scale[j], n, int(j));
    }
}

template <class T>
void vectors_of(char* data, int64_t to_row, const char* packed, int64_t row, int64_t column, int64_t rows, int64_t columns) {
    T* to = reinterpret_cast<T*>(data);
    const T* from = reinterpret_cast<const T*>(packed);
    for (int64_t i = 0; i < rows; ++i, to += to_row, from += row) {
        const int64_t below = i < columns ? i : columns;
        for (int64_t j = 0; j < below; ++j) to[j] = from[j * column];
        for (int64_t j = below; j < columns; ++j) to[j] = T(i == j);
    }
}

}  // namespace

extern const ReflectionLoops reflections = {{reflect<float>, reflect<double>},
                                            {product<float>, product<double>},
                                            {vectors_of<float>, vectors_of<double>}};

}  // namespace lamina::LAMINA_ISA
