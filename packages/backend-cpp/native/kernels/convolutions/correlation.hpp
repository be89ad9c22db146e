// What the kernels of convolution hand to the parts that do the work.
#pragma once

#include "kernels/convolutions/windows.hpp"

namespace lamina {

// Weights (groups, rows, channels of the images, kernel): strides in items.
struct Filters {
    const char* data;
    int64_t group, row, channel, tap[kSpatial];
    int64_t rows;
};

// Where the taps of some channels are in a row of filters, in items; channel by channel.
std::vector<int64_t> tap_offsets(const Filters& filters, const WindowAxis* axes, int64_t channels);

// Where the windows of images of one group are written: row r of window w at r * channel + w * stride.
using Results = Images;

// results = bias + correlation of images with filters, per group.
void correlate(const Correlations& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
               const Filters& filters, const View* bias, const Results& results);

// inputs = bias + columns added up where windows overlap, columns being the product of filters, whose rows are taps of channels side by
// side, with images; `windows` tells how they lie over a plane of inputs.
void overlap(const Correlations& loops, const Pools& pools, int code, int64_t groups, const Images& images,
             const Filters& filters, const Pool& windows, const View* bias, const Images& inputs);

// weights[group, row, channel, kernel] = sum of results * images, over images and windows.
void weight_gradient(const Correlations& correlations, const WeightGradients& loops, int code, int64_t groups, const Images& images,
           const WindowAxis* axes, const Filters& filters, const Images& results);

}  // namespace lamina
