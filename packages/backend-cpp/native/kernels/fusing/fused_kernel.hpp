// Several ops as one kernel, which goes through memory once.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <string>
#include <vector>

#include "loops/loops.hpp"
#include "runtime/operand.hpp"

namespace lamina {

constexpr int kMaxFusedInputs = 5, kMaxFusedSlots = 256;

// A map, or a reduction of the last axes.
struct FusedStep {
    MapLoop loop;
    const ReductionRow* reduction;  // null for a map
    double correction;              // of the count that a reduction divides by
    int count;                      // of slots, the result's first
    int slots[kMaxFusedInputs + 1];
};

struct FusedKernel {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    int operands, temporaries, cost;
    int axes;                // how many last axes are reduced; 0 for maps alone
    int dimensions;          // that operands then have
    int64_t tile;            // items of each temporary that fit into the cache together
    std::vector<int> codes;  // of operands, temporaries, numbers
    std::vector<FusedStep> steps;
    std::vector<std::array<char, 16>> numbers;
};

int ready_fused_kernels();  // prepares the type

// Whether `fuse` takes an op in a dtype.
bool fuses(const std::string& op, const std::string& dtype);

// A kernel of all operands. Steps are (op, dtype, slot of the result, inputs, parameters), where an input is a slot as a tuple of one, or
// a number; slots are the operands, and then the temporaries. Results among the operands come first.
pybind11::object fuse(const std::vector<pybind11::tuple>& steps, const std::vector<std::string>& operands,
                      const std::vector<std::string>& temporaries);

// What a kernel does with its operands: maps alone, and rows with what they are reduced to.
void run_fused_maps(const FusedKernel& fused, View* const* views);
void run_fused_rows(const FusedKernel& fused, View* const* views);

}  // namespace lamina
