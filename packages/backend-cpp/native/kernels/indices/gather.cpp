// index and index_put: rows of adjacent items, found by index arrays of the first axes, are moved whole.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "dtypes/narrow_floats.hpp"
#include "kernels/indices/accumulation.hpp"
#include "kernels/indices/index_arrays.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

constexpr int64_t kChunk = 256;  // rows whose offsets are computed at once

// What is moved per index: the axes that are not indexed, in bytes of both operands.
struct Rest {
    int ndim = 0;  // of the outer ones; the innermost is apart
    int64_t shape[kMaxDims], to[kMaxDims], from[kMaxDims];
    int64_t n = 1, to_step, from_step;  // the innermost: as many items

    Rest(const View& target, int target_lead, const View& source, int source_lead) {
        to_step = target.itemsize();
        from_step = source.itemsize();
        for (int d = target.g.ndim - 1; d >= target_lead; --d) {
            const int64_t length = target.g.shape[d];
            const int64_t t = target.g.strides[d] * target.itemsize();
            const int64_t s = source.g.strides[d - target_lead + source_lead] * source.itemsize();
            if (length == 1) continue;
            if (n == 1) {
                n = length;
                to_step = t;
                from_step = s;
            } else if (ndim == 0 && t == to_step * n && s == from_step * n) {
                n *= length;
            } else {
                shape[ndim] = length;
                to[ndim] = t;
                from[ndim++] = s;
            }
        }
    }

    bool dense(int itemsize) const { return ndim == 0 && to_step == itemsize && from_step == itemsize; }

    // Whether each item is in a line of the cache of its own, as those of columns are: then indices are what to go along first.
    bool apart() const { return ndim == 0 && std::llabs(to_step) >= 64 && std::llabs(from_step) >= 64; }

    int64_t items() const {
        int64_t all = n;
        for (int d = 0; d < ndim; ++d) all *= shape[d];
        return all;
    }

    // Calls run(to, from) for each innermost line.
    template <class Run>
    void lines(char* target, const char* source, const Run& run) const {
        if (ndim == 0) return run(target, source);
        int64_t index[kMaxDims] = {};
        for (;;) {
            run(target, source);
            int d = 0;
            for (; d < ndim; ++d) {
                target += to[d];
                source += from[d];
                if (++index[d] < shape[d]) break;
                target -= index[d] * to[d];
                source -= index[d] * from[d];
                index[d] = 0;
            }
            if (d == ndim) return;
        }
    }
};

// Rows of a target at some offsets, and of a source at others.
template <class F>
void accumulate_rows(F, const Rest& rest, char* target, const int64_t* to, const char* source, const int64_t* from, int64_t count,
               MapLoop rows) {
    using T = typename F::Item;
    constexpr bool kMoves = std::is_same_v<F, Put<T>>;
    if (rest.ndim == 0 && rest.n == 1) {
#pragma GCC unroll 4
        for (int64_t i = 0; i < count; ++i) {
            T* item = reinterpret_cast<T*>(target + to[i]);
            *item = F::of(*item, *reinterpret_cast<const T*>(source + from[i]));
        }
        return;
    }
    if (rest.apart()) {
        bool side_by_side = kMoves;
        for (int64_t i = 1; i < count; ++i) side_by_side &= to[i] - to[0] == i * int64_t(sizeof(T));
        for (int64_t j = 0; j < rest.n; ++j) {
            char* const line = target + j * rest.to_step;
            const char* const values = source + j * rest.from_step;
            if (side_by_side) {
                T* const items = reinterpret_cast<T*>(line + to[0]);
#pragma GCC unroll 4
                for (int64_t i = 0; i < count; ++i) items[i] = *reinterpret_cast<const T*>(values + from[i]);
                continue;
            }
#pragma GCC unroll 4
            for (int64_t i = 0; i < count; ++i) {
                T* item = reinterpret_cast<T*>(line + to[i]);
                *item = F::of(*item, *reinterpret_cast<const T*>(values + from[i]));
            }
        }
        return;
    }
    if (kMoves && rest.dense(sizeof(T))) {
        const size_t bytes = size_t(rest.n) * sizeof(T);
        for (int64_t i = 0; i < count; ++i) std::memcpy(target + to[i], source + from[i], bytes);
        return;
    }
    if (rows != nullptr && rest.dense(sizeof(T))) {
        const int64_t strides[] = {1, 1, 1};
        for (int64_t i = 0; i < count; ++i) {
            char* const p[] = {target + to[i], target + to[i], const_cast<char*>(source + from[i])};
            rows(p, strides, rest.n);
        }
        return;
    }
    const int64_t n = rest.n, t = rest.to_step / int64_t(sizeof(T)), s = rest.from_step / int64_t(sizeof(T));
    for (int64_t i = 0; i < count; ++i)
        rest.lines(target + to[i], source + from[i], [&](char* line, const char* values) {
            T* x = reinterpret_cast<T*>(line);
            const T* y = reinterpret_cast<const T*>(values);
            if (t == 1 && s == 1)
                for (int64_t j = 0; j < n; ++j) x[j] = F::of(x[j], y[j]);
            else
                for (int64_t j = 0; j < n; ++j) x[j * t] = F::of(x[j * t], y[j * s]);
        });
}

// Offsets of rows that follow the indices' own shape: those of index's out, and of index_put's values.
struct RowOffsets {
    Path path;
    int item;

    RowOffsets(const View& view, int lead) : item(view.itemsize()) {
        for (int d = 0; d < lead; ++d) path.add(view.g.shape[d], view.g.strides[d]);
    }

    void of(int64_t begin, int64_t n, int64_t* to) const {
        path.runs(begin, begin + n, [&](int64_t at, int64_t stride, int64_t some) {
            for (int64_t i = 0; i < some; ++i) to[i] = (at + i * stride) * item;
            to += some;
        });
    }
};

// Checks that `view` has the indices' shape and then the indexed array's other axes.
void require_shape(const View& view, const IndexArrays& indices, const View& indexed, const char* op) {
    const Geometry& lead = indices.shape().g;
    bool fits = view.g.ndim == lead.ndim + indexed.g.ndim - indices.count;
    for (int d = 0; fits && d < lead.ndim; ++d) fits = view.g.shape[d] == lead.shape[d];
    for (int d = lead.ndim; fits && d < view.g.ndim; ++d)
        fits = view.g.shape[d] == indexed.g.shape[d - lead.ndim + indices.count];
    if (!fits) fail(PyExc_ValueError, "%s: the items do not have the indices' shape and that of the other axes", op);
}

void read_arrays(const Call& call, View& out, View& other) {
    out.read(call.positional[0], true, call.op);
    other.read(call.positional[1], false, call.op);
    if (out.code != other.code)
        fail(PyExc_TypeError, "%s: arrays of %s and %s; it wants one dtype", call.op, kNames[out.code], kNames[other.code]);
}

// Reads the indices, and checks them and the arrays; `indexed` and `items` are these as the op has them. False where out may share
// memory with what is read.
bool read_indices(const Call& call, const View& out, const View& other, const View& indexed, const View& items, bool from_front,
                  IndexArrays& indices) {
    const int count = int(call.count) - 2;
    if (count < 1 || count > indexed.g.ndim)
        fail(PyExc_TypeError, "%s: %d index arrays for an array with %d dimensions", call.op, count, indexed.g.ndim);
    indices.read(call.positional + 2, count, indexed.g.shape, indexed.g.strides, indexed.itemsize(), from_front, call.op);
    require_shape(items, indices, indexed, call.op);
    bool apart = !may_meet(out, other);
    for (int i = 0; i < count; ++i) apart = apart && !may_meet(out, indices.at(i));
    return apart;
}

bool run_index(const Kernel&, const Call& call) {
    if (call.count < 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, x and indices", call.op, call.count);
    bool from_front = false;
    if (call.names != nullptr && PyTuple_GET_SIZE(call.names) > 0) {
        call.require_keywords(1);
        from_front = bool_of(call, "from_front");
    }
    if (call.count - 2 > kMaxIndices) return false;
    View out, x;
    IndexArrays indices;
    read_arrays(call, out, x);
    if (!read_indices(call, out, x, x, out, from_front, indices)) return false;
    if (out.g.size == 0) return true;
    const int lead = indices.shape().g.ndim;
    const Rest rest(out, lead, x, indices.count);
    const RowOffsets offsets(out, lead);
    const int64_t items = out.g.size;
    const WithoutGil free(items >= kReleaseGil);
    with_accumulation(Accumulation::put, x.code, [&](auto accumulation) {
        if (rest.ndim == 0 && rest.n == 1 && indices.count == 1 && out.g.contiguous) {
            using T = typename decltype(accumulation)::Item;
            T* const picked = reinterpret_cast<T*>(out.data);
            parallel(items, grain_of(items, items), [&](int64_t begin, int64_t end) {
                indices.each(begin, end, [&](int64_t i, int64_t offset) { picked[i] = *reinterpret_cast<const T*>(x.data + offset); });
            });
            return;
        }
        parallel(indices.size, grain_of(indices.size, items),
                 [&](int64_t begin, int64_t end) {
                     int64_t to[kChunk], from[kChunk];
                     for (; begin < end; begin += kChunk) {
                         const int64_t some = std::min(kChunk, end - begin);
                         indices.offsets(begin, some, from);
                         offsets.of(begin, some, to);
                         accumulate_rows(accumulation, rest, out.data, to, x.data, from, some, nullptr);
                     }
                 });
    });
    return true;
}

// Threads share the rows' columns, or the target's rows: what arrives at one item arrives in order, by one thread.
template <class F>
void put_rows(F accumulation, const Rest& rest, const View& out, const IndexArrays& indices, const View& values, int lead, MapLoop rows) {
    using T = typename F::Item;
    const RowOffsets offsets(values, lead);
    const int64_t row = rest.items(), n = indices.size;
    const bool large = n * row >= kParallel && num_threads() > 1 && row * int64_t(sizeof(T)) >= 64;
    const bool by_columns = rest.dense(sizeof(T)) && row * int64_t(sizeof(T)) >= 128 * num_threads();
    const int64_t parts = large ? num_threads() : 1;
    const int64_t width = by_columns ? (row / parts + 31) / 32 * 32 : row;
    if (parts == 1 && rest.ndim == 0 && rest.n == 1 && indices.count == 1 && values.g.contiguous) {
        const T* const arriving = reinterpret_cast<const T*>(values.data);
        indices.each(0, n, [&](int64_t i, int64_t offset) {
            T* const item = reinterpret_cast<T*>(out.data + offset);
            *item = F::of(*item, arriving[i]);
        });
        return;
    }
    const int64_t low = (out.g.low - out.g.offset) * int64_t(sizeof(T));
    const int64_t span = ((out.g.high - out.g.low + 1) * int64_t(sizeof(T)) + parts - 1) / parts;
    parallel(parts, 1, [&](int64_t part, int64_t) {
        int64_t to[kChunk], from[kChunk];
        Rest mine = rest;
        int64_t shift = 0;
        if (large && by_columns) {
            shift = part * width;
            mine.n = part + 1 == parts ? row - shift : std::min(width, row - shift);
            if (mine.n <= 0) return;
        }
        for (int64_t begin = 0; begin < n; begin += kChunk) {
            int64_t some = std::min(kChunk, n - begin);
            indices.offsets(begin, some, to);
            offsets.of(begin, some, from);
            if (large && !by_columns) {
                int64_t kept = 0;
                for (int64_t i = 0; i < some; ++i) {
                    const int64_t offset = to[i];
                    to[kept] = offset;
                    from[kept] = from[i];
                    kept += (offset - low) / span == part;
                }
                some = kept;
            }
            const int64_t bytes = shift * int64_t(sizeof(T));
            accumulate_rows(accumulation, mine, out.data + bytes, to, values.data + bytes, from, some, rows);
        }
    });
}

bool run_index_put(const Kernel&, const Call& call) {
    if (call.count < 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, values and indices", call.op, call.count);
    if (call.count - 2 > kMaxIndices) return false;
    bool accumulate = false, from_front = false;
    if (const Py_ssize_t given = call.names != nullptr ? PyTuple_GET_SIZE(call.names) : 0; given > 0) {
        call.require_keywords(given > 1 ? 2 : 1);
        accumulate = bool_of(call, "accumulate");
        from_front = given > 1 && bool_of(call, "from_front");
    }
    View out, values;
    IndexArrays indices;
    read_arrays(call, out, values);
    AsFloats sums, terms;
    if (accumulate && !(sums.update(out) && terms.read(values))) return false;
    if (!read_indices(call, out, values, out, values, from_front, indices)) return false;
    if (values.g.size == 0) return true;
    const int lead = indices.shape().g.ndim;
    const Rest rest(out, indices.count, values, lead);
    static const Kernel* const add = find_kernel("add");
    const void* map_row = accumulate && add != nullptr && rest.n >= 8 ? add->rows[out.code] : nullptr;
    const MapLoop rows = map_row != nullptr ? static_cast<const MapRow*>(map_row)->loop : nullptr;
    const WithoutGil free(values.g.size >= kReleaseGil);
    const bool known = with_accumulation(accumulate ? Accumulation::sum : Accumulation::put, out.code, [&](auto accumulation) {
        put_rows(accumulation, rest, out, indices, values, lead, rows);
    });
    sums.finish();
    return known;
}

const Registration registration([](const Loops&) {
    for (int code = 0; code < kCodes; ++code) {
        kernel_named("index", run_index).rows[code] = kServed;
        kernel_named("index_put", run_index_put).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
