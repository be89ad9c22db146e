// The greatest and the mean of windows over one plane: a row of windows at a time, tap by tap, so that windows are lanes.
#include <cmath>
#include <type_traits>

#include "loops/convolutions/pooled_rows.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

constexpr int kWindows = 256;  // of a row at once
constexpr int kFewest = 6;     // items of a row that are worth a vector

// Calls visit(first window, windows, where in x the first of them has its tap) for the windows of a row whose tap lies inside of x.
template <class F>
inline void each_tap(const Pool& p, int64_t d, int64_t h, int64_t first, int64_t n, const F& visit) {
    const int64_t step = p.stride[2];
    each_row(p, d, h, [&](int64_t z, int64_t y) {
        for (int64_t k = 0; k < p.kernel[2]; ++k) {
            const int64_t at = first * step - p.padding[2] + k * p.dilation[2];
            int64_t begin = 0, end = n;
            if (at < 0) begin = (-at + step - 1) / step;
            if (at + (n - 1) * step >= p.length[2]) end = at < p.length[2] ? (p.length[2] - at + step - 1) / step : 0;
            if (begin < end) visit(begin, end - begin, z, y, at + begin * step);
        }
    });
}

// Steps that compilers make shuffles of, when they know them.
template <class F>
inline void with_step(int64_t step, const F& body) {
    switch (step) {
        case 1: return body(std::integral_constant<int64_t, 1>());
        case 2: return body(std::integral_constant<int64_t, 2>());
        case 3: return body(std::integral_constant<int64_t, 3>());
        default: return body(step);
    }
}

inline int64_t inside(int64_t start, int64_t dilation) {
    return start < 0 ? start + (-start + dilation - 1) / dilation * dilation : start;
}

// How many items a window counts along an axis.
inline int64_t counted(const Pool& p, int axis, int64_t window) {
    const int64_t begin = window * p.stride[axis] - p.padding[axis];
    const int64_t most = p.length[axis] + (p.count_padding ? p.padding[axis] : 0);
    const int64_t end = begin + p.kernel[axis] < most ? begin + p.kernel[axis] : most;
    return end - (p.count_padding || begin > 0 ? begin : 0);
}

// The items begin, begin + step ... before end of one axis.
struct Span {
    int64_t begin, end, step, counted;  // the last: how many a mean is over
};

// What window `i` sees of an axis.
inline Span seen(const Pool& p, int axis, int64_t i) {
    const int64_t start = i * p.stride[axis] - p.padding[axis], end = start + p.kernel[axis] * p.dilation[axis];
    return {inside(start, p.dilation[axis]), end < p.length[axis] ? end : p.length[axis], p.dilation[axis],
            counted(p, axis, i)};
}

// The greatest item of those seen, and the place of the first such one; a NaN is greater than all.
template <class T>
struct Greatest {
    T best;
    int64_t where;

    void see(T item, int64_t at) {
        const bool take = (item > best) | ((item != item) & (best == best));  // NaN is taken where there is none yet
        best = take ? item : best;
        where = take ? at : where;
    }
    // Items that are side by side.
    void see_run(const T* items, int64_t n, int64_t at) {
        constexpr int L = kLanes<T>;
        Vec<T> bests = every(T(-INFINITY));
        Lanes<T> steps, places;
        for (int l = 0; l < L; ++l) steps[l] = Lane<T>(l);
        places = steps;
        for (int64_t i = 0; i < n; i += L) {
            const Vec<T> some = n - i < L ? load_some(items + i, n - i, T(-INFINITY)) : load(items + i);
            const Lanes<T> take = ~(some <= bests);
            bests = take ? some : bests;
            places = take ? every(Lane<T>(i)) + steps : places;
            if (any_lane(some != some)) {
                for (i = 0; i < n; ++i) see(items[i], at + i);
                return;
            }
        }
        T found[L];
        store<T>(found, bests);
        reduce_halves<L / 2>(found, [](T a, T b) { return a > b ? a : b; });
        if (!(found[0] > best)) return;
        best = found[0];
        Lane<T> first[L];
        store<Lane<T>>(first, bests == every(best) ? places : every(Lane<T>(n)));
        reduce_halves<L / 2>(first, [](Lane<T> a, Lane<T> b) { return a < b ? a : b; });
        where = at + first[0];
    }
};

// The greatest item of a box, and where it is.
template <class T>
inline void greatest(const Pool& p, const Span& d, const Span& h, const Span& w, T& value, int64_t index) {
    const T* x = reinterpret_cast<const T*>(p.x);
    Greatest<T> found{T(-INFINITY), (d.begin * p.length[1] + h.begin) * p.length[2] + w.begin};
    const int64_t row_items = w.end - w.begin;
    const bool runs = p.x_stride[2] == 1 && w.step == 1 && row_items >= kFewest;
    const bool planes = runs && row_items == p.length[2] && p.x_stride[1] == row_items && h.step == 1 &&
                        (h.end - h.begin) * row_items <= INT32_MAX;  // whose rows are one run, counted by lanes
    for (int64_t z = d.begin; z < d.end; z += d.step)
        for (int64_t y = h.begin; y < h.end; y += planes ? h.end - h.begin : h.step) {
            const T* row = x + z * p.x_stride[0] + y * p.x_stride[1];
            const int64_t at = (z * p.length[1] + y) * p.length[2];
            if (runs)
                found.see_run(row + w.begin, planes ? (h.end - h.begin) * row_items : row_items, at + w.begin);
            else
                for (int64_t i = w.begin; i < w.end; i += w.step) found.see(row[i * p.x_stride[2]], at + i);
        }
    value = found.best;
    reinterpret_cast<int64_t*>(p.indices)[index] = found.where;
}

// Calls window(p, d, h, w, out, where its index goes) for each window or bin, `span(p, axis, i)` being what it sees of an axis.
template <class T, class SpanOf, class F>
inline void each_window(const Pool& given, const SpanOf& span, const F& window) {
    const Pool p = given;  // its own, so that what is written cannot change it
    for (int64_t d = 0; d < p.count[0]; ++d) {
        const Span of_d = span(p, 0, d);
        for (int64_t h = 0; h < p.count[1]; ++h) {
            const Span of_h = span(p, 1, h);
            T* out = reinterpret_cast<T*>(p.out) + d * p.out_stride[0] + h * p.out_stride[1];
            const int64_t at = d * p.index_stride[0] + h * p.index_stride[1];
            for (int64_t w = 0; w < p.count[2]; ++w)
                window(p, of_d, of_h, span(p, 2, w), out[w * p.out_stride[2]], at + w * p.index_stride[2]);
        }
    }
}

// Whether rows of windows are too short to be lanes.
inline bool one_by_one(const Pool& p) { return p.count[2] < 3; }

template <class T>
void max(const Pool& p) {
    if (one_by_one(p)) return each_window<T>(p, seen, greatest<T>);
    T* out = reinterpret_cast<T*>(p.out);
    int64_t* indices = reinterpret_cast<int64_t*>(p.indices);
    in_lanes<T>(p, [&](const auto& rows, auto edge, int64_t first, int64_t some) {
        const int64_t begin = first * p.stride[2] - p.padding[2];
        Lanes<T> steps;  // from the first window to each
        for (int l = 0; l < kLanes<T>; ++l) steps[l] = Lane<T>(l * p.stride[2]);
        Lanes<T> starts = every(Lane<T>(begin)) + steps;  // where the first tap of each that lies in a row does
        for (int l = 0; begin < 0 && l < kLanes<T>; ++l) starts[l] = Lane<T>(inside(begin + l * p.stride[2], p.dilation[2]));
        for (int64_t d = 0; d < p.count[0]; ++d)
            for (int64_t h = 0; h < p.count[1]; ++h) {
                const int64_t row = inside(d * p.stride[0] - p.padding[0], p.dilation[0]) * p.length[1] +
                                    inside(h * p.stride[1] - p.padding[1], p.dilation[1]);
                Vec<T> best = every(T(-INFINITY));
                Lanes<T> where = every(Lane<T>(row * p.length[2])) + starts;
                rows.each_tap(d, h, [&](const Vec<T>& items, const Lanes<T>& there, int64_t at) {
                    Lanes<T> take = ~(items <= best) & (best == best);  // NaN is taken where there is none yet
                    if (decltype(edge)::value) take &= there;
                    best = take ? items : best;
                    where = take ? every(Lane<T>(at)) + steps : where;
                });
                T* to = out + d * p.out_stride[0] + h * p.out_stride[1] + first * p.out_stride[2];
                if (p.out_stride[2] == 1)
                    put_items(to, best, some);
                else
                    for (int64_t l = 0; l < some; ++l) to[l * p.out_stride[2]] = best[l];
                put_indices<T>(indices + d * p.index_stride[0] + h * p.index_stride[1] + first * p.index_stride[2], where, some,
                               p.index_stride[2]);
            }
    });
}

// Where bins begin; bin i ends where the next one begins, or behind the item that they share.
inline int64_t bin_start(const Pool& p, int axis, int64_t i) { return i * p.length[axis] / p.count[axis]; }
inline int64_t bin_end(const Pool& p, int axis, int64_t i) { return ((i + 1) * p.length[axis] + p.count[axis] - 1) / p.count[axis]; }

inline Span bin(const Pool& p, int axis, int64_t i) { return {bin_start(p, axis, i), bin_end(p, axis, i), 1, 0}; }

template <class T>
void adaptive_max(const Pool& p) {
    each_window<T>(p, bin, greatest<T>);
}

// What the sums of windows of a row are divided by, if that is the same for all of them; else 0.
template <class T>
inline T divisor_of(const Pool& p, int64_t d, int64_t h, int64_t first, int64_t n) {
    if (p.divisor != 0) return T(p.divisor);
    const bool alike = counted(p, 2, first) == p.kernel[2] && counted(p, 2, first + n - 1) == p.kernel[2];  // so do those between
    return alike ? T(double(counted(p, 0, d)) * double(counted(p, 1, h)) * double(p.kernel[2])) : T(0);
}

template <class T>
inline void divide(const Pool& p, int64_t d, int64_t h, int64_t first, int64_t n, T* sums) {
    const T divisor = divisor_of<T>(p, d, h, first, n);
    if (divisor != 0) {
        for (int64_t i = 0; i < n; ++i) sums[i] /= divisor;
        return;
    }
    const double outer = double(counted(p, 0, d)) * double(counted(p, 1, h));  // as whole numbers three of 2**31 would not fit
    for (int64_t i = 0; i < n; ++i) sums[i] /= T(outer * double(counted(p, 2, first + i)));
}

template <class T>
inline T sum_of(const T* x, int64_t stride, int64_t n) {
    constexpr int L = kLanes<T>;
    T sum = T(0);
    int64_t i = 0;
    if (stride == 1 && n >= L) {
        Vec<T> sums[4] = {};  // as many as hide an addition's latency
        for (; i + 4 * L <= n; i += 4 * L)
            for (int j = 0; j < 4; ++j) sums[j] += load(x + i + j * L);
        for (; i + L <= n; i += L) sums[0] += load(x + i);
        sum = sum_of_lanes<T>((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
    for (; i < n; ++i) sum += x[i * stride];
    return sum;
}

// Whether one window holds just the plane, whose items lie side by side.
inline bool whole(const Pool& p) {
    int64_t step = 1;
    for (int a = kSpatial - 1; a >= 0; --a) {
        if (p.count[a] != 1 || p.padding[a] != 0 || p.kernel[a] != p.length[a]) return false;
        if (p.length[a] > 1 && p.x_stride[a] != step) return false;
        step *= p.length[a];
    }
    return true;
}

// The mean of a box.
template <class T>
inline void mean_of(const Pool& p, const Span& d, const Span& h, const Span& w, T& mean, int64_t) {
    const T* x = reinterpret_cast<const T*>(p.x);
    T sum = T(0);
    for (int64_t z = d.begin; z < d.end; z += d.step)
        for (int64_t y = h.begin; y < h.end; y += h.step) {
            const T* row = x + z * p.x_stride[0] + y * p.x_stride[1] + w.begin * p.x_stride[2];
            sum += sum_of(row, w.step * p.x_stride[2], (w.end - w.begin + w.step - 1) / w.step);
        }
    mean = sum / T(p.divisor != 0 ? p.divisor : double(d.counted) * double(h.counted) * double(w.counted));
}

template <class T>
void average(const Pool& p) {
    const T* x = reinterpret_cast<const T*>(p.x);
    T* out = reinterpret_cast<T*>(p.out);
    if (whole(p)) {
        *out = sum_of(x, 1, p.length[0] * p.length[1] * p.length[2]);
        return divide(p, 0, 0, 0, 1, out);
    }
    if (one_by_one(p) || p.kernel[2] > p.count[2]) return each_window<T>(p, seen, mean_of<T>);
    in_lanes<T>(p, [&](const auto& rows, auto, int64_t first, int64_t some) {
        for (int64_t d = 0; d < p.count[0]; ++d)
            for (int64_t h = 0; h < p.count[1]; ++h) {
                Vec<T> sum = {};
                rows.each_tap(d, h, [&](const Vec<T>& items, const Lanes<T>&, int64_t) { sum += items; });
                T* to = out + d * p.out_stride[0] + h * p.out_stride[1] + first * p.out_stride[2];
                const T divisor = p.out_stride[2] == 1 ? divisor_of<T>(p, d, h, first, some) : T(0);
                if (divisor != 0) {
                    put_items(to, sum / every(divisor), some);
                    continue;
                }
                T sums[kLanes<T>];
                store<T>(sums, sum);
                divide(p, d, h, first, some, sums);
                for (int64_t l = 0; l < some; ++l) to[l * p.out_stride[2]] = sums[l];
            }
    });
}

template <class T>
inline void fill(const Pool& p, T* x, T value) {
    for (int64_t d = 0; d < p.length[0]; ++d)
        for (int64_t h = 0; h < p.length[1]; ++h) {
            T* row = x + d * p.x_stride[0] + h * p.x_stride[1];
            with_step(p.x_stride[2], [&](auto step) {
                for (int64_t i = 0; i < p.length[2]; ++i) row[i * step] = value;
            });
        }
}

// The windows whose tap `k` lies inside of x, along an axis.
struct Inner {
    int64_t begin, end, start;  // start: of the first of them, in x
};
inline Inner inner(const Pool& p, int axis, int64_t k) {
    const int64_t at = k * p.dilation[axis] - p.padding[axis], step = p.stride[axis];
    const int64_t begin = at < 0 ? (-at + step - 1) / step : 0;
    int64_t end = at < p.length[axis] ? (p.length[axis] - at + step - 1) / step : 0;
    if (end > p.count[axis]) end = p.count[axis];
    return {begin, end, at + begin * step};
}

template <class T>
void overlap_add(const Pool& p) {
    T* x = const_cast<T*>(reinterpret_cast<const T*>(p.x));
    const T* columns = reinterpret_cast<const T*>(p.out);
    fill(p, x, p.bias != nullptr ? *reinterpret_cast<const T*>(p.bias) : T(0));
    with_step(p.stride[2] * p.x_stride[2], [&](auto apart) {
        for (int64_t i = 0; i < p.kernel[0]; ++i)
            for (int64_t j = 0; j < p.kernel[1]; ++j)
                for (int64_t k = 0; k < p.kernel[2]; ++k, columns += p.tap_stride) {
                    const Inner d = inner(p, 0, i), h = inner(p, 1, j), w = inner(p, 2, k);
                    for (int64_t z = d.begin; z < d.end; ++z)
                        for (int64_t y = h.begin; y < h.end; ++y) {
                            T* to = x + (d.start + (z - d.begin) * p.stride[0]) * p.x_stride[0] +
                                    (h.start + (y - h.begin) * p.stride[1]) * p.x_stride[1] + w.start * p.x_stride[2];
                            const T* from = columns + (z * p.count[1] + y) * p.count[2] + w.begin;
                            const int some = int(w.end - w.begin);
#pragma GCC ivdep
                            for (int n = 0; n < some; ++n) to[n * apart] += from[n];
                        }
                }
    });
}

template <class T>
void average_gradient(const Pool& p) {
    T* x = const_cast<T*>(reinterpret_cast<const T*>(p.x));
    const T* gradient = reinterpret_cast<const T*>(p.out);
    if (whole(p)) {
        T part = *gradient;
        divide(p, 0, 0, 0, 1, &part);
        const int64_t n = p.length[0] * p.length[1] * p.length[2];
        for (int64_t i = 0; i < n; ++i) x[i] = part;
        return;
    }
    fill(p, x, T(0));
    T parts[kWindows];
    for (int64_t d = 0; d < p.count[0]; ++d)
        for (int64_t h = 0; h < p.count[1]; ++h)
            for (int64_t first = 0; first < p.count[2]; first += kWindows) {
                const int64_t n = p.count[2] - first < kWindows ? p.count[2] - first : kWindows;
                const T* from = gradient + d * p.out_stride[0] + h * p.out_stride[1] + first * p.out_stride[2];
                for (int64_t i = 0; i < n; ++i) parts[i] = from[i * p.out_stride[2]];
                divide(p, d, h, first, n, parts);
                with_step(p.stride[2] * p.x_stride[2], [&](auto apart) {
                    each_tap(p, d, h, first, n, [&](int64_t begin, int64_t some, int64_t z, int64_t y, int64_t at) {
                        T* to = x + z * p.x_stride[0] + y * p.x_stride[1] + at * p.x_stride[2];
                        const T* part = parts + begin;
#pragma GCC ivdep
                        for (int i = 0; i < int(some); ++i) to[i * apart] += part[i];
                    });
                });
            }
}

extern const Pools pools = {{max<float>, max<double>},
                            {adaptive_max<float>, adaptive_max<double>},
                            {average<float>, average<double>},
                            {average_gradient<float>, average_gradient<double>},
                            {overlap_add<float>, overlap_add<double>}};

}  // namespace lamina::LAMINA_ISA
