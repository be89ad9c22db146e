// The rows of the special functions: computed in float64 vectors, which float32 passes through, by a shorter way where there is one.
#include "loops/math/bessel_functions.hpp"
#include "loops/math/incomplete_gamma.hpp"
#include "loops/math/short_math.hpp"
#include "loops/tables.hpp"
#include "loops/vectors/vector_loops.hpp"

namespace lamina::LAMINA_ISA {
namespace {

#define LAMINA_SPECIAL1(Name, function) LAMINA_SPECIAL1_SHORTLY(Name, function, function)
#define LAMINA_SPECIAL1_SHORTLY(Name, function, shortly)                                                    \
    struct Name {                                                                                           \
        static F64 of(const F64& x) { return function(x); }                                                 \
        static F32 of(const F32& x) { return narrowed(shortly(widened(x, 0)), shortly(widened(x, 1))); }    \
    };
#define LAMINA_SPECIAL2(Name, function) LAMINA_SPECIAL2_SHORTLY(Name, function, function)
#define LAMINA_SPECIAL2_SHORTLY(Name, function, shortly)                                                    \
    struct Name {                                                                                           \
        static F64 of(const F64& a, const F64& b) { return function(a, b); }                                \
        static F32 of(const F32& a, const F32& b) {                                                         \
            return narrowed(shortly(widened(a, 0), widened(b, 0)), shortly(widened(a, 1), widened(b, 1)));  \
        }                                                                                                   \
    };

// The order is one number for all items.
F64 polygamma(const F64& x, const F64& order) { return dpolygamma(x, int(order[0])); }

LAMINA_SPECIAL1_SHORTLY(Erfc, derfc, short_erfc) LAMINA_SPECIAL1_SHORTLY(Erfinv, derfinv, short_erfinv)
LAMINA_SPECIAL1(Erfcx, derfcx) LAMINA_SPECIAL1(Ndtri, dndtri)
LAMINA_SPECIAL1(LogNdtr, dlog_ndtr) LAMINA_SPECIAL1(Lgamma, dlgamma) LAMINA_SPECIAL1(Digamma, ddigamma)
LAMINA_SPECIAL1(I0, di0) LAMINA_SPECIAL1(I0e, di0e) LAMINA_SPECIAL1(I1, di1) LAMINA_SPECIAL1(I1e, di1e)
LAMINA_SPECIAL1(J0, dbessel_j0) LAMINA_SPECIAL1(J1, dbessel_j1) LAMINA_SPECIAL1(Y0, dbessel_y0) LAMINA_SPECIAL1(Y1, dbessel_y1)
LAMINA_SPECIAL1(K0, dk0) LAMINA_SPECIAL1(K1, dk1) LAMINA_SPECIAL1(K0e, dk0e) LAMINA_SPECIAL1(K1e, dk1e)
LAMINA_SPECIAL1(AiryAi, dairy_ai)
LAMINA_SPECIAL2(Zeta, dzeta) LAMINA_SPECIAL2(Polygamma, polygamma)
LAMINA_SPECIAL2_SHORTLY(Igamma, gamma_lower<InFull>, gamma_lower<Shortly>)
LAMINA_SPECIAL2_SHORTLY(Igammac, gamma_upper<InFull>, gamma_upper<Shortly>)

#define LAMINA_ROWS1(name, F, cost)                                  \
    {name, kFloat32, kFloat32, 1, 2 * cost, vector_unary<F, float>}, \
    {name, kFloat64, kFloat64, 1, 2 * cost, vector_unary<F, double>},
#define LAMINA_ROWS2(name, F, cost)                                   \
    {name, kFloat32, kFloat32, 2, 2 * cost, vector_binary<F, float>}, \
    {name, kFloat64, kFloat64, 2, 2 * cost, vector_binary<F, double>},

const MapRow kRows[] = {
    LAMINA_ROWS1("erfc", Erfc, 10) LAMINA_ROWS1("erfcx", Erfcx, 10) LAMINA_ROWS1("erfinv", Erfinv, 10) LAMINA_ROWS1("ndtri", Ndtri, 15)
    LAMINA_ROWS1("log_ndtr", LogNdtr, 20) LAMINA_ROWS1("lgamma", Lgamma, 20) LAMINA_ROWS1("digamma", Digamma, 15)
    LAMINA_ROWS1("i0", I0, 10) LAMINA_ROWS1("i0e", I0e, 8) LAMINA_ROWS1("i1", I1, 10) LAMINA_ROWS1("i1e", I1e, 8)
    LAMINA_ROWS1("bessel_j0", J0, 15) LAMINA_ROWS1("bessel_j1", J1, 15) LAMINA_ROWS1("bessel_y0", Y0, 20) LAMINA_ROWS1("bessel_y1", Y1, 20)
    LAMINA_ROWS1("modified_bessel_k0", K0, 20) LAMINA_ROWS1("modified_bessel_k1", K1, 20)
    LAMINA_ROWS1("scaled_modified_bessel_k0", K0e, 20) LAMINA_ROWS1("scaled_modified_bessel_k1", K1e, 20)
    LAMINA_ROWS1("airy_ai", AiryAi, 20)
    LAMINA_ROWS2("zeta", Zeta, 100) LAMINA_ROWS2("polygamma", Polygamma, 100)
    LAMINA_ROWS2("igamma", Igamma, 100) LAMINA_ROWS2("igammac", Igammac, 100)
};

}  // namespace

extern const Maps special_functions = {kRows, int(sizeof kRows / sizeof *kRows)};

}  // namespace lamina::LAMINA_ISA
