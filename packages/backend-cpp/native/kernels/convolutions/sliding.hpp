// Sliding windows as the inner loops see them: staged images, runs of windows, taps at fixed distances from a window.
//
// A window is known by its start, a distance in items from the start of the images, and a tap of it by an offset from there.
// Both come from the same strides, so start + offset is an item, and windows that lie side by side have adjacent starts. Where
// images do not lie so (zeros around them, steps above 1, a column step other than 1) a staged copy does.
#pragma once

#include <cstdint>

namespace lamina {

constexpr int kSpatial = 3;  // axes that windows slide along; there are 1 to 3, missing ones in front have length 1

// Copies channels of one image so that windows lie side by side: one plane for each residue of the step, zeros around.
struct Stage {
    const char* x;
    char* to;
    int64_t channels, x_channel, to_channel;           // strides in items
    int64_t x_stride[kSpatial], length[kSpatial];      // of the image
    int64_t step[kSpatial], planes[kSpatial];          // planes: residues that are in use
    const int64_t* start[kSpatial];                    // of each plane, where in the image it begins; it goes on by steps
    int64_t first[kSpatial];                           // how many steps are left out in front
    int64_t staged[kSpatial], filled[kSpatial];        // lengths of a plane, and how much of them is wanted
};

// Windows whose starts are adjacent.
struct Run {
    int64_t start, length;
};

// out[row, column] = bias[row] + sum over taps of weights[row, tap] * images[start of column + offset of tap]
struct Correlation {
    const char* images;
    const char* end;  // nothing is read from here on
    const int64_t* offsets;
    int64_t taps;
    const Run* runs;
    int64_t columns;      // of all runs
    const char* weights;  // as pack_weights left them
    int64_t rows;
    const char* bias;  // may be null
    int64_t bias_stride;
    char* out;
    int64_t out_row, capacity;  // capacity: columns of out that may be written, at least those that there are
    char* panel;            // kPanelBytes of scratch
};

constexpr int64_t kPanelBytes = int64_t(64) << 10;

// Weights as the tiles read them: for some rows, tap by tap.
struct WeightPack {
    const char* weights;
    const int64_t* offsets;  // of each tap, in items
    int64_t taps, row, rows;
    char* to;
};

// sums[panel of outputs, tap, output] += sum over columns of images[start + offset of tap] * gradient[column, output]
struct WeightGradient {
    const char* images;
    const int64_t* offsets;
    int64_t taps;
    const int64_t* starts;  // of each column
    int64_t columns;
    const char* gradient;  // (outputs, columns)
    int64_t gradient_row, outputs;
    char *sums, *panel;  // panel: scratch for columns times the width of a panel
    bool add;            // to what sums hold
};

// sums[output, tap] += the same: for few outputs.
struct RowWeightGradient {
    const char* images;
    const int64_t* offsets;
    int64_t taps;
    const Run* runs;
    int64_t columns;
    const char* gradient;
    int64_t gradient_row, outputs;
    char* sums;
    bool add;
};

// Windows over one plane, all axes of one channel of one image; strides in items.
struct Pool {
    const char* x;
    char *out, *indices;  // indices: int64, of the greatest
    int64_t length[kSpatial], count[kSpatial];  // of x, of windows
    int64_t x_stride[kSpatial], out_stride[kSpatial], index_stride[kSpatial];
    int64_t kernel[kSpatial], stride[kSpatial], padding[kSpatial], dilation[kSpatial];
    bool count_padding;  // whether zeros around count for a mean
    double divisor;      // of means, where it is not 0
    int64_t tap_stride;  // of columns: from a tap's windows to the next's
    const char* bias;    // what columns are added to; null for 0
};

struct Pools {  // float32, float64
    void (*max[2])(const Pool&);
    void (*adaptive_max[2])(const Pool&);  // windows are bins: `length` and `count` alone say where they lie
    void (*average[2])(const Pool&);
    // x is what is written, out what is read: a plane of gradients, or of columns, one after another for each tap.
    void (*average_gradient[2])(const Pool&);
    void (*overlap_add[2])(const Pool&);
};

struct Correlations {  // float32, float64
    int few_rows;     // so many or fewer are added up in another order
    int tile_rows;
    int panel_bytes;  // the width of a panel
    void (*stage[3])(const Stage&);  // of items of 16 bits, too
    void (*pack_weights[2])(const WeightPack&);
    void (*correlate[2])(const Correlation&);
};

struct WeightGradients {
    int lanes_bytes;  // lanes * itemsize
    void (*weight_gradient[2])(const WeightGradient&);
    void (*weight_gradient_rows[2])(const RowWeightGradient&);
    void (*join[2])(char* sums, int64_t parts, int64_t size);  // adds `parts` blocks of `size` items up, in the first
};

}  // namespace lamina
