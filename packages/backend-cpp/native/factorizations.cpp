// lu_factor_ex, cholesky_ex, solve_triangular, solve_ex and inv_ex, over stacks of real matrices.
//
// Each halves its matrix until few columns are left, so that most of the work is products of its parts: Toledo, "Locality of
// reference in LU decomposition with partial pivoting", 1997, and Elmroth et al., "Recursive blocked algorithms", 2004.
#include "factorizations.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "parameters.hpp"
#include "positions.hpp"
#include "room.hpp"
#include "threads.hpp"

namespace lamina {
namespace {

const FactorLoops* steps;
const Products* products;

// Part of a matrix: the address of its first item, and the steps to the next row and column in items.
struct Part {
    char* data;
    int64_t row, column;
    int64_t item;

    Part at(int64_t i, int64_t j) const { return {data + (i * row + j * column) * item, row, column, item}; }
    // The last row and column first: an upper triangle is a lower one then.
    Part reversed(int64_t rows, int64_t columns) const {
        return {data + ((rows - 1) * row + (columns - 1) * column) * item, -row, -column, item};
    }
};

// One matrix at a time, with room of its own: for what is subtracted, and for the products of each thread.
struct Factoring {
    int type;  // float32, float64
    char* terms;
    char* scratch;
    int64_t threads;  // that products may use

    // The least room, in items, for matrices of `rows` and `columns`, the latter with those of right sides.
    static int64_t terms_of(int64_t rows, int64_t columns) { return rows <= kFewColumns ? 0 : (rows / 2 + kFewColumns) * columns; }

    static int64_t half(int64_t n) { return (n / 2 + kFewColumns - 1) / kFewColumns * kFewColumns; }

    // c -= a @ b, for (m, k) and (k, n) with adjacent columns of b and c.
    void subtract(const Part& c, const Part& a, const Part& b, int64_t m, int64_t n, int64_t k) const {
        if (m == 0 || n == 0) return;
        steps->negate[type](terms, b.data, b.row, k, n);
        Gemm g{m, n, k, a.data, terms, nullptr, c.data, a.row, a.column, n, 1, c.row, 0};
        g.way = kByTiles;
        g.add = true;
        const int64_t pieces = m * n * k < 500000 ? 1 : std::min(threads, m), grain = (m + pieces - 1) / pieces;
        parallel(m, grain, [&](int64_t begin, int64_t end) {
            Gemm rows = g;
            rows.m = end - begin;
            rows.a += begin * a.row * a.item;
            rows.c += begin * c.row * c.item;
            products->gemm[type](rows, scratch + begin / grain * kGemmScratch);
        });
    }

    // x of l @ x = x, for the lower triangle of l (n, n) and adjacent columns of x.
    void substitute(const Part& l, bool unit, const Part& x, int64_t n, int64_t columns) const {
        if (n <= kFewColumns) return steps->substitute[type](l.data, l.row, l.column, unit, x.data, x.row, n, columns);
        const int64_t h = half(n);
        substitute(l, unit, x, h, columns);
        subtract(x.at(h, 0), l.at(h, 0), x, n - h, columns, h);
        substitute(l.at(h, h), unit, x.at(h, 0), n - h, columns);
    }

    // Columns begin ... end - 1 of an (m, n) matrix; gives the first pivot that is 0, or 0.
    int64_t lu(const Part& a, int64_t m, int64_t n, int64_t begin, int64_t end, int32_t* pivots, bool pivot) const {
        if (end - begin <= kFewColumns) return steps->lu[type](a.data, m, n, a.row, begin, end, pivots, pivot);
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
        if (n <= kFewColumns) return steps->cholesky[type](a.data, n, a.row);
        const int64_t h = half(n), rest = n - h;
        if (const int64_t minor = cholesky(a, h)) return minor;
        // The rows below, as columns of the system that they solve; then what they take from the lower triangle of the rest.
        const Part below = a.at(h, 0), turned{terms + terms_of(n, n) * a.item, rest, 1, a.item};
        steps->turn[type](turned.data, rest, below.data, a.row, rest, h);
        substitute(a, false, turned, h, rest);
        steps->turn[type](below.data, a.row, turned.data, rest, h, rest);
        constexpr int64_t kBlock = 64;
        for (int64_t c = 0; c < rest; c += kBlock)
            subtract(a.at(h + c, h + c), below.at(c, 0), turned.at(0, c), rest - c, std::min(kBlock, rest - c), h);
        const int64_t minor = cholesky(a.at(h, h), rest);
        return minor == 0 ? 0 : h + minor;
    }
};

// Stacks of matrices of equal leading axes, and what each thread needs for one of them.
struct Stack {
    const Call& call;
    int64_t count = 1, item = 0;
    int code = -1, lead = 0;
    const View* shaped = nullptr;

    // The matrices that give the stack its shape.
    void begin(const View& x) {
        lead = x.g.ndim - 2;
        if (lead < 0) fail(PyExc_ValueError, "%s: %d axes given; it wants matrices", call.op, x.g.ndim);
        code = x.code;
        item = x.itemsize();
        shaped = &x;
        for (int d = 0; d < lead; ++d) count *= x.g.shape[d];
    }

    // That a view has the stack's leading axes, and then these.
    void require(const View& v, const char* name, int dtype, std::initializer_list<int64_t> own) const {
        int64_t shape[kMaxDims];
        std::copy(shaped->g.shape, shaped->g.shape + lead, shape);
        std::copy(own.begin(), own.end(), shape + lead);
        lamina::require(v, name, dtype, shape, lead + int(own.size()), call.op);
    }

    int64_t offset(const View& v, int64_t i) const {  // of matrix i, in items
        int64_t at = 0;
        for (int d = lead - 1; d >= 0; --d) {
            at += i % v.g.shape[d] * v.g.strides[d];
            i /= v.g.shape[d];
        }
        return at;
    }

    Part part(const View& v, int64_t i) const {
        return {v.data + offset(v, i) * item, v.g.strides[lead], v.g.strides[lead + 1], item};
    }

    template <class T>
    T* of(const View& v, int64_t i) const {
        return reinterpret_cast<T*>(v.data) + offset(v, i);
    }

    // Calls task(i, factoring, room) for each matrix, whose room for `terms` and `more` items is its thread's.
    template <class F>
    void each(int64_t terms, int64_t more, int64_t work, const F& task) const {
        const int threads = num_threads();
        const bool large = work >= 200000;  // of one matrix: its products are divided, else the stack is
        const int64_t slots = large || count * work < 100000 ? 1 : std::min<int64_t>(threads, count);
        const int64_t own = aligned((terms + more) * item), scratch = terms == 0 ? 0 : kGemmScratch * (slots > 1 ? 1 : threads);
        const Room room(slots * (own + scratch));
        const WithoutGil free(count * work >= kReleaseGil);
        share(count, slots, [&](int64_t i, int64_t slot) {
            char* start = room.data() + slot * (own + scratch);
            const Factoring one = {code == kFloat64, start, start + own, slots > 1 ? 1 : threads};
            task(i, one, start + terms * item);
        });
    }
};

bool adjacent(const View& v) { return v.g.size == 0 || v.g.strides[v.g.ndim - 1] == 1 || v.g.shape[v.g.ndim - 1] == 1; }

void copy(const Part& to, const Part& from, int64_t rows, int64_t columns, int code) {
    if (columns == 0) return;  // a loop may look at its first item
    const MapLoop loop = copy_loop(code, code);
    const int64_t strides[2] = {to.column, from.column};
    for (int64_t i = 0; i < rows; ++i) {
        char* const p[2] = {to.at(i, 0).data, from.at(i, 0).data};
        loop(p, strides, columns);
    }
}

void fill_nan(const Part& to, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
            char* item = to.at(i, j).data;
            if (to.item == 4)
                *reinterpret_cast<float*>(item) = std::numeric_limits<float>::quiet_NaN();
            else
                *reinterpret_cast<double*>(item) = std::numeric_limits<double>::quiet_NaN();
        }
}

bool run_lu(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, pivots, info, x;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    Stack stack{call};
    stack.begin(x);
    const int64_t m = x.g.shape[stack.lead], n = x.g.shape[stack.lead + 1], least = std::min(m, n);
    const bool pivot = truth_of(call, "pivot");
    out.read(result_of(call, 0, 3), true, call.op, &x);
    pivots.read(result_of(call, 1, 3), true, call.op);
    info.read(result_of(call, 2, 3), true, call.op);
    stack.require(out, "the factors", x.code, {m, n});
    stack.require(pivots, "pivots", kInt32, {least});
    stack.require(info, "info", kInt32, {});
    if (!adjacent(out) || !adjacent(pivots) || may_meet(out, x) || m > INT32_MAX) return false;
    stack.each(Factoring::terms_of(least, n), 0, m * n * least / 2, [&](int64_t i, const Factoring& one, char*) {
        const Part a = stack.part(out, i);
        copy(a, stack.part(x, i), m, n, x.code);
        *stack.of<int32_t>(info, i) = int32_t(one.lu(a, m, n, stack.of<int32_t>(pivots, i), pivot));
    });
    return true;
}

bool run_cholesky(const Kernel& kernel, const Call& call) {
    if (call.count != 2) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and x", call.op, call.count);
    call.require_keywords(1);
    View out, info, x;
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    Stack stack{call};
    stack.begin(x);
    const int64_t n = x.g.shape[stack.lead];
    const bool upper = truth_of(call, "upper");
    out.read(result_of(call, 0, 2), true, call.op, &x);
    info.read(result_of(call, 1, 2), true, call.op);
    stack.require(x, "x", x.code, {n, n});
    stack.require(out, "the factor", x.code, {n, n});
    stack.require(info, "info", kInt32, {});
    if (!adjacent(out) || may_meet(out, x)) return false;
    const int64_t terms = Factoring::terms_of(n, n);
    stack.each(terms, terms + (upper ? n * n : 0), n * n * n / 3, [&](int64_t i, const Factoring& one, char* room) {
        const Part to = stack.part(out, i), from = stack.part(x, i);
        // The upper triangle is the lower one of the matrix turned.
        const Part a = upper ? Part{room + terms * to.item, n, 1, to.item} : to;
        copy(a, upper ? Part{from.data, from.column, from.row, from.item} : from, n, n, x.code);
        const int64_t minor = one.cholesky(a, n);
        *stack.of<int32_t>(info, i) = int32_t(minor);
        if (minor != 0) return fill_nan(to, n, n);
        for (int64_t r = 0; r + 1 < n; ++r) std::memset(a.at(r, r + 1).data, 0, size_t((n - r - 1) * to.item));
        if (upper) steps->turn[one.type](to.data, to.row, a.data, a.row, n, n);
    });
    return true;
}

bool run_solve_triangular(const Kernel& kernel, const Call& call) {
    call.require_keywords(2);
    if (call.count != 3) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out, a and b", call.op, call.count);
    View out, a, b;
    a.read(call.positional[1], false, call.op);
    if (kernel.rows[a.code] == nullptr) return false;
    Stack stack{call};
    stack.begin(a);
    const int64_t n = a.g.shape[stack.lead];
    const bool upper = truth_of(call, "upper"), unit = truth_of(call, "unitriangular");
    b.read(call.positional[2], false, call.op);
    out.read(call.positional[0], true, call.op, &b);
    const int64_t columns = b.g.ndim > 0 ? b.g.shape[b.g.ndim - 1] : 0;
    stack.require(a, "a", a.code, {n, n});
    stack.require(b, "b", a.code, {n, columns});
    stack.require(out, "out", a.code, {n, columns});
    if (!adjacent(out) || may_meet(out, a) || may_meet(out, b)) return false;
    stack.each(Factoring::terms_of(n, columns), 0, n * n * columns / 2, [&](int64_t i, const Factoring& one, char*) {
        const Part x = stack.part(out, i), l = stack.part(a, i);
        copy(x, stack.part(b, i), n, columns, a.code);
        if (!upper) return one.substitute(l, unit, x, n, columns);
        Part rows = x.reversed(n, 1);
        rows.column = 1;
        one.substitute(l.reversed(n, n), unit, rows, n, columns);
    });
    return true;
}

// x of a @ x = b, for all of b, or for the identity, of which x is the inverse.
bool run_solve(const Kernel& kernel, const Call& call) {
    const bool inverse = kernel.index != 0;
    call.require_keywords(0);
    if (call.count != (inverse ? 2 : 3)) fail(PyExc_TypeError, "%s: %zd arrays given", call.op, call.count);
    View out, info, a, b;
    a.read(call.positional[1], false, call.op);
    if (kernel.rows[a.code] == nullptr) return false;
    Stack stack{call};
    stack.begin(a);
    const int64_t n = a.g.shape[stack.lead];
    if (!inverse) b.read(call.positional[2], false, call.op);
    out.read(result_of(call, 0, 2), true, call.op);
    info.read(result_of(call, 1, 2), true, call.op);
    const int64_t columns = inverse ? n : b.g.ndim > 0 ? b.g.shape[b.g.ndim - 1] : 0;
    stack.require(a, "a", a.code, {n, n});
    if (!inverse) stack.require(b, "b", a.code, {n, columns});
    stack.require(out, "out", a.code, {n, columns});
    stack.require(info, "info", kInt32, {});
    if (!adjacent(out) || may_meet(out, a) || (!inverse && may_meet(out, b)) || n > INT32_MAX) return false;
    const int64_t terms = Factoring::terms_of(n, std::max(n, columns)), item = a.itemsize();
    const int64_t more = n * n + (n * 4 + item - 1) / item;  // factors and pivots
    stack.each(terms, more, n * n * (n / 3 + columns), [&](int64_t i, const Factoring& one, char* room) {
        const Part x = stack.part(out, i), factors{room, n, 1, item};
        int32_t* pivots = reinterpret_cast<int32_t*>(room + n * n * item);
        copy(factors, stack.part(a, i), n, n, a.code);
        const int64_t singular = one.lu(factors, n, n, pivots, true);
        *stack.of<int32_t>(info, i) = int32_t(singular);
        if (singular != 0) return fill_nan(x, n, columns);
        if (inverse)
            for (int64_t r = 0; r < n; ++r) {
                std::memset(x.at(r, 0).data, 0, size_t(n * item));
                if (item == 4)
                    *reinterpret_cast<float*>(x.at(r, r).data) = 1;
                else
                    *reinterpret_cast<double*>(x.at(r, r).data) = 1;
            }
        else
            copy(x, stack.part(b, i), n, columns, a.code);
        for (int64_t r = 0; r < n; ++r)
            if (pivots[r] != r + 1)
                std::swap_ranges(x.at(r, 0).data, x.at(r, columns).data, x.at(pivots[r] - 1, 0).data);
        one.substitute(factors, true, x, n, columns);
        Part rows = x.reversed(n, 1);
        rows.column = 1;
        one.substitute(factors.reversed(n, n), false, rows, n, columns);
    });
    return true;
}

}  // namespace

void register_factorizations(const Loops& loops) {
    steps = loops.factorizations;
    products = loops.products;
    for (const int code : {kFloat32, kFloat64}) {
        kernel_named("lu_factor_ex", run_lu).rows[code] = kServed;
        kernel_named("cholesky_ex", run_cholesky).rows[code] = kServed;
        kernel_named("solve_triangular", run_solve_triangular).rows[code] = kServed;
        kernel_named("solve_ex", run_solve).rows[code] = kServed;
        Kernel& inverse = kernel_named("inv_ex", run_solve);
        inverse.rows[code] = kServed;
        inverse.index = 1;
    }
}

}  // namespace lamina
