// Products of floats with a weight whose items have 4, 8 or 16 bits, and are floats in registers alone.
#pragma once

#include <cstdint>

namespace lamina {

enum NarrowFormat { kSignedBytes, kHalfBytes, kHalves, kBrains };  // int8; 4 bits, two to a byte, the lower first; float16; bfloat16

// Item (channel, i) is (q - zero) * scale, with those of the group i / group.
struct NarrowWeight {
    NarrowFormat format;
    const char* values;           // `row` bytes a channel
    const float *scales, *zeros;  // `groups` a channel, or null
    float zero;                   // of all groups, where zeros is null
    int64_t k, row, group, groups;

    bool has_zeros() const { return zeros != nullptr || zero != 0; }
};

// Rows of x in the order in which the items of a weight are taken apart, zeros behind those of each group; and the sum of each group,
// if the weight has zeros.
struct PreparedRows {
    int64_t m;
    const float *x, *sums;
    int64_t x_row, sum_row;
};

struct NarrowWeightLoops {
    int64_t (*prepared)(const NarrowWeight&);  // items of a row
    void (*prepare)(float* to, float* sums, const float* x, const NarrowWeight&);
    // out[i * out_row + channel] for all rows, and channels from first to last.
    void (*dots)(float* out, int64_t out_row, const PreparedRows&, const NarrowWeight&, int64_t first, int64_t last);
    // Items i to i + n of a channel, as floats.
    void (*unpack)(float* to, const NarrowWeight&, int64_t channel, int64_t i, int64_t n);
};

// Dense operands of a product.
struct FloatRows {
    int64_t m, n;
    const float *x, *bias;  // bias may be null
    float* out;
};

// out = x @ weight.T + bias. Throws before it writes; the GIL is held.
void multiply(const FloatRows& rows, const NarrowWeight& weight);

}  // namespace lamina
