// max_pool, average_pool and their transposes: reads and checks what they are called with, and shares out the planes.
#include <algorithm>

#include "dtypes/narrow_floats.hpp"
#include "kernels/convolutions/spatial_numbers.hpp"
#include "kernels/indices/index_arrays.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const Pools* pools;

// An operand (n, channels, axes) with its strides per spatial axis, missing ones in front as length 1.
struct Planes {
    int64_t length[kSpatial], stride[kSpatial];

    // Whether all items lie `stride[2]` apart.
    bool even() const {
        return (length[1] == 1 || stride[1] == length[2] * stride[2]) &&
               (length[0] == 1 || stride[0] == length[1] * length[2] * stride[2]);
    }

    explicit Planes(const View& view) {
        const int rank = view.g.ndim - 2;
        for (int a = 0; a < kSpatial; ++a) {
            const int d = a - (kSpatial - rank);
            length[a] = d < 0 ? 1 : view.g.shape[2 + d];
            stride[a] = d < 0 ? 0 : view.g.strides[2 + d];
        }
    }
};

void require_planes(const Call& call, const View& x, const View& other) {
    if (x.g.ndim < 3 || x.g.ndim > 2 + kSpatial || other.g.ndim != x.g.ndim || x.g.shape[0] != other.g.shape[0] ||
        x.g.shape[1] != other.g.shape[1])
        fail(PyExc_ValueError, "%s: arrays of %d and %d dimensions; it wants (n, channels, 1 to 3 axes), alike in n and channels",
             call.op, x.g.ndim, other.g.ndim);
}

// Reads the windows' parameters and checks that `out` has room for just as many as there are over x.
Pool pool_of(const Call& call, const View& x, const View& out, bool dilated) {
    require_planes(call, x, out);
    const int rank = x.g.ndim - 2;
    const Numbers kernel = numbers(call, "kernel", rank, 1, 1), stride = numbers(call, "stride", rank, 1, 1);
    const Numbers padding = numbers(call, "padding", rank, 0, 0);
    const Numbers dilation = dilated ? numbers(call, "dilation", rank, 1, 1) : Numbers{{1, 1, 1}};
    const bool ceil = bool_of(call, "ceil");
    const Planes items(x), windows(out);
    Pool p{};
    for (int a = 0; a < kSpatial; ++a) {
        p.length[a] = items.length[a];
        p.x_stride[a] = items.stride[a];
        p.count[a] = windows.length[a];
        p.out_stride[a] = windows.stride[a];
        p.kernel[a] = kernel.at[a];
        p.stride[a] = stride.at[a];
        p.padding[a] = padding.at[a];
        p.dilation[a] = dilation.at[a];
        const int64_t reach = p.length[a] + 2 * p.padding[a] - p.dilation[a] * (p.kernel[a] - 1) - 1;
        int64_t count = p.length[a] < kMost && reach + (ceil ? p.stride[a] - 1 : 0) >= 0
                            ? (reach + (ceil ? p.stride[a] - 1 : 0)) / p.stride[a] + 1 : -1;
        if (ceil && (count - 1) * p.stride[a] >= p.length[a] + p.padding[a]) --count;
        if (count != p.count[a])
            fail(PyExc_ValueError, "%s: there are %lld windows along an axis of %lld, and room for %lld", call.op, (long long)count,
                 (long long)p.length[a], (long long)p.count[a]);
    }
    return p;
}

// Bins over the spatial axes of x, as many as `out` has room for.
Pool bins_of(const Call& call, const View& x, const View& out) {
    require_planes(call, x, out);
    const int rank = x.g.ndim - 2;
    const Numbers counts = numbers(call, "counts", rank, 1, 0);
    const Planes items(x), bins(out);
    Pool p{};
    for (int a = 0; a < kSpatial; ++a) {
        p.length[a] = items.length[a];
        p.x_stride[a] = items.stride[a];
        p.count[a] = bins.length[a];
        p.out_stride[a] = bins.stride[a];
        p.kernel[a] = p.count[a] > 0 ? p.length[a] / p.count[a] + 2 : 0;
        if (counts.at[a] != p.count[a] || p.length[a] < 1 || p.length[a] >= kMost)
            fail(PyExc_ValueError, "%s: %lld bins of an axis of %lld, and room for %lld", call.op, (long long)counts.at[a],
                 (long long)p.length[a], (long long)p.count[a]);
    }
    return p;
}

// Calls work(image, channel) for every plane, on several threads if there is so much to do.
template <class F>
void each_plane(const View& x, double work_of_plane, const F& work) {
    const int64_t channels = x.g.shape[1], planes = x.g.shape[0] * channels;
    const double all = double(planes) * work_of_plane;
    const int64_t pieces = all < double(kParallel) ? 1 : std::min<int64_t>(planes, 8 * num_threads());
    const WithoutGil free(all >= double(kReleaseGil));
    parallel(planes, (planes + pieces - 1) / pieces, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) work(i / channels, i % channels);
    });
}

char* plane_of(const View& view, int64_t image, int64_t channel) {
    return view.data + (image * view.g.strides[0] + channel * view.g.strides[1]) * view.itemsize();
}

double work_of(const Pool& p) {
    double found = 1;
    for (int a = 0; a < kSpatial; ++a) found *= double(p.count[a]) * double(p.kernel[a]);
    return found;
}

void require_one_dtype(const Call& call, const View& out, const View& x) {
    if (out.code != x.code) fail(PyExc_TypeError, "%s: %s into %s; it wants one dtype", call.op, kNames[x.code], kNames[out.code]);
}

bool run_max(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants (values, indices) and x", call.op, call.count);
    const bool adaptive = kernel.index == 1;
    call.require_keywords(adaptive ? 1 : 5);
    PyObject* outs = call.positional[0];
    if (!PyTuple_Check(outs) || PyTuple_GET_SIZE(outs) != 2)
        fail(PyExc_TypeError, "%s: out is a %s; it wants a tuple of values and indices", call.op, Py_TYPE(outs)->tp_name);
    View values, indices, x;
    values.read(PyTuple_GET_ITEM(outs, 0), true, call.op);
    indices.read(PyTuple_GET_ITEM(outs, 1), true, call.op);
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    require_one_dtype(call, values, x);
    AsFloats items, results;
    if (!items.read(x) || !results.write(values)) return false;
    if (indices.code != kInt64) fail(PyExc_TypeError, "%s: indices are %s; it wants int64", call.op, kNames[indices.code]);
    Pool shared = adaptive ? bins_of(call, x, values) : pool_of(call, x, values, true);
    require_same_shape(indices, values, call.op);
    if (values.g.size == 0) return true;
    const Planes index_planes(indices);
    double last = 1;
    for (int a = 0; a < kSpatial; ++a) {
        shared.index_stride[a] = index_planes.stride[a];
        last *= double(shared.length[a] + 2 * shared.dilation[a]);
    }
    if (!adaptive && x.code == kFloat32 && last >= double(kMost)) return false;  // indices are counted in 32 bits
    const auto loop = (adaptive ? pools->adaptive_max : pools->max)[x.code == kFloat32 ? 0 : 1];
    each_plane(x, work_of(shared), [&](int64_t image, int64_t channel) {
        Pool p = shared;
        p.x = plane_of(x, image, channel);
        p.out = plane_of(values, image, channel);
        p.indices = plane_of(indices, image, channel);
        loop(p);
    });
    results.finish();
    return true;
}

bool run_average(const Kernel& kernel, const Call& call) {
    const bool backwards = kernel.index == 1;
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and an input", call.op, call.count);
    call.require_keywords(backwards ? 7 : 6);
    View out, in;
    out.read(call.positional[0], true, call.op);
    in.read(call.positional[1], false, call.op);
    if (kernel.rows[in.code] == nullptr) return false;
    require_one_dtype(call, out, in);
    AsFloats items, results;
    if (!items.read(in) || !results.write(out)) return false;
    const View &x = backwards ? out : in, &y = backwards ? in : out;
    Pool shared = pool_of(call, x, y, false);
    if (backwards) {
        const Numbers lengths = numbers(call, "lengths", x.g.ndim - 2, 1, 0);
        for (int a = 0; a < kSpatial; ++a)
            if (lengths.at[a] != shared.length[a]) fail(PyExc_ValueError, "%s: out does not have the spatial `lengths`", call.op);
    }
    shared.count_padding = bool_of(call, "count_padding");
    PyObject* divisor = call.keyword("divisor");
    if (divisor != Py_None) {
        shared.divisor = PyFloat_AsDouble(divisor);
        if (shared.divisor == -1.0 && PyErr_Occurred()) throw PythonError{};
        if (shared.divisor == 0) return false;
    }
    if (out.g.size == 0) return true;
    const auto loop = (backwards ? pools->average_gradient : pools->average)[in.code == kFloat32 ? 0 : 1];
    each_plane(x, work_of(shared), [&](int64_t image, int64_t channel) {
        Pool p = shared;
        p.x = plane_of(x, image, channel);
        p.out = plane_of(y, image, channel);
        loop(p);
    });
    results.finish();
    return true;
}

// to[place(index)] += g, for n windows that lie some items apart, and so do their indices.
template <class T, class Place>
void add_row(T* to, const T* g, int64_t g_stride, const int64_t* indices, int64_t stride, int64_t n, int64_t size, const Place& place) {
    if (g_stride == 1 && stride == 1) {
        for (int64_t i = 0; i < n; ++i) to[place(index_at(indices + i, size))] += g[i];
        return;
    }
    for (int64_t i = 0; i < n; ++i, g += g_stride, indices += stride) to[place(index_at(indices, size))] += *g;
}

template <class T>
void add_at_indices(T* to, const Planes& items, const T* gradient, const Planes& windows, const int64_t* indices,
                      const Planes& at, int64_t size) {
    const auto add = [&](const auto& place) {
        const int64_t g_stride = windows.stride[2], stride = at.stride[2];
        if (windows.even() && at.even()) {
            const int64_t n = windows.length[0] * windows.length[1] * windows.length[2];
            return add_row(to, gradient, g_stride, indices, stride, n, size, place);
        }
        for (int64_t d = 0; d < windows.length[0]; ++d)
            for (int64_t h = 0; h < windows.length[1]; ++h)
                add_row(to, gradient + d * windows.stride[0] + h * windows.stride[1], g_stride,
                        indices + d * at.stride[0] + h * at.stride[1], stride, windows.length[2], size, place);
    };
    if (items.stride[2] == 1 && items.even()) {
        std::fill_n(to, size, T(0));
        return add([](int64_t index) { return index; });
    }
    for (int64_t d = 0; d < items.length[0]; ++d)
        for (int64_t h = 0; h < items.length[1]; ++h)
            for (int64_t w = 0; w < items.length[2]; ++w)
                to[d * items.stride[0] + h * items.stride[1] + w * items.stride[2]] = T(0);
    add([&](int64_t index) {
        return index / (items.length[1] * items.length[2]) * items.stride[0] +
               index / items.length[2] % items.length[1] * items.stride[1] + index % items.length[2] * items.stride[2];
    });
}

bool run_max_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, gradient and indices", call.op, call.count);
    call.require_keywords(1);
    View out, gradient, indices;
    out.read(call.positional[0], true, call.op);
    gradient.read(call.positional[1], false, call.op);
    indices.read(call.positional[2], false, call.op);
    if (kernel.rows[gradient.code] == nullptr) return false;
    require_one_dtype(call, out, gradient);
    AsFloats gradients, results;
    if (!gradients.read(gradient) || !results.write(out)) return false;
    if (indices.code != kInt64) fail(PyExc_TypeError, "%s: indices are %s; it wants int64", call.op, kNames[indices.code]);
    require_planes(call, gradient, out);
    require_same_shape(gradient, indices, call.op);
    const Planes items(out), windows(gradient), at(indices);
    const Numbers lengths = numbers(call, "lengths", out.g.ndim - 2, 1, 0);
    for (int a = 0; a < kSpatial; ++a)
        if (lengths.at[a] != items.length[a]) fail(PyExc_ValueError, "%s: out does not have the spatial `lengths`", call.op);
    if (out.g.size == 0 && gradient.g.size == 0) return true;
    if (may_meet(out, indices)) return false;  // they are checked before out is written, and read behind it
    const int64_t size = items.length[0] * items.length[1] * items.length[2];
    require_within(indices, -size, size, 2, call.op);
    const double count = double(windows.length[0] * windows.length[1] * windows.length[2]);
    each_plane(out, double(size) + 2 * count, [&](int64_t image, int64_t channel) {
        const auto* taken = reinterpret_cast<const int64_t*>(plane_of(indices, image, channel));
        char *to = plane_of(out, image, channel), *from = plane_of(gradient, image, channel);
        if (out.code == kFloat32)
            add_at_indices(reinterpret_cast<float*>(to), items, reinterpret_cast<const float*>(from), windows, taken, at, size);
        else
            add_at_indices(reinterpret_cast<double*>(to), items, reinterpret_cast<const double*>(from), windows, taken, at, size);
    });
    results.finish();
    return true;
}

const Registration registration([](const Loops& loops) {
    pools = loops.pools;
    Kernel& gradient = kernel_named("average_pool_gradient", run_average);
    gradient.index = 1;
    Kernel& adaptive = kernel_named("adaptive_max_pool", run_max);
    adaptive.index = 1;
    for (const int code : kFloats) {
        kernel_named("max_pool", run_max).rows[code] = kServed;
        adaptive.rows[code] = kServed;
        kernel_named("max_pool_gradient", run_max_gradient).rows[code] = kServed;
        kernel_named("average_pool", run_average).rows[code] = kServed;
        gradient.rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
