// Cuts windows into blocks, stages what they read, and tells where windows and taps lie.
#include "kernels/convolutions/windows.hpp"

#include <algorithm>

#include "runtime/scratch.hpp"

namespace lamina {
namespace {

constexpr int64_t kSlack = 128;  // bytes behind what is staged, so that whole vectors can be read everywhere

int64_t floor_divide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

int64_t WindowAxis::reach() const {
    int64_t most = 0;
    for (const AxisTap& tap : taps) most = std::max(most, tap.index);
    return most;
}

WindowAxis sliding_axis(int64_t length, int64_t windows, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation) {
    WindowAxis axis;
    axis.length = length;
    axis.windows = windows;
    axis.step = windows == 1 ? 1 : stride;
    axis.start.clear();
    axis.taps.clear();
    for (int64_t k = 0; k < kernel; ++k) {
        const int64_t at = k * dilation, start = at % axis.step - padding;
        const auto found = std::find(axis.start.begin(), axis.start.end(), start);
        axis.taps.push_back({k, found - axis.start.begin(), at / axis.step});
        if (found == axis.start.end()) axis.start.push_back(start);
    }
    return axis;
}

WindowAxis facing_axis(int64_t length, int64_t results, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation,
                       int64_t phase, int64_t& origin) {
    WindowAxis axis;
    const int64_t first = -floor_divide(phase - padding, stride), last = floor_divide(length - 1 + padding - phase, stride);
    origin = first * stride + phase - padding;
    axis.length = results;
    axis.windows = std::max<int64_t>(0, last - first + 1);
    axis.taps.clear();
    int64_t farthest = 0;
    for (int64_t k = 0; k < kernel; ++k)
        if (k * dilation % stride == phase) farthest = k * dilation / stride;
    for (int64_t k = 0; k < kernel; ++k)
        if (k * dilation % stride == phase) axis.taps.push_back({k, 0, farthest - k * dilation / stride});
    axis.start[0] = first - farthest;
    return axis;
}

Images::Images(const View& view, int64_t groups) : data(view.data), n(view.g.shape[0]), channels(view.g.shape[1] / groups) {
    const int rank = view.g.ndim - 2;
    end = view.data + (view.g.size == 0 ? 0 : (view.g.high - view.g.offset + 1) * view.itemsize());
    image = view.g.strides[0];
    channel = view.g.strides[1];
    for (int a = 0; a < kSpatial; ++a) {
        const int d = a - (kSpatial - rank);
        length[a] = d < 0 ? 1 : view.g.shape[2 + d];
        stride[a] = length[a] == 1 ? 1 : view.g.strides[2 + d];
    }
}

Windows::Windows(const Images& images, const WindowAxis* axes, int itemsize, int64_t channels, int64_t most)
    : images_(images), axes_(axes), itemsize_(itemsize), channels_(channels) {
    int64_t planes = 1;
    for (int a = 0; a < kSpatial; ++a) {
        const WindowAxis& axis = axes[a];
        staged_ = staged_ || axis.start.size() > 1 || axis.start[0] < 0 || axis.step != 1 ||
                  axis.start[0] + axis.windows + axis.reach() > axis.length;
        planes *= int64_t(axis.start.size());
    }
    staged_ = (staged_ || images.stride[2] != 1) && taps() > 0 && channels > 0;
    while (split_ < kSpatial - 1 && axes[split_].windows == 1) ++split_;
    int64_t inner = 1;
    for (int a = split_ + 1; a < kSpatial; ++a) inner *= axes[a].windows;
    const int64_t along = axes[split_].windows;
    if (inner * along * 2 <= most) {
        image_parts_ = std::max<int64_t>(1, (images.n + most / (inner * along) - 1) / (most / (inner * along)));
        together_ = (images.n + image_parts_ - 1) / image_parts_;  // blocks of much the same size
        image_parts_ = together_ > 0 ? (images.n + together_ - 1) / together_ : 0;
        part_ = along;
    } else {
        image_parts_ = images.n;
        parts_ = std::min(along, (inner * along + most - 1) / most);
        part_ = (along + parts_ - 1) / parts_;
        parts_ = (along + part_ - 1) / part_;
    }
    per_image_ = inner * part_;
    for (int a = 0; a < kSpatial; ++a) lengths_[a] = (a == split_ ? part_ : axes[a].windows) + axes[a].reach();
    double bytes = double(together_) * double(channels) * double(planes) * double(itemsize);
    for (int a = 0; a < kSpatial; ++a) bytes *= double(lengths_[a]);
    if (staged_ && bytes > double(int64_t(1) << 46))
        fail(PyExc_MemoryError, "convolution: windows reach over too much padding to be laid out");
    plane_step_ = lengths_[0] * lengths_[1] * lengths_[2];
    channel_step_ = staged_ ? planes * plane_step_ : images.channel;
    image_step_ = staged_ ? channels * channel_step_ : images.image;
    step_[0] = staged_ ? lengths_[1] * lengths_[2] : images.stride[0];
    step_[1] = staged_ ? lengths_[2] : images.stride[1];
    step_[2] = 1;
}

int64_t Windows::taps() const {
    return int64_t(axes_[0].taps.size()) * int64_t(axes_[1].taps.size()) * int64_t(axes_[2].taps.size());
}

Block Windows::block(int64_t i) const {
    Block found;
    found.first_image = i / parts_ * together_;
    found.images = std::min(together_, images_.n - found.first_image);
    for (int a = 0; a < kSpatial; ++a) {
        found.first[a] = a == split_ ? i % parts_ * part_ : 0;
        found.count[a] = a == split_ ? std::min(part_, axes_[a].windows - found.first[a]) : axes_[a].windows;
    }
    return found;
}

int64_t Windows::scratch_bytes() const { return staged_ ? aligned(together_ * image_step_ * itemsize_ + kSlack) : 0; }

std::vector<int64_t> Windows::offsets() const {
    std::vector<int64_t> found;
    found.reserve(size_t(channels_ * taps()));
    const int64_t rows = int64_t(axes_[1].start.size()), columns = int64_t(axes_[2].start.size());
    for (int64_t c = 0; c < channels_; ++c)
        for (const AxisTap& d : axes_[0].taps)
            for (const AxisTap& h : axes_[1].taps)
                for (const AxisTap& w : axes_[2].taps)
                    found.push_back(c * channel_step_ + ((d.plane * rows + h.plane) * columns + w.plane) * plane_step_ +
                                    d.index * step_[0] + h.index * step_[1] + w.index);
    return found;
}

const char* Windows::images_of(const Block& block, int64_t first_channel, int64_t channels, char* scratch,
                               void (*stage)(const Stage&)) const {
    const char* from = images_.data + (block.first_image * images_.image + first_channel * images_.channel) * itemsize_;
    if (!staged_) {
        for (int a = 0; a < kSpatial; ++a)
            from += (block.first[a] + axes_[a].start[0]) * (a == 2 ? 1 : images_.stride[a]) * itemsize_;
        return from;
    }
    Stage s;
    s.channels = channels;
    s.x_channel = images_.channel;
    s.to_channel = channel_step_;
    for (int a = 0; a < kSpatial; ++a) {
        s.x_stride[a] = images_.stride[a];
        s.length[a] = axes_[a].length;
        s.step[a] = axes_[a].step;
        s.planes[a] = int64_t(axes_[a].start.size());
        s.start[a] = axes_[a].start.data();
        s.first[a] = block.first[a];
        s.staged[a] = lengths_[a];
        s.filled[a] = block.count[a] + axes_[a].reach();
    }
    for (int64_t i = 0; i < block.images; ++i) {
        s.x = from + i * images_.image * itemsize_;
        s.to = scratch + i * image_step_ * itemsize_;
        stage(s);
    }
    return scratch;
}

void Windows::runs_of(const Block& block, Run* runs) const {
    Run* last = nullptr;
    for (int64_t i = 0; i < block.images; ++i)
        for (int64_t d = 0; d < block.count[0]; ++d)
            for (int64_t h = 0; h < block.count[1]; ++h) {
                const int64_t start = i * image_step_ + d * step_[0] + h * step_[1];
                if (last != nullptr && last->start + last->length == start)
                    last->length += block.count[2];
                else
                    *(last = last == nullptr ? runs : last + 1) = {start, block.count[2]};
            }
}

void Windows::starts_of(const Block& block, int64_t* starts) const {
    for (int64_t i = 0; i < block.images; ++i)
        for (int64_t d = 0; d < block.count[0]; ++d)
            for (int64_t h = 0; h < block.count[1]; ++h)
                for (int64_t w = 0; w < block.count[2]; ++w)
                    *starts++ = i * image_step_ + d * step_[0] + h * step_[1] + w;
}

bool adjacent(const Images& images, const Block& block) {
    int64_t step = 1;
    for (int a = kSpatial - 1; a >= 0; --a) {
        if (block.count[a] > 1 && images.stride[a] != step) return false;
        step *= block.count[a];
    }
    return block.images == 1;
}

int64_t start_of(const Images& images, const Block& block) {
    int64_t at = block.first_image * images.image;
    for (int a = 0; a < kSpatial; ++a) at += block.first[a] * images.stride[a];
    return at;
}

}  // namespace lamina
