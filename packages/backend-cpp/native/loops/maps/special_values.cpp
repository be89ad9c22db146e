// The rows of functions with special values, which the formula does not give: at 0, at infinities, and at NaN.
#include "loops/maps/item_functions.hpp"
#include "loops/math/float_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {
namespace special {

inline F32 logarithm(const F32& x) { return vlog(x); }
inline F64 logarithm(const F64& x) { return dlog(x); }
inline F32 logarithm_beyond_one(const F32& x) { return vlog1p(x); }
inline F64 logarithm_beyond_one(const F64& x) { return dlog1p(x); }
inline F32 sine(const F32& x) { return vsin(x); }
inline F64 sine(const F64& x) { return dsin(x); }

LAMINA_BINARY(FMax, (a >= b) | (b != b) ? a : b)
LAMINA_BINARY(FMin, (a <= b) | (b != b) ? a : b)

struct XLogY {
    template <class V>
    static V of(const V& x, const V& y) {
        return choose((x == 0) & (y == y), V{}, x * logarithm(y));
    }
};
struct XLog1PY {
    template <class V>
    static V of(const V& x, const V& y) {
        return choose((x == 0) & (y == y), V{}, x * logarithm_beyond_one(y));
    }
};
struct Entropy {
    template <class V>
    static V of(const V& x) {
        return choose(x == 0, V{}, choose(x < 0, V{} - __builtin_inff(), -x * logarithm(x)));
    }
};
struct BinaryCrossEntropy {
    template <class V>
    static V of(const V& x, const V& target) {
        const V least = V{} - 100, one = logarithm(x), other = logarithm_beyond_one(-x);
        return (target - 1) * choose(other < least, least, other) - target * choose(one < least, least, one);
    }
};
struct Sinc {
    template <class V>
    static V of(const V& x) {
        const V y = x * V(V{} + 3.14159265358979323846);
        return choose(x == 0, V{} + 1, sine(y) / y);
    }
    static F32 of(const F32& x) {
        const F32 y = x * 3.14159265f;
        return choose(x == 0, F32{} + 1, sine(y) / y);
    }
};
struct Heaviside {
    template <class V>
    static V of(const V& x, const V& at_zero) {
        return choose(x == 0, at_zero, choose(x > 0, V{} + 1, V{}));
    }
};
struct Angle {
    template <class V>
    static V of(const V& x) {
        return choose(x < 0, V(V{} + 3.14159265358979323846), choose(x == x, V{}, x));
    }
    static F32 of(const F32& x) { return choose(x < 0, F32{} + 3.14159265f, choose(x == x, F32{}, x)); }
};
struct WhereFinite {
    template <class V>
    static V of(const V& x, const V& nan, const V& great, const V& small) {
        const V infinite = V{} + __builtin_inff();
        return choose(x != x, nan, choose(x == infinite, great, choose(x == -infinite, small, x)));
    }
};

#define LAMINA_CHOICE(name, F)                                       \
    {name, kFloat32, kFloat32, 2, 1, binary<F, float, float>},       \
    {name, kFloat64, kFloat64, 2, 1, binary<F, double, double>},     \
    {name, kInt64, kInt64, 2, 1, binary<F, int64_t, int64_t>},

const MapRow kRows[] = {
    LAMINA_CHOICE("fmax", FMax) LAMINA_CHOICE("fmin", FMin)
    LAMINA_VECTOR_MAP("xlogy", XLogY, 2, 0, 4) LAMINA_VECTOR_MAP("xlog1py", XLog1PY, 2, 0, 6) LAMINA_VECTOR_MAP("entr", Entropy, 1, 0, 4)
    LAMINA_VECTOR_MAP("binary_cross_entropy", BinaryCrossEntropy, 2, 0, 10)
    LAMINA_VECTOR_MAP("sinc", Sinc, 1, 0, 6) LAMINA_VECTOR_MAP("where_finite", WhereFinite, 1, 3, 1)
    LAMINA_VECTOR_MAP("heaviside", Heaviside, 2, 0, 1) LAMINA_VECTOR_MAP("angle", Angle, 1, 0, 1)
};

#undef LAMINA_CHOICE

}  // namespace special

extern const Maps special_values = {special::kRows, int(sizeof special::kRows / sizeof *special::kRows)};

}  // namespace lamina::LAMINA_ISA
