// Several ops as one kernel, which goes through memory once.
#pragma once

#include <Python.h>

#include <array>
#include <memory>
#include <vector>

#include "loops/loops.hpp"
#include "runtime/operand.hpp"

namespace lamina {

constexpr int kMaxFusedInputs = 5, kMaxFusedSlots = 256, kMaxStepSlots = 32;
constexpr int kMaxMachineWidth = 64, kMachineItem = 8;  // items of an engine's vector, and bytes of an item

// What an engine made of several maps: on rows of so many vectors of `width` items, first those of the results, then those of the inputs,
// each so many bytes after the one before; an input whose vectors do not move is one item for all of a row.
struct MachineLoop {
    void (*loop)(char* const* slots, const int64_t* strides, const int64_t* row_strides, int64_t vectors, int64_t rows);
    int width, results;
};

// A map or a cast, a reduction of the last axes, or a loop of several maps.
struct FusedStep {
    MapLoop loop;
    const ReductionRow* reduction;  // null for a map or a cast
    double correction;              // of the count that a reduction divides by
    std::vector<int> slots;         // those of results first
    MachineLoop machine{nullptr, 0, 1};
    bool widened = false;  // whether the loop is float32's, and items of 16 bits are widened to it

    int count() const { return int(slots.size()); }
};

using FusedSteps = std::vector<FusedStep>;

// A reduction of the first axes, or of all, after all steps: no step reads it.
struct FusedTotal {
    const ReductionRow* row;
    double correction;
    int out, x;
};

// Steps of which some are an engine's, and which of the plain steps gave one item a row then: where that is otherwise, these do not fit.
struct JoinedSteps {
    FusedSteps steps;
    std::vector<bool> reduced;
    Owned owners{PyList_New(0)};
};

struct FusedKernel {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    int operands, temporaries, cost;
    int axes;                // how many last axes are reduced; 0 for maps alone
    int dimensions;          // that operands then have
    int first_axes;          // how many first axes totals reduce
    int64_t tile;            // items of each temporary that fit into the cache together
    int64_t done;            // items times steps so far, until an engine was asked
    std::vector<int> codes;  // of operands, temporaries, numbers
    FusedSteps steps;
    std::vector<FusedTotal> totals;
    std::vector<std::array<char, 16>> numbers;
    PyObject* engine;  // gives loops of several steps; None where it was asked, or is none
    std::shared_ptr<const JoinedSteps> joined;
};

int ready_fused_kernels();  // prepares the type

// What a kernel does with its operands: maps alone, and rows with what they are reduced to, or items with totals.
void run_fused_maps(const FusedKernel& fused, const JoinedSteps* joined, View* const* views);
void run_fused_rows(const FusedKernel& fused, const JoinedSteps* joined, View* const* views);

// Which steps give one item a row, of these operands.
std::vector<bool> reduced_steps(const FusedKernel& fused, View* const* views);

// A map, or a loop of several, on n items; s are the strides in items.
void run_step(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, int64_t n);

// The same on some rows of n items, whose strides are in `down`.
void run_step_on_rows(const FusedKernel& fused, const FusedStep& step, char* const* p, const int64_t* s, const int64_t* down,
                      int64_t n, int64_t rows);

}  // namespace lamina
