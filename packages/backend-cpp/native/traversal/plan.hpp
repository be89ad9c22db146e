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
    unsigned written = 1;  // a bit for each operand that the loop writes; the first one is, others are to be told
    // Calls the loop in its place, with whatever must be done to the operands before and after; null for nothing.
    void (*adapter)(const Plan&, MapLoop loop, char* const* p, const int64_t* s, int64_t n) = nullptr;
    const void* context = nullptr;  // the adapter's

    // The first view gives the shape; scalars are read with stride 0. Views must have that shape.
    Plan(View* const* views, int count, const char* op);

    // Calls the loop for items begin .. end, counted in the plan's own order.
    void walk(MapLoop loop, int64_t begin, int64_t end) const;

    // Calls the loop for all items, on several threads if they are many; `cost` is one item's.
    void run(MapLoop loop, int cost) const;

    // Moves operand 1, of the same items, to operand 0, if it lies along another dimension than that; else false.
    bool move_transposed() const;

   private:
    // Operands that lie side by side along another dimension than the output, and whether their items are moved as they are.
    struct Crossing {
        static constexpr int kMost = 2;
        int across = -1, count = 0;
        int which[kMost];
        bool moved = false;
    };
    void drop_and_sort();
    void merge();
    int cut_dimension() const;
    Plan in_blocks(int cut, int64_t count, int64_t block) const;
    bool crossing(Crossing& found) const;
    void walk_tiles(MapLoop loop, const Crossing& crossing, int64_t begin, int64_t end) const;
    void run_tiles(MapLoop loop, int cost, const Crossing& crossing) const;
    bool run_transposed(MapLoop loop, int cost) const;  // false where no operand is to be transposed
};

}  // namespace lamina
