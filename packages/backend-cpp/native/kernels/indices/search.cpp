// searchsorted, row by row, by keys that are whole numbers.
#include <vector>

#include "dtypes/real_types.hpp"
#include "kernels/indices/ordering.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"
#include "traversal/path.hpp"

namespace lamina {
namespace {

// Where the rows of a sequence begin, in items; a sequence of one axis is the one row of all values.
std::vector<int64_t> rows_of(const View& sequence) {
    const int last = sequence.g.ndim - 1;
    int64_t count = 1;
    Path path;
    for (int d = 0; d < last; ++d) {
        count *= sequence.g.shape[d];
        path.add(sequence.g.shape[d], sequence.g.strides[d]);
    }
    std::vector<int64_t> starts;
    starts.reserve(size_t(count));
    path.runs(0, count, [&](int64_t at, int64_t stride, int64_t some) {
        for (int64_t i = 0; i < some; ++i) starts.push_back(at + i * stride);
    });
    return starts;
}

// How many items of its row of the sequence come before each value.
template <class T>
void search(const View& sequence, const std::vector<int64_t>& rows, const View& values, const View& out, bool right) {
    const T* items = reinterpret_cast<const T*>(sequence.data);
    const int last = sequence.g.ndim - 1;
    const int64_t n = sequence.g.shape[last], step = sequence.g.strides[last];
    const int64_t width = values.g.size / int64_t(rows.size());  // values of one row
    Path from, to;
    for (int d = 0; d < values.g.ndim; ++d) {
        from.add(values.g.shape[d], values.g.strides[d]);
        to.add(out.g.shape[d], out.g.strides[d]);
    }
    const T* wanted = reinterpret_cast<const T*>(values.data);
    int64_t* found = reinterpret_cast<int64_t*>(out.data);
    constexpr int64_t kChunk = 256;
    parallel(values.g.size, values.g.size < kParallel / 10 ? values.g.size : 4096, [&](int64_t begin, int64_t end) {
        WordOf<int(sizeof(T))> keys[kChunk];
        int64_t indices[kChunk];
        int64_t row = begin / width, next = (row + 1) * width;
        for (; begin < end; begin += kChunk) {
            const int64_t some = std::min(kChunk, end - begin);
            int64_t at = 0;
            from.runs(begin, begin + some, [&](int64_t first, int64_t stride, int64_t count) {
                for (int64_t i = 0; i < count; ++i) keys[at++] = key_of(wanted[first + i * stride]);
            });
            for (int64_t i = 0; i < some; ++i) {
                if (begin + i == next) {
                    ++row;
                    next += width;
                }
                const T* line = items + rows[size_t(row)];
                int64_t low = 0, length = n;
                while (length > 0) {  // without branches on what is compared: the half that is left is as long in either case
                    const int64_t half = (length + 1) / 2;
                    const auto key = key_of(line[(low + half - 1) * step]);
                    low += half * int64_t((key < keys[i]) | (right & (key == keys[i])));
                    length -= half;
                }
                indices[i] = low;
            }
            at = 0;
            to.runs(begin, begin + some, [&](int64_t first, int64_t stride, int64_t count) {
                for (int64_t i = 0; i < count; ++i) found[first + i * stride] = indices[at++];
            });
        }
    });
}

bool run_search(const Kernel& kernel, const Call& call) {
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, sequence and values", call.op, call.count);
    call.require_keywords(1);
    View out, sequence, values;
    out.read(call.positional[0], true, call.op);
    sequence.read(call.positional[1], false, call.op);
    values.read(call.positional[2], false, call.op, &out);
    const bool right = bool_of(call, "right");
    if (kernel.rows[values.code] == nullptr || sequence.g.ndim == 0) return false;
    if (out.code != kInt64) fail(PyExc_TypeError, "%s: out is %s; it wants int64", call.op, kNames[out.code]);
    if (sequence.code != values.code)
        fail(PyExc_TypeError, "%s: the sequence is %s and the values %s; it wants one dtype", call.op, kNames[sequence.code],
             kNames[values.code]);
    require_same_shape(out, values, call.op);
    const int last = sequence.g.ndim - 1;
    bool fits = last == 0 || values.g.ndim == sequence.g.ndim;
    for (int d = 0; fits && d < last; ++d) fits = values.g.shape[d] == sequence.g.shape[d];
    if (!fits) fail(PyExc_ValueError, "%s: the values do not have the sequence's leading dimensions", call.op);
    if (out.g.size == 0) return true;
    if (may_meet(out, values) || may_meet(out, sequence)) return false;
    const std::vector<int64_t> rows = rows_of(sequence);
    const WithoutGil free(values.g.size >= kReleaseGil / 10);
    with_real_type(values.code, [&](auto item) { search<decltype(item)>(sequence, rows, values, out, right); });
    return true;
}

const Registration registration([](const Loops&) {
    Kernel& kernel = kernel_named("searchsorted", run_search);
    for (int code = 0; code < kCodes; ++code)
        if (is_real(code)) kernel.rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
