// The rows of arithmetic, comparison and logic: each op as a function of items, in a loop for each kind of strides.
#include "loops/vectors/memory_bound.hpp"  // before the loops

#include "loops/maps/item_functions.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

LAMINA_UNARY(Frac, x - std::trunc(x))

#define LAMINA_ROW1(name, F, T, code, R, out_code, cost) {name, code, out_code, 1, cost, unary<F, T, R>},
#define LAMINA_ROW2(name, F, T, code, R, out_code) {name, code, out_code, 2, 1, binary<F, T, R>},
#define LAMINA_EXACT2(name, F)                                          \
    {name, kFloat32, kFloat32, 2, 1, binary<F, float, float>, kExactNumbers}, LAMINA_ROW2(name, F, double, kFloat64, double, kFloat64)
#define LAMINA_FLOATS1(name, F, cost) \
    LAMINA_ROW1(name, F, float, kFloat32, float, kFloat32, cost) LAMINA_ROW1(name, F, double, kFloat64, double, kFloat64, cost)
#define LAMINA_FLOATS_TO_BOOL1(name, F) \
    LAMINA_ROW1(name, F, float, kFloat32, uint8_t, kBool, 1) LAMINA_ROW1(name, F, double, kFloat64, uint8_t, kBool, 1)
#define LAMINA_NUMBERS1(name, F) LAMINA_FLOATS1(name, F, 1) LAMINA_ROW1(name, F, int64_t, kInt64, int64_t, kInt64, 1)
#define LAMINA_INT2(name, F) LAMINA_ROW2(name, F, int64_t, kInt64, int64_t, kInt64)
#define LAMINA_NUMBERS2(name, F) \
    LAMINA_ROW2(name, F, float, kFloat32, float, kFloat32) LAMINA_ROW2(name, F, double, kFloat64, double, kFloat64) LAMINA_INT2(name, F)
#define LAMINA_BOOL2(name, F) LAMINA_ROW2(name, F, uint8_t, kBool, uint8_t, kBool)
#define LAMINA_COMPARE2(name, F)                                                                               \
    LAMINA_ROW2(name, F, float, kFloat32, uint8_t, kBool) LAMINA_ROW2(name, F, double, kFloat64, uint8_t, kBool) \
    LAMINA_ROW2(name, F, int64_t, kInt64, uint8_t, kBool) LAMINA_ROW2(name, F, uint8_t, kBool, uint8_t, kBool)
#define LAMINA_BITS2(name, F) LAMINA_BOOL2(name, F) LAMINA_ROW2(name, F, int64_t, kInt64, int64_t, kInt64)

const MapRow kMaps[] = {
    LAMINA_EXACT2("add", Add) LAMINA_INT2("add", Add) LAMINA_BOOL2("add", Or)
    LAMINA_EXACT2("subtract", Subtract) LAMINA_INT2("subtract", Subtract)
    LAMINA_EXACT2("multiply", Multiply) LAMINA_INT2("multiply", Multiply) LAMINA_BOOL2("multiply", And)
    LAMINA_NUMBERS2("maximum", Maximum) LAMINA_BOOL2("maximum", Or)
    LAMINA_NUMBERS2("minimum", Minimum) LAMINA_BOOL2("minimum", And)
    LAMINA_COMPARE2("equal", Equal)
    LAMINA_COMPARE2("not_equal", NotEqual)
    LAMINA_COMPARE2("less", Less)
    LAMINA_COMPARE2("less_equal", LessEqual)
    LAMINA_COMPARE2("greater", Greater)
    LAMINA_COMPARE2("greater_equal", GreaterEqual)
    LAMINA_COMPARE2("logical_and", LogicalAnd)
    LAMINA_COMPARE2("logical_or", LogicalOr)
    LAMINA_COMPARE2("logical_xor", LogicalXor)
    LAMINA_BITS2("bitwise_and", And)
    LAMINA_BITS2("bitwise_or", Or)
    LAMINA_BITS2("bitwise_xor", Xor)
    LAMINA_ROW1("bitwise_invert", Invert, int64_t, kInt64, int64_t, kInt64, 1)
    LAMINA_ROW1("bitwise_invert", Not, uint8_t, kBool, uint8_t, kBool, 1)
    LAMINA_FLOATS_TO_BOOL1("logical_not", Not)
    LAMINA_ROW1("logical_not", Not, int64_t, kInt64, uint8_t, kBool, 1)
    LAMINA_ROW1("logical_not", Not, uint8_t, kBool, uint8_t, kBool, 1)
    LAMINA_FLOATS_TO_BOOL1("isnan", IsNan)
    LAMINA_FLOATS_TO_BOOL1("isinf", IsInf)
    LAMINA_FLOATS_TO_BOOL1("isfinite", IsFinite)
    LAMINA_NUMBERS1("negative", Negative)
    LAMINA_NUMBERS1("square", Square)
    LAMINA_NUMBERS1("relu", Relu)
    LAMINA_FLOATS1("abs", AbsFloat, 1)
    LAMINA_ROW1("abs", AbsInteger, int64_t, kInt64, int64_t, kInt64, 1)
    LAMINA_FLOATS1("rsqrt", Rsqrt, 2)
    LAMINA_FLOATS1("reciprocal", Reciprocal, 1)
    LAMINA_FLOATS1("floor", Floor, 1)
    LAMINA_FLOATS1("ceil", Ceil, 1)
    LAMINA_FLOATS1("trunc", Trunc, 1)
    LAMINA_FLOATS1("frac", Frac, 1)
    LAMINA_WHERE(float, kFloat32, 1) LAMINA_WHERE(double, kFloat64, 1) LAMINA_WHERE(int64_t, kInt64, 1) LAMINA_WHERE(uint8_t, kBool, 1)
};

extern const Maps arithmetic = {kMaps, int(sizeof kMaps / sizeof *kMaps)};

}  // namespace lamina::LAMINA_ISA
