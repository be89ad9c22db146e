// The kernels of the scan family: lines that lie side by side are walked together.
#include <algorithm>
#include <cstdlib>

#include "runtime/kernel.hpp"
#include "traversal/rows.hpp"

namespace lamina {
namespace {

constexpr int64_t kTile = 256;

bool run_scan(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    const auto* row = static_cast<const ScanRow*>(kernel.rows[x.code]);
    const long axis = PyLong_AsLong(call.keyword("axis"));
    if (axis == -1 && PyErr_Occurred()) throw PythonError{};
    require_same_shape(out, x, call.op);
    if (row == nullptr || out.code != x.code || x.g.ndim == 0) return false;
    if (axis < 0 || axis >= x.g.ndim)
        fail(PyExc_ValueError, "%s: axis %ld of an array with %d dimensions", call.op, axis, x.g.ndim);
    if (x.g.size == 0) return true;
    bool alike = x.data == out.data && !row->twice;
    for (int d = 0; d < x.g.ndim; ++d) alike = alike && x.g.strides[d] == out.g.strides[d];
    if (!alike && may_meet(out, x)) return false;
    if (is_narrow(x.code)) {
        Rows rows(x, int(axis));
        rows.add(out, true, true);
        rows.add(x, true);
        rows.run(4, [&](int64_t, char* const* p) { row->scan(p[0], p[1], 1, 1, rows.n, 0, 0, 1); });
        return true;
    }
    // The lines: the other dimensions, the one with the shortest steps last.
    int ndim = 0;
    int64_t shape[kMaxDims], from[kMaxDims], to[kMaxDims];
    for (int d = 0; d < x.g.ndim; ++d) {
        if (d == axis || x.g.shape[d] == 1) continue;
        int at = ndim++;
        while (at > 0 && std::llabs(from[at - 1]) < std::llabs(x.g.strides[d])) {
            shape[at] = shape[at - 1];
            from[at] = from[at - 1];
            to[at] = to[at - 1];
            --at;
        }
        shape[at] = x.g.shape[d];
        from[at] = x.g.strides[d];
        to[at] = out.g.strides[d];
    }
    const int64_t n = x.g.shape[axis], step = x.g.strides[axis], out_step = out.g.strides[axis];
    int64_t width = 1, line = 0, out_line = 0;
    const bool side_by_side = ndim > 0 && std::llabs(from[ndim - 1]) < std::llabs(step);
    if (ndim > 0 && (side_by_side || row->twice)) {  // what goes there and back waits for its own products twice
        width = shape[--ndim];
        line = from[ndim];
        out_line = to[ndim];
    }
    const int64_t tile = side_by_side ? kTile : kScanTogether, tiles = (width + tile - 1) / tile, tasks = x.g.size / n / width * tiles, item = x.itemsize();
    const WithoutGil free(x.g.size >= kReleaseGil);
    parallel(tasks, grain_of(tasks, x.g.size * 4), [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t first = task % tiles * tile;
            int64_t rest = task / tiles, at = first * line, out_at = first * out_line;
            for (int d = ndim - 1; d >= 0; --d) {
                at += rest % shape[d] * from[d];
                out_at += rest % shape[d] * to[d];
                rest /= shape[d];
            }
            row->scan(out.data + out_at * item, x.data + at * item, out_step, step, n, out_line, line,
                      std::min(tile, width - first));
        }
    });
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int i = 0; i < loops.scans->count; ++i) {
        const ScanRow& row = loops.scans->rows[i];
        Kernel& kernel = kernel_named(row.name, run_scan);
        kernel.rows[row.code] = &row;
        if (row.code == kFloat32) kernel.rows[kFloat16] = kernel.rows[kBFloat16] = &row;
    }
});

}  // namespace
}  // namespace lamina
