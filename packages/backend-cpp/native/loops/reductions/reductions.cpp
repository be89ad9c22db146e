// The rows of reductions: which are folded how, for which dtypes.
#include "loops/reductions/reductions.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

#define LAMINA_FOLD(name, code, out_code, R, mean, ...) \
    {name, code, out_code, start<__VA_ARGS__>, row<__VA_ARGS__>, columns<__VA_ARGS__>, join<__VA_ARGS__>, finish<__VA_ARGS__, R, mean>}

using SumF32 = Sums<float, float, double>;
using SumF64 = Sums<double, double, double>;
using SumI64 = Sums<uint64_t, uint64_t, uint64_t>;
using SumBool = Sums<uint8_t, uint32_t, uint64_t>;

const FoldRow kFolds[] = {
    LAMINA_FOLD("sum", kFloat32, kFloat32, float, false, SumF32),
    LAMINA_FOLD("sum", kFloat64, kFloat64, double, false, SumF64),
    LAMINA_FOLD("sum", kInt64, kInt64, uint64_t, false, SumI64),
    LAMINA_FOLD("sum", kBool, kInt64, uint64_t, false, SumBool),
    LAMINA_FOLD("mean", kFloat32, kFloat32, float, true, SumF32),
    LAMINA_FOLD("mean", kFloat64, kFloat64, double, true, SumF64),
    LAMINA_FOLD("max", kFloat32, kFloat32, float, false, Greatest<float>),
    LAMINA_FOLD("max", kFloat64, kFloat64, double, false, Greatest<double>),
    LAMINA_FOLD("max", kInt64, kInt64, int64_t, false, Greatest<int64_t>),
    LAMINA_FOLD("max", kBool, kBool, uint8_t, false, Greatest<uint8_t>),
    LAMINA_FOLD("min", kFloat32, kFloat32, float, false, Least<float>),
    LAMINA_FOLD("min", kFloat64, kFloat64, double, false, Least<double>),
    LAMINA_FOLD("min", kInt64, kInt64, int64_t, false, Least<int64_t>),
    LAMINA_FOLD("min", kBool, kBool, uint8_t, false, Least<uint8_t>),
    LAMINA_FOLD("prod", kFloat32, kFloat32, float, false, Factors<float, float, double>),
    LAMINA_FOLD("prod", kFloat64, kFloat64, double, false, Factors<double, double, double>),
    LAMINA_FOLD("prod", kInt64, kInt64, uint64_t, false, Factors<uint64_t, uint64_t, uint64_t>),
    LAMINA_FOLD("max", kInt32, kInt32, int32_t, false, Greatest<int32_t>),
    LAMINA_FOLD("max", kUInt8, kUInt8, uint8_t, false, Greatest<uint8_t>),
    LAMINA_FOLD("min", kInt32, kInt32, int32_t, false, Least<int32_t>),
    LAMINA_FOLD("min", kUInt8, kUInt8, uint8_t, false, Least<uint8_t>),
};

extern const Folds folds = {kFolds, int(sizeof kFolds / sizeof *kFolds)};

}  // namespace lamina::LAMINA_ISA
