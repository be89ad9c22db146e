// LU, Cholesky and substitution over few columns, column by column or row by row.
//
// Golub and Van Loan, Matrix Computations, 4th ed., sections 3.1 (triangular systems), 3.4.1 (LU with partial pivoting) and 4.2
// (Cholesky, by columns).
#include <cmath>
#include <limits>

#include "kernels/linear_algebra/factorizations.hpp"
#include "loops/linear_algebra/panel_rows.hpp"
#include "loops/linear_algebra/substitution.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

// Of sizes, the greatest and where it is; the first NaN is the greatest.
template <class T>
struct Greatest {
    T most;
    int64_t at;

    void meet(T item, int64_t i) {
        const T size = std::fabs(item);
        if (size > most || (size != size && most == most)) most = size, at = i;
    }
};

template <class T>
void exchange(T* x, T* y, int64_t n) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; ++i) {
        const T kept = x[i];
        x[i] = y[i];
        y[i] = kept;
    }
}

// Of a panel, so that a vector holds a row; the first pivot that is 0, or 0. Pivots count from row `first`.
template <class T>
int64_t lu_of_panel(T* panel, int64_t m, int64_t columns, int64_t first, int32_t* pivots, bool pivot) {
    constexpr int N = int(kFewColumns);
    int64_t singular = 0;
    for (int64_t j = 0; j < columns; ++j) {
        T* head = panel + j * N;
        int64_t best = j;
        if (pivot) {
            Greatest<T> found{std::fabs(head[j]), j};
            for (int64_t i = j + 1; i < m; ++i) found.meet(panel[i * N + j], i);
            best = found.at;
            if (best != j) exchange(head, panel + best * N, N);
        }
        pivots[j] = int32_t(first + best + 1);
        const bool zero = head[j] == T(0);
        if (zero && singular == 0) singular = first + j + 1;
        // Where the pivot is 0, so is all below it; one over a tiny one may be infinite.
        const bool tiny = !(std::fabs(head[j]) >= std::numeric_limits<T>::min());
        const T divisor = zero ? T(1) : head[j], factor = T(1) / divisor;
        T lanes[N];
        for (int c = 0; c < N; ++c) lanes[c] = c > j ? head[c] : T(0);
        const PanelRow<T> shares = PanelRow<T>::at(lanes);
        for (int64_t i = j + 1; i < m; ++i) {
            T* x = panel + i * N;
            const T share = tiny ? x[j] / divisor : x[j] * factor;
            if (std::fabs(share) <= std::numeric_limits<T>::max()) {
                PanelRow<T> items = PanelRow<T>::at(x);
                items.add(-share, shares);
                items.to(x);
            } else {  // times 0 it would be NaN in columns that are done
                for (int64_t c = j + 1; c < N; ++c) x[c] -= share * head[c];
            }
            x[j] = share;
        }
    }
    return singular;
}

template <class T>
int64_t lu(char* data, int64_t m, int64_t n, int64_t row, int64_t begin, int64_t end, int32_t* pivots, bool pivot, char* scratch) {
    constexpr int N = int(kFewColumns);
    T *a = reinterpret_cast<T*>(data), *panel = reinterpret_cast<T*>(scratch);
    const int64_t height = m - begin, width = end - begin;
    const auto move = [&](auto one) {
        for (int64_t i = 0; i < height; ++i) one(a + (begin + i) * row + begin, panel + i * N);
    };
    if (width == N)
        move([](const T* from, T* to) { PanelRow<T>::at(from).to(to); });
    else
        move([=](const T* from, T* to) {
            for (int64_t c = 0; c < N; ++c) to[c] = c < width ? from[c] : T(0);
        });
    const int64_t singular = lu_of_panel(panel, height, width, begin, pivots + begin, pivot);
    if (width == N)
        move([](T* to, const T* from) { PanelRow<T>::at(from).to(to); });
    else
        move([=](T* to, const T* from) {
            for (int64_t c = 0; c < width; ++c) to[c] = from[c];
        });
    for (int64_t j = begin; j < end; ++j) {
        const int64_t other = pivots[j] - 1;
        if (other == j) continue;
        exchange(a + j * row, a + other * row, begin);
        exchange(a + j * row + end, a + other * row + end, n - end);
    }
    return singular;
}

template <class T>
int64_t cholesky(char* data, int64_t n, int64_t row) {
    T* a = reinterpret_cast<T*>(data);
    for (int64_t j = 0; j < n; ++j) {
        const T* y = a + j * row;
        T left = y[j];
        for (int64_t c = 0; c < j; ++c) left -= y[c] * y[c];
        if (!(left > T(0))) return j + 1;
        const T root = std::sqrt(left);
        a[j * row + j] = root;
        for (int64_t i = j + 1; i < n; ++i) {
            T* x = a + i * row;
            T rest = x[j];
            for (int64_t c = 0; c < j; ++c) rest -= x[c] * y[c];
            x[j] = rest / root;
        }
    }
    return 0;
}

template <class T>
void substitute(const char* factor, int64_t row, int64_t column, bool unit, char* data, int64_t x_row, int64_t n, int64_t columns) {
    const T* l = reinterpret_cast<const T*>(factor);
    T* x = reinterpret_cast<T*>(data);
    for (int64_t i = 0; i < n; ++i) {
        T* to = x + i * x_row;
        for (int64_t j = 0; j < i; ++j) {
            const T* from = x + j * x_row;
            const T share = l[i * row + j * column];
            for (int64_t c = 0; c < columns; ++c) to[c] -= share * from[c];
        }
        if (unit) continue;
        const T head = l[i * row + i * column];
        for (int64_t c = 0; c < columns; ++c) to[c] /= head;
    }
}

template <class T>
void negate(char* data, const char* from, int64_t row, int64_t rows, int64_t columns) {
    T* to = reinterpret_cast<T*>(data);
    const T* x = reinterpret_cast<const T*>(from);
    for (int64_t i = 0; i < rows; ++i, to += columns, x += row)
        for (int64_t c = 0; c < columns; ++c) to[c] = -x[c];
}

}  // namespace

extern const FactorLoops factorizations = {{lu<float>, lu<double>},
                                           {cholesky<float>, cholesky<double>},
                                           {substitute<float>, substitute<double>},
                                           {substitute_few<float>, substitute_few<double>},
                                           {negate<float>, negate<double>}};

}  // namespace lamina::LAMINA_ISA
