// Products with a weight of few bits, as the inner loops see them.
#pragma once

#include <cstdint>

namespace lamina {

// Item (channel, i) is (q - zero) * scale, its scale and zero those of the group i / group. q is an int8, or 4 bits without a sign, two
// to a byte, the lower ones first.
struct QuantizedWeight {
    int bits;
    const char* values;     // `row` bytes a channel
    const float *scales, *zeros;  // `groups` a channel; zeros may be null
    float zero;             // of all groups, where zeros is null
    int64_t k, row, group, groups;

    // Whether anything is taken from q.
    bool has_zeros() const { return zeros != nullptr || zero != 0; }
};

// What takes a weight apart reads rows of x in the order in which items of the weight come: `prepared` floats a row, zeros behind the
// items of each group; and beside them the sum of each group, if there are zeros.
struct PreparedRows {
    int64_t m;
    const float *x, *sums;
    int64_t x_row, sum_row;
};

struct QuantizedLoops {
    int64_t (*prepared)(const QuantizedWeight&);
    void (*prepare)(float* to, float* sums, const float* x, const QuantizedWeight&);
    // out[i * out_row + channel] for all rows, and channels from first to last.
    void (*dots)(float* out, int64_t out_row, const PreparedRows&, const QuantizedWeight&, int64_t first, int64_t last);
    // Items i to i + n of a channel, as floats.
    void (*unpack)(float* to, const QuantizedWeight&, int64_t channel, int64_t i, int64_t n);
};

}  // namespace lamina
