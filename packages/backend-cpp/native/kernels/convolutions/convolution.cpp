// convolution and its transposes in the input and in the weight: reads and checks what they are called with.
#include <algorithm>

#include "dtypes/narrow_floats.hpp"
#include "kernels/convolutions/amx_convolution.hpp"
#include "kernels/convolutions/correlation.hpp"
#include "kernels/convolutions/depthwise.hpp"
#include "kernels/convolutions/spatial_numbers.hpp"
#include "kernels/convolutions/winograd.hpp"
#include "runtime/kernel.hpp"

namespace lamina {
namespace {

const Loops* all_loops;

// The three arrays of a convolution: whichever is the result, their shapes fit to each other in the same way.
struct Convolution {
    View x, weight, y, bias;
    bool biased = false;
    int rank = 0;
    int64_t groups = 1;
    Numbers stride, padding, dilation;

    void check(const Call& call, const View& result) {
        if (y.code != x.code || weight.code != x.code || (biased && bias.code != x.code))
            fail(PyExc_TypeError, "%s: %s and %s into or from %s%s; it wants one dtype", call.op, kNames[x.code],
                 kNames[weight.code], kNames[y.code], biased ? ", with a bias" : "");
        rank = x.g.ndim - 2;
        if (rank < 1 || rank > kSpatial || weight.g.ndim != x.g.ndim || y.g.ndim != x.g.ndim)
            fail(PyExc_ValueError, "%s: arrays of %d, %d and %d dimensions; it wants 3 to 5, alike", call.op, x.g.ndim,
                 weight.g.ndim, y.g.ndim);
        stride = numbers(call, "stride", rank, 1, 1);
        padding = numbers(call, "padding", rank, 0, 0);
        dilation = numbers(call, "dilation", rank, 1, 1);
        const long long parts = PyLong_AsLongLong(call.keyword("groups"));
        if (parts == -1 && PyErr_Occurred()) throw PythonError{};
        if (parts < 1) fail(PyExc_ValueError, "%s: `groups` is %lld; it wants 1 or more", call.op, parts);
        groups = parts;
        bool fits = x.g.shape[0] == y.g.shape[0] && weight.g.shape[0] == y.g.shape[1] && y.g.shape[1] % groups == 0 &&
                    x.g.shape[1] % groups == 0 && x.g.shape[1] / groups == weight.g.shape[1] &&
                    (!biased || (bias.g.ndim == 1 && bias.g.shape[0] == result.g.shape[1]));
        for (int d = 0; fits && d < rank; ++d) {
            const int a = d + kSpatial - rank;
            const int64_t length = x.g.shape[2 + d], kernel = weight.g.shape[2 + d];
            fits = kernel >= 1 && length < kMost && kernel < kMost;
            const int64_t reach = fits ? length + 2 * padding.at[a] - dilation.at[a] * (kernel - 1) - 1 : -1;
            fits = fits && reach >= 0 && y.g.shape[2 + d] == reach / stride.at[a] + 1;
        }
        if (!fits) fail(PyExc_ValueError, "%s: the shapes of input, weight%s and result do not fit", call.op, biased ? ", bias" : "");
    }

    int64_t kernel(int axis) const {
        const int d = axis - (kSpatial - rank);
        return d < 0 ? 1 : weight.g.shape[2 + d];
    }

    // Items of 16 bits become float32, of which `made` is written; false where some are not dense.
    bool widen(const View& made) {
        const auto each = [&](AsFloats& floats, View& v) { return &v == &made ? floats.write(v) : floats.read(v); };
        return each(floats_[0], x) && each(floats_[1], weight) && each(floats_[2], y) && (!biased || each(floats_[3], bias));
    }
    void finish() const {
        for (const AsFloats& floats : floats_) floats.finish();
    }

    // Whether items of bfloat16 stay what they are, where results have so many channels and are each made of so many of the other array.
    bool by_amx(int64_t rows, int64_t channels) const {
        constexpr int64_t kFewRows = 8, kFewTaps = 16;
        return x.code == kBFloat16 && has_amx() && rows >= kFewRows && channels * kernel(0) * kernel(1) * kernel(2) >= kFewTaps;
    }
    bool forwards_by_amx() const { return by_amx(weight.g.shape[0] / groups, weight.g.shape[1]); }
    bool backwards_by_amx() const { return by_amx(weight.g.shape[1], weight.g.shape[0] / groups); }

    void read_bias(const Call& call) {
        biased = call.positional[3] != Py_None;
        if (biased) bias.read(call.positional[3], false, call.op);
    }
    const View* given_bias() const { return biased ? &bias : nullptr; }

    void check_lengths(const Call& call, const View& made) const {
        const Numbers lengths = numbers(call, "lengths", rank, 1, 0);
        for (int d = 0; d < rank; ++d)
            if (lengths.at[d + kSpatial - rank] != made.g.shape[2 + d])
                fail(PyExc_ValueError, "%s: out does not have the spatial `lengths`", call.op);
    }

    void taps(Filters& filters) const {
        for (int a = 0; a < kSpatial; ++a) filters.tap[a] = kernel(a) == 1 ? 0 : weight.g.strides[2 + a - (kSpatial - rank)];
    }
    // Seen from the input's side: rows are outputs.
    Filters forwards() const {
        const int64_t rows = weight.g.shape[0] / groups;
        Filters found{weight.data, rows * weight.g.strides[0], weight.g.strides[0], weight.g.strides[1], {}, rows};
        taps(found);
        return found;
    }
    Filters backwards() const {
        Filters found{weight.data, weight.g.shape[0] / groups * weight.g.strides[0], weight.g.strides[1], weight.g.strides[0], {},
                      weight.g.shape[1]};
        taps(found);
        return found;
    }
    // Whether the products of all taps, added up, are less work than windows over the results, of which each phase has its own.
    bool better_added(const Images& images, const Images& inputs) const {
        double faced = 1, added = 1, phases = 1;
        int64_t side_by_side = 1;
        for (int a = kSpatial - 1; a >= 0; --a) {
            faced *= double(inputs.length[a]) * double(kernel(a)) / double(stride.at[a]);
            added *= double(images.length[a]) * double(kernel(a));
            phases *= double(stride.at[a]);
            const int d = a - (kSpatial - rank);
            if (d >= 0 && kernel(a) > 1 && weight.g.strides[2 + d] != side_by_side) return false;
            side_by_side *= kernel(a);
        }
        if (weight.g.shape[1] > 1 && weight.g.strides[1] != side_by_side) return false;
        const double depth = double(images.channels);
        return phases > 16 || (weight.g.shape[1] > 3 && faced * depth > 1.1 * added * (depth + 16));
    }
    Pool windows(const Images& images, const Images& inputs) const {
        Pool found{};
        for (int a = 0; a < kSpatial; ++a) {
            found.length[a] = inputs.length[a];
            found.x_stride[a] = inputs.stride[a];
            found.count[a] = images.length[a];
            found.kernel[a] = kernel(a);
            found.stride[a] = stride.at[a];
            found.padding[a] = padding.at[a];
            found.dilation[a] = dilation.at[a];
        }
        return found;
    }
    void axes(const Images& images, const Images& results, WindowAxis* found) const {
        for (int a = 0; a < kSpatial; ++a)
            found[a] = sliding_axis(images.length[a], results.length[a], kernel(a), stride.at[a], padding.at[a], dilation.at[a]);
    }

   private:
    AsFloats floats_[4];
};

void correlate_best(int code, int64_t groups, const Images& images, const WindowAxis* axes, const Filters& filters, const View* bias,
                    const Images& results) {
    if (is_narrow(code)) return correlate_by_amx(groups, images, axes, filters, bias, results);
    if (!correlate_planes(code, groups, images, axes, filters, bias, results) &&
        !winograd_correlate(*all_loops, code, groups, images, axes, filters, bias, results))
        correlate(*all_loops->correlations, code, groups, images, axes, filters, bias, results);
}

bool run_convolution(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x, weight and bias", call.op, call.count);
    call.require_keywords(4);
    Convolution c;
    c.y.read(call.positional[0], true, call.op);
    c.x.read(call.positional[1], false, call.op);
    c.weight.read(call.positional[2], false, call.op);
    c.read_bias(call);
    if (kernel.rows[c.x.code] == nullptr) return false;
    c.check(call, c.y);
    if (c.y.g.size == 0) return true;
    if (!c.forwards_by_amx() && !c.widen(c.y)) return false;
    const Images images(c.x, c.groups), results(c.y, c.groups);
    WindowAxis axes[kSpatial];
    c.axes(images, results, axes);
    const View* bias = c.given_bias();
    correlate_best(c.x.code, c.groups, images, axes, c.forwards(), bias, results);
    c.finish();
    return true;
}

bool run_input_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient, weight and bias", call.op, call.count);
    call.require_keywords(5);
    Convolution c;
    c.x.read(call.positional[0], true, call.op);
    c.y.read(call.positional[1], false, call.op);
    c.weight.read(call.positional[2], false, call.op);
    c.read_bias(call);
    if (kernel.rows[c.x.code] == nullptr) return false;
    c.check(call, c.x);
    c.check_lengths(call, c.x);
    if (c.x.g.size == 0) return true;
    const bool by_amx = c.backwards_by_amx();
    if (!by_amx && !c.widen(c.x)) return false;
    const Images images(c.y, c.groups), inputs(c.x, c.groups);
    if (!by_amx && c.better_added(images, inputs)) {
        Filters filters = c.backwards();
        filters.row = 1;
        const Pool windows = c.windows(images, inputs);
        overlap(*all_loops->correlations, *all_loops->pools, c.x.code, c.groups, images, filters, windows, c.given_bias(), inputs);
        c.finish();
        return true;
    }
    for (int64_t d = 0; d < c.stride.at[0]; ++d)
        for (int64_t h = 0; h < c.stride.at[1]; ++h)
            for (int64_t w = 0; w < c.stride.at[2]; ++w) {
                const int64_t phases[kSpatial] = {d, h, w};
                WindowAxis axes[kSpatial];
                Images results = inputs;
                for (int a = 0; a < kSpatial; ++a) {
                    int64_t origin;
                    axes[a] = facing_axis(inputs.length[a], images.length[a], c.kernel(a), c.stride.at[a], c.padding.at[a],
                                          c.dilation.at[a], phases[a], origin);
                    results.data += origin * inputs.stride[a] * c.x.itemsize();
                    results.stride[a] *= c.stride.at[a];
                }
                correlate_best(c.x.code, c.groups, images, axes, c.backwards(), c.given_bias(), results);
            }
    c.finish();
    return true;
}

bool run_weight_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient and x", call.op, call.count);
    call.require_keywords(5);
    Convolution c;
    c.weight.read(call.positional[0], true, call.op);
    c.y.read(call.positional[1], false, call.op);
    c.x.read(call.positional[2], false, call.op);
    if (kernel.rows[c.x.code] == nullptr) return false;
    c.check(call, c.weight);
    c.check_lengths(call, c.weight);
    if (c.weight.g.size == 0) return true;
    const bool by_amx = c.forwards_by_amx();
    if (!by_amx && !c.widen(c.weight)) return false;
    const Images images(c.x, c.groups), results(c.y, c.groups);
    WindowAxis axes[kSpatial];
    c.axes(images, results, axes);
    if (by_amx) {
        weight_gradient_by_amx(c.groups, images, axes, c.forwards(), results);
        return true;
    }
    if (!winograd_weight_gradient(*all_loops, c.x.code, c.groups, images, axes, c.forwards(), results))
        weight_gradient(*all_loops->correlations, *all_loops->weight_gradients, c.x.code, c.groups, images, axes, c.forwards(), results);
    c.finish();
    return true;
}

const Registration registration([](const Loops& loops) {
    all_loops = &loops;
    for (const int code : kFloats) {
        kernel_named("convolution", run_convolution).rows[code] = kServed;
        kernel_named("convolution_input_gradient", run_input_gradient).rows[code] = kServed;
        kernel_named("convolution_weight_gradient", run_weight_gradient).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
