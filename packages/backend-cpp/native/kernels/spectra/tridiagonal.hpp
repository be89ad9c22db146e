// Steps by which reflections make a symmetric matrix tridiagonal.
#pragma once

#include <cstdint>

namespace lamina {

// A matrix, row by row, and what a step goes by. Rows and vectors have `width` items, whole vectors: those after the n-th are 0.
struct SymmetricRows {
    char* a;
    int64_t n, width;
    char *v, *w;     // row i has yet to lose v[i] * w + w[i] * v, which the reflection before brought
    char *next;      // the vector of the reflection at hand
    char *products;  // of rows with it; then what becomes `w` when it becomes `v`
};

struct TridiagonalLoops {  // float32, float64
    // Row j is brought up to date and reflected: its part of the diagonal and beside it, the scale, and `next`, which stays in the
    // row as LAPACK's sytrd packs it.
    void (*reflect[2])(const SymmetricRows& rows, int64_t j, char* scale, double* diagonal, double* beside);
    // Rows begin ... end - 1, after j, are brought up to date, and multiplied by `next`.
    void (*update[2])(const SymmetricRows& rows, int64_t j, int64_t begin, int64_t end);
    // Of all products, what the next rows have to lose.
    void (*close[2])(const SymmetricRows& rows, int64_t j, double scale);
};

}  // namespace lamina
