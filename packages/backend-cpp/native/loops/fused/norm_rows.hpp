// Rows of normalisations: layers, groups of channels, and batches.
#pragma once

#include "loops/fused/class_rows.hpp"

namespace lamina::LAMINA_ISA::passes {

// A mean from where distances were measured and from their own mean, which is exact where all items are equal.
template <class T>
inline double refined(double mean, T centre, double distance) {
    const double better = double(centre) + distance;
    return better - better == 0 ? better : mean;
}

// Each block's mean first, then the distances from it: one pass over memory, and no cancellation.
template <class T>
void moments(const char* bytes, int64_t n, Moments& found) {
    const T* x = items<T>(bytes);
    for (int64_t start = 0; start < n; start += kBlock) {
        const int64_t some = n - start < kBlock ? n - start : kBlock;
        const T* from_here = x + start;
        const double mean = dot<T>(reinterpret_cast<const char*>(from_here), nullptr, some) / double(some);
        const T centre = T(mean);
        double distance, spread;
        two_sums<T>(
            some, distance, spread,
            [=](int64_t i, Vec<T>& a, Vec<T>& b) {
                const Vec<T> d = load(from_here + i) - centre;
                a += d;
                b += d * d;
            },
            [=](int64_t i, T& a, T& b) {
                const T d = from_here[i] - centre;
                a += d;
                b += d * d;
            });
        spread -= distance * distance / double(some);  // the mean was rounded
        found.join(double(some), refined(mean, centre, distance / double(some)), spread > 0 || spread != spread ? spread : 0);
    }
}

// What x less the mean, times a factor, wants beside it because the mean was rounded.
template <class T>
inline T lost_of(double mean, double by) {
    const double kept = double(T(mean));
    return kept == mean ? T(0) : T((kept - mean) * by);
}

template <class T>
void norm(NormRow& row) {
    const T *x = items<T>(row.x), *w = items<T>(row.weight), *b = items<T>(row.bias);
    T* out = items<T>(row.out);
    double square;
    if (row.centred) {
        Moments found;
        moments<T>(row.x, row.n, found);
        row.mean = found.mean;
        square = found.spread / double(row.n);
    } else {
        row.mean = 0;
        square = dot<T>(row.x, row.x, row.n) / double(row.n);
    }
    row.rstd = 1 / std::sqrt(square + row.eps);
    const T mean = T(row.mean), rstd = T(row.rstd), lost = lost_of<T>(row.mean, row.rstd);
    if (w == nullptr && b == nullptr)
        each<T>(out, row.n, [=](auto from, int64_t i) { return (from(x + i) - mean) * rstd + lost; });
    else if (b == nullptr)
        each<T>(out, row.n, [=](auto from, int64_t i) { return ((from(x + i) - mean) * rstd + lost) * from(w + i); });
    else if (w == nullptr)
        each<T>(out, row.n, [=](auto from, int64_t i) { return (from(x + i) - mean) * rstd + lost + from(b + i); });
    else
        each<T>(out, row.n, [=](auto from, int64_t i) { return ((from(x + i) - mean) * rstd + lost) * from(w + i) + from(b + i); });
}

template <class T>
void norm_gradient(const NormGradientRow& row) {
    const T *x = items<T>(row.x), *g = items<T>(row.gradient), *w = items<T>(row.weight);
    T *out = items<T>(row.out), *weights = items<T>(row.weight_sums), *biases = items<T>(row.bias_sums);
    const T mean = T(row.mean), rstd = T(row.rstd);
    double sum, product;
    if (w != nullptr)
        two_sums<T>(
            row.n, sum, product,
            [=](int64_t i, Vec<T>& a, Vec<T>& b) {
                const Vec<T> h = load(g + i) * load(w + i);
                a += h;
                b += h * ((load(x + i) - mean) * rstd);
            },
            [=](int64_t i, T& a, T& b) {
                const T h = g[i] * w[i];
                a += h;
                b += h * ((x[i] - mean) * rstd);
            });
    else
        two_sums<T>(
            row.n, sum, product,
            [=](int64_t i, Vec<T>& a, Vec<T>& b) {
                const Vec<T> h = load(g + i);
                a += h;
                b += h * ((load(x + i) - mean) * rstd);
            },
            [=](int64_t i, T& a, T& b) {
                a += g[i];
                b += g[i] * ((x[i] - mean) * rstd);
            });
    const T level = row.centred ? T(sum / double(row.n)) : T(0), slope = T(product / double(row.n));
    if (w != nullptr)
        each<T>(out, row.n, [=](auto from, int64_t i) {
            return rstd * (from(g + i) * from(w + i) - level - (from(x + i) - mean) * rstd * slope);
        });
    else
        each<T>(out, row.n, [=](auto from, int64_t i) {
            return rstd * (from(g + i) - level - (from(x + i) - mean) * rstd * slope);
        });
    if (weights != nullptr)
        each<T>(weights, row.n, [=](auto from, int64_t i) {
            return from(weights + i) + from(g + i) * ((from(x + i) - mean) * rstd);
        });
    if (biases != nullptr) each<T>(biases, row.n, [=](auto from, int64_t i) { return from(biases + i) + from(g + i); });
}

template <class T>
void add(char* to, const char* from_bytes, int64_t n) {
    T* sums = items<T>(to);
    const T* more = items<T>(from_bytes);
    each<T>(sums, n, [=](auto from, int64_t i) { return from(sums + i) + from(more + i); });
}

template <class T>
void add_rows(char* to, int64_t stride, const char* from, int64_t rows, int64_t n) {
    if (stride == n) return add<T>(to, from, rows * n);
    for (int64_t r = 0; r < rows; ++r) add<T>(to + r * stride * int64_t(sizeof(T)), from + r * n * int64_t(sizeof(T)), n);
}

template <class T>
void scale(char* out, const char* bytes, double about, double by, double plus, int64_t n) {
    const T* x = items<T>(bytes);
    const T mean = T(about), factor = T(by), shift = T(plus + lost_of<T>(about, by));
    each<T>(items<T>(out), n, [=](auto from, int64_t i) { return (from(x + i) - mean) * factor + shift; });
}

template <class T>
void products(const char* gradient, const char* bytes, double about, int64_t n, double& sum, double& product) {
    const T *g = items<T>(gradient), *x = items<T>(bytes);
    const T mean = T(about);
    two_sums<T>(
        n, sum, product,
        [=](int64_t i, Vec<T>& a, Vec<T>& b) {
            const Vec<T> h = load(g + i);
            a += h;
            b += h * (load(x + i) - mean);
        },
        [=](int64_t i, T& a, T& b) {
            a += g[i];
            b += g[i] * (x[i] - mean);
        });
}

template <class T>
void combine(char* out, const char* gradient, const char* bytes, double about, double of_g, double of_x, double rest, int64_t n) {
    const T *g = items<T>(gradient), *x = items<T>(bytes);
    const T mean = T(about), a = T(of_g), b = T(of_x), c = T(rest);
    each<T>(items<T>(out), n, [=](auto from, int64_t i) { return from(g + i) * a + (from(x + i) - mean) * b + c; });
}

constexpr int64_t kRowsAtOnce = 32;  // rows of a column summed in their own precision

// Sums down columns: f(row, column) is added to one of two sums per column by `add_row(r, first, second, begin, width)`.
template <class T, class F>
inline void sums_down(int64_t rows, int64_t columns, double* first, double* second, const F& terms) {
    constexpr int64_t kWidth = 256;
    T a[kWidth], b[kWidth];
    for (int64_t c = 0; c < columns; c += kWidth) {
        const int64_t width = columns - c < kWidth ? columns - c : kWidth;
        for (int64_t j = 0; j < width; ++j) first[c + j] = second[c + j] = 0;
        for (int64_t r = 0; r < rows; r += kRowsAtOnce) {
            const int64_t end = rows - r < kRowsAtOnce ? rows : r + kRowsAtOnce;
            for (int64_t j = 0; j < width; ++j) a[j] = b[j] = 0;
            for (int64_t i = r; i < end; ++i) terms(i, c, width, a, b);
            for (int64_t j = 0; j < width; ++j) {
                first[c + j] += a[j];
                second[c + j] += b[j];
            }
        }
    }
}

template <class T>
void moments_down(const char* bytes, int64_t rows, int64_t stride, int64_t columns, double* mean, double* spread) {
    const T* x = items<T>(bytes);
    sums_down<T>(rows, columns, mean, spread, [=](int64_t r, int64_t c, int64_t width, T* a, T*) {
        const T* line = x + r * stride + c;
#pragma GCC ivdep
        for (int64_t j = 0; j < width; ++j) a[j] += line[j];
    });
    for (int64_t j = 0; j < columns; ++j) mean[j] /= double(rows);
    constexpr int64_t kTile = 256;
    double rest[kTile];
    T centre[kTile];
    for (int64_t c = 0; c < columns; c += kTile) {
        const int64_t some = columns - c < kTile ? columns - c : kTile;
        for (int64_t j = 0; j < some; ++j) centre[j] = T(mean[c + j]);
        const T* const about = centre;
        sums_down<T>(rows, some, rest, spread + c, [=](int64_t r, int64_t at, int64_t width, T* a, T* b) {
            const T* line = x + r * stride + c + at;
#pragma GCC ivdep
            for (int64_t j = 0; j < width; ++j) {
                const T d = line[j] - about[at + j];
                a[j] += d;
                b[j] += d * d;
            }
        });
        for (int64_t j = 0; j < some; ++j) {
            const double less = spread[c + j] - rest[j] * rest[j] / double(rows);
            spread[c + j] = less > 0 || less != less ? less : 0;
            mean[c + j] = refined(mean[c + j], centre[j], rest[j] / double(rows));
        }
    }
}

template <class T>
void scale_down(char* to, const char* bytes, int64_t rows, int64_t stride, int64_t columns, const double* mean, const double* factor,
                const double* shift) {
    const T* x = items<T>(bytes);
    T* out = items<T>(to);
    constexpr int64_t kTile = 256;
    T about[kTile], by[kTile], plus[kTile];
    for (int64_t c = 0; c < columns; c += kTile) {
        const int64_t width = columns - c < kTile ? columns - c : kTile;
        for (int64_t j = 0; j < width; ++j) {
            about[j] = T(mean[c + j]), by[j] = T(factor[c + j]);
            plus[j] = T(shift[c + j] + lost_of<T>(mean[c + j], factor[c + j]));
        }
        for (int64_t r = 0; r < rows; ++r) {
            const T* line = x + r * stride + c;
            T* target = out + r * stride + c;
#pragma GCC ivdep
            for (int64_t j = 0; j < width; ++j) target[j] = (line[j] - about[j]) * by[j] + plus[j];
        }
    }
}

template <class T>
void products_down(const char* gradient, const char* bytes, int64_t rows, int64_t stride, int64_t columns, const double* mean,
                   double* sum, double* product) {
    const T *g = items<T>(gradient), *x = items<T>(bytes);
    sums_down<T>(rows, columns, sum, product, [=](int64_t r, int64_t c, int64_t width, T* a, T* b) {
        const T *line = x + r * stride + c, *grad = g + r * stride + c;
        const double* about = mean + c;
#pragma GCC ivdep
        for (int64_t j = 0; j < width; ++j) {
            a[j] += grad[j];
            b[j] += grad[j] * (line[j] - T(about[j]));
        }
    });
}

template <class T>
void combine_down(char* to, const char* gradient, const char* bytes, int64_t rows, int64_t stride, int64_t columns,
                  const double* mean, const double* of_g, const double* of_x, const double* rest) {
    const T *g = items<T>(gradient), *x = items<T>(bytes);
    T* out = items<T>(to);
    constexpr int64_t kTile = 256;
    T about[kTile], a[kTile], b[kTile], plus[kTile];
    for (int64_t c = 0; c < columns; c += kTile) {
        const int64_t width = columns - c < kTile ? columns - c : kTile;
        for (int64_t j = 0; j < width; ++j)
            about[j] = T(mean[c + j]), a[j] = T(of_g[c + j]), b[j] = T(of_x[c + j]), plus[j] = T(rest[c + j]);
        for (int64_t r = 0; r < rows; ++r) {
            const T *line = x + r * stride + c, *grad = g + r * stride + c;
            T* target = out + r * stride + c;
#pragma GCC ivdep
            for (int64_t j = 0; j < width; ++j) target[j] = grad[j] * a[j] + (line[j] - about[j]) * b[j] + plus[j];
        }
    }
}

}  // namespace lamina::LAMINA_ISA::passes
