// Products of gradients with the windows that they belong to, summed over windows: what the gradient of weights is made of.
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

constexpr int kTapsAtOnce = 10;

// K taps of one output, run by run.
template <class T, int K>
void gradient_of_taps(const RowWeightGradient& b, const int64_t* offsets, const T* gradient, T* sums) {
    constexpr int L = kLanes<T>;
    Vec<T> held[K];
#pragma GCC unroll 10
    for (int k = 0; k < K; ++k) held[k] = b.add ? load<T>(sums + k * L) : Vec<T>{};
    const Run* run = b.runs;
    for (int64_t j = 0; j < b.columns; j += run->length, ++run) {
        const T* x = reinterpret_cast<const T*>(b.images) + run->start;
        const T* g = gradient + j;
        int64_t i = 0;
        for (; i + L <= run->length; i += L) {
            const Vec<T> y = load(g + i);
#pragma GCC unroll 10
            for (int k = 0; k < K; ++k) held[k] += y * load(x + offsets[k] + i);
        }
        if (const int64_t rest = run->length - i; rest > 0) {
            const Vec<T> y = load_some<T>(g + i, rest, T(0));
#pragma GCC unroll 10
            for (int k = 0; k < K; ++k) held[k] += y * load_some<T>(x + offsets[k] + i, rest, T(0));
        }
    }
#pragma GCC unroll 10
    for (int k = 0; k < K; ++k) store<T>(sums + k * L, held[k]);
}

template <class T>
void weight_gradient_rows(const RowWeightGradient& b) {
    constexpr int L = kLanes<T>;
    T* sums = reinterpret_cast<T*>(b.sums);
    const int64_t parts = (b.taps + kTapsAtOnce - 1) / kTapsAtOnce;
    for (int64_t o = 0; o < b.outputs; ++o, sums += b.taps * L) {
        const T* gradient = reinterpret_cast<const T*>(b.gradient) + o * b.gradient_row;
        for (int64_t p = 0; p < parts; ++p) {
            const int64_t first = p * b.taps / parts;
            const int64_t* offsets = b.offsets + first;
            T* to = sums + first * L;
            switch ((p + 1) * b.taps / parts - first) {
                case 1: gradient_of_taps<T, 1>(b, offsets, gradient, to); break;
                case 2: gradient_of_taps<T, 2>(b, offsets, gradient, to); break;
                case 3: gradient_of_taps<T, 3>(b, offsets, gradient, to); break;
                case 4: gradient_of_taps<T, 4>(b, offsets, gradient, to); break;
                case 5: gradient_of_taps<T, 5>(b, offsets, gradient, to); break;
                case 6: gradient_of_taps<T, 6>(b, offsets, gradient, to); break;
                case 7: gradient_of_taps<T, 7>(b, offsets, gradient, to); break;
                case 8: gradient_of_taps<T, 8>(b, offsets, gradient, to); break;
                case 9: gradient_of_taps<T, 9>(b, offsets, gradient, to); break;
                default: gradient_of_taps<T, kTapsAtOnce>(b, offsets, gradient, to);
            }
        }
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

extern const WeightGradients weight_gradients = {4,
                                    kVectorBytes,
                                    {weight_gradient<float>, weight_gradient<double>},
                                    {weight_gradient_rows<float>, weight_gradient_rows<double>},
                                    {join<float>, join<double>}};

}  // namespace lamina::LAMINA_ISA
