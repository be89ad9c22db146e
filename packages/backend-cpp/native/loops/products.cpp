// Matrix product: tiles of 6 rows by 2 vectors kept in registers, fed from panels of B and rows or panels of A.
//
// The blocking is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", 2008. Small
// matrices skip the copying: A is read where it lies, and so is B where its columns are adjacent.
#include "packing.hpp"
#include "tables.hpp"

namespace lamina::LAMINA_ISA {

constexpr int64_t kBlockK = 256, kBlockM = 120, kBlockBytesN = 4096;  // of A 120 KiB or 240, of B 1 MiB

template <class T>
struct Tile {
    const T *a, *b, *bias;
    T* c;
    int64_t k, a_row, a_column, b_row, c_row, bias_stride;
    int columns;  // that exist in C
    bool add;     // to what C holds
};

template <class T, int R>
void tile(const Tile<T>& t) {
    constexpr int L = kLanes<T>;
    Vec<T> sums[R][2];
    for (int r = 0; r < R; ++r) sums[r][0] = sums[r][1] = Vec<T>{};
    const T *a = t.a, *b = t.b;
    for (int64_t k = t.k; k > 0; --k, a += t.a_column, b += t.b_row) {
        const Vec<T> b0 = load(b), b1 = load(b + L);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) {
            const T x = a[r * t.a_row];
            sums[r][0] += x * b0;
            sums[r][1] += x * b1;
        }
    }
    for (int r = 0; r < R; ++r) {
        T* c = t.c + r * t.c_row;
        if (t.columns == 2 * L && (t.bias == nullptr || t.bias_stride == 1)) {
            Vec<T> left = sums[r][0], right = sums[r][1];
            if (t.bias != nullptr) left += load(t.bias), right += load(t.bias + L);
            if (t.add) left += load<T>(c), right += load<T>(c + L);
            store<T>(c, left);
            store<T>(c + L, right);
        } else {
            T lanes[2 * L];
            store<T>(lanes, sums[r][0]);
            store<T>(lanes + L, sums[r][1]);
            for (int j = 0; j < t.columns; ++j) {
                T sum = t.add ? lanes[j] + c[j] : lanes[j];
                if (t.bias != nullptr) sum += t.bias[j * t.bias_stride];
                c[j] = sum;
            }
        }
    }
}

template <class T>
inline void tile_of(int rows, const Tile<T>& t) {
    switch (rows) {
        case 1: return tile<T, 1>(t);
        case 2: return tile<T, 2>(t);
        case 3: return tile<T, 3>(t);
        case 4: return tile<T, 4>(t);
        case 5: return tile<T, 5>(t);
        default: return tile<T, 6>(t);
    }
}

// Rows of A as one panel with kTileRows items a column; rows that are not there are left out of use.
template <class T>
inline void pack_a(T* to, const T* a, int64_t a_row, int64_t a_column, int64_t k, int rows) {
    for (int64_t i = 0; i < k; ++i)
        for (int r = 0; r < rows; ++r) to[i * kTileRows + r] = a[r * a_row + i * a_column];
}

// Few results of long adjacent rows: one dot product each.
template <class T>
void dots(const Gemm& g) {
    constexpr int L = kLanes<T>;
    const T *a = reinterpret_cast<const T*>(g.a), *b = reinterpret_cast<const T*>(g.b);
    const T* bias = reinterpret_cast<const T*>(g.bias);
    T* c = reinterpret_cast<T*>(g.c);
    for (int64_t i = 0; i < g.m; ++i)
        for (int64_t j = 0; j < g.n; ++j) {
            const T *x = a + i * g.a_row, *y = b + j * g.b_column;
            Vec<T> sums[4] = {};
            int64_t k = 0;
            for (; k + 4 * L <= g.k; k += 4 * L)
                for (int u = 0; u < 4; ++u) sums[u] += load(x + k + u * L) * load(y + k + u * L);
            const Vec<T> sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            T total = T(0);
            for (int u = 0; u < L; ++u) total += sum[u];
            for (; k < g.k; ++k) total += x[k] * y[k];
            c[i * g.c_row + j] = bias != nullptr ? total + bias[j * g.bias_stride] : total;
        }
}

template <class T>
void gemm(const Gemm& g, char* scratch) {
    constexpr int C = kTileColumns<T>;
    const T *a = reinterpret_cast<const T*>(g.a), *b = reinterpret_cast<const T*>(g.b);
    const T* bias = reinterpret_cast<const T*>(g.bias);
    T* c = reinterpret_cast<T*>(g.c);
    if (g.k == 0) {
        for (int64_t i = 0; i < g.m; ++i)
            for (int64_t j = 0; j < g.n; ++j) c[i * g.c_row + j] = bias != nullptr ? bias[j * g.bias_stride] : T(0);
        return;
    }
    if ((g.m <= 2 || g.n <= 2) && g.a_column == 1 && g.b_row == 1 && g.k >= kLanes<T>) return dots<T>(g);
    const int64_t block_n = kBlockBytesN / int64_t(sizeof(T)) / C * C;
    // Copying pays where a panel is read often, or lies so that its reading is slow.
    const bool direct_b = g.b_column == 1 && (g.m <= 2 * kTileRows || (g.k * g.n <= 64 * 64 && g.m <= 128));
    const bool copy_a = g.n >= 8 * C && g.m > kTileRows && g.k >= 64;
    T* panel_b = reinterpret_cast<T*>(scratch);
    T* panel_a = panel_b + kBlockK * block_n;
    for (int64_t n0 = 0; n0 < g.n; n0 += block_n) {
        const int64_t width = g.n - n0 < block_n ? g.n - n0 : block_n;
        for (int64_t k0 = 0; k0 < g.k; k0 += kBlockK) {
            const int64_t depth = g.k - k0 < kBlockK ? g.k - k0 : kBlockK;
            const T* b_block = b + k0 * g.b_row + n0 * g.b_column;
            for (int64_t j = 0; j < width; j += C) {
                const int columns = int(width - j < C ? width - j : C);
                if (!direct_b || columns < C)
                    pack_b(panel_b + j * depth, b_block + j * g.b_column, g.b_row, g.b_column, depth, columns);
            }
            for (int64_t m0 = 0; m0 < g.m; m0 += kBlockM) {
                const int64_t height = g.m - m0 < kBlockM ? g.m - m0 : kBlockM;
                const T* a_block = a + m0 * g.a_row + k0 * g.a_column;
                if (copy_a)
                    for (int64_t i = 0; i < height; i += kTileRows)
                        pack_a(panel_a + i * depth, a_block + i * g.a_row, g.a_row, g.a_column, depth,
                               int(height - i < kTileRows ? height - i : kTileRows));
                for (int64_t j = 0; j < width; j += C) {
                    Tile<T> t;
                    t.columns = int(width - j < C ? width - j : C);
                    const bool in_place = direct_b && t.columns == C;
                    t.b = in_place ? b_block + j : panel_b + j * depth;
                    t.b_row = in_place ? g.b_row : C;
                    t.k = depth;
                    t.c_row = g.c_row;
                    t.add = k0 > 0;
                    t.bias = bias != nullptr && k0 == 0 ? bias + (n0 + j) * g.bias_stride : nullptr;
                    t.bias_stride = g.bias_stride;
                    for (int64_t i = 0; i < height; i += kTileRows) {
                        t.a = copy_a ? panel_a + i * depth : a_block + i * g.a_row;
                        t.a_row = copy_a ? 1 : g.a_row;
                        t.a_column = copy_a ? kTileRows : g.a_column;
                        t.c = c + (m0 + i) * g.c_row + n0 + j;
                        tile_of<T>(int(height - i < kTileRows ? height - i : kTileRows), t);
                    }
                }
            }
        }
    }
}

static_assert((kBlockK * (kBlockBytesN + 128) + kBlockK * (kBlockM + 8) * 8) < kGemmScratch);

extern const Products products = {{gemm<float>, gemm<double>, gemm<uint64_t>}};

}  // namespace lamina::LAMINA_ISA
