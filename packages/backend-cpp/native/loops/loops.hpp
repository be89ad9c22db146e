// The inner loops in tables: the files of loops/ make them for each instruction set, and the rest of the backend uses the best.
#pragma once

#include <cstdint>

#include "dtypes/dtypes.hpp"
#include "kernels/convolutions/sliding.hpp"

namespace lamina {

// Map: p[0] is the output, then the inputs; s are their strides in items; n items.
using MapLoop = void (*)(char* const* p, const int64_t* s, int64_t n);

struct MapRow {
    const char* name;
    int code, out_code;  // of the inputs that are computed with, and of the output
    int inputs;          // with the condition of `where`, which comes first
    int cost;            // per item, in units of a simple operation
    MapLoop loop;
};

// Reductions keep a partial result in `words` of 8 bytes: doubles, 64-bit integers, or items.
struct FoldRow {
    const char* name;
    int code, out_code;
    void (*start)(void* partials, int64_t count);
    // Folds n items into one partial.
    void (*row)(const char* x, int64_t stride, int64_t n, void* partial);
    // Folds each of `columns` columns of `rows` items into its own partial.
    void (*columns)(const char* x, int64_t column_stride, int64_t columns, int64_t row_stride, int64_t rows, void* partials);
    void (*join)(void* partials, const void* others, int64_t count);
    void (*finish)(char* out, int64_t stride, const void* partials, int64_t count, double divisor);
    int words = 1;  // of 8 bytes, that a partial result takes
};

using SoftmaxRow = void (*)(char* out, const char* x, int64_t n);

enum GemmWay { kByShape, kByDots, kByRows, kByTiles };

struct Gemm {  // C = A @ B + bias, all strides in items; C's columns are adjacent
    int64_t m, n, k;
    const char *a, *b, *bias;  // bias may be null
    char* c;
    int64_t a_row, a_column, b_row, b_column, c_row, bias_stride;
    GemmWay way = kByShape;        // of a part: that of the whole, so that no division changes a bit
    bool add = false;              // to what C holds; by tiles only
};

constexpr int64_t kGemmScratch = int64_t(3) << 20;  // bytes that a gemm may use

// A step of an optimizer over one parameter, or over part of it.
constexpr int kStepArrays = 5, kStepNumbers = 14;

struct Step {
    char* arrays[kStepArrays];  // the parameter, its gradient, and its state as the row names it; null where there is none
    int64_t n;
    const double* numbers;  // as the row names them
};

struct StepRow {
    const char* name;
    const char* states;   // the parameters of the op that are lists of arrays; those with a ? may be None
    const char* numbers;  // all others: numbers and truths
    void (*loops[2])(const Step&);  // float32, float64
};

struct Maps {
    const MapRow* rows;
    int count;
};

struct Folds {
    const FoldRow* rows;
    int count;
};

constexpr int64_t kPlaces = 64;

// Of softmax and of its logarithm, for float32 and float64.
struct Softmaxes {
    SoftmaxRow row[2][2];
    // The same for up to `kPlaces` rows that lie side by side, their items `stride` apart.
    void (*down[2][2])(char* out, const char* x, int64_t n, int64_t stride, int64_t places);
    void (*gradient_down[2][2])(char* out, const char* gradient, const char* y, int64_t n, int64_t stride, int64_t places);
};

struct Products {  // float32, float64, int64
    int tile_rows, panel_bytes;  // panel_bytes: of a panel's row
    GemmWay (*way[3])(const Gemm&);
    void (*gemm[3])(const Gemm&, char* scratch);
};

struct Updates {
    const StepRow* rows;
    int count;
};

// What is done to many arrays as if they were one vector; all for float32 and float64.
struct Vectors {
    void (*scale[2])(char* x, int64_t n, double factor);
    void (*clip[2])(char* x, int64_t n, double low, double high);
    void (*add[2])(char* x, int64_t n, double term);
    // The sum of sizes, the sum of squares, and the greatest size (NaN wins).
    double (*totals[3][2])(const char* x, int64_t n);
};

struct Fused;  // kernels/fused/fused.hpp
struct Recurrences;  // kernels/fused/recurrence.hpp
struct WeightedItems;  // kernels/products/weighted_items.hpp
struct DepthwiseLoops;  // kernels/convolutions/depthwise.hpp
struct FactorLoops;  // kernels/linear_algebra/factorizations.hpp
struct FourierLoops;  // kernels/fourier/fourier.hpp
struct ReflectionLoops;  // kernels/linear_algebra/reflections.hpp
struct JacobiLoops;  // kernels/linear_algebra/jacobi.hpp

// Running results along `n` items of one line, or of `lines` neighbouring ones at once: line_* are the steps between these.
struct ScanRow {
    const char* name;
    int code;
    void (*scan)(char* out, const char* x, int64_t out_stride, int64_t x_stride, int64_t n, int64_t out_line, int64_t x_line,
                 int64_t lines);
};

struct Scans {
    const ScanRow* rows;
    int count;
};

// The words of mt19937, and what is made of them; all bit by bit as the reference draws them.
struct Draws {
    void (*twist)(uint32_t* key);                                   // the next 624 words of the state
    void (*temper)(const uint32_t* key, uint32_t* words, int64_t n);  // as they are drawn
    void (*uniform32)(float* out, const uint32_t* words, int64_t n, float scale, float shift);
    void (*uniform64)(double* out, const uint32_t* words, int64_t n, double scale, double shift);
    void (*normal32)(float* out, const uint32_t* words, int64_t n, float scale, float shift);  // n is a multiple of 16
    void (*below)(uint8_t* out, const uint32_t* words, int64_t n, double probability);
    // x times `factor` where its bit is set, else times 0; float32, float64.
    void (*dropped[2])(char* out, const char* x, const uint8_t* bits, int64_t n, double factor);
};

// float16 and bfloat16 to float32 and back, rounded to nearest, ties to even; `stride` is that of the narrow items.
struct Narrows {
    void (*widen[2])(float* to, const char* from, int64_t stride, int64_t n);
    void (*narrow[2])(char* to, int64_t stride, const float* from, int64_t n);
};

// Every dtype from every other, as maps of one input: casts.to[code].from[code], null for the same.
struct CastRow {
    MapLoop from[kCodes];
};

struct Casts {
    CastRow to[kCodes];
};

// Numbers from start to stop at even distances; float32, float64.
struct Sequences {
    void (*evenly[2])(char* out, int64_t stride, int64_t n, double start, double stop);
};

// One table for each family.
struct Loops {
    const char* instruction_set;
    const Maps* maps;
    const Folds* folds;
    const Softmaxes* softmaxes;
    const Products* products;
    const Updates* updates;
    const Correlations* correlations;
    const Weighings* weighings;
    const Pools* pools;
    const Fused* fused;
    const Recurrences* recurrences;
    const Maps* more_maps[9];
    const Folds* more_folds[2];
    const Scans* scans;
    const Draws* draws;
    const Narrows* narrows;
    const Casts* casts;
    const Sequences* sequences;
    const Vectors* vectors;
    const WeightedItems* weighted_items;
    const DepthwiseLoops* depthwise;
    const FactorLoops* factorizations;
    const FourierLoops* fourier;
    const ReflectionLoops* reflections;
    const JacobiLoops* jacobi;
};

const Loops& best_loops();  // for the processor that this runs on

}  // namespace lamina
