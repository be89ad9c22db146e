// Numbers that take as many draws as chance asks for, each with parameters of its own: gamma, Poisson and binomial ones. The
// methods, and the order of the draws, are the reference's: lamina_flatarray/random names their sources.
#include "loops/vectors/unfused.hpp"  // before all else

#include <cmath>
#include <limits>

#include "dtypes/number.hpp"
#include "kernels/random/one_by_one.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

const RandomLoops* random_loops = nullptr;

// Stored by way of float32 where it is narrower, as everywhere.
template <class T>
T stored(double value) {
    if constexpr (sizeof(T) == 2)
        return T::from(double(float(value)));
    else
        return T(value);
}

// -- gamma ------------------------------------------------------------------------------------------------------------

struct Gamma {
    static constexpr int kParameters = 1;
    static bool valid(double shape) { return shape >= 0.0; }

    Uniforms uniforms;
    Normals normals;
    explicit Gamma(Stream& stream) : uniforms(stream), normals(stream) {}

    // The shape less a third, and the inverse of shapes below 1, are rounded to the shape's dtype, or to float32 at least.
    template <class T>
    double draw(const T* shapes) {
        using Real = std::conditional_t<sizeof(T) == 8, double, float>;
        const Real shape = Real(plain(*shapes));
        if (shape == 0) return 0.0;
        double scale = 1.0;
        Real raised = shape;
        if (shape < 1) {
            raised = Real(plain(converted<T>(shape + Real(1))));
            scale = std::pow(1.0 - uniforms.next(), double(Real(1) / shape));
        }
        const double d = raised - Real(float(1.0 / 3.0)), c = 1.0 / std::sqrt(9.0 * d);
        for (;;) {
            const double x = normals.next(), y = 1.0 + c * x;
            if (y <= 0.0) continue;
            const double v = y * y * y, u = 1.0 - uniforms.next(), square = x * x;
            if (u < 1.0 - double(0.0331f) * square * square || std::log(u) < 0.5 * square + d * (1.0 - v + std::log(v)))
                return scale * d * v;
        }
    }

    void end() { normals.give_back(); }
};

// -- Poisson ----------------------------------------------------------------------------------------------------------

struct Poisson {
    static constexpr int kParameters = 1;
    static bool valid(double rate) { return rate >= 0.0 && std::isfinite(rate); }

    Uniforms uniforms;
    explicit Poisson(Stream& stream) : uniforms(stream) {}

    // How many uniforms can be multiplied before the product falls to exp(-rate).
    double by_product(double rate) {
        if (rate == 0.0) return 0.0;
        const double limit = std::exp(-rate);
        int64_t count = 0;
        for (double product = uniforms.next(); product > limit; product *= uniforms.next()) ++count;
        return double(count);
    }

    // PTRS.
    double by_rejection(double rate) {
        const double root = std::sqrt(rate), log_rate = std::log(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
        const double log_inverse_alpha = std::log(1.1239 + 1.1328 / (b - 3.4)), sure = 0.9277 - 3.6224 / (b - 2.0);
        for (;;) {
            const double u = uniforms.next() - 0.5, v = uniforms.next(), us = 0.5 - std::fabs(u);
            if (us == 0.0) continue;
            const double k = std::floor((2.0 * a / us + b) * u + rate + 0.43);
            if (us >= 0.07 && v <= sure) return k;
            if (k < 0.0 || (us < 0.013 && v > us)) continue;
            const double height = std::log(v) + log_inverse_alpha - std::log(a / (us * us) + b);
            if (height <= k * log_rate - rate - std::lgamma(k + 1.0)) return k;
        }
    }

    template <class T>
    double draw(const T* rates) {
        const double rate = double(plain(*rates));
        return rate < 10.0 ? by_product(rate) : by_rejection(rate);
    }

    void end() {}
};

// -- binomial ---------------------------------------------------------------------------------------------------------

// What Stirling's formula leaves out of log(k!).
double beyond_stirling(double k) {
    constexpr double kHalfLogOfTurn = 0.9189385332046728;
    if (k <= 9.0) return std::lgamma(k + 1.0) - (kHalfLogOfTurn + (k + 0.5) * std::log(k + 1.0) - (k + 1.0));
    const double square = (k + 1.0) * (k + 1.0);
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / (k + 1.0);
}

struct Binomial {
    static constexpr int kParameters = 2;
    static bool valid(double) { return true; }

    Uniforms uniforms;
    explicit Binomial(Stream& stream) : uniforms(stream) {}

    // How many waiting times for a success go into the number of trials.
    double by_waiting(double count, double p) {
        const double log_failure = std::log1p(-p);
        double passed = 0.0, successes = 0.0;
        for (;; successes += 1.0) {
            const double u = uniforms.next();
            passed += u != 0.0 ? std::ceil(std::log(u) / log_failure) : std::numeric_limits<double>::infinity();
            if (passed > count) return successes;
        }
    }

    // BTRS.
    double by_rejection(double count, double p) {
        const double deviation = std::sqrt(count * p * (1.0 - p)), b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p;
        const double middle = count * p + 0.5, sure = 0.92 - 4.2 / b, odds = p / (1.0 - p);
        const double alpha = (2.83 + 5.1 / b) * deviation, mode = std::floor((count + 1.0) * p);
        for (;;) {
            const double u = uniforms.next() - 0.5, v = uniforms.next(), us = 0.5 - std::fabs(u);
            const double k = us != 0.0 ? std::floor((2.0 * a / us + b) * u + middle) : -1.0;
            if (k < 0.0 || k > count) continue;
            if (us >= 0.07 && v <= sure) return k;
            const double height = std::log(v * alpha / (a / (us * us) + b));
            if (height <= (mode + 0.5) * std::log((mode + 1.0) / (odds * (count - mode + 1.0))) +
                              (count + 1.0) * std::log((count - mode + 1.0) / (count - k + 1.0)) +
                              (k + 0.5) * std::log(odds * (count - k + 1.0) / (k + 1.0)) + beyond_stirling(mode) +
                              beyond_stirling(count - mode) - beyond_stirling(k) - beyond_stirling(count - k))
                return k;
        }
    }

    double of_rare(double count, double p) { return count * p >= 10.0 ? by_rejection(count, p) : by_waiting(count, p); }

    template <class T>
    double draw(const T* counts, const T* probabilities) {
        const double count = double(plain(*counts)), p = double(plain(*probabilities));
        if (std::isnan(p) || std::isnan(count)) return std::numeric_limits<double>::quiet_NaN();
        if (count <= 0.0 || p <= 0.0) return 0.0;
        if (p >= 1.0) return count;
        return p > 0.5 ? count - of_rare(count, 1.0 - p) : of_rare(count, p);
    }

    void end() {}
};

// -- an item for each of the parameters ---------------------------------------------------------------------------------

template <class Distribution, class T>
bool all_valid(const View& parameters) {
    const T* items = reinterpret_cast<const T*>(parameters.data);
    for (int64_t i = 0; i < parameters.g.size; ++i)
        if (!Distribution::valid(double(plain(items[i])))) return false;
    return true;
}

template <class Distribution, class T>
bool draw_all(Stream& stream, const View& out, const View* parameters) {
    for (int k = 0; k < Distribution::kParameters; ++k)
        if (!all_valid<Distribution, T>(parameters[k])) return false;
    T* items = reinterpret_cast<T*>(out.data);
    const T* first = reinterpret_cast<const T*>(parameters[0].data);
    stream.note_drawn();
    Distribution distribution(stream);
    {
        const WithoutGil free(out.g.size >= kReleaseGil / 16);
        for (int64_t i = 0; i < out.g.size; ++i) {
            if constexpr (Distribution::kParameters == 1)
                items[i] = stored<T>(distribution.draw(first + i));
            else
                items[i] = stored<T>(distribution.draw(first + i, reinterpret_cast<const T*>(parameters[1].data) + i));
        }
    }
    distribution.end();
    return true;
}

template <class Distribution>
bool run_each(const Kernel& kernel, const Call& call) {
    constexpr int kCount = Distribution::kParameters;
    if (call.count != 1 + kCount) fail(PyExc_TypeError, "%s: %zd arrays given; it wants out and %d", call.op, call.count, kCount);
    call.require_keywords(1);
    View out, parameters[kCount];
    out.read(call.positional[0], true, call.op);
    if (kernel.rows[out.code] == nullptr || !out.g.contiguous) return false;
    for (int k = 0; k < kCount; ++k) {
        if (!is_operand(call.positional[1 + k])) return false;
        parameters[k].read(call.positional[1 + k], false, call.op, &out);
        require(parameters[k], "a parameter", out.code, out.g.shape, out.g.ndim, call.op);
        if (!parameters[k].g.contiguous || may_meet(out, parameters[k])) return false;
    }
    if (out.g.size == 0) return true;
    Stream stream(call.keyword("generator"), *random_loops);
    if (!stream.served) return false;
    switch (out.code) {
        case kFloat16: return draw_all<Distribution, Half>(stream, out, parameters);
        case kBFloat16: return draw_all<Distribution, BFloat16>(stream, out, parameters);
        case kFloat32: return draw_all<Distribution, float>(stream, out, parameters);
        default: return draw_all<Distribution, double>(stream, out, parameters);
    }
}

const Registration registration([](const Loops& loops) {
    random_loops = loops.random_loops;
    for (const int code : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
        kernel_named("random_gamma", run_each<Gamma>).rows[code] = kServed;
        kernel_named("random_poisson", run_each<Poisson>).rows[code] = kServed;
        kernel_named("random_binomial", run_each<Binomial>).rows[code] = kServed;
    }
});

}  // namespace
}  // namespace lamina
