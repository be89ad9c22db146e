// What the kernels of map ops are made of: their rows, and the way that operands are walked with one.
#pragma once

#include "runtime/kernel.hpp"

namespace lamina {

// Gives each op of a table a kernel, and each dtype that has a row that row.
void register_maps(const Maps& maps);

// The row of a map op in a dtype, whose parameters follow its inputs; float32's for items of 16 bits that have none of their own. Null where
// there is none.
const MapRow* map_row(const char* op, int code);

// The dtype of a map's result, and that in which it takes a number, where its inputs are of some dtype.
int result_code(const MapRow& row, int code);
int number_code(const MapRow& row, int code);

// Runs a loop of float32 on operands some of which are narrow: a block at a time, through buffers.
void through_floats(MapLoop loop, const int* codes, int operands, char* const* p, const int64_t* s, int64_t n);

// Ops of so many inputs and no parameters; for kernels that make inputs of their parameters.
bool run_binary(const Kernel& kernel, const Call& call);
bool run_ternary(const Kernel& kernel, const Call& call);
bool run_quaternary(const Kernel& kernel, const Call& call);

// clip, and addcmul and addcdiv, whose parameters are numbers.
bool run_clip(const Kernel& kernel, const Call& call);
bool run_scaled_sum(const Kernel& kernel, const Call& call);

// pow: of floats as any map; of integers by one number only.
bool run_power(const Kernel& kernel, const Call& call);

}  // namespace lamina
