// The rows of max and min for dtypes that are seldom reduced, compiled once, for any processor.
#define LAMINA_ISA anywhere
#include "kernels/reductions/reduce.hpp"
#include "loops/reductions/reductions.hpp"

namespace lamina::LAMINA_ISA {

#define LAMINA_ORDERED(name, F, T, code) \
    {name, code, code, start<F<T>>, row<F<T>>, columns<F<T>>, join<F<T>>, finish<F<T>, T, false>, 1, kNoIdentity},
#define LAMINA_EXTREMES(T, code) LAMINA_ORDERED("max", Greatest, T, code) LAMINA_ORDERED("min", Least, T, code)

const ReductionRow kRare[] = {LAMINA_EXTREMES(int8_t, kInt8) LAMINA_EXTREMES(int16_t, kInt16) LAMINA_EXTREMES(uint16_t, kUInt16)
                         LAMINA_EXTREMES(uint32_t, kUInt32) LAMINA_EXTREMES(uint64_t, kUInt64)};

const Reductions kRareReductions = {kRare, int(sizeof kRare / sizeof *kRare)};

}  // namespace lamina::LAMINA_ISA

namespace lamina {

const Registration registration([](const Loops&) { register_reductions(anywhere::kRareReductions); });

}  // namespace lamina
