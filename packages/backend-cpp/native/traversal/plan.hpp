// Plan: how to walk several operands of one shape together, in as few and as long straight runs as there are.
#pragma once

#include "loops/loops.hpp"
#include "runtime/operand.hpp"

namespace lamina {

constexpr int kMaxOperands = 12;

struct Plan {
    int operands = 0;
    int ndim = 0;
    int64_t size = 1;
    int64_t shape[kMaxDims + 1];
    int64_t strides[kMaxDims + 1][kMaxOperands];  // in items
    char* data[kMaxOperands];
    int itemsize[kMaxOperands], codes[kMaxOperands];
    // Calls the loop in its place, with whatever must be done to the operands before and after; null for nothing.
    void (*adapter)(const Plan&, MapLoop loop, char* const* p, const int64_t* s, int64_t n) = nullptr;
    const void* context = nullptr;  // the adapter's

    // The first view gives the shape; scalars are read with stride 0. Views must have that shape.
    Plan(View* const* views, int count, const char* op);

    // Calls the loop for items begin .. end, counted in the plan's own order.
    void walk(MapLoop loop, int64_t begin, int64_t end) const;

    // Calls the loop for all items, on several threads if they are many; `cost` is one item's.
    void run(MapLoop loop, int cost) const;

   private:
    void drop_and_sort();
    void merge();
    int cut_dimension() const;
    Plan in_blocks(int cut, int64_t count, int64_t block) const;
};

}  // namespace lamina
