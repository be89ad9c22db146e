// quantized_linear: weights of 8 and 4 bits, with scales and zero points.
#include <algorithm>

#include "dtypes/narrow_floats.hpp"
#include "kernels/products/narrow_weights.hpp"
#include "runtime/parameters.hpp"

namespace lamina {
namespace {

bool run_quantized_linear(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given", call.op, call.count);
    call.require_keywords(2);
    View out, x, weight, scale, zero, bias;
    out.read(call.positional[0], true, call.op);
    x.read(call.positional[1], false, call.op);
    weight.read(call.positional[2], false, call.op);
    scale.read(call.positional[3], false, call.op);
    if (call.positional[4] != Py_None) zero.read(call.positional[4], false, call.op);
    if (call.positional[5] != Py_None) bias.read(call.positional[5], false, call.op);
    const int64_t bits = integer_of(call, "bits"), group = integer_of(call, "group_size");
    if (kernel.rows[x.code] == nullptr) return false;
    const int last = x.g.ndim - 1;
    if ((bits != 4 && bits != 8) || group < 1 || last < 0 || weight.g.ndim != 2)
        fail(PyExc_ValueError, "%s: %lld bits in groups of %lld, x of %d axes, weight of %d", call.op, (long long)bits,
             (long long)group, x.g.ndim, weight.g.ndim);
    const int64_t k = x.g.shape[last], n = weight.g.shape[0], groups = k == 0 ? 0 : (k - 1) / group + 1;
    if (bits == 4 && group % 2 == 1 && groups > 1) fail(PyExc_ValueError, "%s: groups of %lld items of 4 bits", call.op, (long long)group);
    const int64_t values_shape[] = {n, bits == 8 ? k : k / 2 + k % 2}, scales_shape[] = {n, groups};
    int64_t shape[kMaxDims];
    std::copy(x.g.shape, x.g.shape + last, shape);
    shape[last] = n;
    require(out, "out", x.code, shape, x.g.ndim, call.op);
    require(weight, "weight", bits == 8 ? kInt8 : kUInt8, values_shape, 2, call.op);
    require(scale, "scale", scale.code, scales_shape, 2, call.op);
    if (zero.data != nullptr) require(zero, "zero_point", zero.code, scales_shape, 2, call.op);
    if (bias.data != nullptr) require(bias, "bias", x.code, &n, 1, call.op);
    const auto served = [](const View& v) { return v.data == nullptr || (v.g.contiguous && (v.code == kFloat32 || is_narrow(v.code))); };
    if (!served(out) || !served(x) || !weight.g.contiguous || !served(scale) || !served(zero) || !served(bias)) return false;
    if (out.g.size == 0) return true;

    Wide items, scales, zeros, shifts, results;
    items.read(x);
    scales.read(scale);
    zeros.read(zero);
    shifts.read(bias);
    results.write(out);
    const auto floats = [](const Wide& w) { return reinterpret_cast<float*>(w.data); };
    const NarrowWeight narrow_weight = {bits == 8 ? kSignedBytes : kHalfBytes, weight.data, floats(scales), floats(zeros),
                                        bits == 8 ? 0.0f : 8.0f, k, values_shape[1], group, groups};
    multiply({out.g.size / n, n, floats(items), floats(shifts), floats(results)}, narrow_weight);
    results.finish();
    return true;
}

const Registration registration([](const Loops&) {
    for (const int code : {kFloat32, kFloat16, kBFloat16}) kernel_named("quantized_linear", run_quantized_linear).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
