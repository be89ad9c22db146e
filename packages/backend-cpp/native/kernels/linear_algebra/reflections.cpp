// geqrf, householder_product and qr, over stacks of real matrices: Householder reflections, whose products are kept as
// I - V @ U^-1 @ V^T, so that most of the work is products of matrices.
//
// U is the upper triangle of V^T @ V with the scales' reciprocals on its diagonal: Joffrain, Low, Quintana-Orti, van de Geijn and
// Van Zee, "Accumulating Householder transformations, revisited", 2006. Blocks of columns are halved until few are left: Elmroth
// and Gustavson, "Applying recursion to serial and parallel QR factorization", 2000.
#include "kernels/linear_algebra/reflections.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/linear_algebra/stacks.hpp"

namespace lamina {
namespace {

const ReflectionLoops* loops;

constexpr int64_t kBlock = 64;  // columns whose reflections are applied to the others at once

// Of one matrix of `rows`: reflections of columns, and their product. `columns`: the most that they are applied to.
struct Reflecting {
    const Arithmetic& by;
    int64_t rows, item;
    char *panel, *other, *vector;  // few columns, for two matrices; and one
    Part v, u, w;                  // of a block: vectors, triangle, and V^T times what it is applied to

    static bool is_few(int64_t columns) { return columns <= kFewColumns; }
    static int64_t terms_of(int64_t columns) { return is_few(columns) ? 0 : kBlock * columns; }
    static int64_t scratch_of(int64_t rows, int64_t columns) {
        return (2 * kFewColumns + 1) * rows + (is_few(columns) ? 0 : kBlock * (rows + kBlock + columns));
    }

    Reflecting(const Arithmetic& by, char* scratch, int64_t rows, int64_t columns, int64_t item) : by(by), rows(rows), item(item) {
        panel = scratch;
        other = panel + kFewColumns * rows * item;
        vector = other + kFewColumns * rows * item;
        v = {vector + rows * item, kBlock, 1, item};
        u = {v.data + kBlock * rows * item, kBlock, 1, item};
        w = {u.data + kBlock * kBlock * item, columns, 1, item};
    }

    Part few(char* data) const { return {data, kFewColumns, 1, item}; }

    // QR of few columns, which are left in `panel`.
    void reflect(const Part& a, int64_t height, int64_t columns, char* scales) const {
        if (columns < kFewColumns) std::memset(panel, 0, size_t(height * kFewColumns * item));
        copy(few(panel), a, height, columns);
        loops->reflect[by.type](panel, height, columns, scales, vector);
    }

    // U of the first `count` vectors of the block that begin `at` so many rows and columns from its corner.
    void set_triangle(int64_t at, int64_t height, int64_t count, const char* scales) const {
        const Part vectors = v.at(at, at);
        by.multiply(u.at(at, at), vectors.turned(), vectors, count, count, height);
        for (int64_t i = 0; i < count; ++i)
            set_item(u.at(at + i, at + i), item == 4 ? 1 / reinterpret_cast<const float*>(scales)[i]
                                                     : 1 / reinterpret_cast<const double*>(scales)[i]);
    }

    // Q^T @ c, or Q @ c, for the product Q of `count` reflections, `at` so many rows and columns from the corner of the block.
    void apply(const Part& c, int64_t at, int64_t height, int64_t count, int64_t columns, bool transposed) const {
        const Part vectors = v.at(at, at), triangle = u.at(at, at);
        by.multiply(w, vectors.turned(), c, count, columns, height);
        if (transposed)
            by.substitute(triangle.turned(), false, w, count, columns);
        else
            by.substitute(triangle.reversed(count, count), false, w.upwards(count), count, columns);
        by.subtract(c, vectors, w, height, columns, count);
    }

    // Columns begin ... end - 1 of a, which are some of the block that begins with column `first`, and their V and U.
    void factor(const Part& a, int64_t first, int64_t begin, int64_t end, char* scales) const {
        const int64_t height = rows - begin, width = end - begin, at = begin - first;
        if (is_few(width)) {
            char* own = scales + begin * item;
            reflect(a.at(begin, begin), height, width, own);
            copy(a.at(begin, begin), few(panel), height, width);
            for (int64_t i = 0; i < at; ++i) std::memset(v.at(i, at).data, 0, size_t(width * item));
            loops->vectors[by.type](v.at(at, at).data, v.row, panel, kFewColumns, 1, height, width);
            return set_triangle(at, height, width, own);
        }
        const int64_t middle = begin + Arithmetic::half(width), to = middle - first;
        factor(a, first, begin, middle, scales);
        apply(a.at(begin, middle), at, height, middle - begin, end - middle, true);
        factor(a, first, middle, end, scales);
        by.multiply(u.at(at, to), v.at(to, at).turned(), v.at(to, to), middle - begin, end - middle, rows - middle);
    }

    // All columns of a, packed as LAPACK does.
    void factor(const Part& a, int64_t columns, char* scales) const {
        const int64_t count = std::min(rows, columns);
        for (int64_t begin = 0; begin < count; begin += kBlock) {
            const int64_t end = std::min(begin + kBlock, count);
            factor(a, begin, begin, end, scales);
            if (end < columns) apply(a.at(begin, end), 0, rows - begin, end - begin, columns - end, true);
        }
    }

    // The first columns of the product of `count` packed reflections, from the last to the first.
    void product(const Part& q, const Part& packed, const char* scales, int64_t count, int64_t columns) const {
        set_identity(q, rows, columns);
        for (int64_t begin = (count + kBlock - 1) / kBlock * kBlock - kBlock; begin >= 0; begin -= kBlock) {
            const int64_t width = std::min(kBlock, count - begin), height = rows - begin;
            const Part from = packed.at(begin, begin);
            loops->vectors[by.type](v.data, v.row, from.data, from.row, from.column, height, width);
            set_triangle(0, height, width, scales + begin * item);
            apply(q.at(begin, begin), 0, height, width, columns - begin, false);
        }
    }
};

// The upper triangle.
void copy_r(const Part& to, const Part& from, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i) {
        const int64_t zeros = std::min(i, columns);
        for (int64_t j = 0; j < zeros; ++j) std::memset(to.at(i, j).data, 0, size_t(to.item));
        copy(to.at(i, zeros), from.at(i, zeros), 1, columns - zeros);
    }
}

bool run_geqrf(const Kernel& kernel, const Call& call) {
    View out, scales, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, 0)) return false;
    const int64_t m = stack.rows(), n = stack.columns(), count = std::min(m, n);
    out.read(result_of(call, 0, 2), true, call.op, &x);
    scales.read(result_of(call, 1, 2), true, call.op);
    stack.require(out, "the factors", x.code, {m, n});
    stack.require(scales, "the scales", x.code, {count});
    if (!adjacent(scales) || may_meet(out, x) || may_meet(scales, x)) return false;
    const bool in_place = adjacent(out);
    const int64_t item = x.itemsize(), before = Reflecting::scratch_of(m, n), more = before + (in_place ? 0 : m * n);
    stack.each(Reflecting::terms_of(n), more, 2 * m * n * count, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Reflecting one(by, scratch, m, n, item);
        const Part to = stack.part(out, i), from = stack.part(x, i);
        char* own = scales.data + stack.offset(scales, i) * item;
        if (Reflecting::is_few(n)) {
            one.reflect(from, m, n, own);
            return copy(to, one.few(one.panel), m, n);
        }
        const Part a = in_place ? to : Part{scratch + before * item, n, 1, item};
        copy(a, from, m, n);
        one.factor(a, n, own);
        if (!in_place) by.place(to, a, m, n);
    });
    return true;
}

bool run_householder_product(const Kernel& kernel, const Call& call) {
    View out, x, scales;
    Stack stack{call};
    if (!stack.begin(kernel, x, 3, 0)) return false;
    const int64_t m = stack.rows(), n = stack.columns(), item = x.itemsize();
    scales.read(call.positional[2], false, call.op);
    out.read(call.positional[0], true, call.op, &x);
    const int64_t count = scales.g.ndim > 0 ? scales.g.shape[scales.g.ndim - 1] : 0;
    stack.require(scales, "tau", x.code, {count});
    stack.require(out, "out", x.code, {m, n});
    if (n > m || count > n)
        fail(PyExc_ValueError, "%s: %lld scales for %lld x %lld", call.op, (long long)(count), (long long)(m), (long long)(n));
    if (may_meet(out, x) || may_meet(out, scales)) return false;
    const bool in_place = adjacent(out);
    const int64_t before = Reflecting::scratch_of(m, n) + count, more = before + (in_place ? 0 : m * n);
    stack.each(Reflecting::terms_of(n), more, 2 * m * n * count, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Reflecting one(by, scratch + count * item, m, n, item);
        const Part to = stack.part(out, i), packed = stack.part(x, i);
        copy({scratch, 0, 1, item}, {scales.data + stack.offset(scales, i) * item, 0, scales.g.strides[stack.lead], item}, 1, count);
        if (!Reflecting::is_few(n)) {
            const Part q = in_place ? to : Part{scratch + before * item, n, 1, item};
            one.product(q, packed, scratch, count, n);
            if (!in_place) by.place(to, q, m, n);
            return;
        }
        copy(one.few(one.panel), packed, m, count);
        loops->product[by.type](one.other, one.panel, scratch, m, count, one.vector);
        copy(to, one.few(one.other), m, n);
    });
    return true;
}

bool run_qr(const Kernel& kernel, const Call& call) {
    View q, r, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, 1)) return false;
    static const char* const kModes[] = {"reduced", "complete", "r", nullptr};
    const int mode = choice_of(call, "mode", kModes);
    const int64_t m = stack.rows(), n = stack.columns(), count = std::min(m, n), item = x.itemsize();
    const int64_t height = mode == 1 ? m : count, width = mode == 2 ? 0 : height;  // of R, and of Q
    r.read(result_of(call, 1, 2), true, call.op);
    stack.require(r, "r", x.code, {height, n});
    if (may_meet(r, x)) return false;
    if (mode != 2) {
        q.read(result_of(call, 0, 2), true, call.op);
        stack.require(q, "q", x.code, {m, width});
        if (may_meet(q, x)) return false;
    }
    const bool in_place = mode == 2 || adjacent(q);
    const int64_t most = std::max(n, width), before = Reflecting::scratch_of(m, most) + count;
    const int64_t more = before + (Reflecting::is_few(most) ? 0 : m * n + (in_place ? 0 : m * width));
    stack.each(Reflecting::terms_of(most), more, 2 * m * most * count, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Reflecting one(by, scratch + count * item, m, most, item);
        const Part from = stack.part(x, i);
        if (Reflecting::is_few(most)) {
            one.reflect(from, m, n, scratch);
            copy_r(stack.part(r, i), one.few(one.panel), height, n);
            if (mode == 2) return;
            loops->product[by.type](one.other, one.panel, scratch, m, count, one.vector);
            return copy(stack.part(q, i), one.few(one.other), m, width);
        }
        const Part a{scratch + before * item, n, 1, item};
        copy(a, from, m, n);
        one.factor(a, n, scratch);
        copy_r(stack.part(r, i), a, height, n);
        if (mode == 2) return;
        const Part to = stack.part(q, i), columns = in_place ? to : Part{a.at(m, 0).data, width, 1, item};
        one.product(columns, a, scratch, count, width);
        if (!in_place) by.place(to, columns, m, width);
    });
    return true;
}

const Registration registration([](const Loops& best) {
    loops = best.reflections;
    for (const int code : {kFloat32, kFloat64}) {
        kernel_named("geqrf", run_geqrf).rows[code] = kServed;
        kernel_named("householder_product", run_householder_product).rows[code] = kServed;
        kernel_named("qr", run_qr).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
