// softmax and log_softmax along any one axis: rows that do not lie side by side pass through a buffer.
#include <algorithm>
#include <memory>

#include "kernel.hpp"
#include "threads.hpp"

namespace lamina {
namespace {

struct Rows {
    int64_t n, count, x_step, out_step;
    int outer = 0;
    int64_t shape[kMaxDims], x_strides[kMaxDims], out_strides[kMaxDims];

    void locate(int64_t at, int64_t& x, int64_t& out) const {
        x = out = 0;
        for (int d = outer - 1; d >= 0; --d) {
            const int64_t rest = d > 0 ? at / shape[d] : 0, i = at - rest * shape[d];
            at = rest;
            x += i * x_strides[d];
            out += i * out_strides[d];
        }
    }
};

template <class T>
void run_rows(const Rows& rows, SoftmaxRow row, const View& out, const View& x, T* buffer, int64_t begin, int64_t end) {
    T* to = reinterpret_cast<T*>(out.data);
    const T* from = reinterpret_cast<const T*>(x.data);
    for (int64_t i = begin; i < end; ++i) {
        int64_t at_x, at_out;
        rows.locate(i, at_x, at_out);
        const T* source = from + at_x;
        if (rows.x_step != 1) {
            for (int64_t j = 0; j < rows.n; ++j) buffer[j] = source[j * rows.x_step];
            source = buffer;
        }
        T* target = rows.out_step == 1 ? to + at_out : buffer;
        row(reinterpret_cast<char*>(target), reinterpret_cast<const char*>(source), rows.n);
        if (rows.out_step != 1)
            for (int64_t j = 0; j < rows.n; ++j) to[at_out + j * rows.out_step] = buffer[j];
    }
}

bool run_softmax(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    if (kernel.rows[x.code] == nullptr) return false;
    if (out.code != x.code)
        fail(PyExc_TypeError, "%s: out is %s and x %s; it wants one dtype", call.op, kNames[out.code], kNames[x.code]);
    require_same_shape(out, x, call.op);
    const long axis = PyLong_AsLong(call.keyword("axis"));
    if (axis == -1 && PyErr_Occurred()) throw PythonError{};
    if (axis < 0 || axis >= x.g.ndim)
        fail(PyExc_ValueError, "%s: axis %ld of an array with %d dimensions", call.op, axis, x.g.ndim);
    if (x.g.size == 0) return true;
    Rows rows;
    rows.n = x.g.shape[axis];
    rows.count = x.g.size / rows.n;
    rows.x_step = rows.n == 1 ? 1 : x.g.strides[axis];
    rows.out_step = rows.n == 1 ? 1 : out.g.strides[axis];
    for (int d = 0; d < x.g.ndim; ++d) {
        if (d == axis || x.g.shape[d] == 1) continue;
        rows.shape[rows.outer] = x.g.shape[d];
        rows.x_strides[rows.outer] = x.g.strides[d];
        rows.out_strides[rows.outer++] = out.g.strides[d];
    }
    const auto row = reinterpret_cast<SoftmaxRow>(const_cast<void*>(kernel.rows[x.code]));
    const bool buffered = rows.x_step != 1 || rows.out_step != 1;
    const int64_t cost = x.g.size * 4, pieces = cost < kParallel ? 1 : std::min<int64_t>(rows.count, 4 * num_threads());
    const int64_t grain = (rows.count + pieces - 1) / pieces;
    // One buffer for each piece: made here, as pieces must not throw.
    const int64_t item = x.itemsize();
    std::unique_ptr<double[]> buffers(buffered ? new double[size_t((pieces * rows.n * item + 7) / 8 + 8)] : nullptr);
    const WithoutGil free(cost >= kReleaseGil);
    parallel(rows.count, grain, [&](int64_t begin, int64_t end) {
        char* buffer = reinterpret_cast<char*>(buffers.get()) + (buffered ? begin / grain * rows.n * item : 0);
        if (x.code == kFloat32)
            run_rows<float>(rows, row, out, x, reinterpret_cast<float*>(buffer), begin, end);
        else
            run_rows<double>(rows, row, out, x, reinterpret_cast<double*>(buffer), begin, end);
    });
    return true;
}

}  // namespace

void register_softmax(const Loops& loops) {
    const int codes[] = {kFloat32, kFloat64};
    for (int i = 0; i < 2; ++i) {
        kernel_named("softmax", run_softmax).rows[codes[i]] = reinterpret_cast<const void*>(loops.softmaxes->softmax[i]);
        kernel_named("log_softmax", run_softmax).rows[codes[i]] = reinterpret_cast<const void*>(loops.softmaxes->log_softmax[i]);
    }
}

}  // namespace lamina
