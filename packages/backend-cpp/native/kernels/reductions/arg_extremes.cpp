// argmax and argmin: the extreme item is found at full speed, and only the short piece that holds it is searched for its index.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "kernels/reductions/reduce.hpp"
#include "runtime/threads.hpp"
#include "traversal/path.hpp"

namespace lamina {
namespace {

constexpr int64_t kPiece = 16384;  // items searched at most
constexpr int64_t kTile = 256;     // columns side by side

// Whether b takes the place of a: it is greater (or smaller), or the first NaN.
template <class T, bool kLeast>
bool beats(T b, T a) {
    return (kLeast ? b < a : b > a) || (b != b && a == a);
}

template <class T>
int64_t index_of(const T* x, int64_t stride, int64_t n, T wanted) {
    const bool nan = wanted != wanted;
    int64_t i = 0;
    if (stride == 1 && !nan)
        for (; i + 64 <= n; i += 64) {
            bool here = false;
            for (int64_t j = 0; j < 64; ++j) here |= x[i + j] == wanted;
            if (here) break;
        }
    for (; i < n; ++i) {
        const T item = x[i * stride];
        if (item == wanted || (nan && item != item)) return i;
    }
    return 0;
}

struct Line {
    int64_t n, stride;  // along which the extreme is looked for
    int ndim = 0;       // of what is kept
    int64_t size = 1, shape[kMaxDims], from[kMaxDims], to[kMaxDims];

    void keep(int64_t length, int64_t x_stride, int64_t out_stride) {
        size *= length;
        if (length == 1) return;
        if (ndim > 0 && from[ndim - 1] == x_stride * length && to[ndim - 1] == out_stride * length) {
            shape[ndim - 1] *= length;
            from[ndim - 1] = x_stride;
            to[ndim - 1] = out_stride;
            return;
        }
        shape[ndim] = length;
        from[ndim] = x_stride;
        to[ndim++] = out_stride;
    }

    void locate(int64_t at, int64_t& x, int64_t& out) const {
        x = out = 0;
        for (int d = ndim - 1; d >= 0; --d) {
            const int64_t i = at % shape[d];
            at /= shape[d];
            x += i * from[d];
            out += i * to[d];
        }
    }
};

// Rows, one after another; pieces of a long row at once.
template <class T, bool kLeast>
void indices_in_rows(const Line& line, const ReductionRow& row, const T* x, int64_t* out) {
    const auto extreme = [&](const T* items, int64_t n) {
        uint64_t partial = 0;
        row.start(&partial, 1);
        row.row(reinterpret_cast<const char*>(items), line.stride, n, &partial);
        T found;
        std::memcpy(&found, &partial, sizeof found);
        return found;
    };
    const int64_t pieces = (line.n + kPiece - 1) / kPiece;
    if (pieces == 1) {
        parallel(line.size, grain_of(line.size, line.size * line.n),
                 [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) {
                         int64_t from, to;
                         line.locate(i, from, to);
                         out[to] = index_of(x + from, line.stride, line.n, extreme(x + from, line.n));
                     }
                 });
        return;
    }
    std::vector<T> found(static_cast<size_t>(pieces));
    for (int64_t i = 0; i < line.size; ++i) {
        int64_t from, to;
        line.locate(i, from, to);
        const T* items = x + from;
        parallel(pieces, line.n < kParallel ? pieces : 1, [&](int64_t begin, int64_t end) {
            for (int64_t p = begin; p < end; ++p)
                found[size_t(p)] = extreme(items + p * kPiece * line.stride, std::min(kPiece, line.n - p * kPiece));
        });
        int64_t best = 0;
        for (int64_t p = 1; p < pieces; ++p)
            if (beats<T, kLeast>(found[size_t(p)], found[size_t(best)])) best = p;
        const int64_t begin = best * kPiece;
        out[to] = begin + index_of(items + begin * line.stride, line.stride, std::min(kPiece, line.n - begin), found[size_t(best)]);
    }
}

// Columns side by side: the innermost kept dimension steps less far than the line does.
template <class T, bool kLeast>
void indices_in_columns(Line line, const T* x, int64_t* out) {
    using Index = std::conditional_t<(sizeof(T) < 8), int32_t, int64_t>;
    const int inner = --line.ndim;
    const int64_t width = line.shape[inner], step = line.from[inner], out_step = line.to[inner];
    const int64_t tiles = (width + kTile - 1) / kTile, tasks = line.size / width * tiles;
    parallel(tasks, line.size * line.n < kParallel ? tasks : 1, [&](int64_t begin, int64_t end) {
        T best[kTile];
        Index index[kTile];
        for (int64_t task = begin; task < end; ++task) {
            int64_t from, to;
            line.locate(task / tiles, from, to);
            const int64_t first = task % tiles * kTile, some = std::min(kTile, width - first);
            const T* items = x + from + first * step;
            for (int64_t j = 0; j < some; ++j) {
                best[j] = items[j * step];
                index[j] = 0;
            }
            for (int64_t i = 1; i < line.n; ++i) {
                items += line.stride;
                const Index now = Index(i);
                if (step == 1) {
#pragma GCC ivdep
                    for (int64_t j = 0; j < some; ++j) {
                        const T item = items[j], old = best[j];
                        const bool better = (kLeast ? item < old : item > old) | ((item != item) & (old == old));
                        best[j] = better ? item : old;
                        index[j] = better ? now : index[j];
                    }
                } else {
                    for (int64_t j = 0; j < some; ++j)
                        if (beats<T, kLeast>(items[j * step], best[j])) {
                            best[j] = items[j * step];
                            index[j] = now;
                        }
                }
            }
            for (int64_t j = 0; j < some; ++j) out[to + (first + j) * out_step] = index[j];
        }
    });
}

template <class T>
void find_indices(const Line& line, const ReductionRow& row, bool least, const View& x, const View& out) {
    const T* items = reinterpret_cast<const T*>(x.data);
    auto* indices = reinterpret_cast<int64_t*>(out.data);
    const bool columns = line.ndim > 0 && line.n < INT32_MAX && line.shape[line.ndim - 1] >= 8 &&
                         std::llabs(line.from[line.ndim - 1]) < std::llabs(line.stride);
    if (columns)
        least ? indices_in_columns<T, true>(line, items, indices) : indices_in_columns<T, false>(line, items, indices);
    else
        least ? indices_in_rows<T, true>(line, row, items, indices) : indices_in_rows<T, false>(line, row, items, indices);
}

bool run_arg_extreme(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    const auto* row = static_cast<const ReductionRow*>(kernel.rows[x.code]);
    if (row == nullptr) return false;
    if (out.code != kInt64) fail(PyExc_TypeError, "%s: out is %s; it wants int64", call.op, kNames[out.code]);
    const uint64_t reduced = reduced_axes(out, x, call.keyword("axes"), call.op);
    if (x.g.size == 0) {
        if (out.g.size > 0) fail(PyExc_ValueError, "%s: an array without items has no greatest or smallest", call.op);
        return true;
    }
    if (may_meet(out, x)) return false;
    Line line;
    Path along;
    int at = 0;
    for (int d = 0; d < x.g.ndim; ++d) {
        if (reduced >> d & 1)
            along.add(x.g.shape[d], x.g.strides[d]);
        else
            line.keep(x.g.shape[d], x.g.strides[d], out.g.strides[at++]);
    }
    if (along.ndim > 1) return false;
    line.n = along.ndim == 1 ? along.shape[0] : 1;
    line.stride = along.ndim == 1 ? along.strides[0] : 1;
    const bool least = kernel.index != 0;
    const WithoutGil free(x.g.size >= kReleaseGil);
    switch (x.code) {
        case kFloat32: find_indices<float>(line, *row, least, x, out); break;
        case kFloat64: find_indices<double>(line, *row, least, x, out); break;
        case kInt64: find_indices<int64_t>(line, *row, least, x, out); break;
        case kInt32: find_indices<int32_t>(line, *row, least, x, out); break;
        case kInt16: find_indices<int16_t>(line, *row, least, x, out); break;
        case kInt8: find_indices<int8_t>(line, *row, least, x, out); break;
        case kUInt16: find_indices<uint16_t>(line, *row, least, x, out); break;
        case kUInt32: find_indices<uint32_t>(line, *row, least, x, out); break;
        case kUInt64: find_indices<uint64_t>(line, *row, least, x, out); break;
        default: find_indices<uint8_t>(line, *row, least, x, out);
    }
    return true;
}

const Registration registration([](const Loops&) {
    for (const bool least : {false, true}) {
        Kernel& kernel = kernel_named(least ? "argmin" : "argmax", run_arg_extreme);
        kernel.index = least;
        const Kernel* extreme = find_kernel(least ? "min" : "max");
        for (int code = 0; code < kCodes; ++code)
            if (code != kFloat16 && code != kBFloat16) kernel.rows[code] = extreme->rows[code];
    }
}, Registration::kAfterRows);

}  // namespace
}  // namespace lamina
