// Convolutions of bfloat16 by AMX: what some windows see, tap by tap, is one operand of a product, and the filters are the other.
#include "kernels/convolutions/amx_convolution.hpp"

#include <algorithm>
#include <cstring>

#include "dtypes/narrow_floats.hpp"
#include "kernels/products/panels.hpp"

namespace lamina {
namespace {

constexpr int64_t kPanel = kAmxPanel;         // of windows, whose taps are pairs
constexpr int64_t kItems = 32;                // along k, that tiles are whole of
constexpr int64_t kBytes = int64_t(1) << 20;  // of what the windows of a block see, which stays in the second cache
constexpr int64_t kSums = int64_t(1) << 19;   // bytes of sums, which stay there, too
constexpr int64_t kItem = 2, kSumItem = 4, kTasks = 16, kAlone = 1000000;
constexpr int kStage = 2;  // the row of the table that stages items of 16 bits

constexpr int64_t whole(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

int64_t taps_of_channel(const WindowAxis* axes) { return int64_t(axes[0].taps.size() * axes[1].taps.size() * axes[2].taps.size()); }

int64_t windows_of_image(const WindowAxis* axes) { return axes[0].windows * axes[1].windows * axes[2].windows; }

// So many windows that what they see of some taps fits.
int64_t windows_in_cache(int64_t taps) { return std::max<int64_t>(kPanel, kBytes / (std::max<int64_t>(1, taps) * kItem)); }

// How many threads are of use.
int64_t slots_for(int64_t work, int64_t tasks) { return work < kAlone ? 1 : std::min<int64_t>(num_threads(), tasks); }

// Rows of windows of a block's image, in three dimensions: the steps between items, in items.
struct Rows {
    int64_t plane, row, item = 1;
};

// All windows of one image of a block, from one place to another.
void copy_windows(const Block& block, char* to, const Rows& to_rows, const char* from, const Rows& from_rows) {
    static const RowCopies& copies = *best_loops().row_copies;
    for (int64_t d = 0; d < block.count[0]; ++d, to += to_rows.plane * kItem, from += from_rows.plane * kItem) {
        if (to_rows.item == 1 && from_rows.item == 1) {
            copies.copy(to, to_rows.row * kItem, from, from_rows.row * kItem, block.count[1], block.count[2] * kItem);
            continue;
        }
        for (int64_t h = 0; h < block.count[1]; ++h) {
            auto* items = reinterpret_cast<uint16_t*>(to) + h * to_rows.row;
            const auto* seen = reinterpret_cast<const uint16_t*>(from) + h * from_rows.row;
            if (to_rows.item == 1 && from_rows.item == 0)  // a gradient that is one number
                std::fill_n(items, block.count[2], *seen);
            else
                for (int64_t w = 0; w < block.count[2]; ++w) items[w * to_rows.item] = seen[w * from_rows.item];
        }
    }
}

Rows rows_of(const Images& images) { return {images.stride[0], images.stride[1], images.stride[2]}; }
Rows rows_of(const Windows& windows) { return {windows.row_step(0), windows.row_step(1)}; }
Rows side_by_side(const Block& block) { return {block.count[1] * block.count[2], block.count[2]}; }

// How many items lie from the first to the last of them.
int64_t reach_of(const Block& block, const Rows& rows) {
    return (block.count[0] - 1) * rows.plane + (block.count[1] - 1) * rows.row + block.count[2];
}

// Whether windows of an image may be taken as one run, with what lies between its rows: that is made for nobody, and is not much.
bool runs_through(const Block& block, const Rows& rows) {
    const bool ahead = rows.row >= block.count[2] && rows.plane >= 0;
    return ahead && 5 * reach_of(block, rows) <= 7 * block.count[0] * block.count[1] * block.count[2];
}

struct Correlating {
    const Images& images;
    const Filters& filters;
    const View* bias;
    const Results& results;
    Windows windows;
    std::vector<int64_t> offsets, places;
    int64_t count, length, rows, pitch = 0;  // taps, and with zeros behind; filters; columns of a block
    bool through = false;                    // whether windows of an image are one run, in all blocks

    Correlating(const Images& seen, const WindowAxis* axes, const Filters& given, const View* shifts, const Results& made)
        : images(seen), filters(given), bias(shifts), results(made),
          windows(seen, axes, int(kItem), seen.channels, windows_in_cache(whole(seen.channels * taps_of_channel(axes), kItems))),
          offsets(windows.offsets()), places(tap_offsets(given, axes, seen.channels)),
          count(int64_t(offsets.size())), length(whole(count, kItems)), rows(given.rows) {
        if (windows.blocks() == 0) return;
        const Block largest = windows.block(0);
        through = runs_through(largest, rows_of(windows));
        pitch = largest.images * in_image(largest);
    }

    Rows run_of(const Block& block) const { return through ? rows_of(windows) : side_by_side(block); }
    int64_t in_image(const Block& block) const { return whole(reach_of(block, run_of(block)), kPanel); }

    int64_t of_images() const { return windows.scratch_bytes(); }
    int64_t of_pairs() const { return aligned(length * pitch * kItem); }
    int64_t of_lines() const { return aligned(3 * pitch * kItem); }  // two, and one of zeros
    int64_t scratch_bytes() const { return of_images() + of_pairs() + of_lines() + aligned(rows * pitch * kItem); }

    void pack_weights(uint16_t* to, int64_t group, int64_t row) const {
        const auto* from = reinterpret_cast<const uint16_t*>(filters.data) + group * filters.group + row * filters.row;
        for (int64_t t = 0; t < count; ++t) to[t] = from[places[size_t(t)]];
        std::fill(to + count, to + length, uint16_t(0));
    }

    void run(const Block& block, int64_t group, const char* weights, char* scratch, char* panels) const {
        static const Correlations& correlations = *best_loops().correlations;
        static const Products& products = *best_loops().products;
        const char* base = windows.images_of(block, group * images.channels, images.channels, scratch, correlations.stage[kStage]);
        char *pairs = scratch + of_images(), *lines = pairs + of_pairs(), *made = lines + of_lines();
        fill_pairs(pairs, lines, base, block);
        Gemm g{block.images * in_image(block), rows, length, pairs, weights, nullptr, made, length / 2 * kPanel, kPanel, 1, length, 1, 0};
        g.c_column = pitch;
        g.pairs_of_a = true;
        if (bias != nullptr) {
            g.bias = bias->data + group * rows * bias->g.strides[0] * kItem;
            g.bias_stride = bias->g.strides[0];
        }
        char* to = results.data + (group * rows * results.channel + start_of(results, block)) * kItem;
        const bool in_place = adjacent(results, block) && reach_of(block, run_of(block)) == block.columns();
        if (in_place) {
            g.m = block.columns();
            g.c = to;
            g.c_column = results.channel;
        }
        products.gemm[kOfBFloat16](g, panels);
        for (int64_t i = 0; i < block.images && !in_place; ++i)
            for (int64_t o = 0; o < rows; ++o)
                copy_windows(block, to + (i * results.image + o * results.channel) * kItem, rows_of(results),
                             made + (o * pitch + i * in_image(block)) * kItem, run_of(block));
    }

   private:
    // What windows see of two taps at a time, in panels.
    void fill_pairs(char* pairs, char* lines, const char* base, const Block& block) const {
        static const Narrows& narrows = *best_loops().narrows;
        const int64_t in_each = in_image(block), some = reach_of(block, run_of(block)), panel_step = length * kPanel * kItem;
        char* zeros = lines + 2 * pitch * kItem;
        std::memset(zeros, 0, size_t(some * kItem));
        const auto line = [&](int64_t t, int64_t image, char* to) -> const char* {
            if (t >= count) return zeros;
            const char* from = base + (offsets[size_t(t)] + image * windows.image_step()) * kItem;
            if (through) return from;
            copy_windows(block, to, side_by_side(block), from, rows_of(windows));
            return to;
        };
        for (int64_t t = 0; t < length; t += 2)
            for (int64_t i = 0; i < block.images; ++i)
                narrows.interleave(pairs + t * kPanel * kItem + i * in_each / kPanel * panel_step, panel_step, line(t, i, lines),
                                   line(t + 1, i, lines + pitch * kItem), some);
    }
};

struct WeightSums {
    const Images& images;
    const Images& results;
    const Filters& filters;
    int64_t groups, rows, channels, chunks;  // channels at once, and how often
    Windows windows;
    std::vector<int64_t> offsets, places;
    int64_t taps, parts, pitch;

    WeightSums(int64_t groups_, const Images& seen, const WindowAxis* axes, const Filters& made, const Images& gradients)
        : images(seen), results(gradients), filters(made), groups(groups_), rows(made.rows),
          channels(std::clamp<int64_t>(kSums / (made.rows * taps_of_channel(axes) * kSumItem), 1, std::max<int64_t>(1, seen.channels))),
          chunks((seen.channels + channels - 1) / channels),
          windows(seen, axes, int(kItem), channels, windows_in_cache(channels * taps_of_channel(axes))), offsets(windows.offsets()),
          places(tap_offsets(made, axes, channels)), taps(int64_t(offsets.size())),
          parts(std::clamp<int64_t>(kTasks / (groups * chunks), 1, std::max<int64_t>(1, windows.blocks()))),
          pitch(whole(windows.columns(), kItems)) {}

    int64_t tasks() const { return groups * chunks * parts; }
    int64_t of_sums() const { return aligned(rows * taps * kSumItem); }
    int64_t of_images() const { return windows.scratch_bytes(); }
    int64_t of_lines() const { return aligned(taps * pitch * kItem); }
    int64_t scratch_bytes() const { return of_images() + of_lines() + aligned(rows * pitch * kItem); }

    void run(int64_t task, char* sums, char* scratch, char* panels) const {
        static const Correlations& correlations = *best_loops().correlations;
        static const Products& products = *best_loops().products;
        const int64_t group = task / (chunks * parts), chunk = task / parts % chunks, part = task % parts;
        const int64_t first = chunk * channels, here = std::min(channels, images.channels - first) * (taps / channels);
        char *lines = scratch + of_images(), *gradients = lines + of_lines();
        std::memset(sums, 0, size_t(of_sums()));
        for (int64_t b = windows.blocks() * part / parts; b < windows.blocks() * (part + 1) / parts; ++b) {
            const Block block = windows.block(b);
            const int64_t some = block.columns(), in_image = some / block.images, padded = whole(some, kItems);
            const char* base = windows.images_of(block, group * images.channels + first, here / (taps / channels), scratch, correlations.stage[kStage]);
            const auto fill = [&](char* line, const char* from, int64_t image_step, const Rows& rows) {
                for (int64_t i = 0; i < block.images; ++i)
                    copy_windows(block, line + i * in_image * kItem, side_by_side(block), from + i * image_step * kItem, rows);
                std::memset(line + some * kItem, 0, size_t((padded - some) * kItem));
            };
            for (int64_t t = 0; t < here; ++t)
                fill(lines + t * pitch * kItem, base + offsets[size_t(t)] * kItem, windows.image_step(), rows_of(windows));
            const char* from = results.data + (group * rows * results.channel + start_of(results, block)) * kItem;
            for (int64_t o = 0; o < rows; ++o) fill(gradients + o * pitch * kItem, from + o * results.channel * kItem, results.image, rows_of(results));
            Gemm g{rows, here, padded, gradients, lines, nullptr, sums, pitch, 1, 1, pitch, taps, 0};
            g.add = true;
            products.gemm[kOfBFloat16IntoFloat32](g, panels);
        }
    }

    // A row of filters, from the sums of all parts; those of the first are used up.
    void write(int64_t group, int64_t row, char* all_sums) const {
        auto* to = reinterpret_cast<uint16_t*>(const_cast<char*>(filters.data)) + group * filters.group + row * filters.row;
        for (int64_t chunk = 0; chunk < chunks; ++chunk) {
            const int64_t first = chunk * channels, here = std::min(channels, images.channels - first) * (taps / channels);
            const auto sums = [&](int64_t part) {
                return reinterpret_cast<float*>(all_sums + ((group * chunks + chunk) * parts + part) * of_sums()) + row * taps;
            };
            float* total = sums(0);
            for (int64_t part = 1; part < parts; ++part)
                for (int64_t t = 0; t < here; ++t) total[t] += sums(part)[t];
            uint16_t rounded[kItems];
            for (int64_t t = 0; t < here; ++t) {
                if (t % kItems == 0) narrow(reinterpret_cast<char*>(rounded), total + t, kBFloat16, 1, std::min(kItems, here - t));
                to[first * filters.channel + places[size_t(t)]] = rounded[t % kItems];
            }
        }
    }
};

}  // namespace

void correlate_by_amx(int64_t groups, const Images& images, const WindowAxis* axes, const Filters& filters, const View* bias,
                      const Results& results) {
    if (images.n * windows_of_image(axes) == 0 || filters.rows == 0) return;
    const Correlating c(images, axes, filters, bias, results);
    const int64_t tasks = c.windows.blocks() * groups, work = images.n * windows_of_image(axes) * c.length * groups * c.rows;
    const int64_t slots = slots_for(work, tasks), of_weights = aligned(groups * c.rows * c.length * kItem);
    const Scratch memory(of_weights + slots * c.scratch_bytes());
    if (gemm_panels() == nullptr) throw std::bad_alloc();
    const WithoutGil free(work >= kReleaseGil);
    auto* weights = reinterpret_cast<uint16_t*>(memory.data());
    share(groups * c.rows, slots_for(groups * c.rows * c.length * 16, groups * c.rows),
          [&](int64_t i, int64_t) { c.pack_weights(weights + i * c.length, i / c.rows, i % c.rows); });
    share_with_panels(tasks, slots, [&](int64_t task, int64_t slot, char* panels) {
        const int64_t group = task % groups;
        const char* of_group = reinterpret_cast<const char*>(weights + group * c.rows * c.length);
        c.run(c.windows.block(task / groups), group, of_group, memory.data() + of_weights + slot * c.scratch_bytes(), panels);
    });
}

void weight_gradient_by_amx(int64_t groups, const Images& images, const WindowAxis* axes, const Filters& filters, const Images& results) {
    // Sums of some channels and of some blocks, which the shapes alone fix: no number of threads changes a bit.
    const WeightSums w(groups, images, axes, filters, results);
    const int64_t work = images.n * windows_of_image(axes) * images.channels * taps_of_channel(axes) * groups * w.rows;
    const int64_t slots = slots_for(work, w.tasks());
    const Scratch memory(w.tasks() * w.of_sums() + slots * w.scratch_bytes());
    if (gemm_panels() == nullptr) throw std::bad_alloc();
    const WithoutGil free(work >= kReleaseGil);
    char* own = memory.data() + w.tasks() * w.of_sums();
    share_with_panels(w.tasks(), slots, [&](int64_t task, int64_t slot, char* panels) {
        w.run(task, memory.data() + task * w.of_sums(), own + slot * w.scratch_bytes(), panels);
    });
    share(groups * w.rows, slots, [&](int64_t i, int64_t) { w.write(i / w.rows, i % w.rows, memory.data()); });
}

}  // namespace lamina
