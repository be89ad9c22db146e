// The rows of activations in pieces or with numbers of their own, and their gradients, each in one pass over vectors.
#include "loops/math/float_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {
namespace pieces {

inline F32 power(const F32& x) { return vexp(x); }
inline F64 power(const F64& x) { return dexp(x); }
inline F32 power_less_one(const F32& x) { return vexpm1(x); }
inline F64 power_less_one(const F64& x) { return dexpm1(x); }
inline F32 rising(const F32& x) { return vsoftplus(x); }
inline F64 rising(const F64& x) { return dsoftplus(x); }

inline F32 chance(const F32& x) { return vsigmoid(x); }
inline F64 chance(const F64& x) { return dsigmoid(x); }

template <class V>
V held(const V& x, const V& low, const V& high) {  // NaN stays
    const V y = choose(x < low, low, x);
    return choose(y > high, high, y);
}

struct LeakyRelu {
    template <class V>
    static V of(const V& x, const V& slope) {
        return choose(x > 0, x, x * slope);
    }
};
struct LeakyReluBackward {
    template <class V>
    static V of(const V& g, const V& x, const V& slope) {
        return choose(x > 0, g, g * slope);
    }
};
struct Elu {
    template <class V>
    static V of(const V& x, const V& positive, const V& negative, const V& rate) {
        return choose(x > 0, x * positive, power_less_one(x * rate) * negative);
    }
};
struct EluBackward {
    template <class V>
    static V of(const V& g, const V& x, const V& positive, const V& negative, const V& rate) {
        return g * choose(x > 0, positive, power(x * rate) * (negative * rate));
    }
};
struct HardTanhBackward {
    template <class V>
    static V of(const V& g, const V& x, const V& low, const V& high) {
        return choose((x <= low) | (x >= high), V{}, g);
    }
};
struct HardSigmoid {
    template <class V>
    static V of(const V& x) {
        return held(x + 3, V{}, V{} + 6) / 6;
    }
};
struct HardSigmoidBackward {
    template <class V>
    static V of(const V& g, const V& x) {
        return choose((x > -3) & (x < 3), g / 6, V{});
    }
};
struct HardSwish {
    template <class V>
    static V of(const V& x) {
        return x * held(x + 3, V{}, V{} + 6) / 6;
    }
};
struct HardSwishBackward {
    template <class V>
    static V of(const V& g, const V& x) {
        return choose(x <= -3, V{}, choose(x >= 3, g, g * (x / 3 + V{} + 1 / (V{} + 2))));
    }
};
struct HardShrink {
    template <class V>
    static V of(const V& x, const V& size) {
        return choose((x >= -size) & (x <= size), V{}, x);
    }
};
struct SoftShrink {
    template <class V>
    static V of(const V& x, const V& size) {
        return choose(x > size, x - size, choose(x < -size, x + size, x * 0));  // NaN stays
    }
};
struct ShrinkBackward {
    template <class V>
    static V of(const V& g, const V& x, const V& size) {
        return choose((x >= -size) & (x <= size), V{}, g);
    }
};
struct Huber {
    template <class V>
    static V of(const V& x, const V& corner) {
        const V size = choose(x < 0, -x, x + 0), held = choose(size > corner, corner, size);
        return (size - held / 2) * held;
    }
};
struct CrossEntropyOfLogits {
    template <class V>
    static V of(const V& x, const V& target) {
        const auto below = x < V{};
        return ((1 - target) * x - choose(below, x, V{})) + rising(choose(below, x, -x));
    }
};
struct CrossEntropyOfLogitsBackward {
    template <class V>
    static V of(const V& g, const V& x, const V& target) {
        return g * (chance(x) - target);
    }
};
struct LogSigmoid {
    template <class V>
    static V of(const V& x) {
        return V{} - rising(-x);  // no -0.0
    }
};

struct ScaledSoftplus {
    template <class V>
    static V of(const V& x, const V& rate, const V& threshold) {
        const V scaled = x * rate;
        return choose(scaled > threshold, x, rising(scaled) / rate);
    }
};

// tanh(softplus(x)) = n / (n + 2) where n = e * (e + 2) and e = exp(x): nothing cancels.
struct Mish {
    template <class V>
    static V of(const V& x) {
        const V e = power(choose(x > 20, V{} + 20, x)), n = e * (e + 2);
        return x * (n / (n + 2));
    }
};
struct MishBackward {
    template <class V>
    static V of(const V& g, const V& x) {
        const V e = power(choose(x > 20, V{} + 20, x)), n = e * (e + 2), m = n + 2;
        return g * choose(x > 20, 1 + x * 0, (n + 4 * x * e * (e + 1) / m) / m);  // NaN at infinity
    }
};

const MapRow kRows[] = {
    LAMINA_VECTOR_MAP_OF("leaky_relu", LeakyRelu, 1, 1, 1, kExactNumbers)
    LAMINA_VECTOR_MAP_OF("leaky_relu_gradient", LeakyReluBackward, 2, 1, 1, kExactNumbers)
    LAMINA_VECTOR_MAP_OF("elu", Elu, 1, 3, 4, kExactNumbers)
    LAMINA_VECTOR_MAP_OF("elu_gradient", EluBackward, 2, 3, 4, kExactNumbers)
    LAMINA_VECTOR_MAP("hardtanh_gradient", HardTanhBackward, 2, 2, 1)
    LAMINA_VECTOR_MAP("hardsigmoid", HardSigmoid, 1, 0, 1)
    LAMINA_VECTOR_MAP("hardsigmoid_gradient", HardSigmoidBackward, 2, 0, 1)
    LAMINA_VECTOR_MAP("hardswish", HardSwish, 1, 0, 1)
    LAMINA_VECTOR_MAP("hardswish_gradient", HardSwishBackward, 2, 0, 1)
    LAMINA_VECTOR_MAP("hardshrink", HardShrink, 1, 1, 1)
    LAMINA_VECTOR_MAP_OF("softshrink", SoftShrink, 1, 1, 1, kExactNumbers)
    LAMINA_VECTOR_MAP("shrink_gradient", ShrinkBackward, 2, 1, 1)
    LAMINA_VECTOR_MAP_OF("huber", Huber, 1, 1, 1, kExactNumbers)
    LAMINA_VECTOR_MAP("binary_cross_entropy_with_logits", CrossEntropyOfLogits, 2, 0, 8)
    LAMINA_VECTOR_MAP("binary_cross_entropy_with_logits_gradient", CrossEntropyOfLogitsBackward, 3, 0, 5)
    LAMINA_VECTOR_MAP("logsigmoid", LogSigmoid, 1, 0, 8)
    LAMINA_VECTOR_MAP("scaled_softplus", ScaledSoftplus, 1, 2, 9)
    LAMINA_VECTOR_MAP("mish", Mish, 1, 0, 4)
    LAMINA_VECTOR_MAP("mish_gradient", MishBackward, 2, 0, 5)
};

}  // namespace pieces

extern const Maps activations = {pieces::kRows, int(sizeof pieces::kRows / sizeof *pieces::kRows)};

}  // namespace lamina::LAMINA_ISA
