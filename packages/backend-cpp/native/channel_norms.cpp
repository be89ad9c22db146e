// group_norm and batch_norm with their gradients, and the moments of channels: dense arrays (batch, channels, places), of which
// those with the channels innermost are more examples of one place.
#include <algorithm>
#include <cmath>
#include <memory>

#include "fused.hpp"
#include "parameters.hpp"
#include "reals.hpp"
#include "threads.hpp"

namespace lamina {
namespace {

// Columns, and rows, are worked through some at a time where channels lie side by side.
constexpr int64_t kColumns = 64, kRowsEach = 1024;

// x as (batch, channels, places); views of vectors over channels, and of x's form.
class Channels {
   public:
    Channels(const Call& call, PyObject* given) : op_(call.op) {
        x.read(given, false, op_);
        if (x.g.ndim < 2) fail(PyExc_ValueError, "%s: x has %d dimensions; it wants (batch, channels, ...)", op_, x.g.ndim);
        batch = x.g.shape[0];
        channels = x.g.shape[1];
        for (int d = 2; d < x.g.ndim; ++d) places *= x.g.shape[d];
        dense = x.g.contiguous;
        innermost = !dense && channels_innermost();
        if (!innermost) return;
        dense = true;
        batch *= places;
        places = 1;
    }

    void read_alike(View& v, PyObject* given, bool written, const char* name) {
        v.read(given, written, op_, &x);
        require(v, name, x.code, x.g.shape, x.g.ndim, op_);
        bool alike = innermost || v.g.contiguous;
        for (int d = 0; innermost && d < x.g.ndim; ++d) alike = alike && (x.g.shape[d] == 1 || v.g.strides[d] == x.g.strides[d]);
        dense = dense && alike;
    }

    void read_vector(View& v, PyObject* given, bool written, const char* name) {
        v.read(given, written, op_);
        require(v, name, x.code, &channels, 1, op_);
        dense = dense && v.g.contiguous;
    }

    void read_optional(View& v, PyObject* given, const char* name) {
        if (given != Py_None) read_vector(v, given, false, name);
    }

    void read_groups(View& v, PyObject* given, bool written, const char* name, int64_t groups) {
        const int64_t shape[] = {batch, groups};
        v.read(given, written, op_);
        require(v, name, x.code, shape, 2, op_);
        dense = dense && v.g.contiguous;
    }

    int64_t at(int64_t b, int64_t c) const { return (b * channels + c) * places * x.itemsize(); }
    int64_t count() const { return batch * places; }
    int64_t stretches() const { return places > 1 ? 0 : (batch + kRowsEach - 1) / kRowsEach; }

    View x;
    int64_t batch, channels, places = 1;
    bool dense, innermost;

   private:
    bool channels_innermost() const {
        int64_t expected = 1;
        for (int i = x.g.ndim; i > 0; --i) {  // the channels, the other axes from the last on, the batch
            const int d = i == x.g.ndim ? 1 : i == 1 ? 0 : i;
            if (x.g.shape[d] != 1 && x.g.strides[d] != expected) return false;
            expected *= x.g.shape[d];
        }
        return true;
    }

    const char* op_;
};

double of(const View& v, int64_t i, double otherwise) { return v.data == nullptr ? otherwise : value(v, i); }

// Calls part(row, rows, c, columns, place) for tiles of columns in stretches of rows, whose sums are joined in order afterwards:
// `place` is where those of column c belong among the columns of all stretches.
template <class F>
void each_tile(const Channels& all, int64_t work, const F& part) {
    const int64_t tiles = (all.channels + kColumns - 1) / kColumns, tasks = tiles * all.stretches();
    parallel(tasks, grain_of(tasks, work), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t stretch = i / tiles, row = stretch * kRowsEach, c = i % tiles * kColumns;
            part(row, std::min(kRowsEach, all.batch - row), c, std::min(kColumns, all.channels - c), stretch * all.channels + c);
        }
    });
}

bool run_moments(const Kernel& kernel, const Call& call) {
    if (call.count != 2 || call.names != nullptr) fail(PyExc_TypeError, "%s: it wants out and x", call.op);
    Channels all(call, call.positional[1]);
    if (kernel.rows[all.x.code] == nullptr) return false;
    View mean, variance;
    all.read_vector(mean, result_of(call, 0, 2), true, "the mean");
    all.read_vector(variance, result_of(call, 1, 2), true, "the variance");
    if (!all.dense || all.count() == 0) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[all.x.code]);
    const int64_t work = all.x.g.size * 2, sums = all.stretches() * all.channels;
    std::unique_ptr<double[]> room(new double[size_t(2 * sums + 1)]);
    double *means = room.get(), *spreads = means + sums;
    const WithoutGil free(work >= kReleaseGil);
    if (all.places == 1) {
        each_tile(all, work, [&](int64_t row, int64_t rows, int64_t c, int64_t columns, int64_t place) {
            loops.moments_down(all.x.data + all.at(row, c), rows, all.channels, columns, means + place, spreads + place);
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
                for (int64_t b = 0; b < all.batch; ++b) loops.moments(all.x.data + all.at(b, c), all.places, found);
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
    all.read_vector(mean, call.positional[2], false, "mean");
    all.read_vector(variance, call.positional[3], false, "variance");
    all.read_optional(weight, call.positional[4], "weight");
    all.read_optional(bias, call.positional[5], "bias");
    const double eps = number_of(call, "eps");
    if (!all.dense) return false;
    if (all.x.g.size == 0) return true;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[all.x.code]);
    std::unique_ptr<double[]> factor(new double[size_t(2 * all.channels + 1)]);
    double* shift = factor.get() + all.channels;
    for (int64_t c = 0; c < all.channels; ++c) {
        factor[size_t(c)] = of(weight, c, 1) / std::sqrt(value(variance, c) + eps);
        shift[c] = of(bias, c, 0) - value(mean, c) * factor[size_t(c)];
    }
    const int64_t work = all.x.g.size;
    const WithoutGil free(work >= kReleaseGil);
    if (all.places == 1)
        parallel(all.batch, grain_of(all.batch, work), [&](int64_t begin, int64_t end) {
            loops.scale_down(out.data + all.at(begin, 0), all.x.data + all.at(begin, 0), end - begin, all.channels, all.channels,
                             factor.get(), shift);
        });
    else
        parallel(all.batch * all.channels, grain_of(all.batch * all.channels, work), [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t c = i % all.channels, start = all.at(0, i);
                loops.scale(out.data + start, all.x.data + start, factor[size_t(c)], shift[c], all.places);
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
    all.read_vector(mean, call.positional[3], false, "mean");
    all.read_vector(variance, call.positional[4], false, "variance");
    all.read_optional(weight, call.positional[5], "weight");
    all.read_alike(out, result_of(call, 0, 3), true, "out");
    all.read_vector(weights, result_of(call, 1, 3), true, "the weight's gradient");
    all.read_vector(biases, result_of(call, 2, 3), true, "the bias's gradient");
    const double eps = number_of(call, "eps");
    const bool training = truth_of(call, "training");
    if (!all.dense || all.count() == 0) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[all.x.code]);
    const double count = double(all.count());
    // Per channel: the mean, and what gradient, distance from the mean, and 1 count for in the input's gradient.
    const int64_t stretched = all.stretches() * all.channels;
    std::unique_ptr<double[]> room(new double[size_t(4 * all.channels + 2 * stretched + 1)]);
    double *about = room.get(), *a = about + all.channels, *b = a + all.channels, *plus = b + all.channels;
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
    if (all.places == 1) {
        for (int64_t c = 0; c < all.channels; ++c) about[c] = value(mean, c);
        each_tile(all, work, [&](int64_t row, int64_t rows, int64_t c, int64_t columns, int64_t place) {
            const int64_t start = all.at(row, c);
            loops.products_down(gradient.data + start, all.x.data + start, rows, all.channels, columns, about + c, sums + place, dots + place);
        });
        for (int64_t c = 0; c < all.channels; ++c) {
            double sum = 0, product = 0;
            for (int64_t at = c; at < stretched; at += all.channels) sum += sums[at], product += dots[at];
            finish(c, sum, product);
        }
        parallel(all.batch, grain_of(all.batch, work), [&](int64_t begin, int64_t end) {
            const int64_t start = all.at(begin, 0);
            loops.combine_down(out.data + start, gradient.data + start, all.x.data + start, end - begin, all.channels, all.channels,
                               about, a, b, plus);
        });
        return true;
    }
    parallel(all.channels, grain_of(all.channels, work), [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) {
            double sum = 0, product = 0, part, other;
            for (int64_t i = 0; i < all.batch; ++i) {
                loops.products(gradient.data + all.at(i, c), all.x.data + all.at(i, c), value(mean, c), all.places, part, other);
                sum += part;
                product += other;
            }
            finish(c, sum, product);
            for (int64_t i = 0; i < all.batch; ++i) {
                const int64_t start = all.at(i, c);
                loops.combine(out.data + start, gradient.data + start, all.x.data + start, about[c], a[c], b[c], plus[c], all.places);
            }
        }
    });
    return true;
}

int64_t groups_of(const Call& call, const Channels& all) {
    const int64_t groups = integer_of(call, "groups");
    if (groups < 1 || all.channels % groups != 0)
        fail(PyExc_ValueError, "%s: %lld channels in %lld groups", call.op, (long long)all.channels, (long long)groups);
    return groups;
}

bool run_group_norm(const Kernel& kernel, const Call& call) {
    if (call.count != 4) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and three inputs", call.op, call.count);
    call.require_keywords(2);
    Channels all(call, call.positional[1]);
    if (kernel.rows[all.x.code] == nullptr || all.innermost) return false;
    const int64_t groups = groups_of(call, all), each = all.channels / groups;
    View out, mean, rstd, weight, bias;
    all.read_alike(out, result_of(call, 0, 3), true, "out");
    all.read_groups(mean, result_of(call, 1, 3), true, "the mean", groups);
    all.read_groups(rstd, result_of(call, 2, 3), true, "rstd", groups);
    all.read_optional(weight, call.positional[2], "weight");
    all.read_optional(bias, call.positional[3], "bias");
    const double eps = number_of(call, "eps");
    if (!all.dense || all.x.g.size == 0) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[all.x.code]);
    const int64_t work = all.x.g.size * 3;
    const WithoutGil free(work >= kReleaseGil);
    parallel(all.batch * groups, grain_of(all.batch * groups, work), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            Moments found;
            loops.moments(all.x.data + all.at(0, i * each), each * all.places, found);
            const double inverse = 1 / std::sqrt(found.spread / found.count + eps);
            put(mean, i, found.mean);
            put(rstd, i, inverse);
            for (int64_t j = 0; j < each; ++j) {
                const int64_t c = i % groups * each + j, start = all.at(0, i * each + j);
                const double factor = of(weight, c, 1) * inverse;
                loops.scale(out.data + start, all.x.data + start, factor, of(bias, c, 0) - found.mean * factor, all.places);
            }
        }
    });
    return true;
}

bool run_group_norm_gradient(const Kernel& kernel, const Call& call) {
    if (call.count != 6) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and five inputs", call.op, call.count);
    call.require_keywords(2);
    Channels all(call, call.positional[2]);
    if (kernel.rows[all.x.code] == nullptr || all.innermost || call.positional[4] == Py_None || call.positional[5] == Py_None) return false;
    const int64_t groups = groups_of(call, all), each = all.channels / groups;
    View gradient, out, mean, rstd, weight, weights, biases;
    all.read_alike(gradient, call.positional[1], false, "gradient");
    all.read_optional(weight, call.positional[3], "weight");
    all.read_groups(mean, call.positional[4], false, "mean", groups);
    all.read_groups(rstd, call.positional[5], false, "rstd", groups);
    all.read_alike(out, result_of(call, 0, 3), true, "out");
    all.read_vector(weights, result_of(call, 1, 3), true, "the weight's gradient");
    all.read_vector(biases, result_of(call, 2, 3), true, "the bias's gradient");
    if (!all.dense || all.x.g.size == 0) return false;
    const auto& loops = *static_cast<const FusedLoops*>(kernel.rows[all.x.code]);
    const double count = double(each * all.places);
    std::unique_ptr<double[]> room(new double[size_t(2 * all.batch * all.channels)]);
    double *sums = room.get(), *dots = sums + all.batch * all.channels;  // per example and channel
    const int64_t work = all.x.g.size * 3;
    const WithoutGil free(work >= kReleaseGil);
    parallel(all.batch * groups, grain_of(all.batch * groups, work), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
            const double about = value(mean, i), inverse = value(rstd, i);
            double sum = 0, product = 0;
            for (int64_t j = 0; j < each; ++j) {
                const int64_t at = i * each + j, start = all.at(0, at);
                loops.products(gradient.data + start, all.x.data + start, about, all.places, sums[at], dots[at]);
                const double w = of(weight, i % groups * each + j, 1);
                sum += w * sums[at];
                product += w * dots[at];
                dots[at] *= inverse;
            }
            for (int64_t j = 0; j < each; ++j) {
                const int64_t start = all.at(0, i * each + j);
                loops.combine(out.data + start, gradient.data + start, all.x.data + start, about,
                              of(weight, i % groups * each + j, 1) * inverse, -inverse * inverse * inverse * product / count,
                              -inverse * sum / count, all.places);
            }
        }
    });
    for (int64_t c = 0; c < all.channels; ++c) {
        double sum = 0, dot = 0;
        for (int64_t b = 0; b < all.batch; ++b) {
            sum += sums[b * all.channels + c];
            dot += dots[b * all.channels + c];
        }
        put(weights, c, dot);
        put(biases, c, sum);
    }
    return true;
}

}  // namespace

void register_channel_norms(const Loops& loops) {
    const int codes[] = {kFloat32, kFloat64};
    const struct { const char* name; bool (*run)(const Kernel&, const Call&); } made[] = {
        {"channel_moments", run_moments}, {"batch_norm", run_batch_norm}, {"batch_norm_gradient", run_batch_norm_gradient},
        {"group_norm", run_group_norm},   {"group_norm_gradient", run_group_norm_gradient}};
    for (const auto& each : made)
        for (int i = 0; i < 2; ++i) kernel_named(each.name, each.run).rows[codes[i]] = &loops.fused->of[i];
}

}  // namespace lamina
