// Several map ops as one kernel, which goes through memory once.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace lamina {

int ready_fused_maps();  // prepares the type

// Whether `fuse` takes an op in a dtype.
bool fuses(const std::string& op, const std::string& dtype);

// A kernel of all operands. Steps are (op, dtype, slot of the result, inputs), where an input is a slot as a tuple of one, or a number;
// slots are the operands, and then the temporaries. Results among the operands come first.
pybind11::object fuse(const std::vector<pybind11::tuple>& steps, const std::vector<std::string>& operands,
                      const std::vector<std::string>& temporaries);

}  // namespace lamina
