// grid_sample and its gradient: what each point takes of an image is worked out for a block of points, then used for every channel.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

enum Mode { kBilinear, kNearest, kBicubic };
enum Padding { kZeros, kBorder, kReflection };
const char* const kModes[] = {"bilinear", "nearest", "bicubic", nullptr};
const char* const kPaddings[] = {"zeros", "border", "reflection", nullptr};

constexpr int kBlock = 256;   // points
constexpr int kMostTaps = 16;  // four by four of bicubic interpolation; trilinear has eight
constexpr int kMostRank = 3;

struct Settings {
    int mode, padding;
    bool align_corners;
};

// Items of one axis that a point takes; `place` is -1 where there is none. `slope` is the weight's growth with the grid's coordinate.
template <class T>
struct AxisTaps {
    int count;
    int64_t place[4];
    T weight[4], slope[4];
};

// From here on numbers have no digits behind the point; below, their whole parts are exact.
template <class T>
constexpr T kWhole = sizeof(T) == 4 ? T(1 << 23) : T(int64_t(1) << 52);

// std::floor and std::nearbyint are calls where the processor is not known to have an instruction.
template <class T>
T floor_of(T x) {
    if (!(std::abs(x) < kWhole<T>)) return x;
    const T whole = T(std::conditional_t<sizeof(T) == 4, int32_t, int64_t>(x));
    return whole - T(whole > x);
}

template <class T>
T nearest_of(T x) {  // ties to even
    if (!(std::abs(x) < kWhole<T> / 2)) return std::nearbyint(x);
    const T shift = kWhole<T> * T(1.5);
    return (x + shift) - shift;
}

template <class T>
T reflected(T at, T low, T span, T& sign) {
    if (!(span > 0)) {
        sign = 0;
        return at * 0;
    }
    const T distance = std::abs(at - low), flips = floor_of(distance / span), rest = distance - flips * span;
    const bool even = floor_of(flips / 2) * 2 == flips;
    sign = even == (at >= low) ? T(1) : T(-1);
    return (even ? rest : span - rest) + low;
}

// Coordinates within the image, as the padding has it, and how they grow with what is given.
template <class T>
T held(T at, int64_t length, const Settings& s, T& slope) {
    slope = 1;
    if (s.padding == kZeros) return at;
    if (s.padding == kReflection)
        at = s.align_corners ? reflected<T>(at, 0, T(length - 1), slope) : reflected<T>(at, T(-0.5), T(length), slope);
    if (at > 0 && at < T(length - 1)) return at;
    slope = 0;
    return std::isnan(at) ? at : std::min(std::max(floor_of(at), T(0)), T(length - 1));
}

template <class T>
int64_t place_of(T whole, int64_t length) {
    return whole >= 0 && whole <= T(length - 1) ? int64_t(whole) : -1;  // NaN is nowhere; a half goes to the item below it
}

template <class T>
void axis_taps(T coordinate, int64_t length, const Settings& s, AxisTaps<T>& taps) {
    const T scale = s.align_corners ? T(length - 1) / 2 : T(length) / 2;
    T at = s.align_corners ? (coordinate + 1) * scale : ((coordinate + 1) * T(length) - 1) / 2, slope;
    if (s.mode == kBicubic) {  // Keys 1981, with a = -3/4
        const T a = T(-0.75), low = floor_of(at), part = at - low;
        const T distance[4] = {1 + part, part, 1 - part, 2 - part};
        taps.count = 4;
        for (int i = 0; i < 4; ++i) {
            const T t = distance[i];
            const bool near = i == 1 || i == 2;
            taps.place[i] = place_of(held(low + T(i - 1), length, s, slope), length);
            taps.weight[i] = near ? ((a + 2) * t - (a + 3)) * t * t + 1 : ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
            const T growth = near ? (3 * (a + 2) * t - 2 * (a + 3)) * t : (3 * a * t - 10 * a) * t + 8 * a;
            taps.slope[i] = (i < 2 ? growth : -growth) * scale;
        }
        return;
    }
    at = held(at, length, s, slope);
    if (s.mode == kNearest) {
        taps.count = 1;
        taps.place[0] = place_of(nearest_of(at), length);
        taps.weight[0] = 1;
        taps.slope[0] = 0;
        return;
    }
    const T low = floor_of(at), part = at - low;
    taps.count = 2;
    taps.place[0] = place_of(low, length);
    taps.place[1] = place_of(low + 1, length);
    taps.weight[0] = 1 - part;
    taps.weight[1] = part;
    taps.slope[0] = -slope * scale;
    taps.slope[1] = slope * scale;
}

// The geometry of images (n, channels, *spatial) and of points (n, count, rank).
struct Images {
    int rank;
    int64_t n, channels, count, length[kMostRank], stride[kMostRank], image, channel, items;
};

// What the points of a block take: tap by tap, for each point the offset within a channel, -1 where there is none, and its weight.
template <class T>
struct Taps {
    int count;
    int64_t offset[kMostTaps][kBlock];
    T weight[kMostTaps][kBlock];
};

// Slopes of the weights, for each coordinate of the grid; and the items by the gradient, over all channels.
template <class T>
struct Slopes {
    T slope[kMostRank][kMostTaps][kBlock], along[kMostTaps + 1][kBlock];
};

template <class T, int Rank>
void taps_at(const T* point, int64_t p, const Images& im, const Settings& s, Taps<T>& taps, Slopes<T>* slopes) {
    AxisTaps<T> axes[Rank];
    for (int d = 0; d < Rank; ++d) axis_taps(point[Rank - 1 - d], im.length[d], s, axes[d]);
    const AxisTaps<T>& last = axes[Rank - 1];
    taps.count = 0;
    for (int i = 0; i < (Rank == 3 ? axes[0].count : 1); ++i)
        for (int j = 0; j < axes[Rank - 2].count; ++j)
            for (int k = 0; k < last.count; ++k) {
                const int chosen[3] = {i, Rank == 3 ? j : k, k};
                const int t = taps.count++;
                int64_t offset = 0;
                T weight = 1;
                for (int d = 0; d < Rank; ++d) {
                    const int tap = Rank == 2 && d == 0 ? j : chosen[d];
                    const int64_t place = axes[d].place[tap];
                    offset = (place | offset) < 0 ? -1 : offset + place * im.stride[d];
                    weight *= axes[d].weight[tap];
                }
                taps.offset[t][p] = offset;
                taps.weight[t][p] = weight;
                if (slopes == nullptr) continue;
                for (int axis = 0; axis < Rank; ++axis) {
                    T slope = 1;
                    for (int d = 0; d < Rank; ++d) {
                        const int tap = Rank == 2 && d == 0 ? j : chosen[d];
                        slope *= d == axis ? axes[d].slope[tap] : axes[d].weight[tap];
                    }
                    slopes->slope[Rank - 1 - axis][t][p] = slope;
                }
            }
}

template <class T>
void taps_of(const T* points, int64_t count, const Images& im, const Settings& s, Taps<T>& taps, Slopes<T>* slopes) {
    for (int64_t p = 0; p < count; ++p)
        im.rank == 2 ? taps_at<T, 2>(points + 2 * p, p, im, s, taps, slopes) : taps_at<T, 3>(points + 3 * p, p, im, s, taps, slopes);
}

template <class T>
void sample(const T* image, const Images& im, const Taps<T>& taps, int64_t count, T* out) {
    for (int64_t c = 0; c < im.channels; ++c, image += im.channel, out += im.count) {
        std::fill(out, out + count, T(0));
        for (int t = 0; t < taps.count; ++t) {
            const int64_t* offset = taps.offset[t];
            const T* weight = taps.weight[t];
            for (int64_t p = 0; p < count; ++p) out[p] += (offset[p] < 0 ? T(0) : image[offset[p]]) * weight[p];
        }
    }
}

template <class T>
void spread(const T* gradient, int64_t channels, const Images& im, const Taps<T>& taps, int64_t count, T* of_image) {
    for (int64_t c = 0; c < channels; ++c, gradient += im.count, of_image += im.items)
        for (int t = 0; t < taps.count; ++t)
            for (int64_t p = 0; p < count; ++p)
                if (taps.offset[t][p] >= 0) of_image[taps.offset[t][p]] += gradient[p] * taps.weight[t][p];
}

template <class T>
void move_points(const T* gradient, const T* image, const Images& im, const Taps<T>& taps, Slopes<T>& slopes, int64_t count,
                 T* of_points) {
    std::fill(&slopes.along[0][0], &slopes.along[taps.count][0], T(0));
    for (int64_t c = 0; c < im.channels; ++c, gradient += im.count, image += im.channel)
        for (int t = 0; t < taps.count; ++t) {
            const int64_t* offset = taps.offset[t];
            T* along = slopes.along[t];
            for (int64_t p = 0; p < count; ++p) along[p] += gradient[p] * (offset[p] < 0 ? T(0) : image[offset[p]]);
        }
    for (int64_t p = 0; p < count; ++p)
        for (int d = 0; d < im.rank; ++d) {
            T sum = 0;
            for (int t = 0; t < taps.count; ++t) sum += slopes.along[t][p] * slopes.slope[d][t][p];
            of_points[p * im.rank + d] = sum;
        }
}

Settings settings_of(const Call& call) {
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

template <class T>
void sample_all(const View& out, const View& x, const View& grid, const Images& im, const Settings& s) {
    const int64_t blocks = (im.count + kBlock - 1) / kBlock, tasks = im.n * blocks;
    const double work = double(im.n * im.count) * double(8 + 4 * im.channels);
    const int64_t slots = work < double(kParallel) ? 1 : std::min<int64_t>(num_threads(), tasks), bytes = aligned(sizeof(Taps<T>));
    const Scratch memory(slots * bytes);
    const WithoutGil free(work >= double(kReleaseGil));
    share(tasks, slots, [&](int64_t task, int64_t slot) {
        Taps<T>& taps = *reinterpret_cast<Taps<T>*>(memory.data() + slot * bytes);
        const int64_t n = task / blocks, first = task % blocks * kBlock, count = std::min<int64_t>(kBlock, im.count - first);
        taps_of<T>(reinterpret_cast<const T*>(grid.data) + (n * im.count + first) * im.rank, count, im, s, taps, nullptr);
        sample<T>(reinterpret_cast<const T*>(x.data) + n * im.image, im, taps, count,
                  reinterpret_cast<T*>(out.data) + n * im.channels * im.count + first);
    });
}

bool run_grid_sample(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x and grid", call.op, call.count);
    View out, x, grid;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    grid.read(call.positional[2], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    const Settings s = settings_of(call);
    const Images im = images_of(call, x, grid);
    require_results(call, out, "out", x, grid);
    if (!out.g.contiguous || !grid.g.contiguous || !strides_fit(x)) return false;
    if (out.g.size == 0) return true;
    x.code == kFloat32 ? sample_all<float>(out, x, grid, im, s) : sample_all<double>(out, x, grid, im, s);
    return true;
}

template <class T>
void gradients_of_all(const View& of_x, const View& of_grid, const View& gradient, const View& x, const View& grid, const Images& im,
                      const Settings& s) {
    const int64_t blocks = (im.count + kBlock - 1) / kBlock;
    const double work = double(im.n * im.count) * double(8 + 12 * im.channels);
    const int64_t threads = work < double(kParallel) ? 1 : num_threads();
    // Each channel's gradient belongs to one thread, so that items add up in the order of the points.
    const int64_t parts = threads == 1 ? 1 : std::max<int64_t>(1, std::min(im.channels / 4, (4 * threads + im.n - 1) / im.n));
    const int64_t tasks = im.n * blocks, slots = std::max<int64_t>(1, std::min(threads, std::max(tasks, im.n * parts)));
    const int64_t taps_bytes = aligned(sizeof(Taps<T>)), bytes = taps_bytes + aligned(sizeof(Slopes<T>));
    const Scratch memory(slots * bytes);
    const WithoutGil free(work >= double(kReleaseGil));
    const T *points = reinterpret_cast<const T*>(grid.data), *gradients = reinterpret_cast<const T*>(gradient.data);
    if (s.mode == kNearest) std::fill_n(reinterpret_cast<T*>(of_grid.data), of_grid.g.size, T(0));
    share(s.mode == kNearest ? 0 : tasks, slots, [&](int64_t task, int64_t slot) {
        char* scratch = memory.data() + slot * bytes;
        Taps<T>& taps = *reinterpret_cast<Taps<T>*>(scratch);
        Slopes<T>& slopes = *reinterpret_cast<Slopes<T>*>(scratch + taps_bytes);
        const int64_t n = task / blocks, first = task % blocks * kBlock, count = std::min<int64_t>(kBlock, im.count - first);
        taps_of<T>(points + (n * im.count + first) * im.rank, count, im, s, taps, &slopes);
        move_points<T>(gradients + n * im.channels * im.count + first, reinterpret_cast<const T*>(x.data) + n * im.image, im, taps, slopes,
                       count, reinterpret_cast<T*>(of_grid.data) + (n * im.count + first) * im.rank);
    });
    share(im.n * parts, slots, [&](int64_t task, int64_t slot) {
        Taps<T>& taps = *reinterpret_cast<Taps<T>*>(memory.data() + slot * bytes);
        const int64_t n = task / parts, begin = task % parts * im.channels / parts, end = (task % parts + 1) * im.channels / parts;
        T* of_images = reinterpret_cast<T*>(of_x.data) + (n * im.channels + begin) * im.items;
        std::fill(of_images, of_images + (end - begin) * im.items, T(0));
        Images dense = im;
        for (int64_t d = im.rank - 1, stride = 1; d >= 0; stride *= im.length[d--]) dense.stride[d] = stride;
        for (int64_t first = 0; first < im.count; first += kBlock) {
            const int64_t count = std::min<int64_t>(kBlock, im.count - first);
            taps_of<T>(points + (n * im.count + first) * im.rank, count, dense, s, taps, nullptr);
            spread<T>(gradients + (n * im.channels + begin) * im.count + first, end - begin, dense, taps, count, of_images);
        }
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
    const Settings s = settings_of(call);
    const Images im = images_of(call, x, grid);
    require_results(call, gradient, "gradient", x, grid);
    require(of_x, "the first result", x.code, x.g.shape, x.g.ndim, call.op);
    require(of_grid, "the second result", x.code, grid.g.shape, grid.g.ndim, call.op);
    for (const View* v : {&of_x, &of_grid, &gradient, &grid})
        if (!v->g.contiguous) return false;
    if (!strides_fit(x)) return false;
    if (of_x.g.size == 0 && of_grid.g.size == 0) return true;
    x.code == kFloat32 ? gradients_of_all<float>(of_x, of_grid, gradient, x, grid, im, s)
                       : gradients_of_all<double>(of_x, of_grid, gradient, x, grid, im, s);
    return true;
}

const Registration registration([](const Loops&) {
    for (const int code : {kFloat32, kFloat64}) {
        kernel_named("grid_sample", run_grid_sample).rows[code] = kServed;
        kernel_named("grid_sample_gradient", run_grid_sample_gradient).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
