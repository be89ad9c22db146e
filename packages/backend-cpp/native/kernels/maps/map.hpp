// What the kernels of map ops are made of: their rows, and the way that operands are walked with one.
#pragma once

#include "runtime/kernel.hpp"

namespace lamina {

// Gives each op of a table a kernel, and each dtype that has a row that row.
void register_maps(const Maps& maps);

// The row of a map op without parameters in a dtype that it computes in; null where there is none.
const MapRow* map_row(const char* op, int code);

// Ops of so many inputs and no parameters; for kernels that make inputs of their parameters.
bool run_binary(const Kernel& kernel, const Call& call);
bool run_ternary(const Kernel& kernel, const Call& call);
bool run_quaternary(const Kernel& kernel, const Call& call);

// pow: of floats as any map; of integers by one number only.
bool run_power(const Kernel& kernel, const Call& call);

}  // namespace lamina
