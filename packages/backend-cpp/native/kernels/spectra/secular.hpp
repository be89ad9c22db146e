// Eigenvalues and eigenvectors of a diagonal matrix plus one of rank 1: diag(d) + rho * z @ z^T.
#pragma once

#include <cstdint>

namespace lamina {

// The eigenvalues are roots of 1 / rho + sum(z^2 / (d - x)). Each is told as the pole next to it, an item of d, and its distance from
// that, so that differences from all poles are exact. Arrays have 16 items more than n, which are written, too.
struct SecularProblem {
    const double *d, *squares;  // ascending poles, and the squares of z, whose sum is at most 1
    int64_t n;
    double inverse;  // 1 / rho, positive
    double *nearest, *distances;
};

struct SecularLoops {
    int lanes;  // roots at once
    // Roots begin ... end - 1; `begin` is a multiple of `lanes`.
    void (*roots)(const SecularProblem& of, int64_t begin, int64_t end);
    // Of the matrix that has exactly these roots, the sizes of z.
    void (*sizes)(const SecularProblem& of, double* to, int64_t begin, int64_t end);
    // Its eigenvectors begin ... end - 1, as rows that lie one after another, for poles and z in any order; float32, float64.
    void (*vectors[2])(const SecularProblem& of, const double* d, const double* z, char* rows, int64_t begin, int64_t end);
};

}  // namespace lamina
