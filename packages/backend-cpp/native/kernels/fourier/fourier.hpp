// Fourier transforms: what is known of a length before any item is seen, and the steps that transforms are made of.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "loops/loops.hpp"

namespace lamina {

constexpr int64_t kLargestRadix = 61;

// One pass over all items: `groups` times `stride` butterflies of `radix` items that lie `stride` apart.
struct FourierPass {
    int64_t radix, groups, stride;
    int64_t turns;   // where its roots of unity begin, in complex numbers: (radix - 1) for each group
    int64_t circle;  // and those of an odd radix itself: cosines and sines, (radix / 2, radix / 2)
};

// The forward transform of n complex numbers; tables are of float32 or float64, and complex ones are pairs.
struct FourierPlan {
    int64_t n = 0;
    std::vector<FourierPass> passes;
    std::vector<int64_t> places;  // of the items, before the first pass
    std::vector<char> turns;
    // Of a length with a great prime factor: a convolution with a chirp, by transforms of a longer one.
    std::unique_ptr<FourierPlan> longer;
    std::vector<char> chirp, response;
    // Of one long row: transforms of its columns, as (down, across) numbers, then of its rows. Column c of row k is multiplied by
    // the root of n to the k c: in vectors by (vector, k); of great lengths only of the first, times those by (vector, k).
    std::unique_ptr<FourierPlan> down, across;
    int64_t down_vectors = 0, across_vectors = 0;  // that hold as many numbers
    bool whole = false;
    std::vector<char> near, far;
    // Of 2 n real numbers as n complex ones: exp(-2 pi i k / 2 n) for k up to n / 2.
    std::vector<char> halves;

    template <class T>
    static const T* of(const std::vector<char>& table) { return reinterpret_cast<const T*>(table.data()); }
};

enum FourierWay { kTogether, kApart };  // as many rows as vectors have lanes at once, or one after another

// The plan for complex numbers of one precision, and with `halves` for twice as many real ones. Made once, while few others are wanted.
std::shared_ptr<const FourierPlan> fourier_plan(int64_t n, bool is_double, FourierWay way, bool halves, int lanes);

enum FourierKind { kComplexToComplex, kRealToComplex, kComplexToReal };

struct FourierTask {
    FourierKind kind;
    int64_t n;
    bool inverse;  // of complex numbers; backwards is with real and imaginary parts exchanged
    bool packed;   // n real numbers are n / 2 complex ones
    double scale;
    const FourierPlan* plan;

    int64_t read() const { return kind == kComplexToReal ? n / 2 + 1 : n; }  // items of x
    int64_t written() const { return kind == kRealToComplex ? n / 2 + 1 : n; }
};

// Rows side by side, one in each lane; those behind `count` repeat the first.
struct FourierTile {
    const char* from[kMostLanes];
    char* to[kMostLanes];
    int count;
    int64_t from_step, to_step;         // from one item to the next, in items
    bool from_neighbours, to_neighbours;  // whether the next row begins with the next item
};

struct FourierLoops {  // float32, float64
    int lanes[2];
    // A tile of rows; scratch for 4 + 4 n vectors, n being the length of the plan or the longer one.
    void (*tile[2])(const FourierTask&, const FourierTile&, char* scratch);
    // Of one row of adjacent complex numbers: vectors of columns begin ... end - 1, to rows in vectors; then of these, to the result.
    // Scratch for 2 n vectors of the columns.
    void (*columns[2])(const FourierPlan&, const char* x, bool swapped, char* rows, char* scratch, int64_t begin, int64_t end);
    void (*rows[2])(const FourierPlan&, char* rows, char* out, bool swapped, double scale, int64_t begin, int64_t end);
    // Steps of the convolution: x times the chirp with zeros behind, spectra multiplied, the result times the chirp.
    void (*chirped[2])(const FourierPlan&, const char* x, bool swapped, char* to);
    void (*filtered[2])(const FourierPlan&, char* spectrum);
    void (*unchirped[2])(const FourierPlan&, const char* x, bool swapped, double scale, char* to);
    // A row as the complex numbers that the plan takes, and back.
    void (*before[2])(const FourierTask&, const char* x, int64_t step, char* to);
    void (*after[2])(const FourierTask&, const char* x, char* out, int64_t step);
};

}  // namespace lamina
