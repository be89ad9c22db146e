// Depthwise convolution plane by plane, shared out among threads.
#include "kernels/convolutions/depthwise.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/convolutions/correlation.hpp"
#include "kernels/copies/copy.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"

namespace lamina {
namespace {

const DepthwiseLoops* loops_of;
constexpr int64_t kFewRows = 3;  // of more, tiles of the rows that share a window are quicker

bool served(const Images& images, const WindowAxis* axes, const Filters& filters, const Images& results) {
    const bool flat = images.length[0] == 1 && results.length[0] == 1 && axes[0].taps.size() == 1 && axes[0].start[0] == 0;
    return flat && images.channels == 1 && filters.rows <= kFewRows && int64_t(axes[1].taps.size()) <= kMostTapRows &&
           images.length[2] > 0;
}

// Images whose columns lie side by side: where they are, or in a copy.
class SideBySide {
   public:
    SideBySide(const Images& from, int64_t channels, int code)
        : images(from), copied_(from.stride[2] != 1), copy_(copied_ ? bytes(from, channels, code) : 0) {
        if (!copied_) return;
        const int64_t rows = from.length[1], columns = from.length[2], item = kItemSize[code];
        images.data = copy_.data();
        images.end = images.data + bytes(from, channels, code);
        images.stride[2] = 1;
        images.stride[1] = columns;
        images.channel = rows * columns;
        images.image = channels * images.channel;
        const MapLoop copy = copy_loop(code, code);
        const WithoutGil free(from.n * images.image >= kReleaseGil);
        parallel(from.n * channels, grain_of(from.n * channels, from.n * images.image), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i)
                for (int64_t h = 0; h < rows; ++h) {
                    char* const p[] = {images.data + (i * rows + h) * columns * item,
                                       from.data + (i / channels * from.image + i % channels * from.channel + h * from.stride[1]) * item};
                    const int64_t steps[] = {1, from.stride[2]};
                    copy(p, steps, columns);
                }
        });
    }

    Images images;

   private:
    static int64_t bytes(const Images& from, int64_t channels, int code) {
        const double wanted = double(from.n) * double(channels) * double(from.length[1]) * double(from.length[2]);
        if (wanted > double(int64_t(1) << 46)) throw std::bad_alloc();  // a broadcast one
        return from.n * channels * from.length[1] * from.length[2] * kItemSize[code];
    }

    bool copied_;
    Scratch copy_;
};

// The items that taps read, and the filter with the first of them in front.
Depthwise shared(const Images& images, const WindowAxis* axes, const Filters& filters, const Images& results, int64_t& first_tap) {
    Depthwise d{};
    first_tap = 0;
    for (int a = 0; a < 2; ++a) {
        const WindowAxis& axis = axes[a + 1];
        const auto start_of_tap = [&](size_t t) { return axis.start[size_t(axis.taps[t].plane)] + axis.step * axis.taps[t].index; };
        d.length[a] = images.length[a + 1];
        d.count[a] = axis.windows;
        d.step[a] = axis.step;
        const size_t taps = axis.taps.size();
        d.taps[a] = int64_t(taps);
        if (taps == 0) continue;
        const bool turned = taps > 1 && start_of_tap(1) < start_of_tap(0);
        const size_t first = turned ? taps - 1 : 0, second = turned ? taps - 2 : 1;
        d.start[a] = start_of_tap(first);
        first_tap += axis.taps[first].kernel * filters.tap[a + 1];
        if (taps == 1) continue;
        d.apart[a] = start_of_tap(second) - start_of_tap(first);
        d.tap_stride[a] = (axis.taps[second].kernel - axis.taps[first].kernel) * filters.tap[a + 1];
    }
    d.x_row = images.stride[1];
    d.out_row = results.stride[1];
    d.out_column = results.stride[2];
    return d;
}

const Registration registration([](const Loops& loops) { loops_of = loops.depthwise; });

}  // namespace

bool correlate_planes(int code, int64_t groups, const Images& given, const WindowAxis* axes, const Filters& filters, const View* bias,
                      const Images& results) {
    if (!served(given, axes, filters, results)) return false;
    const int item = kItemSize[code];
    const SideBySide source(given, groups, code);
    const Images& images = source.images;
    int64_t first_tap;
    Depthwise whole = shared(images, axes, filters, results, first_tap);
    if (whole.count[0] == 0 || whole.count[1] == 0) return true;
    const Scratch zeros(whole.length[1] * item);
    std::memset(zeros.data(), 0, size_t(whole.length[1] * item));
    whole.zeros = zeros.data();
    const int64_t channels = groups * filters.rows, planes = images.n * channels;
    const double work = double(whole.count[0] * whole.count[1]) * double(whole.taps[0] * whole.taps[1] + 1) * double(planes);
    const WithoutGil free(work >= 100000);
    const int64_t pieces = work < 200000 ? 1 : 8 * num_threads();
    parallel(planes, std::max<int64_t>(1, (planes + pieces - 1) / pieces), [&](int64_t begin, int64_t end) {
        Depthwise d = whole;
        for (int64_t i = begin; i < end; ++i) {
            const int64_t image = i / channels, channel = i % channels, group = channel / filters.rows, row = channel % filters.rows;
            d.x = images.data + (image * images.image + group * images.channel) * item;
            d.out = results.data + (image * results.image + channel * results.channel) * item;
            d.weights = filters.data + (group * filters.group + row * filters.row + first_tap) * item;
            d.bias = bias != nullptr ? bias->data + channel * bias->g.strides[0] * item : nullptr;
            loops_of->correlate[code == kFloat32 ? 0 : 1](d);
        }
    });
    return true;
}

}  // namespace lamina
