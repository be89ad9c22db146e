// The rows of sum, mean, max, min and prod: which loops they have for which dtypes.
#include "loops/reductions/reductions.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

#define LAMINA_REDUCTION(name, code, out_code, R, mean, traits, ...)                                        \
    {name, code, out_code, start<__VA_ARGS__>, row<__VA_ARGS__>, columns<__VA_ARGS__>, join<__VA_ARGS__>, \
     finish<__VA_ARGS__, R, mean>, 1, traits}

using SumF32 = Sums<float, float, double>;
using SumF64 = Sums<double, double, double>;
using SumI64 = Sums<uint64_t, uint64_t, uint64_t>;
using SumBool = Sums<uint8_t, uint32_t, uint64_t>;

const ReductionRow kReductions[] = {
    LAMINA_REDUCTION("sum", kFloat32, kFloat32, float, false, kByParts, SumF32),
    LAMINA_REDUCTION("sum", kFloat64, kFloat64, double, false, kByParts, SumF64),
    LAMINA_REDUCTION("sum", kInt64, kInt64, uint64_t, false, kPlainReduction, SumI64),
    LAMINA_REDUCTION("sum", kBool, kInt64, uint64_t, false, kPlainReduction, SumBool),
    LAMINA_REDUCTION("mean", kFloat32, kFloat32, float, true, kPlainReduction, SumF32),
    LAMINA_REDUCTION("mean", kFloat64, kFloat64, double, true, kPlainReduction, SumF64),
    LAMINA_REDUCTION("max", kFloat32, kFloat32, float, false, kNoIdentity, Greatest<float>),
    LAMINA_REDUCTION("max", kFloat64, kFloat64, double, false, kNoIdentity, Greatest<double>),
    LAMINA_REDUCTION("max", kInt64, kInt64, int64_t, false, kNoIdentity, Greatest<int64_t>),
    LAMINA_REDUCTION("max", kBool, kBool, uint8_t, false, kNoIdentity, Greatest<uint8_t>),
    LAMINA_REDUCTION("min", kFloat32, kFloat32, float, false, kNoIdentity, Least<float>),
    LAMINA_REDUCTION("min", kFloat64, kFloat64, double, false, kNoIdentity, Least<double>),
    LAMINA_REDUCTION("min", kInt64, kInt64, int64_t, false, kNoIdentity, Least<int64_t>),
    LAMINA_REDUCTION("min", kBool, kBool, uint8_t, false, kNoIdentity, Least<uint8_t>),
    LAMINA_REDUCTION("prod", kFloat32, kFloat32, float, false, kPlainReduction, Factors<float, float, double>),
    LAMINA_REDUCTION("prod", kFloat64, kFloat64, double, false, kPlainReduction, Factors<double, double, double>),
    LAMINA_REDUCTION("prod", kInt64, kInt64, uint64_t, false, kPlainReduction, Factors<uint64_t, uint64_t, uint64_t>),
    LAMINA_REDUCTION("max", kInt32, kInt32, int32_t, false, kNoIdentity, Greatest<int32_t>),
    LAMINA_REDUCTION("max", kUInt8, kUInt8, uint8_t, false, kNoIdentity, Greatest<uint8_t>),
    LAMINA_REDUCTION("min", kInt32, kInt32, int32_t, false, kNoIdentity, Least<int32_t>),
    LAMINA_REDUCTION("min", kUInt8, kUInt8, uint8_t, false, kNoIdentity, Least<uint8_t>),
};

extern const Reductions reductions = {kReductions, int(sizeof kReductions / sizeof *kReductions)};

}  // namespace lamina::LAMINA_ISA
