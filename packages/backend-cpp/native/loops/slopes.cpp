// Gradients of activations, and the GELU by a hyperbolic tangent, each in one pass over vectors.
#include <cmath>

#include "fused.hpp"
#include "passes.hpp"
#include "tables.hpp"

namespace lamina::LAMINA_ISA {
namespace slopes {

using F64 = Vec<double>;

inline F32 logistic(const F32& x) { return vsigmoid(x); }
inline F32 hyperbolic(const F32& x) { return vtanh(x); }
inline F64 logistic(F64 x) {
    for (int i = 0; i < kLanes<double>; ++i) {
        const double e = std::exp(-std::fabs(x[i]));
        x[i] = (x[i] < 0 ? e : 1.0) / (1.0 + e);
    }
    return x;
}
inline F64 hyperbolic(F64 x) {
    for (int i = 0; i < kLanes<double>; ++i) x[i] = std::tanh(x[i]);
    return x;
}

struct Tanh {
    template <class V>
    static V of(const V& g, const V& y) {
        return g * (1 - y * y);
    }
};
struct Sigmoid {
    template <class V>
    static V of(const V& g, const V& y) {
        return g * ((1 - y) * y);
    }
};
struct Relu {
    template <class V>
    static V of(const V& g, const V& y) {
        return y > 0 ? g : V{};
    }
};
struct Silu {
    template <class V>
    static V of(const V& g, const V& x) {
        const V s = logistic(x);
        return g * (s * (1 + x * (1 - s)));
    }
};
struct Softplus {
    template <class V>
    static V of(const V& g, const V& x) {
        return g * logistic(x);
    }
};

// The normal distribution function from its density: Abramowitz and Stegun 7.1.26, within 1e-7.
struct Gelu {
    static F32 of(const F32& g, const F32& x) {
        const F32 bell = passes::exp_of(x * x * -0.5f), t = 1.0f / (1.0f + 0.3275911f * 0.70710678f * magnitude(x));
        const F32 half = 0.5f * bell * t *
                         (0.254829592f + t * (-0.284496736f + t * (1.421413741f + t * (-1.453152027f + t * 1.061405429f))));
        return g * (choose(x < 0.0f, half, 1.0f - half) + x * bell * 0.39894228f);
    }
    static F64 of(const F64& g, const F64& x) {
        F64 y;
        for (int i = 0; i < kLanes<double>; ++i)
            y[i] = g[i] * (0.5 * (1 + std::erf(x[i] * 0.70710678118654752)) + x[i] * std::exp(x[i] * x[i] * -0.5) * 0.39894228040143268);
        return y;
    }
};

struct GeluTanh {
    template <class V>
    static V of(const V& x) {
        return x * (hyperbolic((x + x * x * x * 0.044715f) * 0.79788456f) + 1) * 0.5f;
    }
    static F64 of(const F64& x) { return x * (hyperbolic((x + x * x * x * 0.044715) * 0.79788456080286536) + 1) * 0.5; }
};

struct GeluTanhSlope {
    template <class V, class T>
    static V slope(const V& g, const V& x, T cubic, T root) {
        const V t = hyperbolic((x + x * x * x * cubic) * root);
        return g * ((1 + t) * T(0.5) + x * (1 - t * t) * (1 + x * x * (3 * cubic)) * (root * T(0.5)));
    }
    static F32 of(const F32& g, const F32& x) { return slope(g, x, 0.044715f, 0.79788456f); }
    static F64 of(const F64& g, const F64& x) { return slope(g, x, 0.044715, 0.79788456080286536); }
};

template <class T>
inline Vec<T> gathered(const T* from, int64_t step, int64_t count) {
    if (step == 1) return count == kLanes<T> ? load(from) : load_some(from, count, T(0));
    T lanes[kLanes<T>] = {};
    for (int64_t j = 0; j < count; ++j) lanes[j] = from[j * step];
    return load(lanes);
}

template <class T>
inline void scattered(T* to, int64_t step, const Vec<T>& v, int64_t count) {
    if (step == 1 && count == kLanes<T>) return store<T>(to, v);
    if (step == 1) return store_some<T>(to, v, count);
    T lanes[kLanes<T>];
    store<T>(lanes, v);
    for (int64_t j = 0; j < count; ++j) to[j * step] = lanes[j];
}

template <class F, class T>
void binary(char* const* p, const int64_t* s, int64_t n) {
    constexpr int L = kLanes<T>;
    T* out = reinterpret_cast<T*>(p[0]);
    const T *a = reinterpret_cast<const T*>(p[1]), *b = reinterpret_cast<const T*>(p[2]);
    int64_t i = 0;
    if (s[0] == 1 && s[1] == 1 && s[2] == 1)
        for (; i + 2 * L <= n; i += 2 * L) {  // two at a time: one's latency hides the other's
            const Vec<T> first = F::of(load(a + i), load(b + i)), second = F::of(load(a + i + L), load(b + i + L));
            store<T>(out + i, first);
            store<T>(out + i + L, second);
        }
    for (; i < n; i += L) {
        const int64_t some = n - i < L ? n - i : L;
        scattered<T>(out + i * s[0], s[0], F::of(gathered<T>(a + i * s[1], s[1], some), gathered<T>(b + i * s[2], s[2], some)), some);
    }
}

template <class F, class T>
void unary(char* const* p, const int64_t* s, int64_t n) {
    constexpr int L = kLanes<T>;
    T* out = reinterpret_cast<T*>(p[0]);
    const T* x = reinterpret_cast<const T*>(p[1]);
    int64_t i = 0;
    if (s[0] == 1 && s[1] == 1)
        for (; i + 2 * L <= n; i += 2 * L) {
            const Vec<T> first = F::of(load(x + i)), second = F::of(load(x + i + L));
            store<T>(out + i, first);
            store<T>(out + i + L, second);
        }
    for (; i < n; i += L) {
        const int64_t some = n - i < L ? n - i : L;
        scattered<T>(out + i * s[0], s[0], F::of(gathered<T>(x + i * s[1], s[1], some)), some);
    }
}

#define LAMINA_SLOPE(name, F, cost, slow)                        \
    {name, kFloat32, kFloat32, 2, cost, binary<F, float>},       \
    {name, kFloat64, kFloat64, 2, slow, binary<F, double>},

const MapRow kRows[] = {
    LAMINA_SLOPE("tanh_gradient", Tanh, 1, 1)
    LAMINA_SLOPE("sigmoid_gradient", Sigmoid, 1, 1)
    LAMINA_SLOPE("relu_gradient", Relu, 1, 1)
    LAMINA_SLOPE("silu_gradient", Silu, 4, 15)
    LAMINA_SLOPE("softplus_gradient", Softplus, 4, 15)
    LAMINA_SLOPE("gelu_gradient", Gelu, 5, 40)
    LAMINA_SLOPE("gelu_tanh_gradient", GeluTanhSlope, 5, 20)
    {"gelu_tanh", kFloat32, kFloat32, 1, 5, unary<GeluTanh, float>},
    {"gelu_tanh", kFloat64, kFloat64, 1, 20, unary<GeluTanh, double>},
};

#undef LAMINA_SLOPE

extern const Maps rows = {kRows, int(sizeof kRows / sizeof *kRows)};

}  // namespace slopes
}  // namespace lamina::LAMINA_ISA
