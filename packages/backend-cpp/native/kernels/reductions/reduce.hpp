// What the kernels of reductions share: their rows, and the axes that they reduce.
#pragma once

#include "runtime/kernel.hpp"

namespace lamina {

// Gives each op of a table a kernel, and each dtype that has a row that row.
void register_reductions(const Reductions& reductions);

// The row of a reduction in a dtype that it computes in; null where there is none.
const ReductionRow* reduction_row(const char* op, int code);

constexpr int kMostWords = 3;  // of one partial result

// Whether rows of adjacent items, which follow one another, are reduced side by side. Very short ones are, too: what one row costs besides
// its items is then spread over many.
constexpr bool short_rows(int64_t rows, int64_t length) { return length <= 24 && rows >= 16; }

// How many parts a long reduction is made in, and how many items, or rows beside columns, each has but the last: a multiple of 64.
struct Pieces {
    int64_t length, count;
};

constexpr int64_t kFewestColumns = 17;  // that are not made into more

Pieces pieces_of(int64_t items, int64_t columns);

// Which of x's dimensions are reduced, as bits; checks `axes`, and out's shape.
uint64_t reduced_axes(const View& out, const View& x, PyObject* axes, const char* op);

}  // namespace lamina
