// grid_sample and its gradient: what each point takes of an image is worked out for a block of points, then used for every channel.
// Coordinates are rounded step by step, as the reference's: a floor decides what is taken.
#include "loops/vectors/unfused.hpp"  // before all else

#include "kernels/convolutions/grid_sample.hpp"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// Items of one axis that a point takes; `place` is -1 where there is none. `slope` is the weight's growth with the grid's coordinate.
template <class T>
struct AxisTaps {
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
T held(T at, int64_t length, const SampleSettings& s, T& slope) {
    slope = 1;
    if (s.padding == kZeros) return at;
    if (s.padding == kReflection)
        at = s.align_corners ? reflected<T>(at, 0, T(length - 1), slope) : reflected<T>(at, T(-0.5), T(length), slope);
    if (at > 0 && at < T(length - 1)) return at;
    slope = 0;
    const T whole = floor_of(at), end = T(length - 1);
    return whole < 0 ? T(0) : whole > end ? end : whole;  // NaN stays
}

template <class T>
int64_t place_of(T whole, int64_t length) {
    return whole >= 0 && whole <= T(length - 1) ? int64_t(whole) : -1;  // NaN is nowhere; a half goes to the item below it
}

constexpr int taps_along(int mode) { return mode == kBicubic ? 4 : mode == kNearest ? 1 : 2; }

template <class T, int kMode>
inline void axis_taps(T coordinate, int64_t length, const SampleSettings& s, AxisTaps<T>& taps) {
    const T scale = s.align_corners ? T(length - 1) / 2 : T(length) / 2;
    T at = s.align_corners ? (coordinate + 1) * scale : ((coordinate + 1) * T(length) - 1) / 2, slope;
    if constexpr (kMode == kBicubic) {  // Keys 1981, with a = -3/4
        const T a = T(-0.75), low = floor_of(at), part = at - low;
        const T distance[4] = {1 + part, part, 1 - part, 2 - part};
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
    if constexpr (kMode == kNearest) {
        taps.place[0] = place_of(nearest_of(at), length);
        taps.weight[0] = 1;
        taps.slope[0] = 0;
        return;
    }
    const T low = floor_of(at), part = at - low;
    taps.place[0] = place_of(low, length);
    taps.place[1] = place_of(low + 1, length);
    taps.weight[0] = 1 - part;
    taps.weight[1] = part;
    taps.slope[0] = -slope * scale;
    taps.slope[1] = slope * scale;
}

template <class T, int Rank, int kMode>
inline void taps_at(const T* point, int64_t p, const Images& im, const SampleSettings& s, Taps<T>& taps, Slopes<T>* slopes) {
    AxisTaps<T> axes[Rank];
    for (int d = 0; d < Rank; ++d) axis_taps<T, kMode>(point[Rank - 1 - d], im.length[d], s, axes[d]);
    constexpr int kAlong = taps_along(kMode);
    int t = 0;
    for (int i = 0; i < (Rank == 3 ? kAlong : 1); ++i)
        for (int j = 0; j < kAlong; ++j)
            for (int k = 0; k < kAlong; ++k, ++t) {
                const int chosen[3] = {i, Rank == 3 ? j : k, k};
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

template <class T, int Rank, int kMode>
void taps_of_mode(const SampledBlock& block, Taps<T>& taps, Slopes<T>* slopes) {
    const T* points = reinterpret_cast<const T*>(block.points);
    taps.count = Rank == 3 ? taps_along(kMode) * taps_along(kMode) * taps_along(kMode) : taps_along(kMode) * taps_along(kMode);
    for (int64_t p = 0; p < block.count; ++p) taps_at<T, Rank, kMode>(points + Rank * p, p, *block.images, *block.settings, taps, slopes);
}

template <class T>
void taps_of(const SampledBlock& block, Taps<T>& taps, Slopes<T>* slopes) {
    const bool flat = block.images->rank == 2;
    switch (block.settings->mode) {
        case kBilinear: flat ? taps_of_mode<T, 2, kBilinear>(block, taps, slopes) : taps_of_mode<T, 3, kBilinear>(block, taps, slopes); break;
        case kNearest: flat ? taps_of_mode<T, 2, kNearest>(block, taps, slopes) : taps_of_mode<T, 3, kNearest>(block, taps, slopes); break;
        default: taps_of_mode<T, 2, kBicubic>(block, taps, slopes);  // of images alone
    }
    int64_t all = 0;
    for (int t = 0; t < taps.count; ++t)
        for (int64_t p = 0; p < block.count; ++p) all |= taps.offset[t][p];
    taps.inside = all >= 0;
}

// Calls with whether every point has all of its taps: then none is looked for.
template <class Run>
void told(bool inside, const Run& run) {
    inside ? run(std::true_type()) : run(std::false_type());
}

template <class T, bool kInside>
inline T item_at(const T* image, int64_t offset) {
    return kInside || offset >= 0 ? image[offset] : T(0);
}

// kTaps at once, from the first of the block's on; 0: one, added to what there is.
template <class T, int kTaps, bool kInside>
void add_taps(const T* image, const Taps<T>& taps, int first, int64_t count, T* out) {
    for (int64_t p = 0; p < count; ++p) {
        T sum = kTaps == 0 ? out[p] : T(0);
        for (int t = first; t < first + (kTaps == 0 ? 1 : kTaps); ++t) sum += item_at<T, kInside>(image, taps.offset[t][p]) * taps.weight[t][p];
        out[p] = sum;
    }
}

template <class T>
void sample(const SampledBlock& block, const char* images, char* results) {
    Taps<T>& taps = *reinterpret_cast<Taps<T>*>(block.scratch);
    const Images& im = *block.images;
    const int64_t count = block.count;
    taps_of<T>(block, taps, nullptr);
    told(taps.inside, [&](auto inside) {
        constexpr bool kInside = decltype(inside)::value;
        for (int64_t c = 0; c < im.channels; ++c) {
            const T* image = reinterpret_cast<const T*>(images) + c * im.channel;
            T* out = reinterpret_cast<T*>(results) + c * im.count;
            if (taps.count == 1) {
                add_taps<T, 1, kInside>(image, taps, 0, count, out);
                continue;
            }
            add_taps<T, 4, kInside>(image, taps, 0, count, out);
            for (int t = 4; t < taps.count; ++t) add_taps<T, 0, kInside>(image, taps, t, count, out);
        }
    });
}

template <class T>
void spread(const SampledBlock& block, const char* gradients, int64_t channels, char* of_images) {
    Taps<T>& taps = *reinterpret_cast<Taps<T>*>(block.scratch);
    const Images& im = *block.images;
    taps_of<T>(block, taps, nullptr);
    told(taps.inside, [&](auto inside) {
        for (int64_t c = 0; c < channels; ++c) {
            const T* gradient = reinterpret_cast<const T*>(gradients) + c * im.count;
            T* of_image = reinterpret_cast<T*>(of_images) + c * im.items;
            for (int t = 0; t < taps.count; ++t)
#pragma GCC unroll 4
                for (int64_t p = 0; p < block.count; ++p)
                    if (decltype(inside)::value || taps.offset[t][p] >= 0) of_image[taps.offset[t][p]] += gradient[p] * taps.weight[t][p];
        }
    });
}

template <class T>
void move_points(const SampledBlock& block, const char* gradients, const char* images, char* of_points) {
    Taps<T>& taps = *reinterpret_cast<Taps<T>*>(block.scratch);
    Slopes<T>& slopes = *reinterpret_cast<Slopes<T>*>(block.scratch + sizeof(Taps<T>));
    const Images& im = *block.images;
    const int64_t count = block.count;
    taps_of<T>(block, taps, &slopes);
    std::memset(slopes.along, 0, size_t(taps.count) * sizeof slopes.along[0]);
    told(taps.inside, [&](auto inside) {
        for (int64_t c = 0; c < im.channels; ++c) {
            const T *gradient = reinterpret_cast<const T*>(gradients) + c * im.count, *image = reinterpret_cast<const T*>(images) + c * im.channel;
            for (int t = 0; t < taps.count; ++t) {
                T* along = slopes.along[t];
                for (int64_t p = 0; p < count; ++p) along[p] += gradient[p] * item_at<T, decltype(inside)::value>(image, taps.offset[t][p]);
            }
        }
    });
    for (int64_t p = 0; p < count; ++p)
        for (int d = 0; d < im.rank; ++d) {
            T sum = 0;
            for (int t = 0; t < taps.count; ++t) sum += slopes.along[t][p] * slopes.slope[d][t][p];
            reinterpret_cast<T*>(of_points)[p * im.rank + d] = sum;
        }
}

extern const GridSampleLoops grid_samples = {{sizeof(Taps<float>), sizeof(Taps<double>)},
                                             {sizeof(Slopes<float>), sizeof(Slopes<double>)},
                                             {sample<float>, sample<double>},
                                             {spread<float>, spread<double>},
                                             {move_points<float>, move_points<double>}};

}  // namespace lamina::LAMINA_ISA
