// The gradient of weights: sums over windows in parts that the shapes alone fix, added up in order, so that no number of
// threads changes a bit.
#include <algorithm>

#include "kernels/convolutions/correlation.hpp"
#include "runtime/scratch.hpp"

namespace lamina {
namespace {

constexpr int64_t kTaps = 512;      // of a task: the packing of the gradient is shared by them
constexpr int64_t kTasks = 32;      // so many, if the sums are not too large
constexpr int64_t kSums = int64_t(64) << 20;  // bytes
constexpr int64_t kTapsInCache = 64;  // of a panel of sums, while they are turned

struct Work {
    const Correlations& correlations;
    const WeightGradients& loops;
    const Windows& windows;
    const Images& images;
    const Images& results;
    std::vector<int64_t> offsets;
    int row, item;
    bool few;  // outputs
    int64_t groups, outputs, channels, channel_parts, parts, taps, lanes, size;
    char *sums, *slots;
    int64_t staged_bytes, starts_bytes, gradient_bytes, slot_bytes;

    int64_t first_channel(int64_t part) const { return part * images.channels / channel_parts; }

    // (outputs, columns) of a block, where they lie or copied.
    const char* gradient_of(const Block& block, int64_t group, char* scratch, int64_t& gradient_row) const {
        const char* from = results.data + (group * outputs * results.channel + start_of(results, block)) * item;
        if (adjacent(results, block)) {
            gradient_row = results.channel;
            return from;
        }
        gradient_row = block.columns();
        const int64_t none = 0;
        Stage s;
        s.channels = outputs;
        s.x_channel = results.channel;
        s.to_channel = gradient_row;
        for (int a = 0; a < kSpatial; ++a) {
            s.x_stride[a] = results.stride[a];
            s.length[a] = s.staged[a] = s.filled[a] = block.count[a];
            s.step[a] = s.planes[a] = 1;
            s.start[a] = &none;
            s.first[a] = 0;
        }
        for (int64_t i = 0; i < block.images; ++i) {
            s.x = from + i * results.image * item;
            s.to = scratch + i * block.count[0] * block.count[1] * block.count[2] * item;
            correlations.stage[row](s);
        }
        return scratch;
    }

    void run(int64_t index, int64_t slot) const {
        const int64_t part = index % parts, channel_part = index / parts % channel_parts, group = index / parts / channel_parts;
        const int64_t first = first_channel(channel_part), some = first_channel(channel_part + 1) - first;
        char* scratch = slots + slot * slot_bytes;
        char* starts = scratch + staged_bytes;
        char* gradient = starts + starts_bytes;
        char* to = sums + index * size * item;
        const int64_t begin = part * windows.blocks() / parts, end = (part + 1) * windows.blocks() / parts;
        if (begin == end) std::memset(to, 0, size_t(size * item));
        for (int64_t b = begin; b < end; ++b) {
            const Block block = windows.block(b);
            const char* from =
                windows.images_of(block, group * images.channels + first, some, scratch, correlations.stage[row]);
            int64_t gradient_row;
            const char* g = gradient_of(block, group, gradient, gradient_row);
            if (few) {
                windows.runs_of(block, reinterpret_cast<Run*>(starts));
                loops.weight_gradient_rows[row]({from, offsets.data(), some * taps, reinterpret_cast<Run*>(starts), block.columns(), g,
                                       gradient_row, outputs, to, b > begin});
            } else {
                windows.starts_of(block, reinterpret_cast<int64_t*>(starts));
                loops.weight_gradient[row]({from, offsets.data(), some * taps, reinterpret_cast<int64_t*>(starts), block.columns(), g,
                                  gradient_row, outputs, to, gradient + gradient_bytes, b > begin});
            }
        }
    }

    // The joined sums of some channels, to where they belong.
    template <class T>
    void write(const Filters& filters, const int64_t* in_filters, int64_t group, int64_t channel_part) const {
        const int64_t first = first_channel(channel_part), some = (first_channel(channel_part + 1) - first) * taps;
        const T* from = reinterpret_cast<const T*>(sums) + (group * channel_parts + channel_part) * parts * size;
        T* to = reinterpret_cast<T*>(const_cast<char*>(filters.data)) + group * filters.group + first * filters.channel;
        if (few) {
            for (int64_t o = 0; o < outputs; ++o)
                for (int64_t k = 0; k < some; ++k) to[o * filters.row + in_filters[k]] = *from++;
            return;
        }
        const int64_t width = 2 * lanes;  // outputs side by side
        for (int64_t first_output = 0; first_output < outputs; first_output += width, from += some * width)
            for (int64_t k0 = 0; k0 < some; k0 += kTapsInCache)
                for (int64_t o = 0; o < std::min(width, outputs - first_output); ++o)
                    for (int64_t k = k0; k < std::min(k0 + kTapsInCache, some); ++k)
                        to[(first_output + o) * filters.row + in_filters[k]] = from[k * width + o];
    }
};

}  // namespace

void weight_gradient(const Correlations& correlations, const WeightGradients& loops, int code, int64_t groups, const Images& images,
           const WindowAxis* axes, const Filters& filters, const Images& results) {
    const int item = kItemSize[code], row = code == kFloat32 ? 0 : 1;
    const int64_t lanes = loops.lanes_bytes / item, across = axes[2].windows;
    const bool few = filters.rows * ((across + lanes - 1) / lanes) <= across;  // vectors of windows have fewer idle lanes than those of outputs
    const int64_t taps = int64_t(axes[0].taps.size() * axes[1].taps.size() * axes[2].taps.size());
    const int64_t most_channels = std::max<int64_t>(1, kTaps / taps);
    const int64_t channel_parts = (images.channels + most_channels - 1) / most_channels;
    const int64_t channels = (images.channels + channel_parts - 1) / channel_parts;
    const Windows windows(images, axes, item, channels, 1024);
    Work w{correlations, loops, windows, images, results, windows.offsets(), row, item, few, groups, filters.rows, channels,
           channel_parts, 1, taps, lanes, 0, nullptr, nullptr, 0, 0, 0, 0};
    const int64_t width = 2 * w.lanes;
    w.size = channels * taps * (few ? w.outputs : (w.outputs + width - 1) / width * width);
    const int64_t tasks = groups * channel_parts, bytes = tasks * w.size * item;
    w.parts = std::max<int64_t>(1, std::min({windows.blocks(), (kTasks + tasks - 1) / tasks, kSums / bytes}));
    w.staged_bytes = windows.scratch_bytes();
    w.starts_bytes = aligned(windows.columns() * int64_t(sizeof(Run)));
    w.gradient_bytes = aligned(w.outputs * windows.columns() * item);
    w.slot_bytes = w.staged_bytes + w.starts_bytes + w.gradient_bytes + (few ? 0 : aligned(windows.columns() * width * item));
    const double work = double(windows.columns()) * double(windows.blocks()) * double(groups * w.outputs * taps * images.channels);
    const int64_t slots = work < 200000 ? 1 : std::min<int64_t>(num_threads(), tasks * w.parts);
    const int64_t sum_bytes = aligned(bytes * w.parts);
    const Scratch memory(sum_bytes + slots * w.slot_bytes);
    w.sums = memory.data();
    w.slots = memory.data() + sum_bytes;
    const std::vector<int64_t> in_filters = tap_offsets(filters, axes, channels);
    const WithoutGil free(work >= 100000);
    share(tasks * w.parts, slots, [&](int64_t i, int64_t slot) { w.run(i, slot); });
    share(tasks, slots, [&](int64_t i, int64_t) {
        loops.join[row](w.sums + i * w.parts * w.size * item, w.parts, w.size);
        if (item == 4)
            w.write<float>(filters, in_filters.data(), i / channel_parts, i % channel_parts);
        else
            w.write<double>(filters, in_filters.data(), i / channel_parts, i % channel_parts);
    });
}

}  // namespace lamina
