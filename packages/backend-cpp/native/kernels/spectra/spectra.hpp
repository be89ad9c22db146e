// The ways to eigenvalues and singular values of a stack. They are false where a matrix is not finite or an iteration takes too long.
#pragma once

#include "kernels/linear_algebra/stacks.hpp"

namespace lamina {

// A vector for each matrix of the stack.
inline Part vector_of(const Stack& stack, const View& v, int64_t i) {
    return {v.data + stack.offset(v, i) * stack.item, 0, v.g.strides[stack.lead], stack.item};
}

// Of at most 24 rows; vectors may be null.
template <class T>
bool eigenvalues_by_rotations(const Stack& stack, const View& x, const View& values, const View* vectors, bool upper);

// Of at most 32 rows and columns; u and vh may be null, and are square or have as many vectors as there are values.
template <class T>
bool singular_values_by_rotations(const Stack& stack, const View& x, const View* u, const View& values, const View* vh);

// Of more than kFewColumns rows.
template <class T>
bool eigenvalues_by_halves(const Stack& stack, const View& x, const View& values, const View* vectors, bool upper);

// Of more than kFewColumns rows and columns, in float32.
bool singular_values_by_squares(const Stack& stack, const View& x, const View* u, const View& values, const View* vh);

}  // namespace lamina
