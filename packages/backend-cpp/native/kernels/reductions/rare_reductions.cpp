// Reductions of dtypes that are seldom folded, compiled once, for any processor.
#define LAMINA_ISA anywhere
#include "runtime/kernel.hpp"
#include "loops/reductions/reductions.hpp"

namespace lamina::LAMINA_ISA {

#define LAMINA_ORDERED(name, F, T, code) {name, code, code, start<F<T>>, row<F<T>>, columns<F<T>>, join<F<T>>, finish<F<T>, T, false>},
#define LAMINA_EXTREMES(T, code) LAMINA_ORDERED("max", Greatest, T, code) LAMINA_ORDERED("min", Least, T, code)

const FoldRow kRare[] = {LAMINA_EXTREMES(int8_t, kInt8) LAMINA_EXTREMES(int16_t, kInt16) LAMINA_EXTREMES(uint16_t, kUInt16)
                         LAMINA_EXTREMES(uint32_t, kUInt32) LAMINA_EXTREMES(uint64_t, kUInt64)};

const Folds kRareFolds = {kRare, int(sizeof kRare / sizeof *kRare)};

}  // namespace lamina::LAMINA_ISA

namespace lamina {

const Folds& rare_folds() { return anywhere::kRareFolds; }

}  // namespace lamina
