// nonzero: pieces are counted first, so that several threads know where their indices go.
#include <algorithm>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/threads.hpp"
#include "traversal/path.hpp"

namespace lamina {
namespace {

constexpr int64_t kPiece = 32768;  // items

// Writes the numbers, from `first` on, of items that are not 0 (without their signs), at most `capacity` of them; how many there were.
// Eight items are looked at at once, and where one of them counts, all are written and those that do not are written over.
template <class W, W kMask>
int64_t write_numbers(const char* bytes, int64_t stride, int64_t n, int64_t first, int64_t* to, int64_t step, int64_t capacity) {
    const W* x = reinterpret_cast<const W*>(bytes);
    int64_t found = 0, i = 0;
    const auto each = [&](int64_t end) {
        for (; i < end; ++i)
            if ((x[i * stride] & kMask) != 0 && found < capacity) to[found++ * step] = first + i;
    };
    while (stride == 1 && i + 8 <= n) {
        W seen = 0;
        for (int64_t j = 0; j < 8; ++j) seen |= x[i + j];
        if ((seen & kMask) == 0) {
            i += 8;
        } else if (found + 8 > capacity) {
            each(i + 8);
        } else {
            for (const int64_t end = i + 8; i < end; ++i) {
                to[found * step] = first + i;
                found += (x[i] & kMask) != 0;
            }
        }
    }
    each(n);
    return found;
}

using Write = int64_t (*)(const char*, int64_t, int64_t, int64_t, int64_t*, int64_t, int64_t);

Write writer_of(int code) {
    switch (code) {
        case kFloat16:
        case kBFloat16: return write_numbers<uint16_t, 0x7fff>;
        case kFloat32: return write_numbers<uint32_t, 0x7fffffff>;
        case kFloat64: return write_numbers<uint64_t, 0x7fffffffffffffff>;
        case kComplex64: return write_numbers<uint64_t, 0x7fffffff7fffffff>;
        default: break;
    }
    switch (kItemSize[code]) {
        case 1: return write_numbers<uint8_t, 0xff>;
        case 2: return write_numbers<uint16_t, 0xffff>;
        case 4: return write_numbers<uint32_t, 0xffffffff>;
        default: return write_numbers<uint64_t, ~uint64_t(0)>;
    }
}

// Numbers in row-major order become indices along each dimension: the last row of out holds the numbers, which rise.
void unravel(const View& out, const View& x, int64_t begin, int64_t end) {
    const int last = x.g.ndim - 1;
    const int64_t length = x.g.shape[last];
    int64_t* const numbers = reinterpret_cast<int64_t*>(out.data) + last * out.g.strides[0];
    int64_t index[kMaxDims], row_begin = 0, row_end = 0;  // of the row that the last one was in
    for (int64_t i = begin; i < end; ++i) {
        const int64_t at = i * out.g.strides[1], number = numbers[at];
        if (number >= row_end) {
            uint64_t rest = uint64_t(number) / uint64_t(length);
            row_begin = int64_t(rest) * length;
            row_end = row_begin + length;
            for (int d = last - 1; d >= 0; --d) {
                const uint64_t n = uint64_t(x.g.shape[d]), above = rest / n;
                index[d] = int64_t(rest - above * n);
                rest = above;
            }
        }
        for (int d = 0; d < last; ++d) numbers[at + (d - last) * out.g.strides[0]] = index[d];
        numbers[at] = number - row_begin;
    }
}

bool run_nonzero(const Kernel& kernel, const Call& call) {
    call.require_inputs(1);
    View out, x;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    const auto* row = static_cast<const ReductionRow*>(kernel.rows[x.code]);
    if (row == nullptr || x.g.ndim == 0 || may_meet(out, x)) return false;
    if (out.code != kInt64) fail(PyExc_TypeError, "%s: out is %s; it wants int64", call.op, kNames[out.code]);
    if (out.g.ndim != 2 || out.g.shape[0] != x.g.ndim)
        fail(PyExc_ValueError, "%s: out has not one row for each of x's %d dimensions", call.op, x.g.ndim);
    Path path;
    for (int d = 0; d < x.g.ndim; ++d) path.add(x.g.shape[d], x.g.strides[d]);
    if (path.ndim == 0) path = {1, {1}, {1}};
    const int64_t size = x.g.size, pieces = (size + kPiece - 1) / kPiece, item = x.itemsize(), step = out.g.strides[1];
    std::vector<int64_t> starts(size_t(pieces) + 1), counts(static_cast<size_t>(pieces));
    const Write write = writer_of(x.code);
    auto* to = reinterpret_cast<int64_t*>(out.data) + (x.g.ndim - 1) * out.g.strides[0];
    bool fits;
    {
        const WithoutGil free(size >= kReleaseGil);
        parallel(pieces, grain_of(pieces, size), [&](int64_t begin, int64_t end) {
            for (int64_t p = begin; p < end; ++p) {
                uint64_t count = 0;
                path.runs(p * kPiece, std::min(size, (p + 1) * kPiece),
                          [&](int64_t at, int64_t stride, int64_t n) { row->row(x.data + at * item, stride, n, &count); });
                counts[size_t(p)] = int64_t(count);
            }
        });
        for (size_t p = 0; p < counts.size(); ++p) starts[p + 1] = starts[p] + counts[p];
        fits = starts.back() == out.g.shape[1];
        parallel(fits ? pieces : 0, grain_of(pieces, 4 * size), [&](int64_t begin, int64_t end) {
            for (int64_t p = begin; p < end; ++p) {
                int64_t number = p * kPiece, found = starts[size_t(p)];
                const int64_t stop = starts[size_t(p) + 1];
                path.runs(number, std::min(size, number + kPiece), [&](int64_t at, int64_t stride, int64_t n) {
                    found += write(x.data + at * item, stride, n, number, to + found * step, step, stop - found);
                    number += n;
                });
                if (x.g.ndim > 1) unravel(out, x, starts[size_t(p)], found);
                counts[size_t(p)] = found;
            }
        });
        for (size_t p = 0; fits && p < counts.size(); ++p) fits = counts[p] == starts[p + 1];  // or another thread wrote to x
    }
    if (!fits) fail(PyExc_ValueError, "%s: out has not one column for each item of x that is not zero", call.op);
    return true;
}

const Registration registration([](const Loops&) {
    Kernel& kernel = kernel_named("nonzero", run_nonzero);
    const Kernel* counting = find_kernel("count_nonzero");
    std::copy(std::begin(counting->rows), std::end(counting->rows), std::begin(kernel.rows));
}, Registration::kAfterRows);

}  // namespace
}  // namespace lamina
