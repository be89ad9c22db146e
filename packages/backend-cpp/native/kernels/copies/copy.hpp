// The loop that moves items, for kernels that copy parts of arrays.
#pragma once

#include "loops/loops.hpp"
#include "traversal/plan.hpp"

namespace lamina {

// Moves items of one dtype, or casts them; out first.
MapLoop copy_loop(int to, int from);

// Does that for all items of a plan of two operands.
void copy_planned(const Plan& plan);

}  // namespace lamina
