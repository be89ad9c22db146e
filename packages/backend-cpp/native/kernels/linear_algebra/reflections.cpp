// geqrf, householder_product and qr, over stacks of real matrices.
#include "kernels/linear_algebra/reflections.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/linear_algebra/reflecting.hpp"

namespace lamina {
namespace {

const ReflectionLoops* loops;  // for matrices of few columns

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
