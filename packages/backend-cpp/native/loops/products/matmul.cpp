// Matrix product: tiles of some rows by some vectors kept in registers, fed from panels of B and rows or panels of A.
//
// The blocking is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008. Small
// matrices skip the copying: A is read where it lies, and so is B where its columns are adjacent.
#include "loops/products/amx.hpp"
#include "loops/products/packing.hpp"
#include "loops/products/vector_products.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// A panel of A stays in the first cache, and panels of B, half a MiB, in the second. Those of A are packed once for all columns of B.
constexpr int64_t kBlockK = 256, kBlockRows = 1020 / kPanelRows * kPanelRows, kBlockBytesN = 2048;
constexpr int64_t kManyColumns = 1024, kManyColumnsApart = 128;  // of B: A is packed for so many; apart: where items of a row are
constexpr int64_t kFewRows = kPanelRows * kPanelVectors;         // of A: B is read so seldom that it need not be packed for them
constexpr int64_t kNear = 512 * 1024;                            // bytes of B, in the second cache: packed by the tiles that read it first

// What a tile does with an item of A and a vector of B.
template <class T>
struct Numbers {
    using Item = T;
    static void add(Vec<T>& sum, const T& x, const Vec<T>& items) { sum += x * items; }
};

#if defined(__AVX512F__)
// Two items of bfloat16 that follow each other along k, in place of one float; for processors that have the instruction, which takes
// subnormal numbers for 0.
struct Pairs {
    using Item = float;
    static void add(F32& sum, const float& x, const F32& items) {
        asm("vdpbf16ps %2%{1to16%}, %1, %0" : "+v"(sum) : "v"(items), "m"(x));
    }
};
#endif

template <class T>
struct Tile {
    const T *a, *b, *start;  // start: what is added to every row, or null
    T *c, *kept;             // kept: where B's rows go to as a panel, while they are read, or null
    int64_t k, a_row, a_column, b_row, c_row;
    int columns;  // that exist in C
    bool add;     // to what C holds
};

// The sums of a tile that reaches over the edge of C; one function for all tiles, as they are many.
template <class T>
[[gnu::noinline]] void write_columns(const Tile<T>& t, const Vec<T>* sums, int rows, int vectors) {
    constexpr int L = kLanes<T>;
    for (int r = 0; r < rows; ++r) {
        T* c = t.c + r * t.c_row;
        for (int v = 0; v < vectors && v * L < t.columns; ++v) {
            const int64_t some = t.columns - v * L < L ? t.columns - v * L : L;
            Vec<T> sum = sums[r * vectors + v];
            if (t.start != nullptr) sum += load(t.start + v * L);
            if (t.add) sum += load_some<T>(c + v * L, some, T(0));
            store_some<T>(c + v * L, sum, some);
        }
    }
}

// R rows by V vectors. Of a panel, A has fixed strides.
template <class Of, int R, int V, bool Panel>
void tile(const Tile<typename Of::Item>& t) {
    using T = typename Of::Item;
    constexpr int L = kLanes<T>;
    Vec<T> sums[R][V];
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) sums[r][v] = Vec<T>{};
    const T *a = t.a, *b = t.b;
    T* kept = t.kept;
    const int64_t a_row = Panel ? 1 : t.a_row, a_column = Panel ? kPanelRows : t.a_column, b_row = t.b_row;
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) __builtin_prefetch(t.c + r * t.c_row + v * L, 1);
#pragma GCC unroll 4
    for (int64_t k = 0; k < t.k; ++k, a += a_column, b += b_row) {
        Vec<T> items[V];
        for (int v = 0; v < V; ++v) items[v] = load(b + v * L);
        if (kept != nullptr) {
            for (int v = 0; v < V; ++v) store<T>(kept + v * L, items[v]);
            kept += V * L;
        }
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) {
            const T& x = a[r * a_row];
            for (int v = 0; v < V; ++v) Of::add(sums[r][v], x, items[v]);
        }
    }
    if (t.columns < V * L) {
        Vec<T> copied[R][V];  // whose address is taken, so that `sums` stays in registers
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r)
            for (int v = 0; v < V; ++v) copied[r][v] = sums[r][v];
        return write_columns<T>(t, &copied[0][0], R, V);
    }
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
        T* c = t.c + r * t.c_row;
        for (int v = 0; v < V; ++v) {
            Vec<T> sum = sums[r][v];
            if (t.start != nullptr) sum += load(t.start + v * L);
            if (t.add) sum += load<T>(c + v * L);
            store<T>(c + v * L, sum);
        }
    }
}

// Tiles that come one below the other, as those of panels, have half of the rows at least.
template <class Of, int V, bool Panel, int R = kPanelRows>
inline void tile_of(int64_t rows, const Tile<typename Of::Item>& t) {
    if constexpr (R > (Panel ? kPanelRows / 2 : 1))
        if (rows < R) return tile_of<Of, V, Panel, R - 1>(rows, t);
    tile<Of, R, V, Panel>(t);
}

template <class T>
GemmWay way(const Gemm& g) {
    if (g.k == 0) return kByTiles;
    if ((g.m <= 2 || g.n <= 2) && g.a_column == 1 && g.b_row == 1 && g.k >= kLanes<T>) return kByDots;
    if (g.b_column == 1 && g.n >= kLanes<T> && (g.m == 1 || (g.m <= 4 && g.k * g.n >= 256 * 1024))) return kByRows;
    return kByTiles;
}

// A block of columns and of k of both: all rows, tile by tile.
template <class Of>
struct Block {
    using T = typename Of::Item;
    const Gemm& g;
    const T* b;           // where B lies, or its panels
    bool panels;          // which of them
    T* kept;              // where panels go when B is read first, or null
    int64_t k0, depth, n0, width;
    T* panel_a;    // scratch
    bool packs_a;  // else they were packed for a block before

    void multiply() const {
        const EvenParts shared = shared_by_panels<T>(width);
        const bool copied = g.n >= (g.a_column == 1 ? kManyColumns : kManyColumnsApart) && g.m > kPanelRows && depth >= 64;
        const int64_t tiles = (g.m + kPanelRows - 1) / kPanelRows;
        for (int64_t i = 0; i < tiles; ++i) {
            const int64_t row = i * g.m / tiles, rows = (i + 1) * g.m / tiles - row;
            const T* a = reinterpret_cast<const T*>(g.a) + k0 * g.a_column + row * g.a_row;
            T* panel = panel_a + i * kPanelRows * depth;
            if (copied && packs_a) pack_a(panel, a, g.a_row, g.a_column, depth, int(rows));
            ask(g.next_a, g.m * g.k, i, tiles);
            ask(g.next_b, g.k * g.n, i, tiles);
            for (int64_t p = 0; p < shared.parts; ++p) {
                const int64_t first = shared.first(p), vectors = shared.first(p + 1) - first;
                with_vectors(int(vectors), [&](auto count) {
                    multiply<decltype(count)::value>(row, rows, copied ? panel : a, copied, first * kLanes<T>);
                });
            }
        }
    }

    // Asks for a part of some items of the next product.
    void ask(const char* memory, int64_t items, int64_t part, int64_t parts) const {
        constexpr int64_t line = 64;
        if (memory == nullptr || k0 != 0 || n0 != 0) return;
        const int64_t lines = items * int64_t(sizeof(T)) / line, end = lines * (part + 1) / parts;
        for (int64_t i = lines * part / parts; i < end; ++i) __builtin_prefetch(memory + i * line, 0, 2);
    }

    // A tile of V vectors, from column j on.
    template <int V>
    void multiply(int64_t row, int64_t rows, const T* a, bool copied, int64_t j) const {
        constexpr int C = V * kLanes<T>;
        T start[C];
        Tile<T> t;
        t.a = a;
        t.a_row = g.a_row;
        t.a_column = g.a_column;
        t.columns = int(width - j < C ? width - j : C);
        t.b = panels ? b + j * depth : b + j;
        t.b_row = panels ? C : g.b_row;
        t.kept = nullptr;
        if (kept != nullptr && row == 0 && t.columns == C) {
            t.kept = kept + j * depth;
        } else if (kept != nullptr) {
            if (row == 0) pack_b<T, V>(kept + j * depth, t.b, t.b_row, 1, depth, t.columns);
            t.b = kept + j * depth;
            t.b_row = C;
        }
        t.k = depth;
        t.c = reinterpret_cast<T*>(g.c) + row * g.c_row + n0 + j;
        t.c_row = g.c_row;
        t.add = k0 > 0 || g.add;
        t.start = nullptr;
        if (g.bias != nullptr && k0 == 0) {
            const T* bias = reinterpret_cast<const T*>(g.bias) + (n0 + j) * g.bias_stride;
            for (int i = 0; i < C; ++i) start[i] = i < t.columns ? bias[i * g.bias_stride] : T(0);
            t.start = start;
        }
        copied ? tile_of<Of, V, true>(rows, t) : tile_of<Of, V, false>(rows, t);
    }
};

// The length of parts of n, which are as few as have `most` at most, and as even as multiples of a unit can be.
constexpr int64_t even_part(int64_t n, int64_t most, int64_t unit) {
    const int64_t parts = n > most ? (n + most - 1) / most : 1;
    return ((n + parts - 1) / parts + unit - 1) / unit * unit;
}

// All of k and all columns, for as many rows as panels of A are packed at once.
template <class Of>
void rows_of_tiles(const Gemm& g, bool few, bool direct, char* scratch) {
    using T = typename Of::Item;
    constexpr int L = kLanes<T>;
    const bool near = g.b_column == 1 && g.k * g.n * int64_t(sizeof(T)) <= kNear;
    const int64_t most = few ? 8 * kPanelColumns<T> : kBlockBytesN / int64_t(sizeof(T));
    const int64_t block_n = even_part(g.n, most, L), block_k = even_part(g.k, kBlockK, 8);
    T *panel_b = reinterpret_cast<T*>(scratch), *panel_a = panel_b + block_k * block_n;
    for (int64_t k0 = 0; k0 < g.k; k0 += block_k) {
        const int64_t depth = g.k - k0 < block_k ? g.k - k0 : block_k;
        for (int64_t n0 = 0; n0 < g.n; n0 += direct ? g.n : block_n) {
            const int64_t width = direct || g.n - n0 < block_n ? g.n - n0 : block_n;
            const int64_t whole = direct ? width / L * L : 0, rest = width - whole;
            const T* b = reinterpret_cast<const T*>(g.b) + k0 * g.b_row + n0 * g.b_column;
            if (whole > 0) Block<Of>{g, b, false, nullptr, k0, depth, n0, whole, panel_a, n0 == 0}.multiply();
            if (rest == 0) continue;
            const bool packs_a = n0 == 0 && whole == 0;
            if (!near) pack_panels(panel_b, b + whole * g.b_column, g.b_row, g.b_column, depth, rest);
            const Block<Of> packed{g, panel_b, true, nullptr, k0, depth, n0 + whole, rest, panel_a, packs_a};
            const Block<Of> packing{g, b + whole, false, panel_b, k0, depth, n0 + whole, rest, panel_a, packs_a};
            (near ? packing : packed).multiply();
        }
    }
}

template <class Of>
void tiles(const Gemm& g, char* scratch) {
    using T = typename Of::Item;
    const bool few = g.m <= kFewRows;
    const bool direct = g.b_column == 1 && g.k * g.n <= (few ? 64 * 1024 : 64 * 64) && g.m <= 128;
    const int64_t block = even_part(g.m, kBlockRows, kPanelRows);
    for (int64_t row = 0; row < g.m; row += block) {
        Gemm part = g;
        part.m = g.m - row < block ? g.m - row : block;
        part.a += row * g.a_row * int64_t(sizeof(T));
        part.c += row * g.c_row * int64_t(sizeof(T));
        rows_of_tiles<Of>(part, few, direct, scratch);
    }
}

template <class T>
void gemm(const Gemm& g, char* scratch) {
    if (g.k == 0) {
        const T* bias = reinterpret_cast<const T*>(g.bias);
        for (int64_t i = 0; i < g.m; ++i)
            for (int64_t j = 0; j < g.n; ++j)
                reinterpret_cast<T*>(g.c)[i * g.c_row + j] = bias != nullptr ? bias[j * g.bias_stride] : T(0);
        return;
    }
    switch (g.way == kByShape ? way<T>(g) : g.way) {
        case kByDots: return dots<T>(g);
        case kByRows: return rows<T>(g);
        default: return tiles<Numbers<T>>(g, scratch);
    }
}

#if defined(__AVX512F__)
GemmWay by_tiles(const Gemm&) { return kByTiles; }

void gemm_of_pairs(const Gemm& g, char* scratch) { g.k == 0 ? gemm<float>(g, scratch) : tiles<Pairs>(g, scratch); }
#else
constexpr GemmWay (*by_tiles)(const Gemm&) = nullptr;
constexpr void (*gemm_of_pairs)(const Gemm&, char*) = nullptr;
template <class T>
constexpr void (*gemm_by_amx)(const Gemm&, char*) = nullptr;
#endif

static_assert(kBlockK * kBlockBytesN + (kBlockK * kBlockRows + kPackSlack) * 8 < kGemmScratch);

constexpr int R = kPanelRows, C4 = kPanelColumns<float>, C8 = kPanelColumns<double>;

extern const Products products = {{R, R, R, R, kAmxPanel, kAmxPanel},
                                  {C4, C8, C8, C4, kAmxPanel, kAmxPanel},
                                  {way<float>, way<double>, way<uint64_t>, by_tiles, by_tiles, by_tiles},
                                  {gemm<float>, gemm<double>, gemm<uint64_t>, gemm_of_pairs, gemm_by_amx<uint16_t>, gemm_by_amx<float>}};

}  // namespace lamina::LAMINA_ISA
