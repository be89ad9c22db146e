// The loop that moves items, for kernels that copy parts of arrays.
#pragma once

#include "loops/loops.hpp"

namespace lamina {

// Moves items of one dtype, or casts them; out first.
MapLoop copy_loop(int to, int from);

}  // namespace lamina
