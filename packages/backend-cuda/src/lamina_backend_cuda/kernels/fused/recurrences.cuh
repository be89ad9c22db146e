// One step of recurrent cells, and the way back. A thread has one unit of one row. What is included before defines the type W, and CELL
// as one of these.
#define RNN_TANH 0
#define RNN_RELU 1
#define LSTM 2
#define GRU 3
#define GATES (CELL == LSTM ? 4 : CELL == GRU ? 3 : 1)
#define KEPT 4  // numbers of each unit that the gradient wants

LAMINA W squashed(W x) { return W(1) / (W(1) + exp(-x)); }

// `given` is the input's share of the gates; `share` is the state's, without its bias.
extern "C" __global__ void cell_forward(
    W* output, W* cell, W* kept, const W* given, const W* share, const W* bias, const W* state, const W* cell_state, i64 rows,
    i64 units) {
  for (i64 i = first(); i < rows * units; i += stride()) {
    i64 row = i / units, unit = i - row * units;
    auto at = [&](int gate, int gates) { return (row * gates + gate) * units + unit; };
    auto own = [&](int gate) { return share[at(gate, GATES)] + (bias ? bias[gate * units + unit] : W(0)); };
    auto both = [&](int gate) { return given[at(gate, GATES)] + own(gate); };
#if CELL == LSTM
    W in = squashed(both(0)), forget = squashed(both(1)), made = tanh(both(2)), out = squashed(both(3));
    W now = forget * cell_state[i] + in * made;
    cell[i] = now;
    output[i] = out * tanh(now);
    W all[KEPT] = {in, forget, made, out};
#elif CELL == GRU
    W reset = squashed(both(0)), keep = squashed(both(1)), own_share = own(2);
    W made = tanh(given[at(2, GATES)] + reset * own_share);
    output[i] = made + keep * (state[i] - made);
    W all[KEPT] = {reset, keep, made, own_share};
#else
    W x = both(0);
    output[i] = CELL == RNN_TANH ? tanh(x) : x < 0 ? W(0) : x;
#endif
#if CELL == LSTM || CELL == GRU
    for (int k = 0; k < KEPT; ++k) kept[at(k, KEPT)] = all[k];
#endif
  }
}

// From the gradients of a step's output, and of the states that steps behind it wanted (`behind`, `cell_behind`), those of the gates;
// `behind` gets what goes to the state before directly, and `cell_behind` what goes to the cell state before.
extern "C" __global__ void cell_backward(
    W* of_given, W* of_share, W* behind, W* cell_behind, const W* gradient, const W* output, const W* cell, const W* kept,
    const W* before, const W* cell_before, i64 rows, i64 units) {
  for (i64 i = first(); i < rows * units; i += stride()) {
    i64 row = i / units, unit = i - row * units;
    auto at = [&](int gate, int gates) { return (row * gates + gate) * units + unit; };
    W h = behind[i] + (gradient ? gradient[i] : W(0));
#if CELL == LSTM
    W in = kept[at(0, KEPT)], forget = kept[at(1, KEPT)], made = kept[at(2, KEPT)], out = kept[at(3, KEPT)], top = tanh(cell[i]);
    W c = cell_behind[i] + h * out * (1 - top * top);
    of_given[at(0, GATES)] = c * made * (in * (1 - in));
    of_given[at(1, GATES)] = c * cell_before[i] * (forget * (1 - forget));
    of_given[at(2, GATES)] = c * in * (1 - made * made);
    of_given[at(3, GATES)] = h * top * (out * (1 - out));
    cell_behind[i] = c * forget;
#elif CELL == GRU
    W reset = kept[at(0, KEPT)], keep = kept[at(1, KEPT)], made = kept[at(2, KEPT)], own_share = kept[at(3, KEPT)];
    W of_made = h * (1 - keep) * (1 - made * made);
    W of_reset = of_made * own_share * reset * (1 - reset), of_keep = h * (before[i] - made) * keep * (1 - keep);
    of_given[at(0, GATES)] = of_share[at(0, GATES)] = of_reset;
    of_given[at(1, GATES)] = of_share[at(1, GATES)] = of_keep;
    of_given[at(2, GATES)] = of_made;
    of_share[at(2, GATES)] = of_made * reset;
    behind[i] = h * keep;
#else
    of_given[i] = CELL == RNN_TANH ? h * (1 - output[i] * output[i]) : output[i] > 0 ? h : W(0);
#endif
  }
}
