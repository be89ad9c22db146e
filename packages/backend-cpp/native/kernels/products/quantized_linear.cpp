// quantized_linear: few rows by channels, which is to read the weight once; many rows by tiles of the weight as floats.
#include <algorithm>

#include "dtypes/narrow_floats.hpp"
#include "kernels/products/quantized_weight.hpp"
#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"

namespace lamina {
namespace {

constexpr int64_t kFewRows = 8;                 // that are cheaper without tiles
constexpr int64_t kChannels = 128, kItems = 256;  // of a tile, which stays in the second cache

const QuantizedLoops* loops;
void (*gemm)(const Gemm&, char* scratch);

struct Rows {
    int64_t m, n;
    const float *x, *bias;  // bias may be null
    float* out;
};

void by_channels(const Rows& rows, const QuantizedWeight& weight) {
    const int64_t width = loops->prepared(weight), groups = weight.has_zeros() ? weight.groups : 0;
    const Scratch memory(rows.m * (width + groups) * int64_t(sizeof(float)));
    float *x = reinterpret_cast<float*>(memory.data()), *sums = x + rows.m * width;
    const int64_t work = rows.m * rows.n * weight.k / 4;
    const WithoutGil free(work >= kReleaseGil);
    for (int64_t i = 0; i < rows.m; ++i)
        loops->prepare(x + i * width, groups > 0 ? sums + i * groups : nullptr, rows.x + i * weight.k, weight);
    const PreparedRows prepared = {rows.m, x, sums, width, groups};
    parallel(rows.n, grain_of(rows.n, work), [&](int64_t begin, int64_t end) {
        loops->dots(rows.out, rows.n, prepared, weight, begin, end);
        for (int64_t i = 0; rows.bias != nullptr && i < rows.m; ++i)
            for (int64_t j = begin; j < end; ++j) rows.out[i * rows.n + j] += rows.bias[j];
    });
}

void by_tiles(const Rows& rows, const QuantizedWeight& weight) {
    const int64_t tiles = (rows.n + kChannels - 1) / kChannels, slots = std::min<int64_t>(num_threads(), tiles);
    constexpr int64_t kEach = kGemmScratch + kChannels * kItems * int64_t(sizeof(float));
    const Scratch memory(slots * kEach);
    const WithoutGil free(true);
    share(tiles, slots, [&](int64_t index, int64_t slot) {
        char* scratch = memory.data() + slot * kEach;
        float* tile = reinterpret_cast<float*>(scratch + kGemmScratch);
        const int64_t first = index * kChannels, channels = std::min(kChannels, rows.n - first);
        Gemm g = {rows.m, channels, 0, nullptr, reinterpret_cast<const char*>(tile),
                  reinterpret_cast<const char*>(rows.bias == nullptr ? nullptr : rows.bias + first),
                  reinterpret_cast<char*>(rows.out + first), weight.k, 1, 1, kItems, rows.n, 1};
        g.way = kByTiles;
        for (int64_t i = 0; i < weight.k; i += kItems) {
            g.k = std::min(kItems, weight.k - i);
            g.a = reinterpret_cast<const char*>(rows.x + i);
            for (int64_t c = 0; c < channels; ++c) loops->unpack(tile + c * kItems, weight, first + c, i, g.k);
            gemm(g, scratch);
            g.add = true;
            g.bias = nullptr;
        }
    });
}

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
    const QuantizedWeight quantized = {int(bits), weight.data, floats(scales), floats(zeros), bits == 4 ? 8.0f : 0.0f,
                                       k, values_shape[1], group, groups};
    const Rows rows = {out.g.size / n, n, floats(items), floats(shifts), floats(results)};
    if (rows.m <= kFewRows || k == 0)
        by_channels(rows, quantized);
    else
        by_tiles(rows, quantized);
    results.finish();
    return true;
}

const Registration registration([](const Loops& all) {
    loops = all.quantized;
    gemm = all.products->gemm[0];
    for (const int code : {kFloat32, kFloat16, kBFloat16}) kernel_named("quantized_linear", run_quantized_linear).rows[code] = kServed;
});

}  // namespace
}  // namespace lamina
