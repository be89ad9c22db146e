// Eigenvalues and eigenvectors of one symmetric matrix of any size.
#pragma once

#include "kernels/linear_algebra/stacks.hpp"

namespace lamina {

template <class T>
struct Symmetric {
    // Bytes of scratch, and items of `terms` that `by` has to have, of which products want some always.
    static int64_t scratch_of(int64_t n, bool vectors);
    static int64_t terms_of(int64_t n, bool vectors);

    // Of the lower triangle of n x n finite numbers. `values`: n, ascending; `vectors`, if it has data, n x n with adjacent columns, of
    // which each becomes an eigenvector. False where an iteration takes too long.
    static bool solve(const Arithmetic& by, const Part& lower, int64_t n, double* values, const Part& vectors, char* scratch);
};

}  // namespace lamina
