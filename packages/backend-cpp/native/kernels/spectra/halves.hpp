// Eigenvalues and eigenvectors of a symmetric tridiagonal matrix, from those of its halves.
#pragma once

#include "kernels/linear_algebra/stacks.hpp"

namespace lamina {

// Of n numbers `diagonal` and n - 1 `beside` it, which both change; the eigenvalues, in no order, are left in `diagonal`.
//
// `rows`, n x n, become the eigenvectors; or n x 2, their first and last items, where `whole` is false. `scratch`: so many bytes as
// `scratch_of` says. False where an iteration takes too long.
template <class T>
struct Halves {
    static int64_t scratch_of(int64_t n, bool whole);
    static bool solve(const Arithmetic& by, int64_t n, double* diagonal, double* beside, T* rows, bool whole, char* scratch);
};

}  // namespace lamina
