// The inner loops in tables, as the kernels see them: made for each instruction set, of which the best is used.
#pragma once

#include <cstdint>

#include "dtypes/dtypes.hpp"
#include "kernels/convolutions/sliding.hpp"

namespace lamina {

// Map: p[0] is the output, then the inputs; s are their strides in items; n items.
using MapLoop = void (*)(char* const* p, const int64_t* s, int64_t n);

// What is particular about a map op: its first input is a condition; numbers beside arrays of float16 and bfloat16 are taken in
// float32, not in that dtype.
enum MapTraits { kPlainMap = 0, kCondition = 1, kExactNumbers = 2 };

struct MapRow {
    const char* name;
    int code, out_code;  // of the inputs that are computed with, and of the output
    int inputs;          // with the condition, where there is one
    int cost;            // per item, in units of a simple operation
    MapLoop loop;
    int traits = kPlainMap;
};

// What is particular about a reduction: no items have no result; the count that is divided by is corrected; complex numbers are reduced
// as pairs of real ones (the mean is not: the reference divides by a complex number, which infinities show).
enum ReductionTraits { kPlainReduction = 0, kNoIdentity = 1, kCorrected = 2, kByParts = 4 };

// Reductions keep a partial result in `words` of 8 bytes: doubles, 64-bit integers, or items.
constexpr int64_t kRowPart = 8192;  // a row that is reduced in parts of so many items, or multiples, comes to the same as in one

struct ReductionRow {
    const char* name;
    int code, out_code;
    void (*start)(void* partials, int64_t count);
    // Reduces n items into one partial.
    void (*row)(const char* x, int64_t stride, int64_t n, void* partial);
    // Reduces each of `columns` columns of `rows` items into its own partial.
    void (*columns)(const char* x, int64_t column_stride, int64_t columns, int64_t row_stride, int64_t rows, void* partials);
    void (*join)(void* partials, const void* others, int64_t count);
    void (*finish)(char* out, int64_t stride, const void* partials, int64_t count, double divisor);
    int words = 1;  // of 8 bytes, that a partial result takes
    int traits = kPlainReduction;
};

using SoftmaxRow = void (*)(char* out, const char* x, int64_t n);

constexpr int kAmxPanel = 32;  // rows of A, or columns of B, that AMX multiplies at once

enum GemmWay { kByShape, kByDots, kByRows, kByTiles };

struct Gemm {  // C = A @ B + bias, all strides in items; C's columns are adjacent, but for those of bfloat16
    int64_t m, n, k;
    const char *a, *b, *bias;  // bias may be null
    char* c;
    int64_t a_row, a_column, b_row, b_column, c_row, bias_stride;
    GemmWay way = kByShape;        // of a part: that of the whole, so that no division changes a bit
    bool add = false;              // to what C holds; by tiles only
    const char *next_a = nullptr, *next_b = nullptr;  // A and B of the product that comes after, row-major, or null
    int64_t c_column = 1;
    // By AMX: whether A's items lie as pairs along k, in panels of rows; a_column is from pair to pair then, a_row from panel to panel.
    bool pairs_of_a = false;
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
    const char* numbers;  // all others: numbers and booleans
    void (*loops[2])(const Step&);  // float32, float64
};

struct Maps {
    const MapRow* rows;
    int count;
};

struct Reductions {
    const ReductionRow* rows;
    int count;
};

constexpr int kMostLanes = 16;  // of any instruction set's vectors
constexpr int64_t kRowsSideBySide = 64;

// Of softmax and of its logarithm, for float32 and float64.
struct Softmaxes {
    SoftmaxRow row[2][2];
    // The same for up to `kRowsSideBySide` rows that lie side by side, their items `stride` apart.
    void (*down[2][2])(char* out, const char* x, int64_t n, int64_t stride, int64_t rows);
    void (*gradient_down[2][2])(char* out, const char* gradient, const char* y, int64_t n, int64_t stride, int64_t rows);
};

enum ProductRow { kOfFloat32, kOfFloat64, kOfInt64, kOfPairs, kOfBFloat16, kOfBFloat16IntoFloat32, kProductRows };

// Of float32, float64 and int64; of pairs of bfloat16 that follow each other along k, into float32, where `has_pairs`; of bfloat16 where
// `has_amx`, whose C and bias are of bfloat16, or whose C is of float32.
struct Products {
    int tile_rows[kProductRows], tile_columns[kProductRows];  // by which a product is best divided
    GemmWay (*way[kProductRows])(const Gemm&);
    void (*gemm[kProductRows])(const Gemm&, char* scratch);
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
struct NarrowWeightLoops;  // kernels/products/narrow_weights.hpp
struct DepthwiseLoops;  // kernels/convolutions/depthwise.hpp
struct WinogradLoops;  // kernels/convolutions/winograd.hpp
struct GridSampleLoops;  // kernels/convolutions/grid_sample.hpp
struct FactorLoops;  // kernels/linear_algebra/factorizations.hpp
struct FourierLoops;  // kernels/fourier/fourier.hpp
struct ReflectionLoops;  // kernels/linear_algebra/reflections.hpp
struct JacobiLoops;  // kernels/spectra/jacobi.hpp
struct TridiagonalLoops;  // kernels/spectra/tridiagonal.hpp
struct SecularLoops;  // kernels/spectra/secular.hpp

constexpr int64_t kScanTogether = 8;  // lines that lie behind each other, where one would wait for its own products

// Running results along `n` items of one line, or of `lines` neighbouring ones at once: line_* are the steps between these.
struct ScanRow {
    const char* name;
    int code;
    void (*scan)(char* out, const char* x, int64_t out_stride, int64_t x_stride, int64_t n, int64_t out_line, int64_t x_line,
                 int64_t lines);
    bool twice = false;  // x is read again when out has been written: it cannot be out
};

struct Scans {
    const ScanRow* rows;
    int count;
};

// The words of mt19937, and what is made of them; all bit by bit as the reference draws them.
struct RandomLoops {
    void (*twist)(uint32_t* key);                                   // the next 624 words of the state
    void (*temper)(const uint32_t* key, uint32_t* words, int64_t n);  // as they are drawn
    void (*uniform32)(float* out, const uint32_t* words, int64_t n, float scale, float shift);
    void (*uniform64)(double* out, const uint32_t* words, int64_t n, double scale, double shift);
    void (*normal32)(float* out, const uint32_t* words, int64_t n, float scale, float shift);  // n is a multiple of 16
    void (*below)(uint8_t* out, const uint32_t* words, int64_t n, double probability);
    // x times `factor` where its bit is set, else times 0; float32, float64.
    void (*dropped[2])(char* out, const char* x, const uint8_t* bits, int64_t n, double factor);
};

// float16 and bfloat16 to float32 and back, rounded to nearest, ties to even; `stride` is that of the narrow items. And pairs of these,
// one of either row.
struct Narrows {
    void (*widen[2])(float* to, const char* from, int64_t stride, int64_t n);
    void (*narrow[2])(char* to, int64_t stride, const float* from, int64_t n);
    // Pairs of items, in panels of kAmxPanel that are `step` bytes apart.
    void (*interleave)(char* to, int64_t step, const char* first, const char* second, int64_t n);
};

// Every dtype from every other, as maps of one input: casts.to[code].from[code], null for the same.
struct CastRow {
    MapLoop from[kCodes];
};

struct Casts {
    CastRow to[kCodes];
};

constexpr int kRepeated = 64;  // bytes of a pattern: of whole vectors and of whole items

// Numbers from start to stop at even distances (float32, float64), and a pattern of kRepeated bytes again and again.
struct Sequences {
    void (*evenly[2])(char* out, int64_t stride, int64_t n, double start, double stop);
    void (*repeat)(char* out, const char* pattern, int64_t bytes);
};

// Rows of adjacent items as columns: item (r, c) of x goes to (c, r) of out, which x does not meet. For items of 1, 2, 4 and 8 bytes; fast
// from 16 rows and columns on.
struct Transposes {
    void (*of[4])(char* out, int64_t out_row, const char* x, int64_t x_row, int64_t rows, int64_t columns);
};

// Rows of some bytes, each `step` bytes after the one before; the two memories do not meet.
struct RowCopies {
    void (*copy)(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t rows, int64_t bytes);
};

// The tables of an instruction set, each made by a file of this folder: LAMINA_TABLE(Type, name) for every one but those of rows,
// which are registered as they stand.
#define LAMINA_MAP_TABLES(LAMINA_TABLE)                                                                     \
    LAMINA_TABLE(Maps, arithmetic) LAMINA_TABLE(Maps, curves) LAMINA_TABLE(Maps, quotients)                 \
    LAMINA_TABLE(Maps, powers) LAMINA_TABLE(Maps, bounds) LAMINA_TABLE(Maps, integers)                      \
    LAMINA_TABLE(Maps, scaled_sums) LAMINA_TABLE(Maps, special_functions) LAMINA_TABLE(Maps, activations)   \
    LAMINA_TABLE(Maps, activation_backward) LAMINA_TABLE(Maps, special_values)   \
    LAMINA_TABLE(Maps, complex_numbers)
#define LAMINA_REDUCTION_TABLES(LAMINA_TABLE) \
    LAMINA_TABLE(Reductions, reductions) LAMINA_TABLE(Reductions, any_all) LAMINA_TABLE(Reductions, statistics)
#define LAMINA_TABLES(LAMINA_TABLE)                                                                         \
    LAMINA_TABLE(Softmaxes, softmaxes) LAMINA_TABLE(Products, products) LAMINA_TABLE(Updates, updates)      \
    LAMINA_TABLE(Vectors, vectors) LAMINA_TABLE(Correlations, correlations)                                 \
    LAMINA_TABLE(WeightGradients, weight_gradients) LAMINA_TABLE(DepthwiseLoops, depthwise)                 \
    LAMINA_TABLE(WinogradLoops, winograd) LAMINA_TABLE(Pools, pools) LAMINA_TABLE(Fused, fused)             \
    LAMINA_TABLE(Recurrences, recurrences) LAMINA_TABLE(Scans, scans)                                       \
    LAMINA_TABLE(RandomLoops, random_loops) LAMINA_TABLE(Narrows, narrows) LAMINA_TABLE(Casts, casts)       \
    LAMINA_TABLE(Sequences, sequences) LAMINA_TABLE(Transposes, transposes)                                 \
    LAMINA_TABLE(RowCopies, row_copies) LAMINA_TABLE(WeightedItems, weighted_items)                         \
    LAMINA_TABLE(FactorLoops, factorizations) LAMINA_TABLE(ReflectionLoops, reflections)                    \
    LAMINA_TABLE(JacobiLoops, jacobi) LAMINA_TABLE(FourierLoops, fourier)                                   \
    LAMINA_TABLE(NarrowWeightLoops, narrow_weights) LAMINA_TABLE(GridSampleLoops, grid_samples)             \
    LAMINA_TABLE(TridiagonalLoops, tridiagonal) LAMINA_TABLE(SecularLoops, secular)

struct Loops {
    const char* instruction_set;
    const Maps* const* maps;  // the last one is null
    const Reductions* const* reductions;
#define LAMINA_FIELD(Type, name) const Type* name;
    LAMINA_TABLES(LAMINA_FIELD)
#undef LAMINA_FIELD
};

const Loops* loops_that_run();  // the best for the processor that this runs on; null where none that was compiled runs on it
const Loops& best_loops();      // the same in a module that was loaded, which has some
bool has_pairs();               // whether the processor multiplies pairs of bfloat16, and these loops do
bool has_amx();                 // the same of tiles of bfloat16

}  // namespace lamina
