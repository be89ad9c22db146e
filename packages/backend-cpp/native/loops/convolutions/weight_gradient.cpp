// Products of gradients with the windows that they belong to, summed over windows: what the gradient of weights is made of. The lanes of a
// vector are outputs, or windows side by side.
#include "loops/products/packing.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
constexpr int kTileColumns = 2 * kLanes<T>;

constexpr int kTapsOfTile = kVectorBytes == 64 ? 10 : 6;  // each has an address in a register, and twice as many sums
constexpr int64_t kStretch = 192;  // windows whose part of a panel, of at most 24 KiB, stays in the first cache

// So many windows, from one on, and whether they are added to sums.
struct Stretch {
    int64_t first, n;
    bool add;
};

// R taps by V vectors of outputs. The windows are read one by one where they lie, the gradient from a panel.
template <class T, int R, int V>
void gradient_tile(const WeightGradient& b, const Stretch& s, const int64_t* offsets, const T* panel, T* sums) {
    constexpr int L = kLanes<T>, C = kTileColumns<T>;
    Vec<T> held[R][V];
    const T* x[R];
#pragma GCC unroll 10
    for (int r = 0; r < R; ++r) {
        x[r] = reinterpret_cast<const T*>(b.images) + offsets[r];
        for (int v = 0; v < V; ++v) held[r][v] = s.add ? load<T>(sums + r * C + v * L) : Vec<T>{};
    }
    panel += s.first * C;
    for (int64_t i = s.first; i < s.first + s.n; ++i, panel += C) {
        const int64_t start = b.starts[i];
        Vec<T> g[V];
        for (int v = 0; v < V; ++v) g[v] = load(panel + v * L);
#pragma GCC unroll 10
        for (int r = 0; r < R; ++r)
            for (int v = 0; v < V; ++v) held[r][v] += x[r][start] * g[v];
    }
#pragma GCC unroll 10
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) store<T>(sums + r * C + v * L, held[r][v]);
}

template <class T, int V, int R = kTapsOfTile>
inline void gradient_tile_of(int taps, const WeightGradient& b, const Stretch& s, const int64_t* offsets, const T* panel, T* sums) {
    if constexpr (R > 1)
        if (taps < R) return gradient_tile_of<T, V, R - 1>(taps, b, s, offsets, panel, sums);
    gradient_tile<T, R, V>(b, s, offsets, panel, sums);
}

template <class T>
void weight_gradient(const WeightGradient& b) {
    constexpr int C = kTileColumns<T>;
    const T* gradient = reinterpret_cast<const T*>(b.gradient);
    T *sums = reinterpret_cast<T*>(b.sums), *panel = reinterpret_cast<T*>(b.panel);
    const int64_t tiles = (b.taps + kTapsOfTile - 1) / kTapsOfTile;
    for (int64_t o = 0; o < b.outputs; o += C, sums += b.taps * C) {
        const int outputs = int(b.outputs - o < C ? b.outputs - o : C);
        pack_b<T, 2>(panel, gradient + o * b.gradient_row, 1, b.gradient_row, b.columns, outputs);
        Stretch s{0, 0, b.add};
        for (; s.first < b.columns; s.first += kStretch, s.add = true) {
            s.n = b.columns - s.first < kStretch ? b.columns - s.first : kStretch;
            for (int64_t t = 0; t < tiles; ++t) {
                const int64_t first = t * b.taps / tiles;
                const int taps = int((t + 1) * b.taps / tiles - first);
                if (outputs <= kLanes<T>)
                    gradient_tile_of<T, 1>(taps, b, s, b.offsets + first, panel, sums + first * C);
                else
                    gradient_tile_of<T, 2>(taps, b, s, b.offsets + first, panel, sums + first * C);
            }
        }
    }
}

constexpr int kOutputsOfRows = kVectorBytes == 64 ? 4 : 2;  // at most
constexpr int kSumsOfRows = kVectorBytes == 64 ? 16 : 8;    // in registers
template <int O>
constexpr int kTapsOfRows = kSumsOfRows / O < 8 ? kSumsOfRows / O : 8;  // beside so many outputs

// The sum of each two lanes side by side: those of a, and then those of b.
template <class T>
inline Vec<T> sums_of_pairs(const Vec<T>& a, const Vec<T>& b) {
    Lanes<T> even;
    for (int i = 0; i < kLanes<T>; ++i) even[i] = Lane<T>(2 * i);
    return __builtin_shuffle(a, b, even) + __builtin_shuffle(a, b, even + 1);
}

// The sum of each of 2 * kPairs vectors, as many as there are lanes, in the first.
template <class T, int kPairs = kLanes<T> / 2>
inline void sum_vectors(Vec<T>* vectors) {
#pragma GCC unroll 8
    for (int i = 0; i < kPairs; ++i) vectors[i] = sums_of_pairs<T>(vectors[2 * i], vectors[2 * i + 1]);
    if constexpr (kPairs > 1) sum_vectors<T, kPairs / 2>(vectors);
}

// A vector that the compiler does not read again for each product with it: most begin within a line of the cache, and end in the next.
template <class T>
inline Vec<T> read_once(Vec<T> x) {
#if defined(__AVX512F__)
    asm("" : "+v"(x));
#elif defined(__x86_64__)
    asm("" : "+x"(x));
#endif
    return x;
}

// O outputs by some taps: a vector is windows side by side, of which the gradients and the images lie as they are read.
template <class T, int O>
void gradient_of_rows(const RowWeightGradient& b, int64_t output, int64_t tap) {
    constexpr int L = kLanes<T>, K = kTapsOfRows<O>;
    Vec<T> held[kSumsOfRows] = {};
    const T *x[K], *g[O];
    for (int k = 0; k < K; ++k) x[k] = reinterpret_cast<const T*>(b.images) + b.offsets[tap + k < b.taps ? tap + k : tap];
    for (int o = 0; o < O; ++o) g[o] = reinterpret_cast<const T*>(b.gradient) + (output + o) * b.gradient_row;
    const auto add = [&](const auto& vector_at) {
        Vec<T> of_output[O];
#pragma GCC unroll 4
        for (int o = 0; o < O; ++o) of_output[o] = vector_at(g[o], 0);
#pragma GCC unroll 8
        for (int k = 0; k < K; ++k) {
            const Vec<T> of_tap = read_once<T>(vector_at(x[k], 1));
#pragma GCC unroll 4
            for (int o = 0; o < O; ++o) held[o * K + k] += of_output[o] * of_tap;
        }
    };
    const Run* run = b.runs;
    for (int64_t j = 0; j < b.columns; j += run->length, ++run) {
        const int64_t at[] = {j, run->start};
        int64_t i = 0;
        for (; i + L <= run->length; i += L) add([&](const T* from, int of) { return load(from + at[of] + i); });
        if (const int64_t rest = run->length - i; rest > 0)
            add([&](const T* from, int of) { return load_some<T>(from + at[of] + i, rest, T(0)); });
    }
    T found[kSumsOfRows];
#pragma GCC unroll 4
    for (int i = 0; i < kSumsOfRows; i += L) {
        sum_vectors<T>(held + i);
        store<T>(found + i, held[i]);
    }
    for (int o = 0; o < O; ++o) {
        T* sums = reinterpret_cast<T*>(b.sums) + (output + o) * b.taps + tap;
        for (int k = 0; k < K && tap + k < b.taps; ++k) sums[k] = found[o * K + k] + (b.add ? sums[k] : T(0));
    }
}

template <class T, int O = kOutputsOfRows>
inline int taps_of_rows(int outputs, const RowWeightGradient& b, int64_t output, int64_t tap) {
    if constexpr (O > 1)
        if (outputs < O) return taps_of_rows<T, O - 1>(outputs, b, output, tap);
    gradient_of_rows<T, O>(b, output, tap);
    return kTapsOfRows<O>;
}

template <class T>
void weight_gradient_rows(const RowWeightGradient& b) {
    const int64_t groups = (b.outputs + kOutputsOfRows - 1) / kOutputsOfRows;
    for (int64_t group = 0; group < groups; ++group) {
        const int64_t output = group * b.outputs / groups;
        const int outputs = int((group + 1) * b.outputs / groups - output);
        for (int64_t tap = 0; tap < b.taps;) tap += taps_of_rows<T>(outputs, b, output, tap);
    }
}

template <class T>
void join(char* sums, int64_t parts, int64_t size) {
    T* to = reinterpret_cast<T*>(sums);
    for (int64_t p = 1; p < parts; ++p) {
        const T* from = to + p * size;
        for (int64_t i = 0; i < size; ++i) to[i] += from[i];
    }
}

extern const WeightGradients weight_gradients = {kVectorBytes,
                                    {weight_gradient<float>, weight_gradient<double>},
                                    {weight_gradient_rows<float>, weight_gradient_rows<double>},
                                    {join<float>, join<double>}};

}  // namespace lamina::LAMINA_ISA
