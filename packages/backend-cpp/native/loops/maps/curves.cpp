// The rows of functions of vectors, most by way of polynomials: roots, exponential, trigonometric, hyperbolic, and activations.
#include "loops/math/error_functions.hpp"
#include "loops/math/float_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {

#define LAMINA_VECTOR(Name, Of, V)             \
    struct Name {                              \
        static inline V of(const V& x) { return Of(x); } \
    };
#define LAMINA_SINGLE(Name, Of) LAMINA_VECTOR(Name, Of, F32)
#define LAMINA_DOUBLE(Name, Of) LAMINA_VECTOR(Name, Of, F64)
// float32 through float64
#define LAMINA_WIDE(Name, Of)                                                                    \
    struct Name {                                                                                \
        static inline F32 of(const F32& x) { return narrowed(Of(widened(x, 0)), Of(widened(x, 1))); } \
    };

LAMINA_SINGLE(Root, vsqrt) LAMINA_DOUBLE(RootWide, dsqrt)
LAMINA_SINGLE(Exp, vexp) LAMINA_SINGLE(Log, vlog) LAMINA_SINGLE(Tanh, vtanh) LAMINA_SINGLE(Sigmoid, vsigmoid)
LAMINA_SINGLE(Exp2, vexp2) LAMINA_SINGLE(Expm1, vexpm1) LAMINA_SINGLE(Log2, vlog2) LAMINA_SINGLE(Log10, vlog10)
LAMINA_SINGLE(Log1p, vlog1p) LAMINA_SINGLE(Sin, vsin) LAMINA_SINGLE(Cos, vcos) LAMINA_SINGLE(Erf, verf)
LAMINA_SINGLE(Gelu, vgelu) LAMINA_SINGLE(Silu, vsilu) LAMINA_SINGLE(Softplus, vsoftplus)
LAMINA_SINGLE(Tan, vtan) LAMINA_SINGLE(Sinh, vsinh) LAMINA_SINGLE(Cosh, vcosh)
LAMINA_SINGLE(Acos, vacos) LAMINA_SINGLE(Atan, vatan)
LAMINA_WIDE(Asin, dasin) LAMINA_WIDE(Asinh, dasinh) LAMINA_WIDE(Acosh, dacosh) LAMINA_WIDE(Atanh, datanh)

inline F64 dsilu(const F64& x) {  // by halves where it would overflow, as in float32
    const I64 far = x < -700.0;
    const F64 e = dexp(choose(far, 0.5 * x, -x));
    return choose(far, x * e * e, x / (1.0 + e));
}
LAMINA_DOUBLE(ExpWide, dexp) LAMINA_DOUBLE(LogWide, dlog) LAMINA_DOUBLE(TanhWide, dtanh) LAMINA_DOUBLE(SigmoidWide, dsigmoid)
LAMINA_DOUBLE(Exp2Wide, dexp2) LAMINA_DOUBLE(Expm1Wide, dexpm1) LAMINA_DOUBLE(Log2Wide, dlog2) LAMINA_DOUBLE(Log10Wide, dlog10)
LAMINA_DOUBLE(Log1pWide, dlog1p) LAMINA_DOUBLE(SinWide, dsin) LAMINA_DOUBLE(CosWide, dcos) LAMINA_DOUBLE(TanWide, dtan)
LAMINA_DOUBLE(SinhWide, dsinh) LAMINA_DOUBLE(CoshWide, dcosh) LAMINA_DOUBLE(AsinWide, dasin) LAMINA_DOUBLE(AcosWide, dacos)
LAMINA_DOUBLE(AtanWide, datan) LAMINA_DOUBLE(AsinhWide, dasinh) LAMINA_DOUBLE(AcoshWide, dacosh)
LAMINA_DOUBLE(AtanhWide, datanh) LAMINA_DOUBLE(SiluWide, dsilu) LAMINA_DOUBLE(SoftplusWide, dsoftplus)
LAMINA_DOUBLE(ErfWide, derf) LAMINA_DOUBLE(GeluWide, dgelu)

#define LAMINA_CURVE(name, F, cost)                                    \
    {name, kFloat32, kFloat32, 1, cost, vector_unary<F, float>},       \
    {name, kFloat64, kFloat64, 1, 2 * cost, vector_unary<F##Wide, double>},

const MapRow kCurves[] = {
    LAMINA_CURVE("sqrt", Root, 2)
    LAMINA_CURVE("exp", Exp, 4) LAMINA_CURVE("log", Log, 4) LAMINA_CURVE("tanh", Tanh, 4) LAMINA_CURVE("sigmoid", Sigmoid, 4)
    LAMINA_CURVE("exp2", Exp2, 4) LAMINA_CURVE("expm1", Expm1, 4) LAMINA_CURVE("log2", Log2, 4) LAMINA_CURVE("log10", Log10, 4)
    LAMINA_CURVE("log1p", Log1p, 6) LAMINA_CURVE("sin", Sin, 6) LAMINA_CURVE("cos", Cos, 6) LAMINA_CURVE("tan", Tan, 10)
    LAMINA_CURVE("sinh", Sinh, 10) LAMINA_CURVE("cosh", Cosh, 10) LAMINA_CURVE("asin", Asin, 10) LAMINA_CURVE("acos", Acos, 10)
    LAMINA_CURVE("atan", Atan, 10) LAMINA_CURVE("asinh", Asinh, 15) LAMINA_CURVE("acosh", Acosh, 15)
    LAMINA_CURVE("atanh", Atanh, 12) LAMINA_CURVE("silu", Silu, 4) LAMINA_CURVE("softplus", Softplus, 8)
    LAMINA_CURVE("erf", Erf, 6) LAMINA_CURVE("gelu", Gelu, 8)
};

extern const Maps curves = {kCurves, int(sizeof kCurves / sizeof *kCurves)};

}  // namespace lamina::LAMINA_ISA
