// Depthwise convolution plane by plane, shared out among threads.
#include "depthwise.hpp"

#include <algorithm>
#include <cstring>

#include "correlation.hpp"
#include "room.hpp"

namespace lamina {
namespace {

const DepthwiseLoops* loops_of;
constexpr int64_t kFewRows = 3;  // of more, tiles of the rows that share a window are quicker

}  // namespace

void ready_depthwise(const Loops& loops) { loops_of = loops.depthwise; }

bool correlate_planes(int code, int64_t groups, const Images& images, const int64_t* taps, int64_t step, const int64_t* apart,
                      const int64_t* start, const Filters& filters, const View* bias, const Images& results) {
    const bool flat = images.length[0] == 1 && results.length[0] == 1 && taps[0] == 1 && start[0] == 0;
    const bool adjacent_columns = images.stride[2] == 1 && (results.stride[2] == 1 || results.length[2] == 1);
    if (images.channels != 1 || filters.rows > kFewRows || !flat || !adjacent_columns || taps[1] > kMostTapRows || images.length[2] == 0) return false;
    const int item = kItemSize[code];
    Depthwise shared{};
    for (int a = 0; a < 2; ++a) {
        shared.length[a] = images.length[a + 1];
        shared.count[a] = results.length[a + 1];
        shared.taps[a] = taps[a + 1];
        shared.tap_stride[a] = filters.tap[a + 1];
        shared.apart[a] = apart[a + 1];
        shared.start[a] = start[a + 1];
    }
    shared.step = step;
    shared.x_row = images.stride[1];
    shared.out_row = results.stride[1];
    const Room zeros(shared.length[1] * item);
    std::memset(zeros.data(), 0, size_t(shared.length[1] * item));
    shared.zeros = zeros.data();
    const int64_t planes = images.n * groups * filters.rows;
    const double each = double(shared.count[0] * shared.count[1]) * double(taps[1] * taps[2]), work = each * double(planes);
    const WithoutGil free(work >= 100000);
    const int64_t pieces = work < 200000 ? 1 : 8 * num_threads();
    parallel(planes, std::max<int64_t>(1, (planes + pieces - 1) / pieces), [&](int64_t begin, int64_t end) {
        Depthwise d = shared;
        for (int64_t i = begin; i < end; ++i) {
            const int64_t image = i / (groups * filters.rows), channel = i % (groups * filters.rows);
            const int64_t group = channel / filters.rows, row = channel % filters.rows;
            d.x = images.data + (image * images.image + group * images.channel) * item;
            d.out = results.data + (image * results.image + channel * results.channel) * item;
            d.weights = filters.data + (group * filters.group + row * filters.row) * item;
            d.bias = bias != nullptr ? bias->data + channel * bias->g.strides[0] * item : nullptr;
            loops_of->correlate[code == kFloat32 ? 0 : 1](d);
        }
    });
    return true;
}

}  // namespace lamina
