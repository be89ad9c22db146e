// Matrix product: tiles of 6 rows by 2 vectors kept in registers, fed from panels of B and rows or panels of A.
//
// The blocking is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008. Small
// matrices skip the copying: A is read where it lies, and so is B where its columns are adjacent.
#include "packing.hpp"
#include "tables.hpp"
#include "vector_products.hpp"

namespace lamina::LAMINA_ISA {

// A panel of B of 20 KiB stays in the first cache, a block of A of 150 KiB or 300 in the second.
constexpr int64_t kBlockK = 320, kBlockTiles = 20, kBlockBytesN = 2048;
constexpr int64_t kManyPanels = 24;  // of B: rows of A whose items lie side by side are packed for so many; others for 8
constexpr int64_t kFewTiles = 2;  // of rows: B is read so seldom that it need not be packed for them

template <class T>
struct Tile {
    const T *a, *b, *start;  // start: what is added to every row, or null
    T* c;
    int64_t k, a_row, a_column, b_row, c_row;
    int columns;  // that exist in C
    bool add;     // to what C holds
};

// R rows by V vectors. Of a panel, A has fixed strides.
template <class T, int R, int V, bool Panel>
void tile(const Tile<T>& t) {
    constexpr int L = kLanes<T>;
    Vec<T> sums[R][V];
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r)
        for (int v = 0; v < V; ++v) sums[r][v] = Vec<T>{};
    const T *a = t.a, *b = t.b;
    const int64_t a_row = Panel ? 1 : t.a_row, a_column = Panel ? kTileRows : t.a_column, b_row = t.b_row;
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) __builtin_prefetch(t.c + r * t.c_row, 1);
#pragma GCC unroll 4
    for (int64_t k = 0; k < t.k; ++k, a += a_column, b += b_row) {
        Vec<T> items[V];
        for (int v = 0; v < V; ++v) items[v] = load(b + v * L);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) {
            const T x = a[r * a_row];
            for (int v = 0; v < V; ++v) sums[r][v] += x * items[v];
        }
    }
    const bool whole = t.columns == V * L;
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
        T* c = t.c + r * t.c_row;
        for (int v = 0; v < V; ++v) {
            Vec<T> sum = sums[r][v];
            if (t.start != nullptr) sum += load(t.start + v * L);
            if (whole) {
                if (t.add) sum += load<T>(c + v * L);
                store<T>(c + v * L, sum);
            } else if (const int64_t some = t.columns - v * L < L ? t.columns - v * L : L; some > 0) {
                if (t.add) sum += load_some<T>(c + v * L, some, T(0));
                store_some<T>(c + v * L, sum, some);
            }
        }
    }
}

template <class T, int V, bool Panel>
inline void tile_of(int64_t rows, const Tile<T>& t) {
    switch (rows) {
        case 1: return tile<T, 1, V, Panel>(t);
        case 2: return tile<T, 2, V, Panel>(t);
        case 3: return tile<T, 3, V, Panel>(t);
        case 4: return tile<T, 4, V, Panel>(t);
        case 5: return tile<T, 5, V, Panel>(t);
        default: return tile<T, 6, V, Panel>(t);
    }
}

template <class T>
GemmWay way(const Gemm& g) {
    if (g.k == 0) return kByTiles;
    if ((g.m <= 2 || g.n <= 2) && g.a_column == 1 && g.b_row == 1 && g.k >= kLanes<T>) return kByDots;
    if (g.b_column == 1 && g.n >= kLanes<T> && (g.m == 1 || (g.m <= 4 && g.k * g.n >= 256 * 1024))) return kByRows;
    return kByTiles;
}

template <class T>
void pack(const Gemm& g, int64_t first, int64_t columns, char* panels) {
    pack_panels(reinterpret_cast<T*>(panels) + first * g.k, reinterpret_cast<const T*>(g.b) + first * g.b_column, g.b_row, g.b_column,
                g.k, columns);
}

// A block of columns and of k of both: all rows, tile by tile.
template <class T>
struct Block {
    const Gemm& g;
    const T *b, *panels;          // of B: where it lies; packed, or null
    int64_t panel_step, k0, depth, n0, width;
    T* panel_a;                   // room

    void multiply() const {
        constexpr int C = kTileColumns<T>;
        const bool copy = g.n >= (g.a_column == 1 ? kManyPanels : 8) * C && g.m > kTileRows && depth >= 64;  // A's panel is read often
        const int64_t tiles = (g.m + kTileRows - 1) / kTileRows, blocks = (tiles + kBlockTiles - 1) / kBlockTiles;
        const T* a = reinterpret_cast<const T*>(g.a) + k0 * g.a_column;
        for (int64_t block = 0; block < blocks; ++block) {
            const int64_t first = block * tiles / blocks, last = (block + 1) * tiles / blocks;
            if (copy)
                for (int64_t t = first; t < last; ++t)
                    pack_a(panel_a + (t - first) * kTileRows * depth, a + row(t, tiles) * g.a_row, g.a_row, g.a_column, depth,
                           int(row(t + 1, tiles) - row(t, tiles)));
            for (int64_t j = 0; j < width; j += C) column_of_tiles(a, copy, first, last, tiles, j);
        }
    }

    int64_t row(int64_t tile, int64_t tiles) const { return tile * g.m / tiles; }

    void column_of_tiles(const T* a, bool copied, int64_t first, int64_t last, int64_t tiles, int64_t j) const {
        constexpr int C = kTileColumns<T>, L = kLanes<T>;
        T start[C];
        Tile<T> t;
        t.columns = int(width - j < C ? width - j : C);
        t.b = panels != nullptr ? panels + j * panel_step : b + j;
        t.b_row = panels != nullptr ? C : g.b_row;
        t.k = depth;
        t.c_row = g.c_row;
        t.add = k0 > 0 || g.add;
        t.start = nullptr;
        if (g.bias != nullptr && k0 == 0) {
            const T* bias = reinterpret_cast<const T*>(g.bias) + (n0 + j) * g.bias_stride;
            for (int i = 0; i < C; ++i) start[i] = i < t.columns ? bias[i * g.bias_stride] : T(0);
            t.start = start;
        }
        T* c = reinterpret_cast<T*>(g.c) + n0 + j;
        for (int64_t i = first; i < last; ++i) {
            const int64_t from = row(i, tiles), rows = row(i + 1, tiles) - from;
            t.c = c + from * g.c_row;
            t.a_row = g.a_row;
            t.a_column = g.a_column;
            t.a = copied ? panel_a + (i - first) * kTileRows * depth : a + from * g.a_row;
            if (t.columns > L)
                copied ? tile_of<T, 2, true>(rows, t) : tile_of<T, 2, false>(rows, t);
            else
                copied ? tile_of<T, 1, true>(rows, t) : tile_of<T, 1, false>(rows, t);
        }
    }
};

template <class T>
void tiles(const Gemm& g, char* scratch) {
    constexpr int C = kTileColumns<T>;
    const bool few = g.m <= kFewTiles * kTileRows;
    const bool direct = g.panels == nullptr && g.b_column == 1 && g.k * g.n <= (few ? 64 * 1024 : 64 * 64) && g.m <= 128;
    const int64_t most = few ? 8 * C : kBlockBytesN / int64_t(sizeof(T)) / C * C;
    const int64_t block_n = g.panels != nullptr || direct ? g.n : most;
    const int64_t blocks = (g.k + kBlockK - 1) / kBlockK, even = ((g.k + blocks - 1) / blocks + 7) / 8 * 8;
    T *panel_b = reinterpret_cast<T*>(scratch), *panel_a = panel_b + kBlockK * most;
    for (int64_t n0 = 0; n0 < g.n; n0 += block_n) {
        const int64_t width = g.n - n0 < block_n ? g.n - n0 : block_n;
        for (int64_t k0 = 0; k0 < g.k; k0 += even) {
            const int64_t depth = g.k - k0 < even ? g.k - k0 : even, whole = width / C * C;
            const T* b = reinterpret_cast<const T*>(g.b) + k0 * g.b_row + n0 * g.b_column;
            if (g.panels != nullptr) {
                const T* panels = reinterpret_cast<const T*>(g.panels) + k0 * C;
                Block<T>{g, nullptr, panels, g.k, k0, depth, n0, width, panel_a}.multiply();
            } else if (direct && whole == width) {
                Block<T>{g, b, nullptr, 0, k0, depth, n0, width, panel_a}.multiply();
            } else if (direct && whole > 0) {
                pack_b(panel_b, b + whole, g.b_row, 1, depth, int(width - whole));
                Block<T>{g, b, nullptr, 0, k0, depth, n0, whole, panel_a}.multiply();
                Block<T>{g, nullptr, panel_b, depth, k0, depth, n0 + whole, width - whole, panel_a}.multiply();
            } else {
                pack_panels(panel_b, b, g.b_row, g.b_column, depth, width);
                Block<T>{g, nullptr, panel_b, depth, k0, depth, n0, width, panel_a}.multiply();
            }
        }
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
        default: return tiles<T>(g, scratch);
    }
}

static_assert(kBlockK * kBlockBytesN + (kBlockK * kTileRows * kBlockTiles + kPackSlack) * 8 < kGemmScratch);

extern const Products products = {kTileRows,
                                  2 * kVectorBytes,
                                  {way<float>, way<double>, way<uint64_t>},
                                  {pack<float>, pack<double>, pack<uint64_t>},
                                  {gemm<float>, gemm<double>, gemm<uint64_t>}};

}  // namespace lamina::LAMINA_ISA
