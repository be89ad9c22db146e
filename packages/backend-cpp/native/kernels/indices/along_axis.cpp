// gather, scatter, scatter_add and scatter_reduce: each item goes along one axis, to or from the index that is given for it.
#include <algorithm>
#include <cstdlib>

#include "dtypes/narrow_floats.hpp"
#include "kernels/indices/accumulation.hpp"
#include "kernels/indices/index_arrays.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

// The indices' dimensions: how the indexed array (by its other axes), the indices and the items step along each.
struct Dim {
    int64_t n, indexed, indices, items;
    bool axis;
};

struct Lines {
    int ndim = 0;
    Dim dims[kMaxDims];
    int64_t length, step;  // of the indexed axis
    int split = -1;        // the dimension that threads share

    Lines(const View& indexed, const View& indices, const View& items, int axis, bool any_order) {
        length = indexed.g.shape[axis];
        step = indexed.g.strides[axis];
        for (int d = 0; d < indices.g.ndim; ++d) {
            const int64_t n = indices.g.shape[d];
            if (n == 1) continue;
            const Dim dim = {n, d == axis ? 0 : indexed.g.strides[d], indices.g.strides[d], items.g.strides[d], d == axis};
            Dim* outer = ndim > 0 ? &dims[ndim - 1] : nullptr;
            if (outer != nullptr && !outer->axis && !dim.axis && outer->indexed == dim.indexed * n &&
                outer->indices == dim.indices * n && outer->items == dim.items * n)
                *outer = {outer->n * n, dim.indexed, dim.indices, dim.items, false};
            else
                dims[ndim++] = dim;
        }
        if (ndim == 0) dims[ndim++] = {1, 0, 0, 0, false};
        for (int d = 0; d < ndim; ++d)
            if ((any_order || !dims[d].axis) && (split < 0 || dims[d].n > dims[split].n)) split = d;
    }

    // Calls run(indexed, indices, items, innermost dimension) for each innermost line within part of the split dimension.
    template <class T, class Run>
    void walk(T* indexed, const int64_t* indices, T* items, int64_t begin, int64_t end, const Run& run) const {
        Dim mine[kMaxDims];
        std::copy_n(dims, ndim, mine);
        if (split >= 0) {
            const Dim& shared = dims[split];
            indexed += begin * shared.indexed;
            indices += begin * shared.indices;
            items += begin * shared.items;
            mine[split].n = end - begin;
        }
        const Dim& inner = mine[ndim - 1];
        int64_t index[kMaxDims] = {};
        for (;;) {
            run(indexed, indices, items, inner);
            int d = ndim - 2;
            for (; d >= 0; --d) {
                indexed += mine[d].indexed;
                indices += mine[d].indices;
                items += mine[d].items;
                if (++index[d] < mine[d].n) break;
                indexed -= index[d] * mine[d].indexed;
                indices -= index[d] * mine[d].indices;
                items -= index[d] * mine[d].items;
                index[d] = 0;
            }
            if (d < 0) return;
        }
    }

    template <class T, class Run>
    void run(T* indexed, const int64_t* indices, T* items, int64_t size, const Run& each) const {
        const int64_t n = split >= 0 ? dims[split].n : 1;
        const int64_t pieces = size < kParallel ? 1 : std::min(n, 4 * int64_t(num_threads()));
        parallel(n, (n + pieces - 1) / pieces,
                 [&](int64_t begin, int64_t end) { walk(indexed, indices, items, begin, end, each); });
    }
};

// Calls each(i, offset) for the indices of a line. Where all steps are 1, as they mostly are, the compiler knows it.
template <class Each>
void along(const int64_t* indices, int64_t step_of_indices, int64_t length, int64_t step, int64_t n, const Each& each) {
    if (step_of_indices == 1 && step == 1)
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; ++i) each(i, index_at(indices + i, length));
    else
#pragma GCC unroll 4
        for (int64_t i = 0; i < n; ++i) each(i, index_at(indices + i * step_of_indices, length) * step);
}

// Reads indices and axis, and checks all that the three operands must have in common.
int read_along(const View& indexed, View& indices, PyObject* given, const View& items, const Call& call) {
    const long axis = PyLong_AsLong(call.keyword("axis"));
    if (axis == -1 && PyErr_Occurred()) throw PythonError{};
    indices.read(given, false, call.op, &items);
    if (axis < 0 || axis >= indexed.g.ndim)
        fail(PyExc_ValueError, "%s: axis %ld of an array with %d dimensions", call.op, axis, indexed.g.ndim);
    if (indexed.code != items.code)
        fail(PyExc_TypeError, "%s: arrays of %s and %s; it wants one dtype", call.op, kNames[indexed.code], kNames[items.code]);
    require_same_shape(items, indices, call.op);
    bool fits = indexed.g.ndim == indices.g.ndim;
    for (int d = 0; fits && d < indexed.g.ndim; ++d) fits = d == axis || indexed.g.shape[d] >= indices.g.shape[d];
    if (!fits) fail(PyExc_ValueError, "%s: the indices are more than the array has on another axis", call.op);
    require_within(indices, 0, indexed.g.shape[axis], int(axis), call.op);
    return int(axis);
}

void require_arrays(const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants 3", call.op, call.count);
}

bool run_gather(const Kernel&, const Call& call) {
    require_arrays(call);
    call.require_keywords(1);
    View out, x, indices;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    const int axis = read_along(x, indices, call.positional[2], out, call);
    if (out.g.size == 0) return true;
    if (may_meet(out, x) || may_meet(out, indices)) return false;
    const Lines lines(x, indices, out, axis, true);
    const WithoutGil free(out.g.size >= kReleaseGil);
    return with_accumulation(Accumulation::put, x.code, [&](auto accumulation) {
        using T = typename decltype(accumulation)::Item;
        const int64_t length = lines.length, step = lines.step;
        lines.run(reinterpret_cast<T*>(x.data), reinterpret_cast<const int64_t*>(indices.data), reinterpret_cast<T*>(out.data),
                  out.g.size, [&](const T* from, const int64_t* at, T* to, const Dim& dim) {
                      const int64_t n = dim.n, f = dim.indexed, p = dim.indices, t = dim.items;
                      if (p == 0 && !dim.axis) {  // one index for the whole line
                          const T* line = from + index_at(at, length) * step;
                          if (t == 1 && f == 1)
                              std::copy_n(line, n, to);
                          else
                              for (int64_t i = 0; i < n; ++i) to[i * t] = line[i * f];
                      } else if (t == 1 && f == 0)
                          along(at, p, length, step, n, [&](int64_t i, int64_t offset) { to[i] = from[offset]; });
                      else
                          along(at, p, length, step, n, [&](int64_t i, int64_t offset) { to[i * t] = from[i * f + offset]; });
                  });
    });
}

Accumulation reduction_named(const Call& call) {
    PyObject* name = call.keyword("reduce");
    if (PyUnicode_Check(name)) {
        if (PyUnicode_CompareWithASCIIString(name, "prod") == 0) return Accumulation::prod;
        if (PyUnicode_CompareWithASCIIString(name, "amax") == 0) return Accumulation::amax;
        if (PyUnicode_CompareWithASCIIString(name, "amin") == 0) return Accumulation::amin;
    }
    fail(PyExc_ValueError, "%s: reduce is %R; it wants prod, amax or amin", call.op, name);
}

bool run_scatter(const Kernel& kernel, const Call& call) {
    require_arrays(call);
    const auto what = static_cast<Accumulation>(kernel.index);
    const bool reduces = what == Accumulation::prod;
    call.require_keywords(reduces ? 2 : 1);
    const Accumulation accumulation = reduces ? reduction_named(call) : what;
    View out, values, indices;
    out.read(call.positional[0], true, call.op);
    values.read(call.positional[1], false, call.op);
    const int axis = read_along(out, indices, call.positional[2], values, call);
    if (values.g.size == 0) return true;
    if (may_meet(out, values) || may_meet(out, indices)) return false;
    AsFloats results, terms;
    if (accumulation != Accumulation::put && !(results.update(out) && terms.read(values))) return false;
    const Lines lines(out, indices, values, axis, false);
    const WithoutGil free(values.g.size >= kReleaseGil);
    const bool known = with_accumulation(accumulation, out.code, [&](auto accumulation) {
        using F = decltype(accumulation);
        using T = typename F::Item;
        const int64_t length = lines.length, step = lines.step;
        lines.run(reinterpret_cast<T*>(out.data), reinterpret_cast<const int64_t*>(indices.data),
                  reinterpret_cast<T*>(values.data), values.g.size, [&](T* to, const int64_t* at, T* from, const Dim& dim) {
                      const int64_t n = dim.n, t = dim.indexed, p = dim.indices, f = dim.items;
                      if (p == 0 && !dim.axis) {  // one index for the whole line
                          T* line = to + index_at(at, length) * step;
                          if (t == 1 && f == 1)
                              for (int64_t i = 0; i < n; ++i) line[i] = F::of(line[i], from[i]);
                          else
                              for (int64_t i = 0; i < n; ++i) line[i * t] = F::of(line[i * t], from[i * f]);
                          return;
                      }
                      if (t == 0 && f == 1)
                          along(at, p, length, step, n, [&](int64_t i, int64_t offset) { to[offset] = F::of(to[offset], from[i]); });
                      else
                          along(at, p, length, step, n, [&](int64_t i, int64_t offset) {
                              T& item = to[i * t + offset];
                              item = F::of(item, from[i * f]);
                          });
                  });
    });
    results.finish();
    return known;
}

const Registration registration([](const Loops&) {
    const struct {
        const char* name;
        Accumulation what;
    } scatters[] = {{"scatter", Accumulation::put}, {"scatter_add", Accumulation::sum}, {"scatter_reduce", Accumulation::prod}};
    for (int code = 0; code < kCodes; ++code) {
        kernel_named("gather", run_gather).rows[code] = kServed;
        const bool complex = code == kComplex64 || code == kComplex128;
        for (const auto& scatter : scatters) {
            if (complex && scatter.what == Accumulation::prod) continue;
            Kernel& kernel = kernel_named(scatter.name, run_scatter);
            kernel.rows[code] = kServed;
            kernel.index = int(scatter.what);
        }
    }
});

}  // namespace
}  // namespace lamina
