// Rows of floats by a weight of few bits: few of them by channels, which is to read the weight once; many by tiles of floats.
#include "kernels/products/narrow_weights.hpp"

#include <algorithm>

#include "kernels/products/panels.hpp"
#include "runtime/kernel.hpp"

namespace lamina {
namespace {

constexpr int64_t kFewRows = 8;                 // that are cheaper without tiles
constexpr int64_t kChannels = 128, kItems = 256;  // of a tile, which stays in the second cache

const NarrowWeightLoops* loops;
void (*gemm)(const Gemm&, char* scratch);

void by_channels(const FloatRows& rows, const NarrowWeight& weight) {
    const int64_t width = loops->prepared(weight), groups = weight.has_zeros() ? weight.groups : 0;
    const Scratch memory(rows.m * (width + groups) * int64_t(sizeof(float)));
    float *x = reinterpret_cast<float*>(memory.data()), *sums = x + rows.m * width;
    const int64_t work = rows.m * rows.n * weight.k / 4;
    const WithoutGil free(work >= kReleaseGil);
    for (int64_t i = 0; i < rows.m; ++i)
        loops->prepare(x + i * width, groups > 0 ? sums + i * groups : nullptr, rows.x + i * weight.k, weight);
    const PreparedRows prepared = {rows.m, x, sums, width, groups};
    parallel(rows.n, grain_of(rows.n, work), [&](int64_t begin, int64_t end) {
        loops->dots(rows.out, rows.n, prepared, weight, begin, end);
        for (int64_t i = 0; rows.bias != nullptr && i < rows.m; ++i)
            for (int64_t j = begin; j < end; ++j) rows.out[i * rows.n + j] += rows.bias[j];
    });
}

void by_tiles(const FloatRows& rows, const NarrowWeight& weight) {
    const int64_t tiles = (rows.n + kChannels - 1) / kChannels, slots = std::min<int64_t>(num_threads(), tiles);
    constexpr int64_t kTile = kChannels * kItems;
    const Scratch memory(slots * kTile * int64_t(sizeof(float)));
    const WithoutGil free(true);
    share_with_panels(tiles, slots, [&](int64_t index, int64_t slot, char* scratch) {
        float* tile = reinterpret_cast<float*>(memory.data()) + slot * kTile;
        const int64_t first = index * kChannels, channels = std::min(kChannels, rows.n - first);
        Gemm g = {rows.m, channels, 0, nullptr, reinterpret_cast<const char*>(tile),
                  reinterpret_cast<const char*>(rows.bias == nullptr ? nullptr : rows.bias + first),
                  reinterpret_cast<char*>(rows.out + first), weight.k, 1, 1, kItems, rows.n, 1};
        g.way = kByTiles;
        for (int64_t i = 0; i < weight.k; i += kItems) {
            g.k = std::min(kItems, weight.k - i);
            g.a = reinterpret_cast<const char*>(rows.x + i);
            for (int64_t c = 0; c < channels; ++c) loops->unpack(tile + c * kItems, weight, first + c, i, g.k);
            gemm(g, scratch);
            g.add = true;
            g.bias = nullptr;
        }
    });
}

const Registration registration([](const Loops& all) {
    loops = all.narrow_weights;
    gemm = all.products->gemm[0];
});

}  // namespace

void multiply(const FloatRows& rows, const NarrowWeight& weight) {
    if (rows.m <= kFewRows || weight.k == 0)
        by_channels(rows, weight);
    else
        by_tiles(rows, weight);
}

}  // namespace lamina
