// lu_factor_ex, cholesky_ex, solve_triangular, solve_ex, inv_ex, det and slogdet, over stacks of real matrices.
//
// Each halves its matrix until few columns are left, so that most of the work is products of its parts: Toledo, "Locality of
// reference in LU decomposition with partial pivoting", 1997, and Elmroth et al., "Recursive blocked algorithms", 2004.
#include "kernels/linear_algebra/factorizations.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/linear_algebra/stacks.hpp"

namespace lamina {
namespace {

struct Factoring : Arithmetic {
    char* panel = nullptr;  // scratch for LU: that of panel_of(rows) items

    static int64_t panel_of(int64_t rows) { return rows * kFewColumns; }

    // Columns begin ... end - 1 of an (m, n) matrix; gives the first pivot that is 0, or 0.
    int64_t lu(const Part& a, int64_t m, int64_t n, int64_t begin, int64_t end, int32_t* pivots, bool pivot) const {
        if (end - begin <= kFewColumns) return steps.lu[type](a.data, m, n, a.row, begin, end, pivots, pivot, panel);
        const int64_t middle = begin + half(end - begin);
        const int64_t first = lu(a, m, n, begin, middle, pivots, pivot);
        substitute(a.at(begin, begin), true, a.at(begin, middle), middle - begin, end - middle);
        subtract(a.at(middle, middle), a.at(middle, begin), a.at(begin, middle), m - middle, end - middle, middle - begin);
        const int64_t second = lu(a, m, n, middle, end, pivots, pivot);
        return first != 0 ? first : second;
    }

    int64_t lu(const Part& a, int64_t m, int64_t n, int32_t* pivots, bool pivot) const {
        const int64_t square = std::min(m, n), singular = lu(a, m, n, 0, square, pivots, pivot);
        if (n > square) substitute(a, true, a.at(0, square), square, n - square);
        return singular;
    }

    // The lower triangle of (n, n); gives the first minor that is not positive, or 0.
    int64_t cholesky(const Part& a, int64_t n) const {
        if (n <= kFewColumns) return steps.cholesky[type](a.data, n, a.row);
        const int64_t h = half(n), rest = n - h;
        if (const int64_t minor = cholesky(a, h)) return minor;
        // The rows below, as columns of the system that they solve; then what they take from the lower triangle of the rest.
        const Part below = a.at(h, 0), turned{terms + terms_of(n, n) * a.item, rest, 1, a.item};
        transpose(turned, below, rest, h);
        substitute(a, false, turned, h, rest);
        transpose(below, turned, h, rest);
        constexpr int64_t kBlock = 64;
        for (int64_t c = 0; c < rest; c += kBlock)
            subtract(a.at(h + c, h + c), below.at(c, 0), turned.at(0, c), rest - c, std::min(kBlock, rest - c), h);
        const int64_t minor = cholesky(a.at(h, h), rest);
        return minor == 0 ? 0 : h + minor;
    }
};

bool run_lu(const Kernel& kernel, const Call& call) {
    View out, pivots, info, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, 1)) return false;
    const int64_t m = stack.rows(), n = stack.columns(), least = std::min(m, n);
    const bool pivot = bool_of(call, "pivot");
    out.read(result_of(call, 0, 3), true, call.op, &x);
    pivots.read(result_of(call, 1, 3), true, call.op);
    info.read(result_of(call, 2, 3), true, call.op);
    stack.require(out, "the factors", x.code, {m, n});
    stack.require(pivots, "pivots", kInt32, {least});
    stack.require(info, "info", kInt32, {});
    if (!adjacent(pivots) || may_meet(out, x) || m > INT32_MAX) return false;
    const bool in_place = adjacent(out);
    const int64_t terms = Arithmetic::terms_of(least, n), more = Factoring::panel_of(m) + (in_place ? 0 : m * n);
    stack.each(terms, more, m * n * least / 2, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Part to = stack.part(out, i), a = in_place ? to : Part{scratch + Factoring::panel_of(m) * to.item, n, 1, to.item};
        copy(a, stack.part(x, i), m, n);
        *stack.of<int32_t>(info, i) = int32_t(Factoring{by, scratch}.lu(a, m, n, stack.of<int32_t>(pivots, i), pivot));
        if (!in_place) by.place(to, a, m, n);
    });
    return true;
}

bool run_cholesky(const Kernel& kernel, const Call& call) {
    View out, info, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, 1)) return false;
    const int64_t n = stack.rows();
    const bool upper = bool_of(call, "upper");
    out.read(result_of(call, 0, 2), true, call.op, &x);
    info.read(result_of(call, 1, 2), true, call.op);
    stack.require(x, "x", x.code, {n, n});
    stack.require(out, "the factor", x.code, {n, n});
    stack.require(info, "info", kInt32, {});
    if (may_meet(out, x)) return false;
    const int64_t terms = Arithmetic::terms_of(n, n);
    const bool in_place = adjacent(out) && !upper;
    stack.each(terms, terms + (in_place ? 0 : n * n), n * n * n / 3, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Part to = stack.part(out, i), from = stack.part(x, i);
        // The upper triangle is the lower one of the matrix turned.
        const Part a = in_place ? to : Part{scratch + terms * to.item, n, 1, to.item};
        copy(a, upper ? Part{from.data, from.column, from.row, from.item} : from, n, n);
        const int64_t minor = Factoring{by}.cholesky(a, n);
        *stack.of<int32_t>(info, i) = int32_t(minor);
        if (minor != 0) return fill_nan(to, n, n);
        for (int64_t r = 0; r + 1 < n; ++r) std::memset(a.at(r, r + 1).data, 0, size_t((n - r - 1) * to.item));
        if (!in_place) by.place(upper ? to.turned() : to, a, n, n);
    });
    return true;
}

bool run_solve_triangular(const Kernel& kernel, const Call& call) {
    View out, a, b;
    Stack stack{call};
    if (!stack.begin(kernel, a, 3, 2)) return false;
    const int64_t n = stack.rows();
    const bool upper = bool_of(call, "upper"), unit = bool_of(call, "unitriangular");
    b.read(call.positional[2], false, call.op);
    out.read(call.positional[0], true, call.op, &b);
    const int64_t columns = b.g.ndim > 0 ? b.g.shape[b.g.ndim - 1] : 0;
    stack.require(a, "a", a.code, {n, n});
    stack.require(b, "b", a.code, {n, columns});
    stack.require(out, "out", a.code, {n, columns});
    if (may_meet(out, a) || may_meet(out, b)) return false;
    const bool in_place = adjacent(out);
    const int64_t more = in_place ? 0 : n * columns;
    stack.each(Arithmetic::terms_of(n, columns), more, n * n * columns / 2, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Part to = stack.part(out, i), l = stack.part(a, i), x = in_place ? to : Part{scratch, columns, 1, to.item};
        copy(x, stack.part(b, i), n, columns);
        if (upper)
            by.substitute(l.reversed(n, n), unit, x.upwards(n), n, columns);
        else
            by.substitute(l, unit, x, n, columns);
        if (!in_place) by.place(to, x, n, columns);
    });
    return true;
}

// x of a @ x = b, for all of b, or for the identity, of which x is the inverse.
bool run_solve(const Kernel& kernel, const Call& call) {
    const bool inverse = kernel.index != 0;
    View out, info, a, b;
    Stack stack{call};
    if (!stack.begin(kernel, a, inverse ? 2 : 3, 0)) return false;
    const int64_t n = stack.rows();
    if (!inverse) b.read(call.positional[2], false, call.op);
    out.read(result_of(call, 0, 2), true, call.op);
    info.read(result_of(call, 1, 2), true, call.op);
    const int64_t columns = inverse ? n : b.g.ndim > 0 ? b.g.shape[b.g.ndim - 1] : 0;
    stack.require(a, "a", a.code, {n, n});
    if (!inverse) stack.require(b, "b", a.code, {n, columns});
    stack.require(out, "out", a.code, {n, columns});
    stack.require(info, "info", kInt32, {});
    if (may_meet(out, a) || (!inverse && may_meet(out, b)) || n > INT32_MAX) return false;
    const bool in_place = adjacent(out);
    const int64_t terms = Arithmetic::terms_of(n, std::max(n, columns)), item = a.itemsize();
    const int64_t before = Factoring::panel_of(n) + n * n + (n * 4 + item - 1) / item;  // with factors and pivots
    const int64_t more = before + (in_place ? 0 : n * columns);
    stack.each(terms, more, n * n * (n / 3 + columns), [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Part to = stack.part(out, i), x = in_place ? to : Part{scratch + before * item, columns, 1, item};
        const Part factors{scratch + Factoring::panel_of(n) * item, n, 1, item};
        int32_t* pivots = reinterpret_cast<int32_t*>(factors.at(n, 0).data);
        copy(factors, stack.part(a, i), n, n);
        const int64_t singular = Factoring{by, scratch}.lu(factors, n, n, pivots, true);
        *stack.of<int32_t>(info, i) = int32_t(singular);
        if (singular != 0) return fill_nan(to, n, columns);
        if (inverse)
            set_identity(x, n, n);
        else
            copy(x, stack.part(b, i), n, columns);
        for (int64_t r = 0; r < n; ++r)
            if (pivots[r] != r + 1)
                std::swap_ranges(x.at(r, 0).data, x.at(r, 0).data + columns * item, x.at(pivots[r] - 1, 0).data);
        by.substitute(factors, true, x, n, columns);
        by.substitute(factors.reversed(n, n), false, x.upwards(n), n, columns);
        if (!in_place) by.place(to, x, n, columns);
    });
    return true;
}

// Of U's diagonal, after so many exchanges of rows: the product, or its sign and the logarithm of its size.
template <class T>
void determinant(const Part& u, const int32_t* pivots, int64_t n, T* product, T* logarithm) {
    T all = 1;
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        const T item = *reinterpret_cast<const T*>(u.at(i, i).data);
        if (pivots[i] != i + 1) all = -all;
        if (logarithm == nullptr) {
            all *= item;
        } else {
            all *= item > 0 ? T(1) : item < 0 ? T(-1) : item;  // 0 and NaN stay
            sum += std::log(double(std::fabs(item)));
        }
    }
    *product = all;
    if (logarithm != nullptr) *logarithm = T(sum);
}

bool run_det(const Kernel& kernel, const Call& call) {
    const bool by_logarithm = kernel.index != 0;
    View out, size, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, 0)) return false;
    const int64_t n = stack.rows(), item = x.itemsize();
    out.read(by_logarithm ? result_of(call, 0, 2) : call.positional[0], true, call.op);
    if (by_logarithm) size.read(result_of(call, 1, 2), true, call.op);
    stack.require(x, "x", x.code, {n, n});
    stack.require(out, by_logarithm ? "the sign" : "out", x.code, {});
    if (by_logarithm) stack.require(size, "the logarithm", x.code, {});
    if (may_meet(out, x) || (by_logarithm && may_meet(size, x)) || n > INT32_MAX) return false;
    const int64_t terms = Arithmetic::terms_of(n, n);
    const int64_t more = Factoring::panel_of(n) + n * n + (n * 4 + item - 1) / item;  // with factors and pivots
    stack.each(terms, more, n * n * n / 3, [&](int64_t i, const Arithmetic& by, char* scratch) {
        const Part factors{scratch + Factoring::panel_of(n) * item, n, 1, item};
        int32_t* pivots = reinterpret_cast<int32_t*>(factors.at(n, 0).data);
        copy(factors, stack.part(x, i), n, n);
        Factoring{by, scratch}.lu(factors, n, n, pivots, true);
        if (item == 4)
            determinant(factors, pivots, n, stack.of<float>(out, i), by_logarithm ? stack.of<float>(size, i) : nullptr);
        else
            determinant(factors, pivots, n, stack.of<double>(out, i), by_logarithm ? stack.of<double>(size, i) : nullptr);
    });
    return true;
}

const Registration registration([](const Loops&) {
    for (const int code : {kFloat32, kFloat64}) {
        kernel_named("lu_factor_ex", run_lu).rows[code] = kServed;
        kernel_named("cholesky_ex", run_cholesky).rows[code] = kServed;
        kernel_named("solve_triangular", run_solve_triangular).rows[code] = kServed;
        kernel_named("solve_ex", run_solve).rows[code] = kServed;
        Kernel& inverse = kernel_named("inv_ex", run_solve);
        inverse.rows[code] = kServed;
        inverse.index = 1;
        kernel_named("det", run_det).rows[code] = kServed;
        Kernel& logarithm = kernel_named("slogdet", run_det);
        logarithm.rows[code] = kServed;
        logarithm.index = 1;
    }
});

}  // namespace
}  // namespace lamina
