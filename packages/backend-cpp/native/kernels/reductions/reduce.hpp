// What the kernels of reductions share: their rows, and the axes that they reduce.
#pragma once

#include "runtime/kernel.hpp"

namespace lamina {

// Gives each op of a table a kernel, and each dtype that has a row that row.
void register_reductions(const Reductions& reductions);

// Which of x's dimensions are reduced, as bits; checks `axes`, and out's shape.
uint64_t reduced_axes(const View& out, const View& x, PyObject* axes, const char* op);

}  // namespace lamina
