// tril and triu: of each row of a stack of matrices the part on one side of a diagonal, and zeros for the rest.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "kernels/copies/copy.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

bool run_triangle(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    require_same_shape(out, x, call.op);
    const int ndim = x.g.ndim;
    if (ndim < 2) fail(PyExc_ValueError, "%s: an array with %d dimensions; it wants two at least", call.op, ndim);
    int64_t diagonal = integer_of(call, "diagonal");
    if (out.code != x.code || may_meet(out, x)) return false;
    if (x.g.size == 0) return true;
    int row = ndim - 2, column = ndim - 1;
    bool upper = kernel.index != 0;
    if (std::llabs(out.g.strides[row]) < std::llabs(out.g.strides[column])) {  // the transposed matrix
        std::swap(row, column);
        upper = !upper;
        diagonal = diagonal == INT64_MIN ? INT64_MAX : -diagonal;
    }
    const int64_t *shape = x.g.shape, height = shape[row], n = shape[column], item = x.itemsize();
    const int64_t from = x.g.strides[column], to = out.g.strides[column], rows = x.g.size / n;
    const int64_t first = std::clamp(diagonal, -height, n) + (upper ? 0 : 1);  // of row 0, where the two parts meet
    const MapLoop move = copy_loop(x.code, x.code);
    const WithoutGil free(x.g.size >= kReleaseGil);
    parallel(rows, grain_of(rows, x.g.size), [&](int64_t begin, int64_t end) {
        alignas(16) char zero[16] = {};
        for (int64_t line = begin; line < end; ++line) {
            const int64_t i = line % height, meet = std::clamp<int64_t>(first + i, 0, n);
            int64_t rest = line / height, source = i * x.g.strides[row], target = i * out.g.strides[row];
            for (int d = ndim - 3; d >= 0; --d) {
                source += rest % shape[d] * x.g.strides[d];
                target += rest % shape[d] * out.g.strides[d];
                rest /= shape[d];
            }
            const int64_t kept = upper ? meet : 0, rest_at = upper ? 0 : meet, count = upper ? n - meet : meet;
            char* const moved[] = {out.data + (target + kept * to) * item, x.data + (source + kept * from) * item};
            const int64_t steps[] = {to, from}, still[] = {to, 0};
            if (count > 0) move(moved, steps, count);
            char* const cleared[] = {out.data + (target + rest_at * to) * item, zero};
            if (count < n) move(cleared, still, n - count);
        }
    });
    return true;
}

const Registration registration([](const Loops&) {
    for (const bool upper : {false, true}) {
        Kernel& kernel = kernel_named(upper ? "triu" : "tril", run_triangle);
        kernel.index = upper;
        for (int code = 0; code < kCodes; ++code) kernel.rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
