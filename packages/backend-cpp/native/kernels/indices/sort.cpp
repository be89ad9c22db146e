// sort, sorted_values, ranked, median and mode, by keys that are whole numbers.
#include <memory>

#include "dtypes/real_types.hpp"
#include "kernels/indices/ordering.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

enum Way { kSort, kValues, kRanked, kMedian, kMode };

struct Rows {
    int64_t n, step, count = 1;
    int ndim = 0;
    int64_t shape[kMaxDims], x[kMaxDims], values[kMaxDims], indices[kMaxDims];
    int64_t values_step, indices_step, start, stop;
    bool descending = false, skip_nan = false;

    void locate(int64_t at, int64_t& from, int64_t& to, int64_t& to_index) const {
        from = to = to_index = 0;
        for (int d = ndim - 1; d >= 0; --d) {
            const int64_t i = at % shape[d];
            at /= shape[d];
            from += i * x[d];
            to += i * values[d];
            to_index += i * indices[d];
        }
    }
};

// Puts the entries of ranks start ... stop - 1 in order at entries[start].
template <class T>
void rank(const T* x, const Rows& rows, Entry<T>* entries, Entry<T>* spare) {
    using E = Entry<T>;
    const int64_t n = rows.n, start = rows.start, stop = rows.stop;
    constexpr int64_t kFew = 40;
    if (start == 0 && stop <= kFew && n > 2 * stop) {  // the best so far in order; most items are no better than the last
        int64_t held = 0;
        for (int64_t i = 0; i < n; ++i) {
            const E item = entry<T>(x[i * rows.step], i, rows.descending);
            if (held == stop && !(item < entries[held - 1])) continue;
            int64_t j = held < stop ? held++ : held - 1;
            for (; j > 0 && item < entries[j - 1]; --j) entries[j] = entries[j - 1];
            entries[j] = item;
        }
        return;
    }
    for (int64_t i = 0; i < n; ++i) entries[i] = entry<T>(x[i * rows.step], i, rows.descending);
    if (stop == start + 1) {
        entries[start] = entry_of_rank<T>(entries, n, start);
        return;
    }
    if (start > 0) std::nth_element(entries, entries + start, entries + n);
    if (stop < n) std::nth_element(entries + start, entries + stop, entries + n);
    // Choosing does not keep equal keys in order, and digits do not see the indices: these are compared.
    if (start > 0 || stop < n)
        std::sort(entries + start, entries + stop);
    else
        sort_entries<T>(entries, spare, n);
}

// Where the middle item is: of NaN the first, or where these are skipped, the middle of the others.
template <class T>
int64_t middle(const T* x, const Rows& rows, Entry<T>* entries) {
    const int64_t n = rows.n;
    int64_t missing = 0;
    for (int64_t i = 0; i < n; ++i) entries[i] = entry<T>(x[i * rows.step], i, false);
    if constexpr (!std::is_integral_v<T>) {
        const auto is_missing = [](const Entry<T>& e) { return key_in<T>(e) == uint64_t(WordOf<int(sizeof(T))>(-1)); };
        for (int64_t i = 0; i < n; ++i) missing += is_missing(entries[i]);
        if (missing == n || (missing > 0 && !rows.skip_nan)) return std::find_if(entries, entries + n, is_missing) - entries;
    }
    const int64_t index = (n - missing - 1) / 2;
    return index_of<T>(entry_of_rank<T>(entries, n, index));
}

// Where the most frequent item last is, and of equally frequent ones the smallest. NaN equals nothing.
template <class T>
int64_t most_frequent(const T* x, const Rows& rows, Entry<T>* entries) {
    int64_t longest = 0, length = 0, last = 0;
    const T* before = nullptr;
    for (int64_t i = 0; i < rows.n; ++i) {
        const int64_t index = index_of<T>(entries[i]);
        const T* item = x + index * rows.step;
        length = before != nullptr && plain(*item) == plain(*before) ? length + 1 : 1;
        before = item;
        if (length > longest) {
            longest = length;
            last = index;
        }
    }
    return last;
}

template <class T>
void order_values(const T* x, const Rows& rows, T* values, WordOf<int(sizeof(T))>* keys, WordOf<int(sizeof(T))>* spare) {
    using Word = WordOf<int(sizeof(T))>;
    for (int64_t i = 0; i < rows.n; ++i) keys[i] = key_of<T, true>(x[i * rows.step]);
    sort_items<Word>(keys, spare, rows.n, 0, int(sizeof(T)));
    for (int64_t i = 0; i < rows.n; ++i)
        values[i * rows.values_step] = item_of<T>(keys[rows.descending ? rows.n - 1 - i : i]);
}

template <class T>
void run_rows(const Rows& rows, Way way, const View& x, const View& values, const View& indices) {
    const T* items = reinterpret_cast<const T*>(x.data);
    T* to = reinterpret_cast<T*>(values.data);
    int64_t* to_indices = reinterpret_cast<int64_t*>(indices.data);
    const int64_t pieces = rows.n * rows.count < kParallel / 10 ? 1 : std::min<int64_t>(rows.count, 4 * num_threads());
    const int64_t grain = (rows.count + pieces - 1) / pieces;
    using E = Entry<T>;
    const size_t own = 2 * size_t(rows.n);
    std::unique_ptr<E[]> buffers(new E[own * size_t(pieces)]);  // made here, as parts must not throw
    const WithoutGil free(rows.n * rows.count >= kReleaseGil / 10);
    parallel(rows.count, grain, [&](int64_t begin, int64_t end) {
        E* entries = buffers.get() + own * size_t(begin / grain);
        for (int64_t i = begin; i < end; ++i) {
            int64_t from, at, at_index;
            rows.locate(i, from, at, at_index);
            const T* source = items + from;
            if (way == kValues) {
                using Word = WordOf<int(sizeof(T))>;
                Word* keys = reinterpret_cast<Word*>(entries);
                order_values<T>(source, rows, to + at, keys, keys + rows.n);
                continue;
            }
            if (way == kMedian || way == kMode) {
                if (way == kMode) rank<T>(source, rows, entries, entries + rows.n);
                const int64_t index = way == kMode ? most_frequent<T>(source, rows, entries) : middle<T>(source, rows, entries);
                to[at] = source[index * rows.step];
                to_indices[at_index] = index;
                continue;
            }
            rank<T>(source, rows, entries, entries + rows.n);
            for (int64_t j = rows.start; j < rows.stop; ++j) {
                const int64_t index = index_of<T>(entries[j]);
                to[at + (j - rows.start) * rows.values_step] = source[index * rows.step];
                to_indices[at_index + (j - rows.start) * rows.indices_step] = index;
            }
        }
    });
}

bool run_order(const Kernel& kernel, const Call& call) {
    const Way way = Way(kernel.index);
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(way == kRanked ? 4 : way == kMode ? 1 : 2);
    View values, indices, x;
    PyObject* out = call.positional[0];
    if (way == kValues) {
        values.read(out, true, call.op);
    } else {
        if (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != 2) fail(PyExc_TypeError, "%s: out is no pair", call.op);
        values.read(PyTuple_GET_ITEM(out, 0), true, call.op);
        indices.read(PyTuple_GET_ITEM(out, 1), true, call.op);
        if (indices.code != kInt64) fail(PyExc_TypeError, "%s: indices go to %s; it wants int64", call.op, kNames[indices.code]);
    }
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr || x.g.ndim == 0) return false;
    if (values.code != x.code)
        fail(PyExc_TypeError, "%s: out is %s and x %s; it wants one dtype", call.op, kNames[values.code], kNames[x.code]);
    const int64_t axis = integer_of(call, "axis");
    if (axis < 0 || axis >= x.g.ndim)
        fail(PyExc_ValueError, "%s: axis %lld of an array with %d dimensions", call.op, (long long)axis, x.g.ndim);
    Rows rows;
    rows.n = x.g.shape[axis];
    rows.step = x.g.strides[axis];
    if (way == kMedian)
        rows.skip_nan = bool_of(call, "skip_nan");
    else if (way != kMode)
        rows.descending = bool_of(call, "descending");
    rows.start = way == kRanked ? integer_of(call, "start") : 0;
    rows.stop = way == kRanked ? integer_of(call, "stop") : rows.n;
    if (rows.start < 0 || rows.stop > rows.n || rows.start > rows.stop)
        fail(PyExc_ValueError, "%s: ranks %lld to %lld of %lld items", call.op, (long long)rows.start, (long long)rows.stop,
             (long long)rows.n);
    const int64_t kept = way == kMedian || way == kMode ? 1 : rows.stop - rows.start;
    if (kept > rows.n) fail(PyExc_ValueError, "%s: axis %lld has no items", call.op, (long long)axis);
    const View* outs[] = {&values, way == kValues ? &values : &indices};
    for (const View* view : outs) {
        bool fits = view->g.ndim == x.g.ndim;
        for (int d = 0; fits && d < x.g.ndim; ++d)
            fits = view->g.shape[d] == (d == axis ? kept : x.g.shape[d]);
        if (!fits) fail(PyExc_ValueError, "%s: out does not have x's shape with the ranks along the axis", call.op);
        if (may_meet(*view, x)) return false;
    }
    if (values.g.size == 0) return true;
    if (rows.n >= int64_t(1) << 32) return false;
    rows.values_step = values.g.strides[axis];
    rows.indices_step = outs[1]->g.strides[axis];
    for (int d = 0; d < x.g.ndim; ++d) {
        if (d == axis || x.g.shape[d] == 1) continue;
        rows.count *= x.g.shape[d];
        rows.shape[rows.ndim] = x.g.shape[d];
        rows.x[rows.ndim] = x.g.strides[d];
        rows.values[rows.ndim] = values.g.strides[d];
        rows.indices[rows.ndim++] = outs[1]->g.strides[d];
    }
    with_real_type(x.code, [&](auto item) { run_rows<decltype(item)>(rows, way, x, values, indices); });
    return true;
}

const Registration registration([](const Loops&) {
    const char* const names[] = {"sort", "sorted_values", "ranked", "median", "mode"};
    for (int code = 0; code < kCodes; ++code) {
        if (!is_real(code)) continue;
        for (int way = kSort; way <= kMode; ++way) {
            Kernel& kernel = kernel_named(names[way], run_order);
            kernel.rows[code] = kServed;
            kernel.index = way;
        }
    }
});

}  // namespace
}  // namespace lamina
