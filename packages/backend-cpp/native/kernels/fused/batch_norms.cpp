// batch_norm with its gradient, and the moments of channels.
#include "kernels/fused/channels.hpp"

namespace lamina {
namespace {

bool run_moments(const Kernel& kernel, const Call& call) {
    if (call.count != 2 || call.names != nullptr) fail(PyExc_TypeError, "%s: it wants out and x", call.op);
    Channels all(call, call.positional[1]);
    if (kernel.rows[all.x.code] == nullptr) return false;
    View mean, variance;
    all.read_statistic(mean, result_of(call, 0, 2), true, "the mean");
    all.read_statistic(variance, result_of(call, 1, 2), true, "the variance");
    if (!all.dense || all.count() == 0) return false;
    const ChannelLoops loops(kernel.rows[all.x.code], all.x.code);
    const int64_t work = all.x.g.size * 2, sums = all.stretches() * all.channels;
    std::unique_ptr<double[]> memory(new double[size_t(2 * sums + 1)]);
    double *means = memory.get(), *spreads = means + sums;
    const WithoutGil free(work >= kReleaseGil);
    if (all.spatial == 1) {
        each_tile(all, 1, work, [&](int64_t, int64_t row, int64_t rows, int64_t c, int64_t columns, int64_t slot) {
            loops.moments_down(all.x.data + all.at(row, c), rows, all.channels, columns, means + slot, spreads + slot);
        });
        for (int64_t c = 0; c < all.channels; ++c) {
            Moments found;
            for (int64_t k = 0; k < all.stretches(); ++k)
                found.join(double(std::min(kRowsEach, all.batch - k * kRowsEach)), means[k * all.channels + c], spreads[k * all.channels + c]);
            put(mean, c, found.mean);
            put(variance, c, found.spread / found.count);
        }
    } else {
        parallel(all.channels, grain_of(all.channels, work), [&](int64_t begin, int64_t end) {
            for (int64_t c = begin; c < end; ++c) {
                Moments found;
                for (int64_t b = 0; b < all.batch; ++b) loops.moments(all.x.data + all.at(b, c), all.spatial, found);
                put(mean, c, found.mean);
                put(variance, c, found.spread / found.count);
            }
        });
    }
    return true;
}

bool run_batch_norm(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and five inputs", call.op, call.count);
    call.require_keywords(1);
    Channels all(call, call.positional[1]);
    if (kernel.rows[all.x.code] == nullptr) return false;
    View out, mean, variance, weight, bias;
    all.read_alike(out, call.positional[0], true, "out");
    all.read_statistic(mean, call.positional[2], false, "mean");
    all.read_statistic(variance, call.positional[3], false, "variance");
    all.read_optional(weight, call.positional[4], "weight");
    all.read_optional(bias, call.positional[5], "bias");
    const double eps = number_of(call, "eps");
    if (!all.dense) return false;
    if (all.x.g.size == 0) return true;
    const ChannelLoops loops(kernel.rows[all.x.code], all.x.code);
    std::unique_ptr<double[]> memory(new double[size_t(3 * all.channels + 1)]);
    double *about = memory.get(), *factor = about + all.channels, *shift = factor + all.channels;
    for (int64_t c = 0; c < all.channels; ++c) {
        about[c] = value(mean, c);
        factor[c] = of(weight, c, 1) / std::sqrt(value(variance, c) + eps);
        shift[c] = of(bias, c, 0);
    }
    const int64_t work = all.x.g.size;
    const WithoutGil free(work >= kReleaseGil);
    if (all.spatial == 1)
        parallel(all.batch, grain_of(all.batch, work), [&](int64_t begin, int64_t end) {
            loops.scale_down(out.data + all.at(begin, 0), all.x.data + all.at(begin, 0), end - begin, all.channels, all.channels,
                             about, factor, shift);
        });
    else
        parallel(all.batch * all.channels, grain_of(all.batch * all.channels, work), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t c = i % all.channels, start = all.at(0, i);
                loops.scale(out.data + start, all.x.data + start, about[c], factor[c], shift[c], all.spatial);
            }
        });
    return true;
}

bool run_batch_norm_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and five inputs", call.op, call.count);
    call.require_keywords(2);
    Channels all(call, call.positional[2]);
    if (kernel.rows[all.x.code] == nullptr || call.positional[3] == Py_None || call.positional[4] == Py_None) return false;
    View gradient, out, mean, variance, weight, weights, biases;
    all.read_alike(gradient, call.positional[1], false, "gradient");
    all.read_statistic(mean, call.positional[3], false, "mean");
    all.read_statistic(variance, call.positional[4], false, "variance");
    all.read_optional(weight, call.positional[5], "weight");
    all.read_gradients(call, out, weights, biases);
    const double eps = number_of(call, "eps");
    const bool training = bool_of(call, "training");
    if (!all.dense || all.count() == 0) return false;
    const ChannelLoops loops(kernel.rows[all.x.code], all.x.code);
    const double count = double(all.count());
    // Per channel: the mean, and what gradient, distance from the mean, and 1 count for in the input's gradient.
    const int64_t stretched = all.stretches() * all.channels;
    std::unique_ptr<double[]> memory(new double[size_t(4 * all.channels + 2 * stretched + 1)]);
    double *about = memory.get(), *a = about + all.channels, *b = a + all.channels, *plus = b + all.channels;
    double *sums = plus + all.channels, *dots = sums + stretched;
    const auto finish = [&](int64_t c, double sum, double product) {
        const double rstd = 1 / std::sqrt(value(variance, c) + eps), w = of(weight, c, 1);
        put(weights, c, product * rstd);
        put(biases, c, sum);
        a[c] = w * rstd;
        b[c] = training ? -w * rstd * rstd * rstd * product / count : 0;
        plus[c] = training ? -w * rstd * sum / count : 0;
        about[c] = value(mean, c);
    };
    const int64_t work = all.x.g.size * 2;
    const WithoutGil free(work >= kReleaseGil);
    if (all.spatial == 1) {
        for (int64_t c = 0; c < all.channels; ++c) about[c] = value(mean, c);
        each_tile(all, 1, work, [&](int64_t, int64_t row, int64_t rows, int64_t c, int64_t columns, int64_t slot) {
            const int64_t start = all.at(row, c);
            loops.products_down(gradient.data + start, all.x.data + start, rows, all.channels, columns, about + c, sums + slot, dots + slot);
        });
        for (int64_t c = 0; c < all.channels; ++c) {
            double sum = 0, product = 0;
            for (int64_t at = c; at < stretched; at += all.channels) sum += sums[at], product += dots[at];
            finish(c, sum, product);
        }
        if (!training) std::fill(about, about + all.channels, 0.0);
        parallel(all.batch, grain_of(all.batch, work), [&](int64_t begin, int64_t end) {
            const int64_t start = all.at(begin, 0);
            if (training)
                loops.combine_down(out.data + start, gradient.data + start, all.x.data + start, end - begin, all.channels, all.channels,
                                   about, a, b, plus);
            else  // whatever x is
                loops.scale_down(out.data + start, gradient.data + start, end - begin, all.channels, all.channels, about, a, plus);
        });
        return true;
    }
    parallel(all.channels, grain_of(all.channels, work), [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) {
            double sum = 0, product = 0, part, other;
            for (int64_t i = 0; i < all.batch; ++i) {
                loops.products(gradient.data + all.at(i, c), all.x.data + all.at(i, c), value(mean, c), all.spatial, part, other);
                sum += part;
                product += other;
            }
            finish(c, sum, product);
            for (int64_t i = 0; i < all.batch; ++i) {
                const int64_t start = all.at(i, c);
                if (training)
                    loops.combine(out.data + start, gradient.data + start, all.x.data + start, about[c], a[c], b[c], plus[c], all.spatial);
                else
                    loops.scale(out.data + start, gradient.data + start, 0, a[c], 0, all.spatial);
            }
        }
    });
    return true;
}

const Registration registration([](const Loops& loops) {
    const struct { const char* name; bool (*run)(const Kernel&, const Call&); } made[] = {
        {"channel_moments", run_moments}, {"batch_norm", run_batch_norm}, {"batch_norm_gradient", run_batch_norm_gradient}};
    for (const auto& each : made)
        for (int code : kFloats) kernel_named(each.name, each.run).rows[code] = &loops.fused->of[code == kFloat64];
});

}  // namespace
}  // namespace lamina
