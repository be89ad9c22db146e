// Winograd's minimal filtering F(2x2, 3x3): a filter of 3 by 3 sees a tile of 4 by 4 items, which has 2 by 2 results, with 16
// multiplications a channel in place of 36. S. Winograd, Arithmetic Complexity of Computations, 1980; A. Lavin and S. Gray, Fast
// Algorithms for Convolutional Neural Networks, CVPR 2016.
//
// With d a tile, g a filter and y the results, all of one channel:
//     y = At [(G g Gt) * (Bt d B)] A,    and the gradient of g is Gt [(Bt d B) * (A dy At)] G,
// where * is item by item. Sums over channels, or over tiles, are taken between the transforms: they are 16 products of matrices.
// The items of At and Bt are 0, 1 and -1 and those of G also 1/2, so small whole numbers stay exact.
#pragma once

#include "kernels/convolutions/correlation.hpp"

namespace lamina {

constexpr int kTileItems = 16;  // of a transformed tile, each in a matrix of its own

// Tiles side by side: of an image, in one row of tiles.
struct Strip {
    int64_t image, row, column, tiles;
};

struct Strips {
    const Strip* first;
    int64_t count, tiles;  // tiles: of all strips
};

// Channels of images, read in tiles that are 2 items apart; strides in items. Transformed, item i of tile n of channel c is
// to[i * matrix + n / w * panel + c * row + n % w], where w is the width of a panel.
struct TileTransform {
    const float* x;
    int64_t channels, image, channel, stride[2], length[2];
    int64_t start[2];  // where the first tile of an image begins; it is 0 outside
    Strips strips;
    float* to;
    int64_t matrix, panel, row;
    float* scratch;  // tile_scratch(strips) bytes
};

// Rows of weights with 9 taps a channel at `offsets`, of which those of some channels are transformed, and packed for the products' tiles.
struct FilterTransform {
    const float* weights;
    const int64_t* offsets;
    int64_t channels, first, last;
    int64_t row, rows;  // row: in items
    float* to;
    int64_t matrix;
};

// sums[item, row, tile] = sum over channels of filters * tiles, of which there are `count`, in panels.
struct TileProducts {
    const float *filters, *tiles;
    int64_t channels, rows, filter_matrix, tile_matrix, count;
    float* sums;
    int64_t matrix, row;
};

struct TileResults {
    const float* sums;
    int64_t matrix, row, rows;  // rows: so many channels
    Strips strips;
    const float* bias;  // may be null
    int64_t bias_stride;
    float* out;
    int64_t image, channel, stride, length[2];  // of out, whose columns are adjacent
    float* scratch;
};

// sums[item, channel, output] to the weights' places.
struct FilterGradient {
    const float* sums;
    int64_t matrix, row, channels, outputs;
    float* out;
    int64_t to_channel, to_output;
    const int64_t* offsets;  // of the 9 taps
};

struct WinogradLoops {
    int64_t (*scratch_items)(int64_t tiles);  // of a transform of so many tiles, either way
    void (*transform_images)(const TileTransform&);
    void (*transform_gradients)(const TileTransform&);  // of results: tiles of 2 by 2
    void (*transform_filters)(const FilterTransform&);
    void (*multiply)(const TileProducts&);
    // Whether all that was written is finite.
    bool (*write_results)(const TileResults&);
    bool (*write_weights)(const FilterGradient&);
};

// As `correlate` and `weight_gradient` of correlation.hpp, for float32 where windows are 3 by 3 side by side, and there are so many
// channels that it is less work. False where they do not suit, or what came out is not finite: sums within a tile of what is not, or of
// what is near the greatest float, are NaN where sums of products alone are not. The results are nothing then.
bool winograd_correlate(const Loops& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
                        const Filters& filters, const View* bias, const Results& results);
bool winograd_weight_gradient(const Loops& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
                              const Filters& filters, const Images& results);

}  // namespace lamina
