// All tables of one instruction set, together.
#include "loops/tables.hpp"

#define LAMINA_TEXT(x) #x
#define LAMINA_TEXT_OF(x) LAMINA_TEXT(x)

namespace lamina::LAMINA_ISA {

extern const Loops loops = {LAMINA_TEXT_OF(LAMINA_ISA),
                            &maps, &folds, &softmaxes, &products, &updates,
                            &correlations, &weighings, &pools,
                            &fused, &recurrences,
                            {&curves, &quotients, &powers, &bounds, &integers, &scaled_sums, &special, &activations, &holes_filled},
                            {&truths, &statistics}, &scans, &draws, &narrows,
                            &casts, &sequences, &vectors, &weighted_items, &depthwise, &factorizations, &fourier, &reflections, &jacobi};

}  // namespace lamina::LAMINA_ISA
