// All inner loops, compiled once for each instruction set: everything here lives in the namespace of that one.
//
// Only inline functions of that namespace are used: one shared with the other files could be kept in a version that
// the processor does not have.
#include "fold_loops.hpp"
#include "gemm_loops.hpp"
#include "loops.hpp"
#include "map_loops.hpp"
#include "softmax_loops.hpp"
#include "update_loops.hpp"

#define LAMINA_TEXT(x) #x
#define LAMINA_TEXT_OF(x) LAMINA_TEXT(x)

namespace lamina::LAMINA_ISA {

static_assert((kBlockK * (kBlockBytesN + 128) + kBlockK * (kBlockM + 8) * 8) < kGemmScratch);

extern const Loops loops;
const Loops loops = {
    LAMINA_TEXT_OF(LAMINA_ISA),
    kMaps,
    int(sizeof kMaps / sizeof *kMaps),
    kFolds,
    int(sizeof kFolds / sizeof *kFolds),
    {softmax_row<float>, softmax_row<double>},
    {log_softmax_row<float>, log_softmax_row<double>},
    {gemm<float>, gemm<double>, gemm<uint64_t>},
    {sgd<float>, sgd<double>},
    {adam<float>, adam<double>},
};

}  // namespace lamina::LAMINA_ISA
