// Correlation of all images in blocks of windows on several threads, each with weights that were packed once.
#include "kernels/convolutions/correlation.hpp"

#include <algorithm>
#include <new>

#include "runtime/scratch.hpp"

namespace lamina {
namespace {

constexpr int64_t kColumns = 768;            // of a block, where there are enough blocks
constexpr int64_t kManyColumns = 4096, kFew = 4;
constexpr int64_t kStaged = int64_t(1) << 20;  // bytes of a staged block, where a block of fewer windows has so few

struct Work {
    const Correlations& loops;
    const Windows& windows;
    const Images& images;
    const Results& results;
    const View* bias;
    std::vector<int64_t> offsets;
    int row, item;
    int64_t groups, rows, row_parts, columns;
    char *packed, *slots;
    int64_t slot_bytes, staged_bytes, run_bytes;
    bool through = false;  // whether an image's windows are one run that goes through what lies between its rows

    // Columns from one row of windows to the next, likewise along the axis in front, and those of an image.
    struct Pitch {
        int64_t row, plane, image;
    };
    Pitch pitch(const Block& block) const {
        if (!through) return {block.count[2], block.count[1] * block.count[2], block.count[0] * block.count[1] * block.count[2]};
        const int64_t row = windows.row_step(1), plane = windows.row_step(0);
        return {row, plane, (block.count[0] - 1) * plane + (block.count[1] - 1) * row + block.count[2]};
    }

    int64_t first_row(int64_t part) const { return part * rows / row_parts; }

    void write(const char* from, int64_t from_row, char* to, int64_t rows_here, const Block& block) const {
        const Pitch apart = pitch(block);
        Block one = block;
        one.images = 1;
        const bool dense = !through && adjacent(results, one);
        const auto copy_rows = best_loops().row_copies->copy;
        for (int64_t r = 0; r < rows_here; ++r)
            for (int64_t i = 0; i < block.images; ++i) {
                const char* image = from + (r * from_row + i * apart.image) * item;
                char* to_image = to + (r * results.channel + i * results.image) * item;
                if (dense) {
                    std::memcpy(to_image, image, size_t(apart.image * item));
                    continue;
                }
                for (int64_t d = 0; d < block.count[0]; ++d) {
                    const char* source = image + d * apart.plane * item;
                    char* at = to_image + d * results.stride[0] * item;
                    if (results.stride[2] == 1)
                        copy_rows(at, results.stride[1] * item, source, apart.row * item, block.count[1], block.count[2] * item);
                    else
                        for (int64_t h = 0; h < block.count[1]; ++h, source += apart.row * item, at += results.stride[1] * item)
                            item == 4 ? spread<float>(at, source, block.count[2]) : spread<double>(at, source, block.count[2]);
                }
            }
    }

    template <class T>
    void spread(char* to, const char* from, int64_t n) const {
        T* t = reinterpret_cast<T*>(to);
        const T* f = reinterpret_cast<const T*>(from);
        for (int64_t i = 0; i < n; ++i) t[i * results.stride[2]] = f[i];
    }

    void run(int64_t index, int64_t slot) const {
        const int64_t part = index % row_parts, group = index / row_parts % groups;
        const Block block = windows.block(index / row_parts / groups);
        const int64_t first = first_row(part), some = first_row(part + 1) - first, taps = int64_t(offsets.size());
        char* scratch = slots + slot * slot_bytes;
        Correlation c;
        c.images = windows.images_of(block, group * images.channels, images.channels, scratch, loops.stage[row]);
        c.end = windows.end(scratch);
        Run* runs = reinterpret_cast<Run*>(scratch + staged_bytes);
        const int64_t in_image = pitch(block).image;
        if (through)
            for (int64_t i = 0; i < block.images; ++i) runs[i] = {i * windows.image_step(), in_image};
        else
            windows.runs_of(block, runs);
        c.runs = runs;
        c.offsets = offsets.data();
        c.taps = taps;
        c.columns = block.images * in_image;
        c.weights = packed + (group * rows + first) * taps * item;
        c.rows = some;
        c.bias = bias != nullptr ? bias->data + (group * rows + first) * bias->g.strides[0] * item : nullptr;
        c.bias_stride = bias != nullptr ? bias->g.strides[0] : 0;
        c.panel = scratch + staged_bytes + run_bytes;
        char* to = results.data + ((group * rows + first) * results.channel + start_of(results, block)) * item;
        if (!through && adjacent(results, block)) {
            c.out = to;
            c.out_row = results.channel;
            c.capacity = c.columns;
            loops.correlate[row](c);
        } else {
            c.out = c.panel + kPanelBytes;
            c.out_row = c.capacity = columns;
            loops.correlate[row](c);
            write(c.out, columns, to, some, block);
        }
    }
};

// How windows and rows of filters are shared out: the most windows in a block, and the parts of the rows.
struct Division {
    int64_t most, row_parts = 1;
};

// The division in which the longest share of a thread is as short as it can be.
Division divided(const Correlations& loops, const Images& images, const WindowAxis* axes, int item, int64_t groups, int64_t rows,
                 int64_t most) {
    const int64_t threads = num_threads(), width = loops.panel_bytes / item, tiles = (rows + loops.tile_rows - 1) / loops.tile_rows;
    const int64_t many = rows / (loops.few_rows + 1);  // parts that are not few, as threads must not change a bit
    const int64_t most_parts = std::max<int64_t>(1, std::min({tiles, many, 2 * threads}));
    Division best{most};
    double least = 0;
    for (int64_t some = most; some >= 4 * width; some = some * 3 / 4) {
        const Windows windows(images, axes, item, images.channels, some);
        const double panels = double((windows.columns() + width - 1) / width);
        for (int64_t parts = 1; parts <= most_parts; ++parts) {
            const int64_t tasks = windows.blocks() * groups * parts;
            const double high = double((tiles + parts - 1) / parts);
            // A task has its tiles, puts its panels together and fetches its weights. A few more tasks than threads even out.
            const double cost = double((tasks + threads - 1) / threads) * (panels * high + 0.6 * panels + 0.4 * high) *
                                (1 + 0.05 * double(threads) / double(tasks));
            if (least == 0 || cost < least) least = cost, best = {some, parts};
        }
    }
    return best;
}

}  // namespace

std::vector<int64_t> tap_offsets(const Filters& filters, const WindowAxis* axes, int64_t channels) {
    std::vector<int64_t> found;
    found.reserve(size_t(channels) * axes[0].taps.size() * axes[1].taps.size() * axes[2].taps.size());
    for (int64_t c = 0; c < channels; ++c)
        for (const AxisTap& d : axes[0].taps)
            for (const AxisTap& h : axes[1].taps)
                for (const AxisTap& w : axes[2].taps)
                    found.push_back(c * filters.channel + d.kernel * filters.tap[0] + h.kernel * filters.tap[1] + w.kernel * filters.tap[2]);
    return found;
}

void correlate(const Correlations& loops, int code, int64_t groups, const Images& images, const WindowAxis* axes,
               const Filters& filters, const View* bias, const Results& results) {
    const int item = kItemSize[code], row = code == kFloat32 ? 0 : 1;
    const int64_t threads = num_threads(), windows_in_all = images.n * axes[0].windows * axes[1].windows * axes[2].windows;
    if (windows_in_all == 0 || filters.rows == 0) return;
    const int64_t width = loops.panel_bytes / item;
    const double work = double(windows_in_all) * double(groups * filters.rows) *
                        double(std::max<int64_t>(1, images.channels * int64_t(axes[0].taps.size() * axes[1].taps.size() * axes[2].taps.size())));
    const bool alone = work < 200000 || threads == 1;
    int64_t most = std::min(kColumns, std::max<int64_t>(8 * width, kStaged / std::max<int64_t>(1, images.channels * item)));
    if (filters.rows * images.channels <= kFew) most = kManyColumns;  // so little to do for a window that whole images must be many
    const Division division = alone ? Division{most} : divided(loops, images, axes, item, groups, filters.rows, std::max(4 * width, most));
    const Windows windows(images, axes, item, images.channels, division.most);
    Work w{loops,  windows,      images,             results, bias,    windows.offsets(), row, item,
           groups, filters.rows, division.row_parts, 0,       nullptr, nullptr,           0,   0,    0};
    const int64_t taps = int64_t(w.offsets.size()), tasks = windows.blocks() * groups;
    // Rows of windows that are shorter than panels are put together tap by tap, or are one run with windows between them that
    // nobody wants: the latter where there are few rows of filters, which share that work.
    const Block first = windows.block(0);  // the largest
    w.through = true;
    const double wasted = double(w.pitch(first).image) / double(first.columns() / first.images) - 1;
    const double tiles = double((w.rows / w.row_parts + 5) / 6), joined = std::min(1.0, double(width) / double(first.count[2]));
    const double moved = adjacent(results, first) ? 8.0 / double(std::max<int64_t>(1, taps)) : 0;  // results, which are copied then
    w.through = w.rows > loops.few_rows && wasted > 0 && (wasted + moved) * tiles * 6 < 5 * joined;
    w.columns = (first.images * w.pitch(first).image + width - 1) / width * width;
    w.staged_bytes = windows.scratch_bytes();
    w.run_bytes = aligned(windows.columns() * int64_t(sizeof(Run)));
    w.slot_bytes = w.staged_bytes + w.run_bytes + kPanelBytes + aligned((w.rows / w.row_parts + 1) * w.columns * item);
    const int64_t slots = alone ? 1 : std::min(threads, tasks * w.row_parts), packed_bytes = aligned(groups * w.rows * taps * item);
    const Scratch memory(packed_bytes + slots * w.slot_bytes);
    w.packed = memory.data();
    w.slots = memory.data() + packed_bytes;
    const std::vector<int64_t> in_filters = tap_offsets(filters, axes, images.channels);
    const WithoutGil free(work >= 100000);
    share(groups * w.row_parts, groups * w.rows * taps < 20000 ? 1 : slots, [&](int64_t i, int64_t) {
        const int64_t group = i / w.row_parts, first = w.first_row(i % w.row_parts);
        WeightPack pack{filters.data + (group * filters.group + first * filters.row) * item, in_filters.data(), taps, filters.row,
                        w.first_row(i % w.row_parts + 1) - first, w.packed + (group * w.rows + first) * taps * item};
        loops.pack_weights[row](pack);
    });
    share(tasks * w.row_parts, slots, [&](int64_t i, int64_t slot) { w.run(i, slot); });
}

}  // namespace lamina
