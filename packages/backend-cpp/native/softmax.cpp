// softmax and log_softmax along any one axis.
#include "kernel.hpp"
#include "rows.hpp"

namespace lamina {
namespace {

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
    const auto loop = reinterpret_cast<SoftmaxRow>(const_cast<void*>(kernel.rows[x.code]));
    Rows rows(x, int(axis));
    rows.add(out, true, true);
    rows.add(x, true);
    rows.run(4, [&](int64_t, char* const* p) { loop(p[0], p[1], rows.n); });
    return true;
}

}  // namespace

void register_softmax(const Loops& loops) {
    for (int code : kFloats) {
        const int i = code == kFloat64;
        kernel_named("softmax", run_softmax).rows[code] = reinterpret_cast<const void*>(loops.softmaxes->softmax[i]);
        kernel_named("log_softmax", run_softmax).rows[code] = reinterpret_cast<const void*>(loops.softmaxes->log_softmax[i]);
    }
}

}  // namespace lamina
