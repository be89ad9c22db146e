// The greatest and the mean of windows over one plane: a row of windows at a time, tap by tap, so that windows are lanes.
#include <cmath>
#include <type_traits>

#include "loops/tables.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

constexpr int kWindows = 256;  // of a row at once

// Calls visit(first window, windows, where in x the first of them has its tap) for the windows of a row whose tap lies inside of x.
template <class T, class F>
inline void each_tap(const Pool& p, int64_t d, int64_t h, int64_t first, int64_t n, const F& visit) {
    const int64_t step = p.stride[2];
    for (int64_t i = 0; i < p.kernel[0]; ++i) {
        const int64_t z = d * p.stride[0] - p.padding[0] + i * p.dilation[0];
        if (z < 0 || z >= p.length[0]) continue;
        for (int64_t j = 0; j < p.kernel[1]; ++j) {
            const int64_t y = h * p.stride[1] - p.padding[1] + j * p.dilation[1];
            if (y < 0 || y >= p.length[1]) continue;
            for (int64_t k = 0; k < p.kernel[2]; ++k) {
                const int64_t at = first * step - p.padding[2] + k * p.dilation[2];
                int64_t begin = 0, end = n;
                if (at < 0) begin = (-at + step - 1) / step;
                if (at + (n - 1) * step >= p.length[2]) end = at < p.length[2] ? (p.length[2] - at + step - 1) / step : 0;
                if (begin >= end) continue;
                visit(begin, end - begin, z, y, at + begin * step);
            }
        }
    }
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

// The greatest item of a box, and where it is.
template <class T>
inline void greatest(const Pool& p, const Span& d, const Span& h, const Span& w, T& value, int64_t index) {
    const T* x = reinterpret_cast<const T*>(p.x);
    T best = -INFINITY;
    int64_t where = (d.begin * p.length[1] + h.begin) * p.length[2] + w.begin;
    for (int64_t z = d.begin; z < d.end; z += d.step)
        for (int64_t y = h.begin; y < h.end; y += h.step) {
            const T* row = x + z * p.x_stride[0] + y * p.x_stride[1];
            for (int64_t i = w.begin; i < w.end; i += w.step) {
                const T item = row[i * p.x_stride[2]];
                const bool take = (item > best) | ((item != item) & (best == best));  // NaN is taken where there is none yet
                best = take ? item : best;
                where = take ? (z * p.length[1] + y) * p.length[2] + i : where;
            }
        }
    value = best;
    reinterpret_cast<int64_t*>(p.indices)[index] = where;
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
template <class T>
inline bool one_by_one(const Pool& p) {
    return 3 * p.count[2] < 2 * kLanes<T>;
}

template <class T>
void max(const Pool& p) {
    if (one_by_one<T>(p))
        return each_window<T>(p, seen, greatest<T>);
    using Index = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    const T* x = reinterpret_cast<const T*>(p.x);
    T* out = reinterpret_cast<T*>(p.out);
    int64_t* indices = reinterpret_cast<int64_t*>(p.indices);
    T best[kWindows];
    Index where[kWindows];
    for (int64_t d = 0; d < p.count[0]; ++d)
        for (int64_t h = 0; h < p.count[1]; ++h)
            for (int64_t first = 0; first < p.count[2]; first += kWindows) {
                const int64_t n = p.count[2] - first < kWindows ? p.count[2] - first : kWindows;
                const int64_t row = inside(d * p.stride[0] - p.padding[0], p.dilation[0]) * p.length[1] +
                                    inside(h * p.stride[1] - p.padding[1], p.dilation[1]);
                for (int64_t i = 0; i < n; ++i) {
                    best[i] = -INFINITY;
                    where[i] = Index(row * p.length[2] + inside((first + i) * p.stride[2] - p.padding[2], p.dilation[2]));
                }
                with_step(p.stride[2] * p.x_stride[2], [&](auto apart) {
                    each_tap<T>(p, d, h, first, n, [&](int64_t begin, int64_t some, int64_t z, int64_t y, int64_t at) {
                        const T* from = x + z * p.x_stride[0] + y * p.x_stride[1] + at * p.x_stride[2];
                        const Index from_here = Index((z * p.length[1] + y) * p.length[2] + at), step = Index(p.stride[2]);
                        T* b = best + begin;
                        Index* w = where + begin;
#pragma GCC ivdep
                        for (int i = 0; i < int(some); ++i) {
                            const T item = from[i * apart];
                            // NaN is taken where there is none yet
                            const bool take = (item > b[i]) | ((item != item) & (b[i] == b[i]));
                            b[i] = take ? item : b[i];
                            w[i] = take ? Index(from_here + i * step) : w[i];
                        }
                    });
                });
                T* to = out + d * p.out_stride[0] + h * p.out_stride[1] + first * p.out_stride[2];
                int64_t* at = indices + d * p.index_stride[0] + h * p.index_stride[1] + first * p.index_stride[2];
                with_step(p.out_stride[2], [&](auto step) {
                    for (int64_t i = 0; i < n; ++i) to[i * step] = best[i];
                });
                with_step(p.index_stride[2], [&](auto step) {
                    for (int64_t i = 0; i < n; ++i) at[i * step] = where[i];
                });
            }
}

// Where bins begin; bin i ends where the next one begins, or behind the item that they share.
inline int64_t bin_start(const Pool& p, int axis, int64_t i) { return i * p.length[axis] / p.count[axis]; }
inline int64_t bin_end(const Pool& p, int axis, int64_t i) { return ((i + 1) * p.length[axis] + p.count[axis] - 1) / p.count[axis]; }

inline Span bin(const Pool& p, int axis, int64_t i) { return {bin_start(p, axis, i), bin_end(p, axis, i), 1, 0}; }

template <class T>
void adaptive_max(const Pool& p) {
    each_window<T>(p, bin, greatest<T>);
}

template <class T>
inline void divide(const Pool& p, int64_t d, int64_t h, int64_t first, int64_t n, T* sums) {
    if (p.divisor != 0) {
        for (int64_t i = 0; i < n; ++i) sums[i] /= T(p.divisor);
        return;
    }
    const double outer = double(counted(p, 0, d)) * double(counted(p, 1, h));  // as whole numbers three of 2**31 would not fit
    if (counted(p, 2, first) == p.kernel[2] && counted(p, 2, first + n - 1) == p.kernel[2]) {  // so do those between
        const T items = T(outer * double(p.kernel[2]));
        for (int64_t i = 0; i < n; ++i) sums[i] /= items;
        return;
    }
    for (int64_t i = 0; i < n; ++i) sums[i] /= T(outer * double(counted(p, 2, first + i)));
}

template <class T>
inline T sum_of(const T* x, int64_t stride, int64_t n) {
    constexpr int L = kLanes<T>;
    T sum = T(0);
    int64_t i = 0;
    if (stride == 1 && n >= L) {
        Vec<T> sums = {};
        for (; i + L <= n; i += L) sums += load(x + i);
        for (int l = 0; l < L; ++l) sum += sums[l];
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

template <class T>
void average(const Pool& p) {
    const T* x = reinterpret_cast<const T*>(p.x);
    T* out = reinterpret_cast<T*>(p.out);
    if (whole(p)) {
        *out = sum_of(x, 1, p.length[0] * p.length[1] * p.length[2]);
        return divide(p, 0, 0, 0, 1, out);
    }
    const bool wide = p.kernel[2] > p.count[2] && p.dilation[2] == 1;  // long windows, few of them
    if (!wide && one_by_one<T>(p))
        return each_window<T>(p, seen, [](const Pool& p, const Span& d, const Span& h, const Span& w, T& mean, int64_t) {
            const T* x = reinterpret_cast<const T*>(p.x);
            T sum = T(0);
            for (int64_t z = d.begin; z < d.end; z += d.step)
                for (int64_t y = h.begin; y < h.end; y += h.step) {
                    const T* row = x + z * p.x_stride[0] + y * p.x_stride[1];
                    for (int64_t i = w.begin; i < w.end; i += w.step) sum += row[i * p.x_stride[2]];
                }
            mean = sum / T(p.divisor != 0 ? p.divisor : double(d.counted) * double(h.counted) * double(w.counted));
        });
    T sums[kWindows];
    for (int64_t d = 0; d < p.count[0]; ++d)
        for (int64_t h = 0; h < p.count[1]; ++h)
            for (int64_t first = 0; first < p.count[2]; first += kWindows) {
                const int64_t n = p.count[2] - first < kWindows ? p.count[2] - first : kWindows;
                for (int64_t i = 0; i < n; ++i) sums[i] = T(0);
                if (wide) {
                    Pool rows = p;  // each window's rows as one tap
                    rows.kernel[2] = 1;
                    for (int64_t i = 0; i < n; ++i) {
                        const int64_t start = (first + i) * p.stride[2] - p.padding[2], begin = start > 0 ? start : 0;
                        const int64_t end = start + p.kernel[2] < p.length[2] ? start + p.kernel[2] : p.length[2];
                        rows.padding[2] = -begin;
                        if (begin < end)
                            each_tap<T>(rows, d, h, 0, 1, [&](int64_t, int64_t, int64_t z, int64_t y, int64_t at) {
                                sums[i] += sum_of(x + z * p.x_stride[0] + y * p.x_stride[1] + at * p.x_stride[2], p.x_stride[2],
                                                  end - begin);
                            });
                    }
                } else {
                    with_step(p.stride[2] * p.x_stride[2], [&](auto apart) {
                        each_tap<T>(p, d, h, first, n, [&](int64_t begin, int64_t some, int64_t z, int64_t y, int64_t at) {
                            const T* from = x + z * p.x_stride[0] + y * p.x_stride[1] + at * p.x_stride[2];
                            T* to = sums + begin;
#pragma GCC ivdep
                            for (int i = 0; i < int(some); ++i) to[i] += from[i * apart];
                        });
                    });
                }
                divide(p, d, h, first, n, sums);
                T* to = out + d * p.out_stride[0] + h * p.out_stride[1] + first * p.out_stride[2];
                for (int64_t i = 0; i < n; ++i) to[i * p.out_stride[2]] = sums[i];
            }
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
                    each_tap<T>(p, d, h, first, n, [&](int64_t begin, int64_t some, int64_t z, int64_t y, int64_t at) {
                        T* to = x + z * p.x_stride[0] + y * p.x_stride[1] + at * p.x_stride[2];
                        const T* part = parts + begin;
#pragma GCC ivdep
                        for (int i = 0; i < int(some); ++i) to[i * apart] += part[i];
                    });
                });
            }
}

extern const Pools pools = {
    {max<float>, max<double>}, {adaptive_max<float>, adaptive_max<double>}, {average<float>, average<double>}, {average_gradient<float>, average_gradient<double>},
    {overlap_add<float>, overlap_add<double>}};

}  // namespace lamina::LAMINA_ISA
