// grid_sample and its gradient: reads and checks what they are called with, and shares out blocks of points.
#include "kernels/convolutions/grid_sample.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const GridSampleLoops* loops_of;
const char* const kModes[] = {"bilinear", "nearest", "bicubic", nullptr};
const char* const kPaddings[] = {"zeros", "border", "reflection", nullptr};

SampleSettings settings_of(const Call& call) {
    call.require_keywords(3);
    return {choice_of(call, "mode", kModes), choice_of(call, "padding", kPaddings), bool_of(call, "align_corners")};
}

Images images_of(const Call& call, const View& x, const View& grid) {
    Images im{};
    im.rank = x.g.ndim - 2;
    bool fits = (im.rank == 2 || im.rank == 3) && grid.g.ndim == x.g.ndim && grid.g.shape[0] == x.g.shape[0];
    fits = fits && grid.g.shape[x.g.ndim - 1] == im.rank;
    for (int d = 2; fits && d < x.g.ndim; ++d) fits = x.g.shape[d] > 0;
    if (!fits) fail(PyExc_ValueError, "%s: the shapes of x and grid do not fit", call.op);
    if (grid.code != x.code) fail(PyExc_TypeError, "%s: grid is %s; it wants %s", call.op, kNames[grid.code], kNames[x.code]);
    im.n = x.g.shape[0];
    im.channels = x.g.shape[1];
    im.image = x.g.strides[0];
    im.channel = x.g.strides[1];
    im.count = im.items = 1;
    for (int d = 0; d < im.rank; ++d) {
        im.length[d] = x.g.shape[2 + d];
        im.stride[d] = x.g.strides[2 + d];
        im.items *= im.length[d];
        im.count *= grid.g.shape[1 + d];
    }
    return im;
}

// (n, channels, *counts), as the results lie.
void require_results(const Call& call, const View& v, const char* name, const View& x, const View& grid) {
    int64_t shape[2 + kMostRank] = {x.g.shape[0], x.g.shape[1]};
    for (int d = 1; d < x.g.ndim - 1; ++d) shape[1 + d] = grid.g.shape[d];
    require(v, name, x.code, shape, x.g.ndim, call.op);
}

// Negative strides turn offsets below 0, which mean that there is no item.
bool strides_fit(const View& x) {
    for (int d = 2; d < x.g.ndim; ++d)
        if (x.g.shape[d] > 1 && x.g.strides[d] < 0) return false;
    return true;
}

// The points first, first + 1, ... of image n, and the scratch of a slot.
SampledBlock block_at(const View& grid, const Images& im, const SampleSettings& s, int64_t n, int64_t first, char* scratch) {
    const int64_t at = (n * im.count + first) * im.rank * grid.itemsize();
    return {grid.data + at, std::min<int64_t>(kPointsAtOnce, im.count - first), &im, &s, scratch};
}

void sample_all(const View& out, const View& x, const View& grid, const Images& im, const SampleSettings& s) {
    const int64_t blocks = (im.count + kPointsAtOnce - 1) / kPointsAtOnce, tasks = im.n * blocks, item = x.itemsize();
    const int which = x.code == kFloat64;
    const double work = double(im.n * im.count) * double(8 + 4 * im.channels);
    const int64_t slots = work < double(kParallel) ? 1 : std::min<int64_t>(num_threads(), tasks), bytes = aligned(loops_of->taps_bytes[which]);
    const Scratch memory(slots * bytes);
    const WithoutGil free(work >= double(kReleaseGil));
    share(tasks, slots, [&](int64_t task, int64_t slot) {
        const int64_t n = task / blocks, first = task % blocks * kPointsAtOnce;
        loops_of->sample[which](block_at(grid, im, s, n, first, memory.data() + slot * bytes), x.data + n * im.image * item,
                                out.data + (n * im.channels * im.count + first) * item);
    });
}

bool run_grid_sample(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x and grid", call.op, call.count);
    View out, x, grid;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    grid.read(call.positional[2], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    const SampleSettings s = settings_of(call);
    const Images im = images_of(call, x, grid);
    require_results(call, out, "out", x, grid);
    if (!out.g.contiguous || !grid.g.contiguous || !strides_fit(x)) return false;
    if (out.g.size == 0) return true;
    sample_all(out, x, grid, im, s);
    return true;
}

void gradients_of_all(const View& of_x, const View& of_grid, const View& gradient, const View& x, const View& grid, const Images& im,
                      const SampleSettings& s) {
    const int64_t blocks = (im.count + kPointsAtOnce - 1) / kPointsAtOnce, item = x.itemsize();
    const int which = x.code == kFloat64;
    const double work = double(im.n * im.count) * double(8 + 12 * im.channels);
    const int64_t threads = work < double(kParallel) ? 1 : num_threads();
    // Each channel's gradient belongs to one thread, so that items add up in the order of the points.
    const int64_t parts = threads == 1 ? 1 : std::max<int64_t>(1, std::min(im.channels / 4, (4 * threads + im.n - 1) / im.n));
    const int64_t tasks = im.n * blocks, slots = std::max<int64_t>(1, std::min(threads, std::max(tasks, im.n * parts)));
    const int64_t bytes = aligned(loops_of->taps_bytes[which] + loops_of->slopes_bytes[which]);
    const Scratch memory(slots * bytes);
    const WithoutGil free(work >= double(kReleaseGil));
    if (s.mode == kNearest) std::memset(of_grid.data, 0, size_t(of_grid.g.size * item));
    share(s.mode == kNearest ? 0 : tasks, slots, [&](int64_t task, int64_t slot) {
        const int64_t n = task / blocks, first = task % blocks * kPointsAtOnce;
        loops_of->move_points[which](block_at(grid, im, s, n, first, memory.data() + slot * bytes),
                                     gradient.data + (n * im.channels * im.count + first) * item, x.data + n * im.image * item,
                                     of_grid.data + (n * im.count + first) * im.rank * item);
    });
    share(im.n * parts, slots, [&](int64_t task, int64_t slot) {
        const int64_t n = task / parts, begin = task % parts * im.channels / parts, end = (task % parts + 1) * im.channels / parts;
        char* const of_images = of_x.data + (n * im.channels + begin) * im.items * item;
        std::memset(of_images, 0, size_t((end - begin) * im.items * item));
        Images dense = im;
        for (int64_t d = im.rank - 1, stride = 1; d >= 0; stride *= im.length[d--]) dense.stride[d] = stride;
        for (int64_t first = 0; first < im.count; first += kPointsAtOnce)
            loops_of->spread[which](block_at(grid, dense, s, n, first, memory.data() + slot * bytes),
                                    gradient.data + ((n * im.channels + begin) * im.count + first) * item, end - begin, of_images);
    });
}

bool run_grid_sample_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient, x and grid", call.op, call.count);
    View of_x, of_grid, gradient, x, grid;
    of_x.read(result_of(call, 0, 2), true, call.op);
    of_grid.read(result_of(call, 1, 2), true, call.op);
    gradient.read(call.positional[1], false, call.op);
    x.read(call.positional[2], false, call.op);
    grid.read(call.positional[3], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    const SampleSettings s = settings_of(call);
    const Images im = images_of(call, x, grid);
    require_results(call, gradient, "gradient", x, grid);
    require(of_x, "the first result", x.code, x.g.shape, x.g.ndim, call.op);
    require(of_grid, "the second result", x.code, grid.g.shape, grid.g.ndim, call.op);
    for (const View* v : {&of_x, &of_grid, &gradient, &grid})
        if (!v->g.contiguous) return false;
    if (!strides_fit(x)) return false;
    if (of_x.g.size == 0 && of_grid.g.size == 0) return true;
    gradients_of_all(of_x, of_grid, gradient, x, grid, im, s);
    return true;
}

const Registration registration([](const Loops& loops) {
    loops_of = loops.grid_samples;
    for (const int code : {kFloat32, kFloat64}) {
        kernel_named("grid_sample", run_grid_sample).rows[code] = kServed;
        kernel_named("grid_sample_gradient", run_grid_sample_gradient).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
