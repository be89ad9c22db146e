// fft_c2c, fft_r2c and fft_c2r: transforms along one axis of an array, whose other axes are a stack of rows.
#include "kernels/fourier/fourier.hpp"

#include <algorithm>
#include <cstdlib>

#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const FourierLoops* loops_of;

constexpr int64_t kLongest = int64_t(1) << 36;  // of a row: its tables' sizes are numbers, still

// All axes but one, as few as there are, the one whose items lie closest together last.
struct Rows {
    int ndim = 0;
    int64_t count = 1;
    int64_t shape[kMaxDims], from[kMaxDims], to[kMaxDims];  // steps in bytes

    Rows(const View& out, const View& x, int axis) {
        for (int d = 0; d < x.g.ndim; ++d) {
            if (d == axis || x.g.shape[d] == 1) continue;
            count *= x.g.shape[d];
            const int64_t step = out.g.strides[d] * out.itemsize();
            int at = ndim++;
            for (; at > 0 && std::llabs(to[at - 1]) < std::llabs(step); --at) put(at, shape[at - 1], from[at - 1], to[at - 1]);
            put(at, x.g.shape[d], x.g.strides[d] * x.itemsize(), step);
        }
        for (int d = ndim - 1; d > 0; --d)
            if (from[d - 1] == from[d] * shape[d] && to[d - 1] == to[d] * shape[d]) {
                put(d - 1, shape[d - 1] * shape[d], from[d], to[d]);
                for (int e = d; e + 1 < ndim; ++e) put(e, shape[e + 1], from[e + 1], to[e + 1]);
                --ndim;
            }
    }

    int64_t inner() const { return ndim > 0 ? shape[ndim - 1] : 1; }

    // Where row i begins.
    void locate(int64_t i, int64_t& x, int64_t& out) const {
        x = out = 0;
        for (int d = ndim - 1; d > 0; --d) {
            x += i % shape[d] * from[d];
            out += i % shape[d] * to[d];
            i /= shape[d];
        }
        if (ndim > 0) x += i * from[0], out += i * to[0];
    }

   private:
    void put(int d, int64_t n, int64_t x, int64_t out) { shape[d] = n, from[d] = x, to[d] = out; }
};

// Calls task(i, slot) for every i below n, for neighbours on one thread: in its cache is what it wrote of them in the last call.
template <class F>
void share_out(int64_t n, int64_t slots, const F& task) {
    const int64_t grain = (n + slots - 1) / slots;
    parallel(n, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) task(i, begin / grain);
    });
}

struct Transforming {
    const FourierTask& task;
    const View &out, &x;
    const Rows& rows;
    int type, lanes;        // float32, float64
    int64_t x_step, out_step;  // along the axis, in items
    int64_t item;           // of a real number

    static int64_t size_of(const FourierPlan& plan) { return plan.longer ? plan.longer->n : plan.n; }
    int64_t vectors_of(int64_t n) const { return (n + lanes - 1) / lanes; }
    int64_t vectors(int64_t count) const { return count * lanes * item; }
    bool inner_neighbours() const {
        return rows.ndim > 0 && (rows.from[rows.ndim - 1] == x.itemsize() || rows.to[rows.ndim - 1] == out.itemsize());
    }

    // As many rows as vectors have lanes at once.
    void together() const {
        const int64_t inner = rows.inner();
        const bool along = (x_step != 1 || out_step != 1) && inner_neighbours() && 4 * inner >= lanes;  // no tile has ends of two lines
        const int64_t line = along ? inner : rows.count, tiles_of_line = (line + lanes - 1) / lanes;
        const int64_t tiles = rows.count / line * tiles_of_line;
        const int64_t own = aligned(vectors(4 * size_of(*task.plan) + 4)), work = rows.count * task.n * 2;
        const int64_t slots = work < kParallel ? 1 : std::min<int64_t>(num_threads(), tiles);
        const bool one_line = along || rows.ndim <= 1;
        const int64_t from_next = rows.ndim > 0 ? rows.from[rows.ndim - 1] : 0, to_next = rows.ndim > 0 ? rows.to[rows.ndim - 1] : 0;
        const Scratch memory(own * slots);
        const WithoutGil free(work >= kReleaseGil);
        share_out(tiles, slots, [&](int64_t i, int64_t slot) {
            const int64_t whole = line == rows.count ? 0 : i / tiles_of_line, within = (i - whole * tiles_of_line) * lanes;
            const int64_t first = whole * line + within;
            FourierTile tile;
            tile.count = int(std::min<int64_t>(lanes, line - within));
            int64_t from_first, to_first;
            rows.locate(first, from_first, to_first);
            for (int l = 0; l < lanes; ++l) {
                const int64_t row = l < tile.count ? l : 0;
                int64_t from = from_first + row * from_next, to = to_first + row * to_next;
                if (!one_line) rows.locate(first + row, from, to);
                tile.from[l] = x.data + from;
                tile.to[l] = out.data + to;
            }
            tile.from_step = x_step;
            tile.to_step = out_step;
            tile.from_neighbours = one_line && from_next == x.itemsize();
            tile.to_neighbours = one_line && to_next == out.itemsize();
            loops_of->tile[type](task, tile, memory.data() + slot * own);
        });
    }

    // Scratch of one row that is a matrix: as rows in vectors, and for what each thread works on.
    struct Bench {
        char *matrix, *own;
        int64_t own_bytes, threads;
    };

    int64_t matrix_bytes(const FourierPlan& plan) const {
        const FourierPlan& split = plan.longer ? *plan.longer : plan;
        return aligned(vectors(vectors_of(split.down->n) * vectors_of(split.across->n) * lanes * 2));
    }
    int64_t own_bytes(const FourierPlan& plan) const {
        const FourierPlan& split = plan.longer ? *plan.longer : plan;
        return aligned(vectors(2 * split.down->n));
    }

    void matrix(const FourierPlan& plan, const char* from, char* to, bool swapped, double scale, const Bench& bench) const {
        const auto divided = [&](int64_t n, const auto& part) {
            if (bench.threads == 1) return part(bench.own, int64_t(0), n);
            const int64_t pieces = std::min(bench.threads, n), grain = (n + pieces - 1) / pieces;
            parallel(n, grain, [&](int64_t begin, int64_t end) { part(bench.own + begin / grain * bench.own_bytes, begin, end); });
        };
        divided(plan.across_vectors, [&](char* scratch, int64_t begin, int64_t end) {
            loops_of->columns[type](plan, from, swapped, bench.matrix, scratch, begin, end);
        });
        divided(plan.down_vectors, [&](char*, int64_t begin, int64_t end) {
            loops_of->rows[type](plan, bench.matrix, to, swapped, scale, begin, end);
        });
    }

    // One row after another, each on its own.
    void apart() const {
        const FourierPlan& plan = *task.plan;
        const bool complex_in = task.kind == kComplexToComplex || (task.kind == kRealToComplex && task.packed);
        const bool complex_out = task.kind == kComplexToComplex || (task.kind == kComplexToReal && task.packed);
        const bool reads = complex_in && x_step == 1, writes = complex_out && out_step == 1;  // without copies
        const bool backwards = task.kind == kComplexToReal || task.inverse;
        const bool joins = task.kind == kRealToComplex && task.packed;
        const double scale = joins ? 1 : task.scale;
        const int64_t work = task.n * 16, line = aligned((2 * plan.n + 2) * item);
        const bool large = work >= 1000000 || rows.count == 1;
        const int64_t threads = work * rows.count < kParallel ? 1 : num_threads();
        const int64_t slots = large ? 1 : std::min<int64_t>(threads, rows.count), inside = slots > 1 ? 1 : threads;
        const int64_t convolved = plan.longer ? aligned(2 * plan.longer->n * item) : 0;
        const int64_t matrix_scratch = matrix_bytes(plan), own = own_bytes(plan);
        const int64_t each = 2 * line + 2 * convolved + matrix_scratch + own * inside;
        const Scratch memory(each * slots);
        const WithoutGil free(work * rows.count >= kReleaseGil);
        share_out(rows.count, slots, [&](int64_t i, int64_t slot) {
            int64_t from_at, to_at;
            rows.locate(i, from_at, to_at);
            char *start = memory.data() + slot * each, *u = start, *v = u + line, *w = v + line, *z = w + convolved;
            const Bench bench = {z + convolved, z + convolved + matrix_scratch, own, inside};
            const char* from = x.data + from_at;
            char* to = out.data + to_at;
            if (!reads) loops_of->before[type](task, from, x_step, u), from = u;
            char* result = writes ? to : v;
            if (plan.longer) {
                loops_of->chirped[type](plan, from, backwards, w);
                matrix(*plan.longer, w, z, false, 1, bench);
                loops_of->filtered[type](plan, z);
                matrix(*plan.longer, z, w, false, 1, bench);
                loops_of->unchirped[type](plan, w, backwards, scale, result);
            } else {
                matrix(plan, from, result, backwards, scale, bench);
            }
            if (!writes) loops_of->after[type](task, result, to, out_step);
        });
    }
};

bool run_fourier(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    FourierTask task{};
    task.kind = FourierKind(kernel.index);
    call.require_keywords(task.kind == kRealToComplex ? 2 : 3);
    View out, x;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    out.read(call.positional[0], true, call.op, &x);
    const int64_t axis = integer_of(call, "axis");
    if (axis < 0 || axis >= x.g.ndim)
        fail(PyExc_ValueError, "%s: axis %lld given; x has %d axes", call.op, static_cast<long long>(axis), x.g.ndim);
    task.inverse = task.kind == kComplexToComplex && bool_of(call, "inverse");
    task.scale = number_of(call, "scale");
    const int64_t length = x.g.shape[axis];
    task.n = task.kind == kComplexToReal ? integer_of(call, "n") : length;
    if (task.n < 1)
        fail(PyExc_ValueError, "%s: %lld items along axis %lld; it wants 1 or more", call.op, static_cast<long long>(task.n),
             static_cast<long long>(axis));
    if (length != task.read())
        fail(PyExc_ValueError, "%s: %lld items along axis %lld for n = %lld; it wants n // 2 + 1", call.op, static_cast<long long>(length),
             static_cast<long long>(axis), static_cast<long long>(task.n));
    const bool is_double = x.code == kFloat64 || x.code == kComplex128;
    int64_t shape[kMaxDims];
    std::copy(x.g.shape, x.g.shape + x.g.ndim, shape);
    shape[axis] = task.written();
    const int real = is_double ? kFloat64 : kFloat32, complex = is_double ? kComplex128 : kComplex64;
    require(out, "out", task.kind == kComplexToReal ? real : complex, shape, x.g.ndim, call.op);
    if (out.g.size == 0) return true;
    const bool repeated = out.g.strides[axis] == 0 && task.written() > 1;  // a length without memory behind it
    if (may_meet(out, x) || repeated || task.n > kLongest) return false;

    const int type = is_double, lanes = loops_of->lanes[type];
    const Rows rows(out, x, int(axis));
    task.packed = task.kind != kComplexToComplex && task.n % 2 == 0;
    const int64_t size = task.packed ? task.n / 2 : task.n;
    const int64_t x_step = x.g.strides[axis], out_step = out.g.strides[axis];
    const Transforming transforming = {task, out, x, rows, type, lanes, x_step, out_step, is_double ? 8 : 4};
    // Rows side by side are read along their neighbours; a few rows, or long ones, alone.
    const bool beside = transforming.inner_neighbours() && 2 * rows.inner() >= lanes && (x_step != 1 || out_step != 1);
    const FourierWay way = size < 64 || beside || (size < 512 && 2 * rows.count >= lanes) ? kTogether : kApart;
    const auto plan = fourier_plan(size, is_double, way, task.packed, lanes);
    task.plan = plan.get();
    way == kTogether ? transforming.together() : transforming.apart();
    return true;
}

const Registration registration([](const Loops& loops) {
    loops_of = loops.fourier;
    const struct {
        const char* name;
        FourierKind kind;
        int codes[2];
    } kinds[] = {{"fft_c2c", kComplexToComplex, {kComplex64, kComplex128}},
                 {"fft_r2c", kRealToComplex, {kFloat32, kFloat64}},
                 {"fft_c2r", kComplexToReal, {kComplex64, kComplex128}}};
    for (const auto& one : kinds) {
        Kernel& kernel = kernel_named(one.name, run_fourier);
        kernel.index = one.kind;
        for (const int code : one.codes) kernel.rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
