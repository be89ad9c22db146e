// Arrays of channels, (batch, channels, spatial): row-major, or with the channels innermost; and what norms of them work through.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "dtypes/narrow_floats.hpp"
#include "dtypes/reals.hpp"
#include "kernels/fused/fused.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {

// Columns, and rows, are worked through some at a time where channels lie side by side.
constexpr int64_t kColumns = 64, kRowsEach = 1024;

// x as (batch, channels, spatial), with the channels innermost as rows of channels; views of vectors over channels, and of x's form.
class Channels {
   public:
    Channels(const Call& call, PyObject* given) : op_(call.op) {
        x.read(given, false, op_);
        if (x.g.ndim < 2) fail(PyExc_ValueError, "%s: x has %d dimensions; it wants (batch, channels, ...)", op_, x.g.ndim);
        batch = examples = x.g.shape[0];
        channels = x.g.shape[1];
        for (int d = 2; d < x.g.ndim; ++d) spatial *= x.g.shape[d];
        dense = x.g.contiguous;
        innermost = !dense && channels_innermost();
        if (!innermost) return;
        dense = true;
        batch *= spatial;
        spatial = 1;
    }

    void read_alike(View& v, PyObject* given, bool written, const char* name) {
        v.read(given, written, op_, &x);
        require(v, name, x.code, x.g.shape, x.g.ndim, op_);
        bool alike = innermost || v.g.contiguous;
        for (int d = 0; innermost && d < x.g.ndim; ++d) alike = alike && (x.g.shape[d] == 1 || v.g.strides[d] == x.g.strides[d]);
        dense = dense && alike;
    }

    void read_vector(View& v, PyObject* given, bool written, const char* name) {
        v.read(given, written, op_);
        require_dense(v, name, x.code, &channels, 1);
    }

    void read_optional(View& v, PyObject* given, const char* name) {
        if (given != Py_None) read_vector(v, given, false, name);
    }

    // A mean or a variance: of x's dtype, or of the one that it is computed with.
    void read_statistic(View& v, PyObject* given, bool written, const char* name) {
        v.read(given, written, op_);
        require_dense(v, name, v.code == x.code ? x.code : wide(x.code), &channels, 1);
    }

    void read_groups(View& v, PyObject* given, bool written, const char* name, int64_t groups) {
        const int64_t shape[] = {examples, groups};
        v.read(given, written, op_);
        require_dense(v, name, wide(x.code), shape, 2);
    }

    // What a gradient writes: those of x, of the weight and of the bias.
    void read_gradients(const Call& call, View& of_x, View& of_weight, View& of_bias) {
        read_alike(of_x, result_of(call, 0, 3), true, "out");
        read_vector(of_weight, result_of(call, 1, 3), true, "the weight's gradient");
        read_vector(of_bias, result_of(call, 2, 3), true, "the bias's gradient");
    }

    int64_t at(int64_t b, int64_t c) const { return (b * channels + c) * spatial * x.itemsize(); }
    int64_t count() const { return batch * spatial; }
    // Of the rows of channels of which each of `sets` has as many.
    int64_t rows_of(int64_t sets) const { return batch / sets; }
    int64_t stretches(int64_t sets = 1) const { return spatial > 1 ? 0 : (rows_of(sets) + kRowsEach - 1) / kRowsEach; }

    View x;
    int64_t examples, batch, channels, spatial = 1;
    bool dense, innermost;

   private:
    void require_dense(const View& v, const char* name, int code, const int64_t* shape, int ndim) {
        require(v, name, code, shape, ndim, op_);
        dense = dense && v.g.contiguous;
    }

    bool channels_innermost() const {
        int64_t expected = 1;
        for (int i = x.g.ndim; i > 0; --i) {  // the channels, the other axes from the last on, the batch
            const int d = i == x.g.ndim ? 1 : i == 1 ? 0 : i;
            if (x.g.shape[d] != 1 && x.g.strides[d] != expected) return false;
            expected *= x.g.shape[d];
        }
        return true;
    }

    const char* op_;
};

inline double of(const View& v, int64_t i, double otherwise) { return v.data == nullptr ? otherwise : value(v, i); }

// Calls part(set, row, rows, c, columns, slot) for tiles of columns in stretches of rows, whose sums are joined in order
// afterwards: `slot` is where those of column c belong among the columns of all stretches. None goes over the end of a set.
template <class F>
void each_tile(const Channels& all, int64_t sets, int64_t work, const F& part) {
    const int64_t tiles = (all.channels + kColumns - 1) / kColumns, tasks = tiles * all.stretches(sets) * sets;
    parallel(tasks, grain_of(tasks, work), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t stretch = i / tiles, set = stretch / all.stretches(sets), last = (set + 1) * all.rows_of(sets);
            const int64_t row = set * all.rows_of(sets) + stretch % all.stretches(sets) * kRowsEach, c = i % tiles * kColumns;
            part(set, row, std::min(kRowsEach, last - row), c, std::min(kColumns, all.channels - c), stretch * all.channels + c);
        }
    });
}

// The inner loops of norms over channels for items of one dtype; those of 16 bits pass through float32 in tiles.
class ChannelLoops {
   public:
    ChannelLoops(const void* row, int code) : loops_(*static_cast<const FusedLoops*>(row)), code_(code) {}

    void moments(char* x, int64_t n, Moments& found) const {
        in_blocks<1>(code_, &x, 1, 0, n, [&](char* const* p, int64_t some) { loops_.moments(p[0], some, found); });
    }

    void scale(char* out, char* x, double mean, double factor, double shift, int64_t n) const {
        char* const arrays[] = {out, x};
        in_blocks<2>(code_, arrays, 2, 1, n, [&](char* const* p, int64_t some) { loops_.scale(p[0], p[1], mean, factor, shift, some); });
    }

    void products(char* gradient, char* x, double mean, int64_t n, double& sum, double& product) const {
        char* const arrays[] = {gradient, x};
        sum = product = 0;
        in_blocks<2>(code_, arrays, 3, 0, n, [&](char* const* p, int64_t some) {
            double more, other;
            loops_.products(p[0], p[1], mean, some, more, other);
            sum += more;
            product += other;
        });
    }

    void combine(char* out, char* gradient, char* x, double mean, double a, double b, double c, int64_t n) const {
        char* const arrays[] = {out, gradient, x};
        in_blocks<3>(code_, arrays, 6, 1, n, [&](char* const* p, int64_t some) { loops_.combine(p[0], p[1], p[2], mean, a, b, c, some); });
    }

    // The same down at most kColumns columns (scale, combine: any number of them), as `FusedLoops` has them.
    void moments_down(char* x, int64_t rows, int64_t stride, int64_t columns, double* mean, double* spread) const {
        if (!is_narrow(code_)) return loops_.moments_down(x, rows, stride, columns, mean, spread);
        Moments found[kColumns];
        in_tiles<1>(code_, &x, 1, 0, {0, rows, stride, 0, columns}, [&](char* const* p, const Tile& tile) {
            double means[kColumns], spreads[kColumns];
            loops_.moments_down(p[0], tile.rows, tile.stride, tile.columns, means, spreads);
            for (int64_t c = 0; c < tile.columns; ++c) found[c].join(double(tile.rows), means[c], spreads[c]);
        });
        for (int64_t c = 0; c < columns; ++c) mean[c] = found[c].mean, spread[c] = found[c].spread;
    }

    void scale_down(char* out, char* x, int64_t rows, int64_t stride, int64_t columns, const double* mean, const double* factor,
                    const double* shift) const {
        char* const arrays[] = {out, x};
        in_tiles<2>(code_, arrays, 2, 1, {0, rows, stride, 0, columns}, [&](char* const* p, const Tile& tile) {
            const int64_t c = tile.column;
            loops_.scale_down(p[0], p[1], tile.rows, tile.stride, tile.columns, mean + c, factor + c, shift + c);
        });
    }

    void products_down(char* gradient, char* x, int64_t rows, int64_t stride, int64_t columns, const double* mean, double* sum,
                       double* product) const {
        char* const arrays[] = {gradient, x};
        for (int64_t c = 0; c < columns; ++c) sum[c] = product[c] = 0;
        in_tiles<2>(code_, arrays, 3, 0, {0, rows, stride, 0, columns}, [&](char* const* p, const Tile& tile) {
            double sums[kColumns], products[kColumns];
            loops_.products_down(p[0], p[1], tile.rows, tile.stride, tile.columns, mean, sums, products);
            for (int64_t c = 0; c < tile.columns; ++c) sum[c] += sums[c], product[c] += products[c];
        });
    }

    void combine_down(char* out, char* gradient, char* x, int64_t rows, int64_t stride, int64_t columns, const double* mean,
                      const double* a, const double* b, const double* plus) const {
        char* const arrays[] = {out, gradient, x};
        in_tiles<3>(code_, arrays, 6, 1, {0, rows, stride, 0, columns}, [&](char* const* p, const Tile& tile) {
            const int64_t c = tile.column;
            loops_.combine_down(p[0], p[1], p[2], tile.rows, tile.stride, tile.columns, mean + c, a + c, b + c, plus + c);
        });
    }

   private:
    const FusedLoops& loops_;
    const int code_;
};

}  // namespace lamina
