// Gradients of activations, and the GELU by a hyperbolic tangent, each in one pass over vectors.
#include "loops/math/error_functions.hpp"
#include "loops/math/float_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {
namespace backward {

inline F32 logistic(const F32& x) { return vsigmoid(x); }
inline F32 hyperbolic(const F32& x) { return vtanh(x); }
inline F64 logistic(const F64& x) { return dsigmoid(x); }
inline F64 hyperbolic(const F64& x) { return dtanh(x); }

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
        return y <= 0 ? V{} : g;  // NaN lets the gradient through
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

struct Gelu {
    static F32 of(const F32& g, const F32& x) {
        F32 bell, ratio;
        normal_tail(at_most(magnitude(x), 15.0f), bell, ratio);
        const F32 tail = bell * ratio;
        return g * (choose(x < 0.0f, tail, 1.0f - tail) + x * bell * 0.39894228f);
    }
    static F64 of(const F64& g, const F64& x) { return g * dgelu_derivative(x); }
};

struct GeluTanh {
    template <class V>
    static V of(const V& x) {
        return x * (hyperbolic((x + x * x * x * 0.044715f) * 0.79788456f) + 1) * 0.5f;
    }
    static F64 of(const F64& x) { return x * (hyperbolic((x + x * x * x * 0.044715) * 0.79788456080286536) + 1) * 0.5; }
};

struct GeluTanhBackward {
    template <class V, class T>
    static V backward(const V& g, const V& x, T cubic, T root) {
        const V t = hyperbolic((x + x * x * x * cubic) * root);
        return g * ((1 + t) * T(0.5) + x * (1 - t * t) * (1 + x * x * (3 * cubic)) * (root * T(0.5)));
    }
    static F32 of(const F32& g, const F32& x) { return backward(g, x, 0.044715f, 0.79788456f); }
    static F64 of(const F64& g, const F64& x) { return backward(g, x, 0.044715, 0.79788456080286536); }
};

#define LAMINA_BACKWARD(name, F, cost, slow)                        \
    {name, kFloat32, kFloat32, 2, cost, vector_binary<F, float>},       \
    {name, kFloat64, kFloat64, 2, slow, vector_binary<F, double>},

const MapRow kRows[] = {
    LAMINA_BACKWARD("tanh_gradient", Tanh, 1, 1)
    LAMINA_BACKWARD("sigmoid_gradient", Sigmoid, 1, 1)
    LAMINA_BACKWARD("relu_gradient", Relu, 1, 1)
    LAMINA_BACKWARD("silu_gradient", Silu, 4, 15)
    LAMINA_BACKWARD("softplus_gradient", Softplus, 4, 15)
    LAMINA_BACKWARD("gelu_gradient", Gelu, 5, 20)
    LAMINA_BACKWARD("gelu_tanh_gradient", GeluTanhBackward, 5, 20)
    {"gelu_tanh", kFloat32, kFloat32, 1, 5, vector_unary<GeluTanh, float>},
    {"gelu_tanh", kFloat64, kFloat64, 1, 20, vector_unary<GeluTanh, double>},
};

#undef LAMINA_BACKWARD

}  // namespace backward

extern const Maps activation_backward = {backward::kRows, int(sizeof backward::kRows / sizeof *backward::kRows)};

}  // namespace lamina::LAMINA_ISA
