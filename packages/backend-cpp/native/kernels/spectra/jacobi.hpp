// Jacobi's rotations of small matrices, as many side by side as a vector has lanes: item (i, j) of all of them is one vector.
#pragma once

#include <cstdint>

namespace lamina {

struct JacobiLoops {  // float32, float64
    int lanes[2];     // matrices side by side
    // Symmetric n x n matrices, whose items are at most 1, become diagonal. `vectors`, if it is not null, becomes a matrix whose rows
    // are their eigenvectors. False where that takes too long.
    bool (*diagonalize[2])(char* a, int64_t n, char* vectors);
    // n rows of m items, at most 1, become orthogonal; `turns`, if it is not null, the orthogonal n x n matrix that made them so.
    bool (*orthogonalize[2])(char* rows, int64_t n, int64_t m, char* turns);
};

}  // namespace lamina
