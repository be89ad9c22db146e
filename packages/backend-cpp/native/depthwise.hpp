// Correlation of one plane with one filter, read where it lies: for channels that are groups of their own.
#pragma once

#include <cstdint>

namespace lamina {

constexpr int64_t kMostTapRows = 16;  // of a filter

// out[h, w] = bias + sum over i, j of weights[i, j] * x[h * step + i * apart[0] + start[0], w + j * apart[1] + start[1]], 0 outside
struct Depthwise {
    const char *x, *weights, *bias, *zeros;  // bias may be null; zeros: a row of them
    char* out;
    int64_t length[2], count[2], taps[2];     // of x, of out, of the filter
    int64_t x_row, out_row, tap_stride[2];    // strides in items; columns are adjacent
    int64_t step, apart[2], start[2];
};

struct DepthwiseLoops {  // float32, float64
    void (*correlate[2])(const Depthwise&);
};

struct Images;
struct Filters;
struct Loops;
class View;

void ready_depthwise(const Loops&);

// The correlation of images with filters, whose windows go on by `step` along rows and by 1 along columns, if every group has one
// channel and few filters, and it can be read where it lies; else false, with nothing done.
bool correlate_planes(int code, int64_t groups, const Images& images, const int64_t* taps, int64_t step, const int64_t* apart,
                      const int64_t* start, const Filters& filters, const View* bias, const Images& results);

}  // namespace lamina
