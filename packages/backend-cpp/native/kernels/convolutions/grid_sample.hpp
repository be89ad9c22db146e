// Images sampled at points, as the inner loops see them: what each point of a block takes of an image, used for every channel.
#pragma once

#include <cstdint>

namespace lamina {

enum SampleMode { kBilinear, kNearest, kBicubic };
enum SamplePadding { kZeros, kBorder, kReflection };

constexpr int kPointsAtOnce = 256;   // points
constexpr int kMostTaps = 16;  // four by four of bicubic interpolation; trilinear has eight
constexpr int kMostRank = 3;

struct SampleSettings {
    int mode, padding;
    bool align_corners;
};

// The geometry of images (n, channels, *spatial) and of points (n, count, rank).
struct Images {
    int rank;
    int64_t n, channels, count, length[kMostRank], stride[kMostRank], image, channel, items;
};

// What the points of a block take: tap by tap, for each point the offset within a channel, -1 where there is none, and its weight.
template <class T>
struct Taps {
    int count;
    bool inside;  // whether no offset is -1
    int64_t offset[kMostTaps][kPointsAtOnce];
    T weight[kMostTaps][kPointsAtOnce];
};

// Slopes of the weights, for each coordinate of the grid; and the items by the gradient, over all channels.
template <class T>
struct Slopes {
    T slope[kMostRank][kMostTaps][kPointsAtOnce], along[kMostTaps + 1][kPointsAtOnce];
};

// Up to kPointsAtOnce points, and the images that belong to them.
struct SampledBlock {
    const char* points;
    int64_t count;
    const Images* images;
    const SampleSettings* settings;
    char* scratch;  // Taps, and Slopes behind them where the points' own gradients are asked for
};

struct GridSampleLoops {  // float32, float64
    int64_t taps_bytes[2], slopes_bytes[2];
    void (*sample[2])(const SampledBlock&, const char* image, char* out);
    // Adds gradients to images of dense channels.
    void (*spread[2])(const SampledBlock&, const char* gradient, int64_t channels, char* of_images);
    void (*move_points[2])(const SampledBlock&, const char* gradient, const char* image, char* of_points);
};

}  // namespace lamina
