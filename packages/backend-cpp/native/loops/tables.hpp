// The tables of one instruction set, each made by the file of its family.
//
// Every file of this folder is compiled once for each instruction set, in the namespace of that one. It uses only inline
// functions of that namespace: one shared with the other files could be kept in a version that the processor does not have.
#pragma once

#include "loops/loops.hpp"

namespace lamina::LAMINA_ISA {

extern const Maps maps;
extern const Folds folds;
extern const Softmaxes softmaxes;
extern const Products products;
extern const Updates updates;
extern const Correlations correlations;
extern const Weighings weighings;
extern const Pools pools;
extern const Fused fused;
extern const Recurrences recurrences;
extern const Maps curves, quotients, powers, bounds, integers, scaled_sums, special, activations, holes_filled;
extern const Folds truths, statistics;
extern const Scans scans;
extern const Draws draws;
extern const Narrows narrows;
extern const Casts casts;
extern const Sequences sequences;
extern const Vectors vectors;
extern const WeightedItems weighted_items;
extern const DepthwiseLoops depthwise;
extern const FactorLoops factorizations;
extern const FourierLoops fourier;
extern const ReflectionLoops reflections;
extern const JacobiLoops jacobi;

}  // namespace lamina::LAMINA_ISA
