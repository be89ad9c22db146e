// Shares strips of tiles out, each thread with the transformed tiles and sums of a block of strips in its second cache.
#include "kernels/convolutions/winograd.hpp"

#include <algorithm>
#include <atomic>

#include "kernels/products/panels.hpp"
#include "runtime/scratch.hpp"

namespace lamina {
namespace {

constexpr int64_t kBlockBytes = int64_t(1) << 19;  // of transformed tiles and sums
constexpr int64_t kMostTiles = 256, kFewestTiles = 32;  // of a block
constexpr int64_t kFewestAdded = 64;        // tiles of a product that adds them up
constexpr int64_t kSideBySide = 16;         // tiles that fill vectors of all instruction sets
constexpr int64_t kChannelsOfFilters = 16;  // of a task that transforms filters
constexpr int64_t kTogether = 128;          // channels of images that share transformed gradients
constexpr int64_t kParts = 16, kSums = int64_t(16) << 20;  // of the gradient of weights: parts, and their bytes
constexpr int64_t kApart = 16;              // items between matrices, so that they do not compete for lines of a cache

// What a product of 16 matrices saves has to be more than the transforms of tiles, which are the fewer the more there are on the
// other side, and of filters, which are the fewer the more tiles there are.
struct Least {
    int64_t channels, tiles;

    bool reached(int64_t of_images, int64_t of_results, int64_t all_tiles) const {
        return of_images * of_results >= channels / 2 * (of_images + of_results) && all_tiles >= tiles;
    }
};
constexpr Least kForResults{32, 64}, kForWeights{48, 128};

// Filters of 3 by 3, and windows side by side: the kernel's tap for each item of a window.
struct ThreeByThree {
    bool suits = false;
    int64_t start[2], windows[2], kernel[2][3];

    ThreeByThree(int code, const WindowAxis* axes, int64_t length) {
        if (code != kFloat32) return;
        if (length != 1 || axes[0].windows != 1 || axes[0].taps.size() != 1 || axes[0].start[0] + axes[0].taps[0].index != 0) return;
        for (int a = 0; a < 2; ++a) {
            const WindowAxis& axis = axes[a + 1];
            if (axis.taps.size() != 3 || axis.start.size() != 1 || axis.step != 1 || axis.reach() != 2 || axis.windows < 2) return;
            start[a] = axis.start[0];
            windows[a] = axis.windows;
            for (const AxisTap& tap : axis.taps) kernel[a][tap.index] = tap.kernel;
        }
        suits = true;
    }

    int64_t tiles(int64_t images) const { return images * ((windows[0] + 1) / 2) * ((windows[1] + 1) / 2); }

    // Of 9 taps for each channel.
    std::vector<int64_t> offsets(const Filters& filters, int64_t channels) const {
        std::vector<int64_t> found;
        found.reserve(size_t(9 * channels));
        for (int64_t c = 0; c < channels; ++c)
            for (const int64_t h : kernel[0])
                for (const int64_t v : kernel[1]) found.push_back(c * filters.channel + h * filters.tap[1] + v * filters.tap[2]);
        return found;
    }
};

// All tiles of the results in strips, and blocks of strips.
class Tiling {
   public:
    Tiling(int64_t images, const ThreeByThree& filter, int64_t most) {
        const int64_t down = (filter.windows[0] + 1) / 2, across = (filter.windows[1] + 1) / 2;
        const int64_t parts = (across + most - 1) / most, width = (across + parts - 1) / parts;
        for (int64_t n = 0; n < images; ++n)
            for (int64_t part = 0; part < parts; ++part)
                for (int64_t row = 0; row < down; ++row)
                    strips_.push_back({n, row, part * width, std::min(width, across - part * width)});
        // As few lanes of vectors as can be are left empty.
        double best = 0;
        int64_t together = 1;
        for (int64_t some = std::max<int64_t>(1, most / width); some > 0 && 2 * some * width > most; --some) {
            const double used = double(some * width) / double((some * width + kSideBySide - 1) / kSideBySide * kSideBySide);
            if (used > best) best = used, together = some;
        }
        blocks_ = (int64_t(strips_.size()) + together - 1) / together;
        together_ = together;
        tiles_ = together * width;
    }

    int64_t blocks() const { return blocks_; }
    int64_t tiles() const { return tiles_; }  // the most in a block
    Strips block(int64_t i) const {
        const int64_t first = i * together_, last = std::min(first + together_, int64_t(strips_.size()));
        Strips found{strips_.data() + first, last - first, 0};
        for (int64_t s = first; s < last; ++s) found.tiles += strips_[size_t(s)].tiles;
        return found;
    }

   private:
    int64_t blocks_, together_, tiles_;
    std::vector<Strip> strips_;
};

const float* floats(const char* data) { return reinterpret_cast<const float*>(data); }

constexpr int64_t kNoPadding[] = {0, 0};  // where tiles of results begin

TileTransform transform_of(const Images& images, int64_t first_channel, int64_t channels, const int64_t* start, const Strips& strips) {
    TileTransform t;
    t.x = floats(images.data) + first_channel * images.channel;
    t.channels = channels;
    t.image = images.image;
    t.channel = images.channel;
    for (int a = 0; a < 2; ++a) {
        t.start[a] = start[a];
        t.stride[a] = images.stride[a + 1];
        t.length[a] = images.length[a + 1];
    }
    t.strips = strips;
    return t;
}

int64_t whole(int64_t n, int64_t of) { return (n + of - 1) / of * of; }

}  // namespace

bool winograd_correlate(const Loops& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
                        const Filters& filters, const View* bias, const Results& results) {
    const ThreeByThree filter(code, axes, images.length[0]);
    if (!filter.suits || results.stride[2] != 1) return false;
    const int64_t tiles = filter.tiles(images.n), threads = num_threads(), channels = images.channels;
    if (!kForResults.reached(channels, filters.rows, tiles)) return false;
    const WinogradLoops& winograd = *loops.winograd;
    const int64_t panel = loops.correlations->panel_bytes / 4;
    const int64_t fits = kBlockBytes / (kTileItems * 4 * (channels + filters.rows));
    const int64_t shared = whole(tiles * groups / (2 * threads), panel);  // so that each thread has some blocks
    const Tiling tiling(images.n, filter, std::max(panel, std::min(shared, std::max(kFewestTiles, std::min(fits, kMostTiles)))));
    const int64_t tasks = tiling.blocks() * groups;
    const int64_t parts = std::max<int64_t>(1, std::min((threads + tasks - 1) / tasks, filters.rows / (4 * loops.correlations->tile_rows)));
    const int64_t slots = std::min(threads, tasks * parts), columns = whole(tiling.tiles(), panel);
    const int64_t rows = (filters.rows + parts - 1) / parts;
    const int64_t filter_matrix = whole(groups * filters.rows * channels, 16) + kApart;
    const int64_t tile_matrix = channels * columns + kApart, sum_matrix = rows * columns + kApart;
    const int64_t slot = kTileItems * (tile_matrix + sum_matrix) + whole(winograd.scratch_items(columns), 16);
    const std::vector<int64_t> offsets = filter.offsets(filters, channels);
    const Scratch memory((kTileItems * filter_matrix + slots * slot) * 4);
    float *transformed = reinterpret_cast<float*>(memory.data()), *own = transformed + kTileItems * filter_matrix;
    std::atomic<bool> finite{true};
    const WithoutGil free(true);
    const auto first_row = [&](int64_t part) { return part * filters.rows / parts; };
    const int64_t channel_parts = std::max<int64_t>(1, std::min(threads, channels / kChannelsOfFilters));
    share(groups * parts * channel_parts, threads, [&](int64_t i, int64_t) {
        const int64_t channel_part = i % channel_parts, part = i / channel_parts % parts, group = i / channel_parts / parts;
        const int64_t first = first_row(part);
        winograd.transform_filters({floats(filters.data) + group * filters.group + first * filters.row, offsets.data(), channels,
                                    channel_part * channels / channel_parts, (channel_part + 1) * channels / channel_parts, filters.row,
                                    first_row(part + 1) - first, transformed + (group * filters.rows + first) * channels, filter_matrix});
    });
    share(tasks * parts, slots, [&](int64_t i, int64_t at) {
        const int64_t part = i % parts, group = i / parts % groups;
        const int64_t first = group * filters.rows + first_row(part), some = first_row(part + 1) - first_row(part);
        float *to = own + at * slot, *sums = to + kTileItems * tile_matrix, *rest = sums + kTileItems * sum_matrix;
        TileTransform t = transform_of(images, group * channels, channels, filter.start, tiling.block(i / parts / groups));
        t.to = to;
        t.matrix = tile_matrix;
        t.panel = channels * panel;
        t.row = panel;
        t.scratch = rest;
        winograd.transform_images(t);
        winograd.multiply({transformed + first * channels, to, channels, some, filter_matrix, tile_matrix, t.strips.tiles, sums, sum_matrix,
                           columns});
        TileResults r{sums, sum_matrix, columns, some, t.strips, nullptr, 0, nullptr, results.image, results.channel, results.stride[1],
                      {filter.windows[0], filter.windows[1]}, rest};
        if (bias != nullptr) {
            r.bias = floats(bias->data) + first * bias->g.strides[0];
            r.bias_stride = bias->g.strides[0];
        }
        r.out = reinterpret_cast<float*>(results.data) + first * results.channel;
        if (!winograd.write_results(r)) finite.store(false, std::memory_order_relaxed);
    });
    return finite.load();
}

bool winograd_weight_gradient(const Loops& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
                              const Filters& filters, const Images& results) {
    const ThreeByThree filter(code, axes, images.length[0]);
    if (!filter.suits || !kForWeights.reached(images.channels, filters.rows, filter.tiles(images.n))) return false;
    const WinogradLoops& winograd = *loops.winograd;
    const int64_t panel = loops.correlations->panel_bytes / 4, outputs = filters.rows;
    const int64_t channel_parts = (images.channels + kTogether - 1) / kTogether;
    const int64_t channels = (images.channels + channel_parts - 1) / channel_parts;
    // What is added up in which order depends on the shapes alone.
    const int64_t fits = kBlockBytes / (kTileItems * 4 * (channels + outputs));
    const Tiling tiling(images.n, filter, std::max(kFewestAdded, std::min(fits, kMostTiles)));
    const int64_t matrix = channels * outputs + kApart, sums_size = kTileItems * matrix, tasks = groups * channel_parts;
    const int64_t parts = std::max<int64_t>(1, std::min({tiling.blocks(), (kParts + tasks - 1) / tasks, kSums / (tasks * sums_size * 4)}));
    const int64_t slots = std::min<int64_t>(num_threads(), tasks * parts), columns = whole(tiling.tiles(), panel);
    const int64_t tile_matrix = channels * columns + kApart, gradient_matrix = outputs * columns + kApart;
    const int64_t slot = kTileItems * (tile_matrix + gradient_matrix) + whole(winograd.scratch_items(columns), 16);
    const std::vector<int64_t> offsets = filter.offsets(filters, 1);
    const Scratch memory((tasks * parts * sums_size + slots * slot) * 4);
    float *sums = reinterpret_cast<float*>(memory.data()), *own = sums + tasks * parts * sums_size;
    std::atomic<bool> finite{true};
    const WithoutGil free(true);
    const auto first_channel = [&](int64_t part) { return part * images.channels / channel_parts; };
    share_with_panels(tasks * parts, slots, [&](int64_t i, int64_t at, char* panels) {
        const int64_t part = i % parts, group = i / parts / channel_parts, channel_part = i / parts % channel_parts;
        const int64_t first = first_channel(channel_part), some = first_channel(channel_part + 1) - first;
        float *tiles = own + at * slot, *gradients = tiles + kTileItems * tile_matrix, *to = sums + i * sums_size;
        for (int64_t b = part * tiling.blocks() / parts, begin = b; b < (part + 1) * tiling.blocks() / parts; ++b) {
            TileTransform t = transform_of(images, group * images.channels + first, some, filter.start, tiling.block(b));
            t.to = tiles;
            t.matrix = tile_matrix;
            t.panel = panel;
            t.row = columns;
            t.scratch = gradients + kTileItems * gradient_matrix;
            winograd.transform_images(t);
            TileTransform g = transform_of(results, group * outputs, outputs, kNoPadding, t.strips);
            g.to = gradients;
            g.matrix = gradient_matrix;
            g.panel = panel;
            g.row = columns;
            g.scratch = t.scratch;
            winograd.transform_gradients(g);
            for (int64_t item = 0; item < kTileItems; ++item) {
                const char* a = reinterpret_cast<char*>(tiles + item * tile_matrix);
                const char* turned = reinterpret_cast<char*>(gradients + item * gradient_matrix);
                char* sum = reinterpret_cast<char*>(to + item * matrix);
                const Gemm product{some, outputs, t.strips.tiles, a, turned, nullptr, sum, columns, 1, 1, columns, outputs, 0,
                                   kByTiles, b > begin};
                loops.products->gemm[0](product, panels);
            }
        }
    });
    share(tasks, slots, [&](int64_t i, int64_t) {
        const int64_t group = i / channel_parts, first = first_channel(i % channel_parts);
        float* joined = sums + i * parts * sums_size;
        loops.weight_gradients->join[0](reinterpret_cast<char*>(joined), parts, sums_size);
        float* out = reinterpret_cast<float*>(const_cast<char*>(filters.data)) + group * filters.group + first * filters.channel;
        if (!winograd.write_weights({joined, matrix, outputs, first_channel(i % channel_parts + 1) - first, outputs, out, filters.channel,
                                     filters.row, offsets.data()}))
            finite.store(false, std::memory_order_relaxed);
    });
    return finite.load();
}

}  // namespace lamina
