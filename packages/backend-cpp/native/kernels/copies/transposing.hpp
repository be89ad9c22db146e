// Copies whose items lie side by side along one dimension in the copy, and along another in what is copied.
#pragma once

#include "traversal/plan.hpp"

namespace lamina {

// Runs a plan of two operands of one dtype, out first, tile by tile; false where it is none that gains by that.
bool copy_transposed(const Plan& plan);

}  // namespace lamina
