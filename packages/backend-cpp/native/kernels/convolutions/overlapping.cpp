// The transposed convolution as one product for all taps, whose columns are added up where windows overlap: the shorter way where
// results are few and inputs many, or windows do not overlap at all.
#include <algorithm>

#include "kernels/convolutions/correlation.hpp"
#include "runtime/scratch.hpp"

namespace lamina {

void overlap(const Correlations& loops, const Pools& pools, int code, int64_t groups, const Images& images,
             const Filters& filters, const Pool& windows, const View* bias, const Images& inputs) {
    const int item = kItemSize[code], row = code == kFloat32 ? 0 : 1;
    const int64_t taps = windows.kernel[0] * windows.kernel[1] * windows.kernel[2], width = loops.panel_bytes / item;
    WindowAxis axes[kSpatial];
    int64_t count = 1;
    for (int a = 0; a < kSpatial; ++a) {
        axes[a].length = axes[a].windows = images.length[a];
        count *= images.length[a];
    }
    // Whole images, as many as fill some panels, and so many channels of the inputs that their columns stay in the cache.
    const Windows windows_of_images(images, axes, item, images.channels, std::max(8 * width, 2 * count));
    const int64_t columns = (windows_of_images.columns() + width - 1) / width * width;
    const int64_t wanted = std::max<int64_t>(1, (int64_t(1) << 19) / (columns * taps * item));
    const int64_t parts = std::min(inputs.channels, std::max((inputs.channels + wanted - 1) / wanted, std::min<int64_t>(4, inputs.channels)));
    const int64_t most = (inputs.channels + parts - 1) / parts, rows = inputs.channels * taps;
    const std::vector<int64_t> offsets = windows_of_images.offsets();
    std::vector<int64_t> from;  // of each of the images' channels within the filters
    for (int64_t c = 0; c < images.channels; ++c) from.push_back(c * filters.channel);
    const int64_t staged = windows_of_images.scratch_bytes(), runs = aligned(windows_of_images.columns() * int64_t(sizeof(Run)));
    const int64_t slot_bytes = staged + runs + kPanelBytes + aligned(most * taps * columns * item);
    const int64_t packed_bytes = aligned(groups * rows * images.channels * item), tasks = windows_of_images.blocks() * groups * parts;
    const double work = double(count * images.n) * double(groups * rows) * double(std::max<int64_t>(1, images.channels));
    const int64_t slots = work < 200000 ? 1 : std::min<int64_t>(num_threads(), tasks);
    const Scratch memory(packed_bytes + slots * slot_bytes);
    char *packed = memory.data(), *slot_data = memory.data() + packed_bytes;
    const auto first_channel = [&](int64_t part) { return part * inputs.channels / parts; };
    const WithoutGil free(work >= 100000);
    share(groups * parts, slots, [&](int64_t i, int64_t) {
        const int64_t group = i / parts, first = first_channel(i % parts) * taps;
        loops.pack_weights[row]({filters.data + (group * filters.group + first * filters.row) * item, from.data(), images.channels,
                                 filters.row, first_channel(i % parts + 1) * taps - first,
                                 packed + (group * rows + first) * images.channels * item});
    });
    share(tasks, slots, [&](int64_t i, int64_t slot) {
        const int64_t part = i % parts, group = i / parts % groups;
        const Block block = windows_of_images.block(i / parts / groups);
        const int64_t first = first_channel(part), some = first_channel(part + 1) - first;
        char* scratch = slot_data + slot * slot_bytes;
        Run* run = reinterpret_cast<Run*>(scratch + staged);
        windows_of_images.runs_of(block, run);
        Correlation c{};
        c.images = windows_of_images.images_of(block, group * images.channels, images.channels, scratch, loops.stage[row]);
        c.end = windows_of_images.end(scratch);
        c.offsets = offsets.data();
        c.taps = images.channels;
        c.runs = run;
        c.columns = block.columns();
        c.weights = packed + (group * rows + first * taps) * images.channels * item;
        c.rows = some * taps;
        c.panel = scratch + staged + runs;
        c.out = c.panel + kPanelBytes;
        c.out_row = c.capacity = columns;
        loops.correlate[row](c);
        Pool p = windows;
        p.tap_stride = columns;
        for (int64_t n = 0; n < block.images; ++n)
            for (int64_t k = 0; k < some; ++k) {
                p.x = inputs.data + ((block.first_image + n) * inputs.image + (group * inputs.channels + first + k) * inputs.channel) * item;
                p.bias = bias != nullptr ? bias->data + (group * inputs.channels + first + k) * bias->g.strides[0] * item : nullptr;
                p.out = c.out + (k * taps * columns + n * count) * item;
                pools.overlap_add[row](p);
            }
    });
}

}  // namespace lamina
