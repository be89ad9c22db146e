// Householder's tridiagonalization, where one pass over the matrix applies a reflection and multiplies by the next one's vector.
//
// Golub and Van Loan, Matrix Computations, 4th ed., section 8.3.1. Both in one pass: Howell, Demmel, Fulton, Hammarling and Marmol,
// "Cache efficient bidiagonalization using BLAS 2.5 operators", 2008.
#include "kernels/spectra/tridiagonal.hpp"

#include "loops/linear_algebra/reflection.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

// The first of the whole vectors that hold items from i on.
template <class T>
inline int64_t aligned_down(int64_t i) {
    return i / kLanes<T> * kLanes<T>;
}

template <class T>
void reflect(const SymmetricRows& of, int64_t j, char* scale, double* diagonal, double* beside) {
    constexpr int L = kLanes<T>;
    T *row = reinterpret_cast<T*>(of.a) + j * of.width, *next = reinterpret_cast<T*>(of.next);
    const T *v = reinterpret_cast<const T*>(of.v), *w = reinterpret_cast<const T*>(of.w);
    for (int64_t c = aligned_down<T>(j); c < of.width; c += L)
        store<T>(row + c, load(row + c) - (v[j] * load(w + c) + w[j] * load(v + c)));
    *diagonal = double(row[j]);
    const int64_t left = of.n - j - 1;
    if (left == 0) return;
    *beside = double(left == 1 ? row[j + 1] : reflection(row + j + 1, left, reinterpret_cast<T*>(scale)));
    for (int64_t i = aligned_down<T>(j + 1); i <= j; ++i) next[i] = T(0);
    for (int64_t i = j + 1; i < of.n; ++i) next[i] = row[i];
}

// R rows, of which each vector of v, w and `next` is read once.
template <class T, int R>
inline void update_rows(const SymmetricRows& of, int64_t from, int64_t i) {
    constexpr int L = kLanes<T>;
    T* a = reinterpret_cast<T*>(of.a) + i * of.width;
    const T *v = reinterpret_cast<const T*>(of.v), *w = reinterpret_cast<const T*>(of.w), *next = reinterpret_cast<const T*>(of.next);
    Vec<T> sums[R]{}, vs[R], ws[R];
    for (int r = 0; r < R; ++r) vs[r] = every(v[i + r]), ws[r] = every(w[i + r]);
    for (int64_t c = from; c < of.width; c += L) {
        const Vec<T> to_v = load(v + c), to_w = load(w + c), by = load(next + c);
#pragma GCC unroll 4
        for (int r = 0; r < R; ++r) {
            T* item = a + r * of.width + c;
            const Vec<T> left = load(item) - vs[r] * to_w - ws[r] * to_v;
            store<T>(item, left);
            sums[r] += left * by;
        }
    }
    for (int r = 0; r < R; ++r) reinterpret_cast<T*>(of.products)[i + r] = sum_of_lanes<T>(sums[r]);
}

template <class T>
void update(const SymmetricRows& of, int64_t j, int64_t begin, int64_t end) {
    const int64_t from = aligned_down<T>(j + 1);
    int64_t i = begin;
    for (; i + 4 <= end; i += 4) update_rows<T, 4>(of, from, i);
    for (; i < end; ++i) update_rows<T, 1>(of, from, i);
}

template <class T>
void close(const SymmetricRows& of, int64_t j, double scale) {
    constexpr int L = kLanes<T>;
    T* products = reinterpret_cast<T*>(of.products);
    const T* next = reinterpret_cast<const T*>(of.next);
    const int64_t from = aligned_down<T>(j + 1);
    for (int64_t c = from; c <= j; ++c) products[c] = T(0);
    Vec<T> sums{};
    for (int64_t c = from; c < of.width; c += L) sums += load(products + c) * load(next + c);
    const T size = T(scale), share = size * size * sum_of_lanes<T>(sums) / 2;
    for (int64_t c = from; c < of.width; c += L) store<T>(products + c, size * load(products + c) - share * load(next + c));
}

}  // namespace

extern const TridiagonalLoops tridiagonal = {{reflect<float>, reflect<double>},
                                             {update<float>, update<double>},
                                             {close<float>, close<double>}};

}  // namespace lamina::LAMINA_ISA
