// Householder reflections of a panel of few columns.
//
// Golub and Van Loan, Matrix Computations, 4th ed., sections 5.1 and 5.2; signs and scales as LAPACK's geqrf has them.
#include "kernels/linear_algebra/reflections.hpp"

#include <cmath>
#include <limits>

#include "loops/linear_algebra/panel_rows.hpp"
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
inline T sum_of_squares(const T* x, int64_t n) {
    constexpr int L = kLanes<T>;
    Vec<T> sums{};
    int64_t i = 0;
    for (; i + L <= n; i += L) sums += load(x + i) * load(x + i);
    T sum = 0;
    for (int l = 0; l < L; ++l) sum += sums[l];
    for (; i < n; ++i) sum += x[i] * x[i];
    return sum;
}

// A power of two, by which the items are neither too large nor too small to be squared; 0 where all but the first are 0.
template <class T>
T unit_of(const T* x, int64_t n) {
    T most = 0;
    bool some = false;
    for (int64_t i = 1; i < n; ++i) {
        some = some || x[i] != 0;
        most = std::fabs(x[i]) > most ? std::fabs(x[i]) : most;
    }
    if (!some) return 0;
    most = std::fabs(x[0]) > most ? std::fabs(x[0]) : most;
    if (!(most <= std::numeric_limits<T>::max())) return 1;
    int exponent;
    std::frexp(most, &exponent);
    constexpr int kMost = std::numeric_limits<T>::max_exponent - 1;
    return std::ldexp(T(1), -exponent < kMost ? -exponent : kMost);
}

// x becomes the vector of the reflection that takes it to a multiple of the first unit vector; gives that multiple.
template <class T>
inline T reflection(T* x, int64_t n, T* scale) {
    constexpr T kLeast = sizeof(T) == 4 ? T(1e-20) : T(1e-200), kMost = T(1) / kLeast;
    T squares = sum_of_squares(x + 1, n - 1), unit = 1;
    if (!(squares >= kLeast && squares + x[0] * x[0] <= kMost)) {
        unit = unit_of(x, n);
        if (unit == 0) {
            const T head = x[0];
            x[0] = 1;
            *scale = 0;
            return head;
        }
        for (int64_t i = 0; i < n; ++i) x[i] *= unit;
        squares = sum_of_squares(x + 1, n - 1);
    }
    const T size = std::sqrt(x[0] * x[0] + squares), to = std::signbit(x[0]) ? size : -size;
    *scale = (to - x[0]) / to;
    const T share = T(1) / (x[0] - to);
    for (int64_t i = 1; i < n; ++i) x[i] *= share;
    x[0] = 1;
    return to / unit;
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
