// Makes a kernel of several ops; apart from what such a kernel is, as pybind11 takes the compiler long to read.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace lamina {

// Whether `fuse` takes an op in a dtype.
bool fuses(const std::string& op, const std::string& dtype);

// A kernel of all operands. Steps are (op, dtype, slot of the result, inputs, parameters), where an input is a slot as a tuple of one, or
// a number; slots are the operands, and then the temporaries. Results among the operands come first. Totals are told as steps are. Where
// the kernel has done much, the engine is asked once, with whether each step gives one item a row: for rows of (the first step, how many,
// the address of a loop, its width, the slots of its results, those of its inputs, what keeps the loop).
pybind11::object fuse(const std::vector<pybind11::tuple>& steps, const std::vector<pybind11::tuple>& totals,
                      const std::vector<std::string>& operands, const std::vector<std::string>& temporaries, const pybind11::object& engine);

}  // namespace lamina
