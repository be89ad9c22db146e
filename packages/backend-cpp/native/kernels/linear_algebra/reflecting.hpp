// Householder reflections of one matrix, whose products are kept as I - V @ U^-1 @ V^T, so that most of the work is products of matrices.
//
// U is the upper triangle of V^T @ V with the scales' reciprocals on its diagonal: Joffrain, Low, Quintana-Orti, van de Geijn and
// Van Zee, "Accumulating Householder transformations, revisited", 2006. Blocks of columns are halved until few are left: Elmroth
// and Gustavson, "Applying recursion to serial and parallel QR factorization", 2000.
#pragma once

#include "kernels/linear_algebra/reflections.hpp"
#include "kernels/linear_algebra/stacks.hpp"

namespace lamina {

// Of one matrix of `rows`: reflections of columns, and their product. `columns`: the most that they are applied to.
struct Reflecting {
    static constexpr int64_t kBlock = 64;  // columns whose reflections are applied to the others at once

    const Arithmetic& by;
    int64_t rows, item;
    char *panel, *other, *vector;  // few columns, for two matrices; and one
    Part v, u, w;                  // of a block: vectors, triangle, and V^T times what it is applied to

    static bool is_few(int64_t columns) { return columns <= kFewColumns; }
    static int64_t terms_of(int64_t columns) { return is_few(columns) ? 0 : kBlock * columns; }
    static int64_t scratch_of(int64_t rows, int64_t columns) {
        return (2 * kFewColumns + 1) * rows + (is_few(columns) ? 0 : kBlock * (rows + kBlock + columns));
    }

    Reflecting(const Arithmetic& by, char* scratch, int64_t rows, int64_t columns, int64_t item);

    Part few(char* data) const { return {data, kFewColumns, 1, item}; }

    // QR of few columns, which are left in `panel`.
    void reflect(const Part& a, int64_t height, int64_t columns, char* scales) const;

    // All columns of a, packed as LAPACK does.
    void factor(const Part& a, int64_t columns, char* scales) const;

    // The product of `count` packed reflections times `columns` of c, from the last reflection to the first.
    void multiply(const Part& c, const Part& packed, const char* scales, int64_t count, int64_t columns) const;

    // The first columns of that product.
    void product(const Part& q, const Part& packed, const char* scales, int64_t count, int64_t columns) const;

   private:
    void set_triangle(int64_t at, int64_t height, int64_t count, const char* scales) const;
    void apply(const Part& c, int64_t at, int64_t height, int64_t count, int64_t columns, bool transposed) const;
    void factor(const Part& a, int64_t first, int64_t begin, int64_t end, char* scales) const;
    void multiply(const Part& c, const Part& packed, const char* scales, int64_t count, int64_t columns, bool triangular) const;
};

}  // namespace lamina
