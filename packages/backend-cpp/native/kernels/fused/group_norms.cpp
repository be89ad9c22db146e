// group_norm with its gradient. With the channels innermost, sums go down the columns of each example, and are joined by group.
#include "kernels/fused/channels.hpp"

namespace lamina {
namespace {

// Channels in groups, each group of an example with statistics of its own: group i of all has the channels from i * each on.
struct Groups : Channels {
    Groups(const Call& call, PyObject* given) : Channels(call, given), groups(integer_of(call, "groups")) {
        if (groups < 1 || channels % groups != 0)
            fail(PyExc_ValueError, "%s: %lld channels in %lld groups", call.op, (long long)channels, (long long)groups);
        each = channels / groups;
        sums = innermost ? stretches(examples) : 1;
    }

    // Calls f(i) for each group of each example.
    template <class F>
    void each_group(int64_t work, const F& f) const {
        parallel(examples * groups, grain_of(examples * groups, work), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) f(i);
        });
    }

    // Calls f(channel of all, start, rows): stretches of rows of channels, from a first channel of an example on.
    template <class F>
    void each_stretch(int64_t work, const F& f) const {
        parallel(examples * sums, grain_of(examples * sums, work), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t example = i / sums, row = i % sums * kRowsEach;
                f(example * channels, at(example * rows() + row, 0), std::min(kRowsEach, rows() - row));
            }
        });
    }

    // Where the sum of a stretch over a channel of all is kept.
    int64_t slot(int64_t channel, int64_t stretch) const { return (channel / channels * sums + stretch) * channels + channel % channels; }
    int64_t rows() const { return rows_of(examples); }  // of an example, where the channels are innermost

    int64_t groups, each, sums;  // how many; the channels of each; the sums that are kept of each channel
};

bool run_group_norm(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and three inputs", call.op, call.count);
    call.require_keywords(2);
    Groups all(call, call.positional[1]);
    if (kernel.rows[all.x.code] == nullptr) return false;
    View out, mean, rstd, weight, bias;
    all.read_alike(out, result_of(call, 0, 3), true, "out");
    all.read_groups(mean, result_of(call, 1, 3), true, "the mean", all.groups);
    all.read_groups(rstd, result_of(call, 2, 3), true, "rstd", all.groups);
    all.read_optional(weight, call.positional[2], "weight");
    all.read_optional(bias, call.positional[3], "bias");
    const double eps = number_of(call, "eps");
    if (!all.dense || all.x.g.size == 0) return false;
    const ChannelLoops loops(kernel.rows[all.x.code], all.x.code);
    const int64_t work = all.x.g.size * 3, channels = all.examples * all.channels;
    std::unique_ptr<double[]> memory(new double[size_t(3 * channels + 2 * all.sums * channels)]);
    double *about = memory.get(), *factor = about + channels, *shift = factor + channels, *means = shift + channels;
    double* spreads = means + all.sums * channels;
    const auto settle = [&](int64_t i, const Moments& found) {
        const double inverse = 1 / std::sqrt(found.spread / found.count + eps);
        put(mean, i, found.mean);
        put(rstd, i, inverse);
        for (int64_t at = i * all.each; at < (i + 1) * all.each; ++at) {
            about[at] = found.mean;
            factor[at] = of(weight, at % all.channels, 1) * inverse;
            shift[at] = of(bias, at % all.channels, 0);
        }
    };
    const WithoutGil free(work >= kReleaseGil);
    if (!all.innermost) {
        all.each_group(work, [&](int64_t i) {
            Moments found;
            loops.moments(all.x.data + all.at(0, i * all.each), all.each * all.spatial, found);
            settle(i, found);
            for (int64_t at = i * all.each; at < (i + 1) * all.each; ++at)
                loops.scale(out.data + all.at(0, at), all.x.data + all.at(0, at), about[at], factor[at], shift[at], all.spatial);
        });
        return true;
    }
    each_tile(all, all.examples, work, [&](int64_t, int64_t row, int64_t rows, int64_t c, int64_t columns, int64_t slot) {
        loops.moments_down(all.x.data + all.at(row, c), rows, all.channels, columns, means + slot, spreads + slot);
    });
    all.each_group(channels * all.sums, [&](int64_t i) {
        Moments found;
        for (int64_t s = 0; s < all.sums; ++s)
            for (int64_t at = i * all.each; at < (i + 1) * all.each; ++at)
                found.join(double(std::min(kRowsEach, all.rows() - s * kRowsEach)), means[all.slot(at, s)], spreads[all.slot(at, s)]);
        settle(i, found);
    });
    all.each_stretch(work, [&](int64_t at, int64_t start, int64_t rows) {
        loops.scale_down(out.data + start, all.x.data + start, rows, all.channels, all.channels, about + at, factor + at, shift + at);
    });
    return true;
}

bool run_group_norm_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and five inputs", call.op, call.count);
    call.require_keywords(2);
    Groups all(call, call.positional[2]);
    if (kernel.rows[all.x.code] == nullptr || call.positional[4] == Py_None || call.positional[5] == Py_None) return false;
    View gradient, out, mean, rstd, weight, weights, biases;
    all.read_alike(gradient, call.positional[1], false, "gradient");
    all.read_optional(weight, call.positional[3], "weight");
    all.read_groups(mean, call.positional[4], false, "mean", all.groups);
    all.read_groups(rstd, call.positional[5], false, "rstd", all.groups);
    all.read_gradients(call, out, weights, biases);
    if (!all.dense || all.x.g.size == 0) return false;
    const ChannelLoops loops(kernel.rows[all.x.code], all.x.code);
    const int64_t work = all.x.g.size * 3, channels = all.examples * all.channels;
    const double count = double(all.each * all.rows() * all.spatial);
    // Per example and channel: the mean, and what gradient, distance from the mean, and 1 count for in the input's gradient.
    std::unique_ptr<double[]> memory(new double[size_t(4 * channels + 2 * all.sums * channels)]);
    double *about = memory.get(), *a = about + channels, *b = a + channels, *plus = b + channels;
    double *sums = plus + channels, *dots = sums + all.sums * channels;
    for (int64_t at = 0; at < channels; ++at) about[at] = value(mean, at / all.each);
    const auto settle = [&](int64_t i) {
        const double inverse = value(rstd, i);
        double sum = 0, product = 0;
        for (int64_t at = i * all.each; at < (i + 1) * all.each; ++at) {
            const int64_t whole = all.slot(at, 0);  // the sum of all stretches goes where that of the first is
            for (int64_t s = 1; s < all.sums; ++s) sums[whole] += sums[all.slot(at, s)], dots[whole] += dots[all.slot(at, s)];
            const double w = of(weight, at % all.channels, 1);
            sum += w * sums[whole];
            product += w * dots[whole];
            dots[whole] *= inverse;
            a[at] = w * inverse;
        }
        for (int64_t at = i * all.each; at < (i + 1) * all.each; ++at) {
            b[at] = -inverse * inverse * inverse * product / count;
            plus[at] = -inverse * sum / count;
        }
    };
    const WithoutGil free(work >= kReleaseGil);
    if (!all.innermost) {
        all.each_group(work, [&](int64_t i) {
            const int64_t first = i * all.each, last = first + all.each;
            for (int64_t at = first; at < last; ++at)
                loops.products(gradient.data + all.at(0, at), all.x.data + all.at(0, at), about[at], all.spatial, sums[at], dots[at]);
            settle(i);
            for (int64_t at = first; at < last; ++at) {
                const int64_t start = all.at(0, at);
                loops.combine(out.data + start, gradient.data + start, all.x.data + start, about[at], a[at], b[at], plus[at], all.spatial);
            }
        });
    } else {
        each_tile(all, all.examples, work, [&](int64_t example, int64_t row, int64_t rows, int64_t c, int64_t columns, int64_t slot) {
            const int64_t start = all.at(row, c);
            loops.products_down(gradient.data + start, all.x.data + start, rows, all.channels, columns,
                                about + example * all.channels + c, sums + slot, dots + slot);
        });
        all.each_group(channels * all.sums, settle);
        all.each_stretch(work, [&](int64_t at, int64_t start, int64_t rows) {
            loops.combine_down(out.data + start, gradient.data + start, all.x.data + start, rows, all.channels, all.channels,
                               about + at, a + at, b + at, plus + at);
        });
    }
    for (int64_t c = 0; c < all.channels; ++c) {
        double sum = 0, dot = 0;
        for (int64_t at = c; at < channels; at += all.channels) {
            sum += sums[all.slot(at, 0)];
            dot += dots[all.slot(at, 0)];
        }
        put(weights, c, dot);
        put(biases, c, sum);
    }
    return true;
}

const Registration registration([](const Loops& loops) {
    for (int code : kFloats) {
        kernel_named("group_norm", run_group_norm).rows[code] = &loops.fused->of[code == kFloat64];
        kernel_named("group_norm_gradient", run_group_norm_gradient).rows[code] = &loops.fused->of[code == kFloat64];
    }
});

}  // namespace
}  // namespace lamina
