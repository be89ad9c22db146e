// Stacks of matrices, read and checked, and the arithmetic on their parts: products, and systems that are halved into products.
#include "kernels/copies/copy.hpp"
#include "kernels/linear_algebra/stacks.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lamina {

bool adjacent(const View& v) { return v.g.size == 0 || v.g.strides[v.g.ndim - 1] == 1 || v.g.shape[v.g.ndim - 1] == 1; }

void copy(const Part& to, const Part& from, int64_t rows, int64_t columns) {
    if (columns == 0) return;  // a loop may look at its first item
    const int code = to.item == 4 ? kFloat32 : kFloat64;
    const MapLoop loop = copy_loop(code, code);
    const int64_t strides[2] = {to.column, from.column};
    for (int64_t i = 0; i < rows; ++i) {
        char* const p[2] = {to.at(i, 0).data, from.at(i, 0).data};
        loop(p, strides, columns);
    }
}

void set_item(const Part& to, double value) {
    if (to.item == 4)
        *reinterpret_cast<float*>(to.data) = float(value);
    else
        *reinterpret_cast<double*>(to.data) = value;
}

void fill_nan(const Part& to, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) set_item(to.at(i, j), std::numeric_limits<double>::quiet_NaN());
}

void set_identity(const Part& to, int64_t rows, int64_t columns) {
    for (int64_t i = 0; i < rows; ++i) {
        std::memset(to.at(i, 0).data, 0, size_t(columns * to.item));
        if (i < columns) set_item(to.at(i, i), 1);
    }
}

// Multiplications from which a product within a factorization is divided: its operands were written by one thread a moment ago.
constexpr int64_t kDivided = 8000000;

void Arithmetic::multiply(const Part& c, const Part& a, const Part& b, int64_t m, int64_t n, int64_t k) const {
    if (m == 0 || n == 0) return;
    Gemm g{m, n, k, a.data, b.data, nullptr, c.data, a.row, a.column, b.row, 1, c.row, 0};
    g.way = kByTiles;
    constexpr int64_t kUnit = 64;  // columns
    const int64_t units = (n + kUnit - 1) / kUnit, pieces = m * n * k < kDivided ? 1 : std::min(threads, units);
    const int64_t grain = (units + pieces - 1) / pieces;
    parallel(units, grain, [&](int64_t begin, int64_t end) {
        Gemm columns = g;
        columns.n = std::min(end * kUnit, n) - begin * kUnit;
        columns.b += begin * kUnit * b.item;
        columns.c += begin * kUnit * c.item;
        products.gemm[type](columns, scratch + begin / grain * kGemmScratch);
    });
}

void Arithmetic::subtract(const Part& c, const Part& a, const Part& b, int64_t m, int64_t n, int64_t k) const {
    if (m == 0 || n == 0) return;
    steps.negate[type](terms, b.data, b.row, k, n);
    Gemm g{m, n, k, a.data, terms, nullptr, c.data, a.row, a.column, n, 1, c.row, 0};
    g.way = kByTiles;
    g.add = true;
    const int64_t pieces = m * n * k < kDivided ? 1 : std::min(threads, m), grain = (m + pieces - 1) / pieces;
    parallel(m, grain, [&](int64_t begin, int64_t end) {
        Gemm rows = g;
        rows.m = end - begin;
        rows.a += begin * a.row * a.item;
        rows.c += begin * c.row * c.item;
        products.gemm[type](rows, scratch + begin / grain * kGemmScratch);
    });
}

void Arithmetic::place(const Part& to, const Part& from, int64_t rows, int64_t columns) const {
    if (to.row != 1 || rows == 0 || columns == 0) return copy(to, from, rows, columns);
    transpose(to.turned(), from, rows, columns);
}

void Arithmetic::substitute(const Part& l, bool unit, const Part& x, int64_t n, int64_t columns) const {
    if (n <= kFewColumns) return steps.substitute[type](l.data, l.row, l.column, unit, x.data, x.row, n, columns);
    if (columns <= kFewColumns) return steps.substitute_few[type](l.data, l.row, l.column, unit, x.data, x.row, n, columns, terms);
    const int64_t h = half(n);
    substitute(l, unit, x, h, columns);
    subtract(x.at(h, 0), l.at(h, 0), x, n - h, columns, h);
    substitute(l.at(h, h), unit, x.at(h, 0), n - h, columns);
}

bool Stack::begin(const Kernel& kernel, View& x, Py_ssize_t arrays, Py_ssize_t keywords) {
    if (call.count != arrays) fail(PyExc_TypeError, "%s: %zd arrays given; it wants %zd", call.op, call.count, arrays);
    call.require_keywords(keywords);
    x.read(call.positional[1], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    lead = x.g.ndim - 2;
    if (lead < 0) fail(PyExc_ValueError, "%s: %d axes given; it wants matrices", call.op, x.g.ndim);
    code = x.code;
    item = x.itemsize();
    shaped = &x;
    for (int d = 0; d < lead; ++d) count *= x.g.shape[d];
    return true;
}

void Stack::require(const View& v, const char* name, int dtype, std::initializer_list<int64_t> own) const {
    int64_t shape[kMaxDims];
    std::copy(shaped->g.shape, shaped->g.shape + lead, shape);
    std::copy(own.begin(), own.end(), shape + lead);
    lamina::require(v, name, dtype, shape, lead + int(own.size()), call.op);
}

int64_t Stack::offset(const View& v, int64_t i) const {
    int64_t at = 0;
    for (int d = lead - 1; d >= 0; --d) {
        at += i % v.g.shape[d] * v.g.strides[d];
        i /= v.g.shape[d];
    }
    return at;
}

Arithmetic Stack::arithmetic(char* terms, char* scratch, int64_t threads) const {
    static const Loops& loops = best_loops();
    return {code == kFloat64, terms, scratch, threads, *loops.factorizations, *loops.products, *loops.transposes};
}

}  // namespace lamina
