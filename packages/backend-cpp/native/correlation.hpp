// What the kernels of convolution hand to the parts that do the work.
#pragma once

#include "windows.hpp"

namespace lamina {

// Weights (groups, rows, channels of the images, kernel): strides in items.
struct Filters {
    const char* data;
    int64_t group, row, channel, tap[kSpatial];
    int64_t rows;
};

// Where the windows of images of one group are written: row r of window w at r * channel + w * stride.
using Results = Images;

// results = bias + correlation of images with filters, per group.
void correlate(const Correlations& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
               const Filters& filters, const View* bias, const Results& results);

// weights[group, row, channel, kernel] = sum of results * images, over images and windows.
void weigh(const Correlations& correlations, const Weighings& loops, int code, int64_t groups, const Images& images,
           const WindowAxis* axes, const Filters& filters, const Images& results);

}  // namespace lamina
