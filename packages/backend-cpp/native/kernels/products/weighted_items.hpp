// Sums of an axis' items by a sparse table of weights, as the inner loops see them.
#pragma once

#include <cstdint>

namespace lamina {

// Row i of the table has the terms begin[i] to begin[i + 1]: the item at indices[t] of the axis, weights[t] times.
struct WeightTable {
    const int64_t *begin, *indices;
    const char* weights;  // of the items' dtype
};

// out[i, :] = sum of weights[t] * x[indices[t], :] for rows first to last, whose n items lie side by side; strides in items.
struct WeightedRows {
    WeightTable table;
    const char* x;
    char* out;
    int64_t first, last, n, x_row, out_row;
};

constexpr int kMostLines = 16;  // at once: at least the lanes of a vector

// out[i] = sum of weights[t] * x[indices[t]] along some lines of adjacent items.
struct WeightedLines {
    WeightTable table;
    const char* x[kMostLines];
    char* out[kMostLines];
    int lines;
    int64_t length, count;  // items of x and of out along a line
    char* scratch;          // length vectors
};

struct WeightedItems {  // float32, float64
    int vector_bytes;
    void (*rows[2])(const WeightedRows&);
    void (*lines[2])(const WeightedLines&);  // so many as a vector has lanes, or fewer
};

}  // namespace lamina
