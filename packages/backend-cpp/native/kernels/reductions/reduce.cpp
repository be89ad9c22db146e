// The kernels of the reduce family: pieces of fixed size, so that results do not depend on the number of threads.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "kernels/reductions/reduce.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

struct Dim {
    int64_t n, x, out;  // length, stride in x, stride in out (0 where reduced)
};

// Dimensions of one kind, the longest strides first, merged where both operands step evenly over two.
struct Dims {
    int count = 0;
    int64_t size = 1;
    Dim dims[kMaxDims];

    void add(Dim dim) {
        size *= dim.n;
        if (dim.n == 1) return;
        int at = count++;
        while (at > 0 && std::llabs(dims[at - 1].x) < std::llabs(dim.x)) {
            dims[at] = dims[at - 1];
            --at;
        }
        dims[at] = dim;
    }

    void append(Dim dim) {  // keeps the order
        size *= dim.n;
        if (dim.n != 1) dims[count++] = dim;
    }

    void merge() {
        int last = 0;
        for (int d = 1; d < count; ++d) {
            Dim &outer = dims[last], &inner = dims[d];
            if (outer.x == inner.x * inner.n && outer.out == inner.out * inner.n)
                outer = {outer.n * inner.n, inner.x, inner.out};
            else
                dims[++last] = inner;
        }
        if (count > 0) count = last + 1;
    }

    // Where item `at` of these dimensions lies, in items.
    void locate(int64_t at, int64_t& x, int64_t& out) const {
        x = out = 0;
        for (int d = count - 1; d >= 0; --d) {
            const int64_t rest = d > 0 ? at / dims[d].n : 0, i = at - rest * dims[d].n;
            at = rest;
            x += i * dims[d].x;
            out += i * dims[d].out;
        }
    }
};

const Narrows* narrows = nullptr;

constexpr int64_t kFew = 128;         // columns that few are made into
constexpr int64_t kTile = 512;        // columns reduced side by side
constexpr int64_t kPiece = 32768;     // items of one piece of a long reduction, at least
constexpr int64_t kMostPieces = 128;  // of all reductions together

// Long reductions in pieces, a multiple of four to begin with: few threads have equally many.
Pieces in_pieces(int64_t items, int64_t columns, int64_t tasks) {
    int64_t length = std::max<int64_t>(64, kPiece / std::min(columns, kTile));
    int64_t count = items <= 2 * length ? 1 : (items + 4 * length - 1) / (4 * length) * 4;
    count = std::min(count, std::max<int64_t>(1, kMostPieces / std::max<int64_t>(tasks, 1)));
    length = std::max<int64_t>(64, ((items + count - 1) / count + 63) / 64 * 64);
    return {length, std::max<int64_t>(1, (items + length - 1) / length)};
}

struct Reduction {
    const ReductionRow* row;
    const char* x;
    char* out;
    bool by_words;  // each partial result takes 8 bytes
    int x_item, out_item, narrow = -1;  // which of the narrow dtypes x has
    Dims kept, reduced;
    double divisor;  // what is reduced is divided by, where it is at all
    Dim columns = {1, 0, 0};  // the kept dimension that is reduced side by side; one column for rows
    int64_t tiles, tasks, piece, pieces;

    void divide() {
        kept.merge();
        reduced.merge();
        bool side_by_side = false;
        if (kept.count > 0 && reduced.count > 0) {
            const Dim &near = kept.dims[kept.count - 1], &along = reduced.dims[reduced.count - 1];
            side_by_side = std::llabs(near.x) < std::llabs(along.x) || short_rows(near.n, along.n);
        }
        if (side_by_side) {
            columns = kept.dims[--kept.count];
            kept.size /= columns.n;
        }
        tiles = (columns.n + kTile - 1) / kTile;
        tasks = kept.size * tiles;
        const Pieces divided = in_pieces(reduced.size, columns.n, tasks);
        piece = divided.length;
        pieces = divided.count;
    }

    int64_t width(int64_t task) const { return std::min(kTile, columns.n - task % tiles * kTile); }

    void locate(int64_t task, int64_t& from, int64_t& to) const {
        kept.locate(task / tiles, from, to);
        from += task % tiles * kTile * columns.x;
        to += task % tiles * kTile * columns.out;
    }

    // Reduces items begin .. end of the reduced dimensions into the partials of one task, whose items begin at `start`.
    void reduce(int64_t task, int64_t start, int64_t begin, int64_t end, uint64_t* partials) const {
        const Dim inner = reduced.count > 0 ? reduced.dims[reduced.count - 1] : Dim{1, 0, 0};
        const int64_t wide = width(task);
        int64_t unused;
        while (begin < end) {
            const int64_t some = reduced.count > 1 ? std::min(inner.n - begin % inner.n, end - begin) : end - begin;
            int64_t at;
            reduced.locate(begin, at, unused);
            const char* from = x + (start + at) * x_item;
            if (narrow < 0 && columns.n > 1 && columns.n < kFewestColumns && inner.x == columns.n * columns.x && some >= 256 && by_words)
                reduce_few_columns(from, inner.x, some, wide, partials);
            else if (narrow >= 0)
                reduce_narrow(from, inner.x, some, wide, partials);
            else if (columns.n == 1)
                row->row(from, inner.x, some, partials);
            else
                row->columns(from, columns.x, wide, inner.x, some, partials);
            begin += some;
        }
    }

    // Few columns without gaps: several rows are one wide row first.
    void reduce_few_columns(const char* from, int64_t step, int64_t n, int64_t wide, uint64_t* partials) const {
        uint64_t several[kFew];
        const int64_t group = kFew / wide, rows = n / group;
        row->start(several, group * wide);
        row->columns(from, columns.x, group * wide, group * step, rows, several);
        for (int64_t g = 0; g < group; ++g) row->join(partials, several + g * wide, wide);
        row->columns(from + rows * group * step * x_item, columns.x, wide, step, n - rows * group, partials);
    }

    // float16 and bfloat16 are reduced as float32, through a buffer.
    void reduce_narrow(const char* from, int64_t step, int64_t n, int64_t wide, uint64_t* partials) const {
        constexpr int64_t kBuffer = 4096;
        float buffer[kBuffer];
        if (columns.n == 1) {
            for (int64_t i = 0; i < n; i += kBuffer) {
                const int64_t some = std::min(kBuffer, n - i);
                narrows->widen[narrow](buffer, from + i * step * x_item, step, some);
                row->row(reinterpret_cast<const char*>(buffer), 1, some, partials);
            }
            return;
        }
        const int64_t lines = kBuffer / wide;
        for (int64_t i = 0; i < n; i += lines) {
            const int64_t some = std::min(lines, n - i);
            for (int64_t j = 0; j < some; ++j)
                narrows->widen[narrow](buffer + j * wide, from + (i + j) * step * x_item, columns.x, wide);
            row->columns(reinterpret_cast<const char*>(buffer), 1, wide, wide, some, partials);
        }
    }

    void finish(int64_t task, int64_t to, const uint64_t* partials) const {
        if (narrow < 0) return row->finish(out + to * out_item, columns.out, partials, width(task), divisor);
        float results[kTile];
        row->finish(reinterpret_cast<char*>(results), 1, partials, width(task), divisor);
        narrows->narrow[narrow](out + to * out_item, columns.out, results, width(task));
    }

    // Rows that lie evenly, each of one run: where each begins takes no division.
    bool even_rows() const { return pieces == 1 && columns.n == 1 && narrow < 0 && kept.count == 1 && reduced.count == 1; }

    void reduce_row(int64_t i) const {
        uint64_t partial[kMostWords];
        row->start(partial, 1);
        row->row(x + i * kept.dims[0].x * x_item, reduced.dims[0].x, reduced.size, partial);
        row->finish(out + i * kept.dims[0].out * out_item, 0, partial, 1, divisor);
    }

    void run() const {
        const int64_t items = reduced.size * std::min(columns.n, kTile);  // of a task
        if (even_rows()) {
            parallel(tasks, grain_of(tasks, tasks * items), [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) reduce_row(i);
            });
            return;
        }
        if (pieces == 1) {
            parallel(tasks, grain_of(tasks, tasks * items), [&](int64_t begin, int64_t end) {
                uint64_t partials[kTile * kMostWords];
                for (int64_t task = begin; task < end; ++task) {
                    int64_t from, to;
                    locate(task, from, to);
                    row->start(partials, width(task));
                    reduce(task, from, 0, reduced.size, partials);
                    finish(task, to, partials);
                }
            });
            return;
        }
        const int64_t wide = std::min(columns.n, kTile) * row->words;
        std::vector<uint64_t> partials(size_t(tasks * pieces * wide));
        parallel(tasks * pieces, grain_of(tasks * pieces, tasks * items), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t task = i / pieces, at = i % pieces * piece;
                int64_t from, to;
                locate(task, from, to);
                row->start(&partials[size_t(i * wide)], width(task));
                reduce(task, from, at, std::min(reduced.size, at + piece), &partials[size_t(i * wide)]);
            }
        });
        for (int64_t task = 0; task < tasks; ++task) {
            uint64_t* total = &partials[size_t(task * pieces * wide)];
            for (int64_t i = 1; i < pieces; ++i) row->join(total, total + i * wide, width(task));
            int64_t from, to;
            locate(task, from, to);
            finish(task, to, total);
        }
    }
};

void read_pair(const Kernel& kernel, const Call& call, View& out, View& x, Py_ssize_t keywords) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", kernel.name, call.count);
    call.require_keywords(keywords);
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
}

bool run_reduction(const Kernel& kernel, const Call& call) {
    View out, x;
    const bool corrected = (kernel.index & kCorrected) != 0;  // the traits of its rows
    read_pair(kernel, call, out, x, corrected ? 2 : 1);
    PyObject* axes = call.keyword("axes");
    const double correction = corrected ? PyFloat_AsDouble(call.keyword("correction")) : 0.0;
    if (correction == -1.0 && PyErr_Occurred()) throw PythonError{};
    const auto* row = static_cast<const ReductionRow*>(kernel.rows[x.code]);
    if (row == nullptr) return false;
    const bool by_parts = x.code != row->code && kItemSize[x.code] == 2 * kItemSize[row->code];  // complex numbers as pairs
    const bool narrow = x.code != row->code && !by_parts;
    if (out.code != (row->code == row->out_code ? x.code : row->out_code)) return false;  // another may be asked for: sum(dtype=)
    const uint64_t reduced = reduced_axes(out, x, axes, call.op);
    if (x.g.size == 0 && out.g.size > 0 && (row->traits & kNoIdentity) != 0)
        fail(PyExc_ValueError, "%s: an array without items has no greatest or smallest", call.op);
    if (may_meet(out, x)) return false;
    Reduction reduction;
    const int parts = by_parts ? 2 : 1;
    reduction.row = row;
    reduction.by_words = row->words == 1 && (row->traits & kNoIdentity) == 0;  // those of max and min are items
    reduction.x = x.data;
    reduction.out = out.data;
    reduction.x_item = x.itemsize() / parts;
    reduction.out_item = out.itemsize() / parts;
    if (narrow) reduction.narrow = x.code == kBFloat16;
    int at = 0;
    for (int d = 0; d < x.g.ndim; ++d) {
        Dim dim = {x.g.shape[d], x.g.strides[d] * parts, 0};
        const bool is_reduced = reduced >> d & 1;
        if (!is_reduced) dim.out = out.g.strides[at++] * parts;
        if (dim.x < 0 && dim.n > 1) {  // the order does not matter: walk x forwards
            reduction.x += (dim.n - 1) * dim.x * reduction.x_item;
            reduction.out += (dim.n - 1) * dim.out * reduction.out_item;
            dim.x = -dim.x;
            dim.out = -dim.out;
        }
        (is_reduced ? reduction.reduced : reduction.kept).add(dim);
    }
    if (by_parts) reduction.kept.add({2, 1, 1});
    if (reduction.kept.size == 0) return true;
    const double count = double(reduction.reduced.size);
    reduction.divisor = corrected ? std::max(count - correction, 0.0) : count;
    reduction.divide();
    const WithoutGil free(x.g.size >= kReleaseGil);
    reduction.run();
    return true;
}

}  // namespace

Pieces pieces_of(int64_t items, int64_t columns) { return in_pieces(items, columns, (columns + kTile - 1) / kTile); }

uint64_t reduced_axes(const View& out, const View& x, PyObject* axes, const char* op) {
    if (!PyTuple_Check(axes)) fail(PyExc_TypeError, "%s: axes is a %s; it wants a tuple", op, Py_TYPE(axes)->tp_name);
    uint64_t reduced = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axes); ++i) {
        const long axis = PyLong_AsLong(PyTuple_GET_ITEM(axes, i));
        if (axis == -1 && PyErr_Occurred()) throw PythonError{};
        if (axis < 0 || axis >= x.g.ndim || (reduced >> axis & 1))
            fail(PyExc_ValueError, "%s: axes %R do not name dimensions of an array with %d", op, axes, x.g.ndim);
        reduced |= uint64_t(1) << axis;
    }
    int at = 0;
    bool fits = out.g.ndim == x.g.ndim - int(PyTuple_GET_SIZE(axes));
    for (int d = 0; fits && d < x.g.ndim; ++d)
        if (!(reduced >> d & 1)) fits = out.g.shape[at++] == x.g.shape[d];
    if (!fits) fail(PyExc_ValueError, "%s: out does not have x's shape without axes %R", op, axes);
    return reduced;
}

const ReductionRow* reduction_row(const char* op, int code) {
    const Kernel* kernel = find_kernel(op);
    if (kernel == nullptr || kernel->run != run_reduction) return nullptr;
    const auto* row = static_cast<const ReductionRow*>(kernel->rows[code]);
    return row != nullptr && row->code == code ? row : nullptr;
}

// float16 and bfloat16 are reduced as float32; complex numbers that are reduced by parts, as these parts.
void register_reductions(const Reductions& reductions) {
    for (int i = 0; i < reductions.count; ++i) {
        const ReductionRow& row = reductions.rows[i];
        Kernel& kernel = kernel_named(row.name, run_reduction);
        kernel.index = row.traits;
        kernel.rows[row.code] = &row;
        if (row.code == kFloat32 && row.out_code == kFloat32) kernel.rows[kFloat16] = kernel.rows[kBFloat16] = &row;
        if ((row.traits & kByParts) != 0) kernel.rows[row.code == kFloat32 ? kComplex64 : kComplex128] = &row;
    }
}

namespace {

const Registration registration([](const Loops& loops) {
    narrows = loops.narrows;
    for (auto reductions = loops.reductions; *reductions != nullptr; ++reductions) register_reductions(**reductions);
});

}  // namespace
}  // namespace lamina
