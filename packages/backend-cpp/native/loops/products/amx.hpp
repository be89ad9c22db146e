// The product of bfloat16 by AMX.
#pragma once

#include "loops/loops.hpp"

namespace lamina::LAMINA_ISA {

#if defined(__AVX512F__)
// A, B and the bias are of bfloat16, in any layout; so is C, whose sums are rounded once, or it is of float32. Subnormal numbers are taken
// for 0.
template <class T>
void gemm_by_amx(const Gemm& g, char* scratch);
#endif

}  // namespace lamina::LAMINA_ISA
