// Correlation of one plane with one filter, read where it lies: for channels that are groups of their own.
#pragma once

#include <cstdint>

namespace lamina {

constexpr int64_t kMostTapRows = 16;  // of a filter

// out[h, w] = bias + sum over i, j of weights[i, j] * x[h * step + i * apart + start, w * step + j * apart + start], 0 outside;
// steps, starts and what taps are apart are those of rows, then of columns.
struct Depthwise {
    const char *x, *weights, *bias, *zeros;  // bias may be null; zeros: a row of them
    char* out;
    int64_t length[2], count[2], taps[2];  // of x, of out, of the filter
    int64_t x_row, out_row, out_column, tap_stride[2];  // strides in items; columns of x are adjacent
    int64_t step[2], apart[2], start[2];
};

struct DepthwiseLoops {  // float32, float64
    void (*correlate[2])(const Depthwise&);
};

struct Images;
struct Filters;
struct Loops;
struct WindowAxis;
class View;

// As `correlate` of correlation.hpp, if every group has one channel and few filters, and windows lie in planes; else false, with
// nothing done.
bool correlate_planes(int code, int64_t groups, const Images& images, const WindowAxis* axes, const Filters& filters, const View* bias,
                      const Images& results);

}  // namespace lamina
