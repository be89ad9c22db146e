// LU, Cholesky and substitution over few columns, column by column or row by row.
//
// Golub and Van Loan, Matrix Computations, 4th ed., sections 3.1 (triangular systems), 3.4.1 (LU with partial pivoting) and 4.2
// (Cholesky, by columns).
#include <cmath>

#include "../factorizations.hpp"
#include "tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

template <class T>
int64_t lu(char* data, int64_t m, int64_t n, int64_t row, int64_t begin, int64_t end, int32_t* pivots, bool pivot) {
    T* a = reinterpret_cast<T*>(data);
    int64_t singular = 0;
    for (int64_t j = begin; j < end; ++j) {
        int64_t best = j;
        if (pivot) {
            T most = std::fabs(a[j * row + j]);
            for (int64_t i = j + 1; i < m; ++i) {
                const T size = std::fabs(a[i * row + j]);
                if (size > most || (size != size && most == most)) most = size, best = i;  // the first NaN is the greatest
            }
            if (best != j) {
                T *x = a + j * row, *y = a + best * row;
                for (int64_t i = 0; i < n; ++i) {
                    const T kept = x[i];
                    x[i] = y[i];
                    y[i] = kept;
                }
            }
        }
        pivots[j] = int32_t(best + 1);
        const T* head = a + j * row;
        const bool zero = head[j] == T(0);
        if (zero && singular == 0) singular = j + 1;
        for (int64_t i = j + 1; i < m; ++i) {
            T* x = a + i * row;
            const T share = zero ? x[j] : x[j] / head[j];  // where the pivot is 0, so is all below it
            x[j] = share;
            for (int64_t c = j + 1; c < end; ++c) x[c] -= share * head[c];
        }
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

// By blocks of which each line of memory is read once.
template <class T>
void turn(char* data, int64_t to_row, const char* from, int64_t from_row, int64_t rows, int64_t columns) {
    constexpr int64_t kBlock = 16;
    T* to = reinterpret_cast<T*>(data);
    const T* x = reinterpret_cast<const T*>(from);
    for (int64_t r = 0; r < rows; r += kBlock)
        for (int64_t c = 0; c < columns; c += kBlock) {
            const int64_t last_r = r + kBlock < rows ? r + kBlock : rows, last_c = c + kBlock < columns ? c + kBlock : columns;
            for (int64_t i = r; i < last_r; ++i)
                for (int64_t j = c; j < last_c; ++j) to[j * to_row + i] = x[i * from_row + j];
        }
}

}  // namespace

extern const FactorLoops factorizations = {{lu<float>, lu<double>},
                                           {cholesky<float>, cholesky<double>},
                                           {substitute<float>, substitute<double>},
                                           {negate<float>, negate<double>},
                                           {turn<float>, turn<double>}};

}  // namespace lamina::LAMINA_ISA
