// One step of recurrent cells, forwards and backwards, for some rows (examples) and blocks of hidden units.
//
// Weights lie in panels: all items of the inner axis for one block of units, `kBlockUnits` (of the loops) of them side by side.
#pragma once

#include <cstdint>

namespace lamina {

enum CellMode { kRnnTanh, kRnnRelu, kLstm, kGru };

constexpr int gates_of(int mode) { return mode == kLstm ? 4 : mode == kGru ? 3 : 1; }
constexpr int kept_of(int mode) { return mode >= kLstm ? 4 : 0; }  // vectors of units kept for the gradient, besides h and c

struct CellStep {
    int64_t rows, hidden, first_block, last_block;
    const char *given, *bias;           // what the input adds to the gates; of the hidden state's share, or null
    const char *before, *cells_before;  // the state before
    int64_t given_row, before_row, cells_row;  // items from one row of these to the next; all others are dense
    const char* panels;                 // by gate and block, with `hidden` inner items
    char *after, *cells, *kept;
};

struct CellGradient {
    int64_t rows, hidden, first_block, last_block;
    const char* gradient;  // of the output, or null
    const char *before, *cells_before;
    int64_t gradient_row, before_row, cells_row;
    const char *after, *cells, *kept;
    const char* panels;  // by block, with gates * hidden inner items
    char *of_given, *of_hidden;  // the gradients of the gates' two shares; the latter is the former but for a GRU
    char *state, *cell_state;    // the gradients of the state behind, which become those of the state before
};

struct RecurrenceLoops {
    int64_t block_units;
    // Packs `columns` columns of k items into one panel.
    void (*pack)(char* to, const char* from, int64_t k, int64_t k_stride, int64_t column_stride, int64_t columns);
    void (*step[4])(const CellStep&);                // by mode
    void (*gradient_of_gates[4])(const CellGradient&);  // also adds to `state` what does not pass the weights
    void (*gradient_of_state[4])(const CellGradient&);  // adds what does
};

struct Recurrences {
    RecurrenceLoops of[2];  // float32, float64
};

}  // namespace lamina
