// Windows over images: where they and their taps lie, and blocks of them, staged where they do not lie side by side.
#pragma once

#include <vector>

#include "loops/loops.hpp"
#include "runtime/operand.hpp"

namespace lamina {

// A tap along one axis: which of the kernel's it is, the plane that it reads, and how far it is from its window's start.
struct AxisTap {
    int64_t kernel, plane, index;
};

// One spatial axis: window w reads, at tap t, the item start[taps[t].plane] + step * (w + taps[t].index), or 0 outside.
struct WindowAxis {
    int64_t length = 1;   // of the images
    int64_t windows = 1;  // how many there are
    int64_t step = 1;
    std::vector<int64_t> start{0};
    std::vector<AxisTap> taps{{0, 0, 0}};

    int64_t reach() const;  // the greatest index of a tap
};

// Windows of a convolution.
WindowAxis sliding_axis(int64_t length, int64_t windows, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation);

// Windows of its transpose: which results meet an input. Inputs `phase`, `phase + stride`, ... behind the start of the padding
// are the windows, and the first of them is number `origin`, which may be behind the last.
WindowAxis facing_axis(int64_t length, int64_t results, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation,
                       int64_t phase, int64_t& origin);

// (n, groups * channels, axes); strides in items.
struct Images {
    char* data;
    const char* end;  // behind the last item
    int64_t n, channels;
    int64_t image, channel, stride[kSpatial];
    int64_t length[kSpatial];

    Images(const View& view, int64_t groups);
};

// Windows of some images, beginning with those numbered first.
struct Block {
    int64_t first_image, images;
    int64_t first[kSpatial], count[kSpatial];
    int64_t columns() const { return images * count[0] * count[1] * count[2]; }
};

// Whether a block of these images is one run; and where it begins, in items.
bool adjacent(const Images& images, const Block& block);
int64_t start_of(const Images& images, const Block& block);

class Windows {
   public:
    // Cut into blocks of about `most`; `channels` of a group are looked at together.
    Windows(const Images& images, const WindowAxis* axes, int itemsize, int64_t channels, int64_t most);

    int64_t blocks() const { return image_parts_ * parts_; }
    Block block(int64_t i) const;
    int64_t columns() const { return per_image_ * together_; }  // the most in a block
    int64_t row_step(int axis) const { return step_[axis]; }  // from one window's start to the next
    int64_t image_step() const { return image_step_; }
    int64_t scratch_bytes() const;                            // for staging a block
    int64_t taps() const;                                     // of one channel
    std::vector<int64_t> offsets() const;                     // of the taps of all channels, channel by channel

    // The block's images from `first_channel` on, within reach, staged in scratch if they have to be.
    const char* images_of(const Block& block, int64_t first_channel, int64_t channels, char* scratch,
                          void (*stage)(const Stage&)) const;
    const char* end(const char* scratch) const { return staged_ ? scratch + scratch_bytes() : images_.end; }

    void runs_of(const Block& block, Run* runs) const;  // at most columns() of them
    void starts_of(const Block& block, int64_t* starts) const;

   private:
    const Images& images_;
    const WindowAxis* axes_;
    int itemsize_;
    int64_t channels_;
    bool staged_ = false;
    int split_ = 0;                                        // the axis along which images are cut
    int64_t together_ = 1, per_image_ = 1;                 // images in a block, windows in each
    int64_t part_ = 1, parts_ = 1, image_parts_ = 1;
    int64_t lengths_[kSpatial];                            // of a staged plane
    int64_t image_step_, channel_step_, plane_step_, step_[kSpatial];
};

}  // namespace lamina
