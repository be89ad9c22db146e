// Correlation of staged images with packed weights: the tiles of a matrix product, reading windows where they lie.
//
// Where a panel of windows is one run, its tap k is a vector at a fixed offset, and mostly nothing is copied; else the runs
// are put together in a panel, once for all rows.
#include "loops/convolutions/row_tiles.hpp"
#include "loops/convolutions/staging.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

constexpr int kFewRows = 3;
constexpr int64_t kManyTiles = 48 / kPanelRows;
constexpr int64_t kBlockTaps = 256, kBlockTiles = 288 / kPanelRows;  // of weights 288 KiB, which stay in the second cache

// Goes along the runs, so many columns at a time.
struct RunWalk {
    const Run* run;
    int64_t done = 0;  // of this run

    int64_t left() const { return run->length - done; }
    void advance(int64_t columns) {
        while (columns > 0 && columns >= left()) {
            columns -= left();
            ++run;
            done = 0;
        }
        done += columns;
    }
};

// Part of a panel: windows of one run, the first of them in column `at`.
template <class T>
struct Piece {
    const T* from;
    int at, length;
};

constexpr int kMostBlended = 6;

// A vector of a panel, for each tap, of P pieces, of which the first has its first column: lanes are chosen, tap by tap.
template <class T, int P = kMostBlended>
inline void blend_pieces(int count, T* to, const Piece<T>* pieces, const int64_t* offsets, int64_t taps) {
    if constexpr (P > 1)
        if (count < P) return blend_pieces<T, P - 1>(count, to, pieces, offsets, taps);
    constexpr int L = kLanes<T>;
    const T* from[P];
    Lanes<T> chosen[P] = {};
    for (int p = 0; p < P; ++p) {
        from[p] = pieces[p].from - pieces[p].at;
        for (int j = 0; j < L; ++j) chosen[p][j] = j >= pieces[p].at ? -1 : 0;
    }
    for (int64_t k = 0; k < taps; ++k, to += kPanelColumns<T>) {
        Vec<T> windows = load(from[0] + offsets[k]);
#pragma GCC unroll 6
        for (int p = 1; p < P; ++p) windows = chosen[p] ? load(from[p] + offsets[k]) : windows;
        store<T>(to, windows);
    }
}

// The next `columns` windows, at most a vector of a panel, taps of them.
template <class T>
inline void pack_vector(T* to, const T* images, const T* end, RunWalk& walk, int columns, const int64_t* offsets, int64_t taps) {
    constexpr int L = kLanes<T>;
    Piece<T> pieces[L];
    int count = 0;
    for (int at = 0; at < columns; ++count) {
        const int64_t left = walk.left();
        const int length = left < columns - at ? int(left) : columns - at;
        pieces[count] = {images + walk.run->start + walk.done, at, length};
        walk.advance(length);
        at += length;
    }
    int64_t farthest = 0;
    for (int64_t k = 0; k < taps; ++k) farthest = offsets[k] > farthest ? offsets[k] : farthest;
    bool whole = count <= kMostBlended;  // and whether vectors in place of all pieces lie within what may be read
    for (int p = 0; p < count; ++p) {
        const T* from = pieces[p].from - pieces[p].at;
        whole = whole && from >= pieces[0].from && end - from - farthest >= L;
    }
    if (whole) return blend_pieces<T>(count, to, pieces, offsets, taps);
    for (int64_t k = 0; k < taps; ++k, to += kPanelColumns<T>)
        for (int p = 0; p < count; ++p) {
            const T* from = pieces[p].from + offsets[k];
            for (int i = 0; i < pieces[p].length; ++i) to[pieces[p].at + i] = from[i];
        }
}

// The next `columns` windows, as a panel.
template <class T>
inline void pack_runs(T* panel, const T* images, const T* end, RunWalk walk, int columns, const int64_t* offsets, int64_t taps) {
    constexpr int L = kLanes<T>;
    for (; columns > 0; columns -= L, panel += L) pack_vector(panel, images, end, walk, columns < L ? columns : L, offsets, taps);
}

// A block of tiles of rows over all columns.
template <class T>
inline void correlate_tiles(const Correlation& b, int64_t first_tile, int64_t last_tile, const int64_t* in_panel) {
    constexpr int C = kPanelColumns<T>;
    const T *images = reinterpret_cast<const T*>(b.images), *end = reinterpret_cast<const T*>(b.end);
    const T *weights = reinterpret_cast<const T*>(b.weights), *bias = reinterpret_cast<const T*>(b.bias);
    T *out = reinterpret_cast<T*>(b.out), *panel = reinterpret_cast<T*>(b.panel);
    const int64_t blocks = b.taps > 0 ? (b.taps + kBlockTaps - 1) / kBlockTaps : 1;
    for (int64_t block = 0; block < blocks; ++block) {
        const int64_t k0 = block * b.taps / blocks, k1 = (block + 1) * b.taps / blocks;
        // Taps that are not side by side have two cache lines each: where many rows read them, they are put together first.
        int64_t lines = 0;
        for (int64_t k = k0; k < k1; ++k) lines += k == k0 || b.offsets[k] != b.offsets[k - 1] + 1;
        const bool gather = last_tile - first_tile >= kManyTiles && 2 * lines > k1 - k0;
        RunWalk walk{b.runs};
        for (int64_t j = 0; j < b.columns; j += C) {
            const int columns = int(b.columns - j < C ? b.columns - j : C);
            CorrelationTile<T> t;
            if (walk.left() >= C && !gather) {
                t.x = images + walk.run->start + walk.done;
                t.offsets = b.offsets + k0;
            } else {
                pack_runs<T>(panel, images, end, walk, columns, b.offsets + k0, k1 - k0);
                t.x = panel;
                t.offsets = in_panel;
            }
            t.taps = k1 - k0;
            t.wanted = columns;
            t.out_row = b.out_row;
            t.columns = int(b.capacity - j < C ? b.capacity - j : C);
            t.add = block > 0;
            t.bias_stride = b.bias_stride;
            for (int64_t i = first_tile; i < last_tile; ++i) {
                const int64_t row = first_row(i, b.rows), rows = first_row(i + 1, b.rows) - row;
                t.weights = weights + row * b.taps + k0 * rows;
                t.bias = bias != nullptr ? bias + row * b.bias_stride : nullptr;
                t.out = out + row * b.out_row + j;
                correlate_tile_of<T>(rows, t);
            }
            walk.advance(columns);
        }
    }
}

// V vectors of windows of one run at once, the last of them at `last`; for few rows, whose weights are one tile.
template <class T, int R, int V>
inline void correlate_vectors(const Correlation& b, const T* x, int64_t last, int64_t readable, T* out, int64_t writable) {
    constexpr int L = kLanes<T>;
    const T* w = reinterpret_cast<const T*>(b.weights);
    const T* bias = reinterpret_cast<const T*>(b.bias);
    Vec<T> sums[R][V];
#pragma GCC unroll 3
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) sums[r][v] = every(bias != nullptr ? bias[r * b.bias_stride] : T(0));
    for (int64_t k = 0; k < b.taps; ++k, w += R) {
        const T* from = x + b.offsets[k];
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            const T* at = v == V - 1 ? from + last : from + v * L;
            const Vec<T> windows = V == 1 && readable < L ? load_some<T>(at, readable, T(0)) : load(at);
#pragma GCC unroll 3
            for (int r = 0; r < R; ++r) sums[r][v] += w[r] * windows;
        }
    }
#pragma GCC unroll 3
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) {
            T* to = out + r * b.out_row + (v == V - 1 ? last : v * L);
            if (V == 1 && writable < L)
                store_some<T>(to, sums[r][v], writable);
            else
                store<T>(to, sums[r][v]);
        }
}

// Run by run without panels; the last vector of a run lies over the one in front of it.
template <class T, int R>
void correlate_rows(const Correlation& b) {
    constexpr int L = kLanes<T>;
    const T *images = reinterpret_cast<const T*>(b.images), *end = reinterpret_cast<const T*>(b.end);
    T* out = reinterpret_cast<T*>(b.out);
    int64_t farthest = 0;
    for (int64_t k = 0; k < b.taps; ++k) farthest = b.offsets[k] > farthest ? b.offsets[k] : farthest;
    const Run* run = b.runs;
    for (int64_t j = 0; j < b.columns; j += run->length, ++run) {
        const T* x = images + run->start;
        int64_t i = 0;
        for (; i + 4 * L <= run->length; i += 4 * L) correlate_vectors<T, R, 4>(b, x + i, 3 * L, L, out + j + i, L);
        const int64_t rest = run->length - i;
        if (rest == 0) continue;
        if (run->length < L) {
            const bool whole = end - x - farthest >= L;
            correlate_vectors<T, R, 1>(b, x, 0, whole ? L : rest, out + j, rest);
        } else if (rest <= L) {
            correlate_vectors<T, R, 1>(b, x + i, rest - L, L, out + j + i, L);
        } else if (rest <= 2 * L) {
            correlate_vectors<T, R, 2>(b, x + i, rest - L, L, out + j + i, L);
        } else if (rest <= 3 * L) {
            correlate_vectors<T, R, 3>(b, x + i, rest - L, L, out + j + i, L);
        } else {
            correlate_vectors<T, R, 4>(b, x + i, rest - L, L, out + j + i, L);
        }
    }
}

template <class T>
void correlate(const Correlation& b) {
    switch (b.rows) {
        case 0: return;
        case 1: return correlate_rows<T, 1>(b);
        case 2: return correlate_rows<T, 2>(b);
        case kFewRows: return correlate_rows<T, kFewRows>(b);
    }
    int64_t in_panel[kBlockTaps];
    for (int64_t k = 0; k < kBlockTaps; ++k) in_panel[k] = k * kPanelColumns<T>;
    const int64_t tiles = tile_count(b.rows), blocks = (tiles + kBlockTiles - 1) / kBlockTiles;
    for (int64_t block = 0; block < blocks; ++block)
        correlate_tiles<T>(b, block * tiles / blocks, (block + 1) * tiles / blocks, in_panel);
}

static_assert(kBlockTaps * kPanelVectors * kVectorBytes <= kPanelBytes);

extern const Correlations correlations = {kFewRows,
                                          kPanelRows,
                                          kPanelVectors * kVectorBytes,
                                          {stage<float>, stage<double>, stage<uint16_t>},
                                          {pack_weights<float>, pack_weights<double>},
                                          {correlate<float>, correlate<double>}};

}  // namespace lamina::LAMINA_ISA
