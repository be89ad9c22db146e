// cummax and cummin: the extreme item so far along an axis, and where it last stood.
#include <algorithm>
#include <cstdlib>

#include "dtypes/real_types.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

constexpr int64_t kTile = 128;  // lines side by side

// How one operand steps along a line, and from one line to the next beside it.
struct Steps {
    int64_t along, beside;
};

// Whether an item takes the place of the best so far: an equal one does, and NaN.
template <class T, bool kLeast>
inline bool goes_on(T item, T best) {
    const auto a = plain(item), b = plain(best);
    return (kLeast ? a <= b : a >= b) || a != a;
}

template <class T, bool kLeast>
void scan_line(const T* x, int64_t sx, T* values, int64_t sv, int64_t* indices, int64_t sp, int64_t n) {
    T best = x[0];
    int64_t index = 0;
    for (int64_t i = 0; i < n; ++i) {
        const T item = x[i * sx];
        if (goes_on<T, kLeast>(item, best)) {
            best = item;
            index = i;
        }
        values[i * sv] = best;
        indices[i * sp] = index;
    }
}

template <class T, bool kLeast>
void scan_lines(const T* x, Steps sx, T* values, Steps sv, int64_t* indices, Steps sp, int64_t n, int64_t lines) {
    if (lines == 1) return scan_line<T, kLeast>(x, sx.along, values, sv.along, indices, sp.along, n);
    T best[kTile];
    int64_t index[kTile];
    for (int64_t i = 0; i < n; ++i, x += sx.along, values += sv.along, indices += sp.along)
        for (int64_t j = 0; j < lines; ++j) {
            const T item = x[j * sx.beside];
            if (i == 0 || goes_on<T, kLeast>(item, best[j])) {
                best[j] = item;
                index[j] = i;
            }
            values[j * sv.beside] = best[j];
            indices[j * sp.beside] = index[j];
        }
}

template <class T>
void scan_all(const View& x, const View& values, const View& indices, int axis, bool least) {
    const int64_t n = x.g.shape[axis];
    int ndim = 0, dims[kMaxDims];  // the others, the one with the shortest steps last
    for (int d = 0; d < x.g.ndim; ++d) {
        if (d == axis || x.g.shape[d] == 1) continue;
        int at = ndim++;
        for (; at > 0 && std::llabs(x.g.strides[dims[at - 1]]) < std::llabs(x.g.strides[d]); --at) dims[at] = dims[at - 1];
        dims[at] = d;
    }
    int64_t width = 1;
    Steps sx{x.g.strides[axis], 0}, sv{values.g.strides[axis], 0}, sp{indices.g.strides[axis], 0};
    if (ndim > 0 && std::llabs(x.g.strides[dims[ndim - 1]]) < std::llabs(sx.along)) {
        const int d = dims[--ndim];
        width = x.g.shape[d];
        sx.beside = x.g.strides[d];
        sv.beside = values.g.strides[d];
        sp.beside = indices.g.strides[d];
    }
    const int64_t tiles = (width + kTile - 1) / kTile, tasks = x.g.size / n / width * tiles;
    const WithoutGil free(x.g.size >= kReleaseGil);
    parallel(tasks, grain_of(tasks, x.g.size * 4), [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const int64_t first = task % tiles * kTile, some = std::min(kTile, width - first);
            int64_t rest = task / tiles, from = first * sx.beside, to = first * sv.beside, at = first * sp.beside;
            for (int k = ndim - 1; k >= 0; --k) {
                const int64_t i = rest % x.g.shape[dims[k]];
                from += i * x.g.strides[dims[k]];
                to += i * values.g.strides[dims[k]];
                at += i * indices.g.strides[dims[k]];
                rest /= x.g.shape[dims[k]];
            }
            const T* items = reinterpret_cast<const T*>(x.data) + from;
            T* found = reinterpret_cast<T*>(values.data) + to;
            int64_t* where = reinterpret_cast<int64_t*>(indices.data) + at;
            least ? scan_lines<T, true>(items, sx, found, sv, where, sp, n, some)
                  : scan_lines<T, false>(items, sx, found, sv, where, sp, n, some);
        }
    });
}

bool run_extremes(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arguments given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View values, indices, x;
    values.read(result_of(call, 0, 2), true, call.op);
    indices.read(result_of(call, 1, 2), true, call.op);
    x.read(call.positional[1], false, call.op);
    const int64_t axis = integer_of(call, "axis");
    if (axis < 0 || axis >= x.g.ndim)
        fail(PyExc_ValueError, "%s: axis %lld of an array with %d dimensions", call.op, (long long)axis, x.g.ndim);
    require(values, "out[0]", x.code, x.g.shape, x.g.ndim, call.op);
    require(indices, "out[1]", kInt64, x.g.shape, x.g.ndim, call.op);
    if (x.g.size == 0) return true;
    if (may_meet(values, x) || may_meet(indices, x) || may_meet(values, indices)) return false;
    const bool least = kernel.index != 0;
    with_real_type(x.code, [&](auto item) { scan_all<decltype(item)>(x, values, indices, int(axis), least); });
    return true;
}

const Registration registration([](const Loops&) {
    for (const bool least : {false, true}) {
        Kernel& kernel = kernel_named(least ? "cummin" : "cummax", run_extremes);
        kernel.index = least;
        for (int code = 0; code < kCodes; ++code)
            if (is_real(code)) kernel.rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
