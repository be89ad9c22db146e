// matmul over leading axes, and linear: finds the strides of each product.
#include <algorithm>
#include <new>

#include "dtypes/narrow_floats.hpp"
#include "kernels/products/narrow_products.hpp"
#include "kernels/products/narrow_weights.hpp"
#include "kernels/products/panels.hpp"
#include "kernels/products/product.hpp"
#include "runtime/kernel.hpp"
#include "runtime/system_memory.hpp"

namespace lamina {
namespace {

const Products* products;

ProductRow row_of(int code) { return code == kFloat32 ? kOfFloat32 : code == kFloat64 ? kOfFloat64 : kOfInt64; }

struct Panels {
    char* bytes = nullptr;
    ~Panels() { free_block(bytes); }
};
thread_local Panels panels;

// Makes c's columns adjacent, if need be by computing the transposed product; false if they cannot be.
bool orient(Product& p, int64_t c_column) {
    Gemm& g = p.g;
    if (g.n == 1 && g.m > 1 && g.c_row == 1 && g.bias == nullptr)  // one column is a row, which is quicker
        c_column = 1;
    else if (c_column == 1 || g.n == 1)
        return true;
    if ((g.c_row != 1 && g.m != 1) || g.bias != nullptr) return false;
    std::swap(g.m, g.n);
    std::swap(g.a, g.b);
    std::swap(g.a_row, g.b_column);
    std::swap(g.a_column, g.b_row);
    for (int d = 0; d < p.leading; ++d) std::swap(p.a[d], p.b[d]);
    g.c_row = c_column;
    return true;
}

void require_scratch() {
    if (gemm_panels() == nullptr) throw std::bad_alloc();
}

bool run_matmul(const Kernel& kernel, const Call& call) {
    call.require_inputs(2);
    View out, a, b;
    out.read(call.positional[0], true, call.op);
    a.read(call.positional[1], false, call.op, &out);
    b.read(call.positional[2], false, call.op, &a);
    if (kernel.rows[a.code] == nullptr) return false;
    if (b.code != a.code || out.code != a.code)
        fail(PyExc_TypeError, "%s: %s @ %s into %s; it wants one dtype", call.op, kNames[a.code], kNames[b.code],
             kNames[out.code]);
    const int lead = out.g.ndim - 2;
    bool fits = lead >= 0 && a.g.ndim == out.g.ndim && b.g.ndim == out.g.ndim;
    for (int d = 0; fits && d < lead; ++d) fits = a.g.shape[d] == out.g.shape[d] && b.g.shape[d] == out.g.shape[d];
    fits = fits && a.g.shape[lead] == out.g.shape[lead] && b.g.shape[lead + 1] == out.g.shape[lead + 1] &&
           a.g.shape[lead + 1] == b.g.shape[lead];
    if (!fits) fail(PyExc_ValueError, "%s: shapes do not fit; it wants (..., m, k) @ (..., k, n) into (..., m, n)", call.op);
    if (out.g.size == 0) return true;
    Product p;
    p.item = a.itemsize();
    p.g = {out.g.shape[lead], out.g.shape[lead + 1], a.g.shape[lead + 1], a.data, b.data, nullptr, out.data,
           a.g.strides[lead], a.g.strides[lead + 1], b.g.strides[lead], b.g.strides[lead + 1], out.g.strides[lead], 0};
    for (int d = 0; d < lead; ++d) p.add_leading(out.g.shape[d], a.g.strides[d], b.g.strides[d], out.g.strides[d]);
    if (is_narrow(a.code)) {
        p.g.c_column = out.g.strides[lead + 1];
        p.rows_from_leading();
        run_narrow(p, a.code);
        return true;
    }
    if (!orient(p, out.g.strides[lead + 1])) return false;
    p.rows_from_leading();
    require_scratch();
    p.run(*products, row_of(a.code));
    return true;
}

// Of 16 bits: the weight becomes floats on the way, all else before and behind. False where an operand is not dense, and where the
// processor multiplies such items, but for so few rows that reading the weight takes the time.
bool run_narrow_linear(const View& out, const View& x, const View& weight, const View& bias) {
    const int64_t few_rows = has_amx() ? 1 : 8;
    if (!out.g.contiguous || !x.g.contiguous || !weight.g.contiguous || !bias.g.contiguous) return false;
    if (x.code == kBFloat16 && has_pairs() && out.g.size > few_rows * weight.g.shape[0]) return false;
    Wide items, shifts, results;
    items.read(x);
    shifts.read(bias);
    results.write(out);
    const int64_t n = weight.g.shape[0], k = weight.g.shape[1];
    const auto floats = [](const Wide& w) { return reinterpret_cast<float*>(w.data); };
    const NarrowWeight narrow_weight = {x.code == kBFloat16 ? kBrains : kHalves, weight.data, nullptr, nullptr, 0, k, 2 * k,
                                        std::max<int64_t>(k, 1), k > 0};
    multiply({out.g.size / n, n, floats(items), floats(shifts), floats(results)}, narrow_weight);
    results.finish();
    return true;
}

bool run_linear(const Kernel& kernel, const Call& call) {
    call.require_inputs(3);
    View out, x, weight, bias;
    const bool biased = call.positional[3] != Py_None;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op, &out);
    weight.read(call.positional[2], false, call.op, &x);
    if (biased) bias.read(call.positional[3], false, call.op);
    if (kernel.rows[x.code] == nullptr) return false;
    if (weight.code != x.code || out.code != x.code || (biased && bias.code != x.code))
        fail(PyExc_TypeError, "%s: x is %s, weight %s, out %s; it wants one dtype", call.op, kNames[x.code],
             kNames[weight.code], kNames[out.code]);
    const int last = x.g.ndim - 1;
    bool fits = last >= 0 && weight.g.ndim == 2 && out.g.ndim == x.g.ndim && out.g.shape[last] == weight.g.shape[0] &&
                x.g.shape[last] == weight.g.shape[1];
    for (int d = 0; fits && d < last; ++d) fits = x.g.shape[d] == out.g.shape[d];
    fits = fits && (!biased || (bias.g.ndim == 1 && bias.g.shape[0] == weight.g.shape[0]));
    if (!fits)
        fail(PyExc_ValueError, "%s: shapes do not fit; it wants x (..., k), weight (n, k), bias (n,) into (..., n)", call.op);
    if (out.g.size == 0) return true;
    const bool narrow = is_narrow(x.code);
    if (narrow && run_narrow_linear(out, x, weight, bias)) return true;
    if (!narrow && out.g.strides[last] != 1 && out.g.shape[last] != 1) return false;
    Product p;
    p.item = x.itemsize();
    p.g = {1, out.g.shape[last], x.g.shape[last], x.data, weight.data, biased ? bias.data : nullptr, out.data,
           x.g.strides[last] * x.g.shape[last], x.g.strides[last], weight.g.strides[1], weight.g.strides[0],
           out.g.strides[last] * out.g.shape[last], biased ? bias.g.strides[0] : 0};
    if (last > 0) {
        p.g.m = x.g.shape[last - 1];
        p.g.a_row = x.g.strides[last - 1];
        p.g.c_row = out.g.strides[last - 1];
    }
    for (int d = 0; d < last - 1; ++d) p.add_leading(x.g.shape[d], x.g.strides[d], 0, out.g.strides[d]);
    p.rows_from_leading();
    if (narrow) {
        p.g.c_column = out.g.strides[last];
        run_narrow(p, x.code);
        return true;
    }
    require_scratch();
    p.run(*products, row_of(x.code));
    return true;
}

const Registration registration([](const Loops& loops) {
    products = loops.products;
    for (const int code : {kFloat32, kFloat64, kInt64, kFloat16, kBFloat16}) {
        kernel_named("matmul", run_matmul).rows[code] = kServed;
        kernel_named("linear", run_linear).rows[code] = kServed;
    }
});

}  // namespace

char* gemm_panels() {
    if (panels.bytes == nullptr) panels.bytes = aligned_block(64, kGemmScratch);
    return panels.bytes;
}

}  // namespace lamina
