// The transforms of Winograd's filtering, with tiles (or rows of weights) side by side in vectors, and the products between them.
#include "kernels/convolutions/winograd.hpp"

#include "loops/convolutions/row_tiles.hpp"
#include "loops/convolutions/staging.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace {

constexpr int L = kLanes<float>, C = kPanelColumns<float>;
constexpr int64_t kBlockChannels = 512 / kPanelVectors;  // a panel of so many stays in the first cache
constexpr int64_t kChannelsPacked = 16;

constexpr int64_t whole_panels(int64_t tiles) { return (tiles + C - 1) / C * C; }

// Rows of transformed items, of so many tiles; the last vector of a strip may reach behind the last tile.
constexpr int64_t row_of(int64_t tiles) { return whole_panels(tiles) + L; }

// For 16 of them and for staged rows of tiles, of which each is a strip at worst.
int64_t scratch_items(int64_t tiles) { return 32 * row_of(tiles) + 4 * L; }

// Bt: of an image.
struct OfImages {
    static constexpr int kItems = 4;
    static void transform(const F32* d, F32* v) {
        v[0] = d[0] - d[2];
        v[1] = d[1] + d[2];
        v[2] = d[2] - d[1];
        v[3] = d[1] - d[3];
    }
};

// A: of results.
struct OfResults {
    static constexpr int kItems = 2;
    static void transform(const F32* y, F32* z) {
        z[0] = y[0];
        z[1] = y[0] + y[1];
        z[2] = y[0] - y[1];
        z[3] = -y[1];
    }
};

// At.
inline void to_results(const F32* m, F32* y) {
    y[0] = m[0] + m[1] + m[2];
    y[1] = m[1] - m[2] - m[3];
}

// G: of a filter.
inline void of_filter(const F32* g, F32* u) {
    const F32 ends = g[0] + g[2];
    u[0] = g[0];
    u[1] = 0.5f * (ends + g[1]);
    u[2] = 0.5f * (ends - g[1]);
    u[3] = g[2];
}

// Gt.
inline void to_filter(const F32* u, F32* g) {
    g[0] = u[0] + 0.5f * (u[1] + u[2]);
    g[1] = 0.5f * (u[1] - u[2]);
    g[2] = 0.5f * (u[1] + u[2]) + u[3];
}

// Items 0, 2, 4 ... of two vectors, and 1, 3, 5 ...
inline void part(const float* from, F32& even, F32& odd) {
    I32 evens, odds;
    for (int j = 0; j < L; ++j) evens[j] = 2 * j, odds[j] = 2 * j + 1;
    const F32 low = load(from), high = load(from + L);
    even = __builtin_shuffle(low, high, evens);
    odd = __builtin_shuffle(low, high, odds);
}

inline void interleave(float* to, const F32& even, const F32& odd) {
    I32 low, high;
    for (int j = 0; j < L; ++j) low[j] = j / 2 + (j % 2) * L, high[j] = low[j] + L / 2;
    store<float>(to, __builtin_shuffle(even, odd, low));
    store<float>(to + L, __builtin_shuffle(even, odd, high));
}

// NaN in some lane unless all items are finite, else 0.
inline F32 not_finite(const float* x, int64_t n) {
    F32 found{};
    int64_t i = 0;
    for (; i + L <= n; i += L) found += 0.0f * load(x + i);
    if (i < n) found += 0.0f * load_some<float>(x + i, n - i, 0.0f);
    return found;
}

// Tiles along a row of items, and the same once more where `again` is a place.
template <class Of>
inline void along(const float* row, int64_t tiles, float* to, float* again, int64_t step) {
    for (int64_t t = 0; t < tiles; t += L) {
        F32 d[4], v[4];
        for (int i = 0; i < Of::kItems; i += 2) part(row + 2 * t + i, d[i], d[i + 1]);
        Of::transform(d, v);
        for (int i = 0; i < 4; ++i) store<float>(to + i * step + t, v[i]);
        if (again == nullptr) continue;
        for (int i = 0; i < 4; ++i) store<float>(again + i * step + t, v[i]);
    }
}

// Whether the tile above is that of the strip in front, so that its last two rows are the first two of this one.
inline bool goes_on(const Strips& strips, const Strip* s) {
    return s > strips.first && s[-1].image == s->image && s[-1].column == s->column && s[-1].row + 1 == s->row;
}

// First along each row of items, then down the rows of a tile, where tiles of all strips lie side by side. All rows are staged before
// they are read: a vector that is read over several just written waits for them.
template <class Of>
void transform_tiles(const TileTransform& t) {
    constexpr int kRows = Of::kItems, kOver = kRows == 4 ? 2 : 0;  // rows that tiles have in common
    const Strip* const end = t.strips.first + t.strips.count;
    const int64_t step = row_of(t.strips.tiles), padded = whole_panels(t.strips.tiles), matrix = t.matrix;
    float* const rows = t.scratch;
    for (int64_t i = 0; i < scratch_items(t.strips.tiles); ++i) t.scratch[i] = 0;  // so that no vector holds what was there
    for (int64_t c = 0; c < t.channels; ++c) {
        const float* x = t.x + c * t.channel;
        float* staged = rows + 16 * step;
        for (const Strip* s = t.strips.first; s < end; ++s) {
            const StagedRow inside(t.start[1] + 2 * s->column, 1, t.stride[1], t.length[1], 2 * s->tiles + kOver);
            for (int a = goes_on(t.strips, s) ? kOver : 0; a < kRows; ++a, staged += inside.n) {
                const int64_t h = t.start[0] + 2 * s->row + a;
                if (h >= 0 && h < t.length[0])
                    stage_row(staged, x + s->image * t.image + h * t.stride[0], inside);
                else
                    for (int64_t i = 0; i < inside.n; ++i) staged[i] = 0;
            }
        }
        staged = rows + 16 * step;
        float* to = rows;
        for (const Strip* s = t.strips.first; s < end; to += s->tiles, ++s) {
            const bool ahead = s + 1 < end && goes_on(t.strips, s + 1);
            for (int a = goes_on(t.strips, s) ? kOver : 0; a < kRows; ++a, staged += 2 * s->tiles + kOver) {
                float* again = ahead && a >= kRows - kOver ? to + 4 * (a - 2) * step + s->tiles : nullptr;
                along<Of>(staged, s->tiles, to + 4 * a * step, again, step);
            }
        }
        for (int64_t n = 0; n < padded; n += L) {
            float* to_tile = t.to + n / C * t.panel + n % C + c * t.row;
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                F32 d[4], v[4];
#pragma GCC unroll 4
                for (int a = 0; a < kRows; ++a) d[a] = load(rows + (4 * a + j) * step + n);
                Of::transform(d, v);
#pragma GCC unroll 4
                for (int a = 0; a < 4; ++a) store<float>(to_tile + (4 * a + j) * matrix, v[a]);
            }
        }
    }
}

// `rows` rows of `channels` channels of 9 packed taps, each to 16 matrices.
void transform_packed(const float* taps, int64_t rows, int64_t channels, float* to, int64_t matrix) {
    for (int64_t c = 0; c < channels; ++c, taps += 9 * rows, to += rows)
        for (int64_t r = 0; r < rows; r += L) {
            F32 along[3][4];
            for (int i = 0; i < 3; ++i) {
                F32 g[3];
                for (int j = 0; j < 3; ++j) g[j] = load(taps + (3 * i + j) * rows + r);
                of_filter(g, along[i]);
            }
            for (int j = 0; j < 4; ++j) {
                const F32 g[3] = {along[0][j], along[1][j], along[2][j]};
                F32 u[4];
                of_filter(g, u);
                for (int i = 0; i < 4; ++i) {
                    float* at = to + (4 * i + j) * matrix + r;
                    if ((channels - c) * rows - r < L)  // else the next channels are written over what is too much
                        store_some<float>(at, u[i], rows - r);
                    else
                        store<float>(at, u[i]);
                }
            }
        }
}

void transform_filters(const FilterTransform& t) {
    for (int64_t c = t.first; c < t.last; c += kChannelsPacked) {
        const int64_t channels = t.last - c < kChannelsPacked ? t.last - c : kChannelsPacked;
        for (int64_t tile = 0; tile < tile_count(t.rows); ++tile) {
            const int64_t first = first_row(tile, t.rows), rows = first_row(tile + 1, t.rows) - first;
            float taps[9 * kChannelsPacked * kPanelRows + L];
            pack_tile(taps, t.weights + first * t.row, t.row, rows, t.offsets + 9 * c, 9 * channels);
            transform_packed(taps, rows, channels, t.to + first * t.channels + c * rows, t.matrix);
        }
    }
}

void multiply(const TileProducts& p) {
    int64_t in_panel[kBlockChannels];
    for (int64_t k = 0; k < kBlockChannels; ++k) in_panel[k] = k * C;
    const int64_t blocks = (p.channels + kBlockChannels - 1) / kBlockChannels;
    CorrelationTile<float> t;
    t.offsets = in_panel;
    t.bias = nullptr;
    t.bias_stride = 0;
    t.out_row = p.row;
    t.columns = C;
    for (int64_t item = 0; item < kTileItems; ++item)
        for (int64_t panel = 0; panel * C < p.count; ++panel) {
            t.wanted = int(p.count - panel * C < C ? p.count - panel * C : C);
            for (int64_t block = 0; block < blocks; ++block) {
                const int64_t c0 = block * p.channels / blocks;
                t.taps = (block + 1) * p.channels / blocks - c0;
                t.x = p.tiles + item * p.tile_matrix + (panel * p.channels + c0) * C;
                t.add = block > 0;
                for (int64_t i = 0; i < tile_count(p.rows); ++i) {
                    const int64_t row = first_row(i, p.rows), rows = first_row(i + 1, p.rows) - row;
                    t.weights = p.filters + item * p.filter_matrix + row * p.channels + c0 * rows;
                    t.out = p.sums + item * p.matrix + row * p.row + panel * C;
                    correlate_tile_of<float>(rows, t);
                }
            }
        }
}

bool write_results(const TileResults& t) {
    const int64_t tiles = t.strips.tiles, matrix = t.matrix;
    float* const pair[2] = {t.scratch, t.scratch + 2 * row_of(tiles)};  // rows of results, of all strips
    F32 wrong{};
    for (int64_t r = 0; r < t.rows; ++r) {
        const float* sums = t.sums + r * t.row;
        const F32 bias = every(t.bias != nullptr ? t.bias[r * t.bias_stride] : 0.0f);
        for (int64_t n = 0; n < tiles; n += L) {
            F32 down[2][4];
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) {
                F32 m[4], y[2];
#pragma GCC unroll 4
                for (int i = 0; i < 4; ++i) m[i] = load(sums + (4 * i + j) * matrix + n);
                to_results(m, y);
                down[0][j] = y[0];
                down[1][j] = y[1];
            }
            for (int p = 0; p < 2; ++p) {
                F32 y[2];
                to_results(down[p], y);
                interleave(pair[p] + 2 * n, y[0] + bias, y[1] + bias);
            }
        }
        for (int p = 0; p < 2; ++p) {
            wrong += not_finite(pair[p], 2 * tiles);
            const float* from = pair[p];
            for (const Strip* s = t.strips.first; s < t.strips.first + t.strips.count; from += 2 * s->tiles, ++s) {
                const int64_t h = 2 * s->row + p, left = t.length[1] - 2 * s->column;
                if (h >= t.length[0]) continue;
                float* to = t.out + s->image * t.image + r * t.channel + h * t.stride + 2 * s->column;
                copy_row(to, from, left < 2 * s->tiles ? left : 2 * s->tiles);
            }
        }
    }
    return sum_of_lanes<float>(wrong) == 0;
}

bool write_weights(const FilterGradient& g) {
    F32 wrong{};
    for (int64_t c = 0; c < g.channels; ++c)
        for (int64_t o = 0; o < g.outputs; o += L) {
            const int64_t some = g.outputs - o < L ? g.outputs - o : L;
            F32 down[3][4];
            for (int j = 0; j < 4; ++j) {
                F32 u[4], w[3];
                for (int i = 0; i < 4; ++i) u[i] = load_some<float>(g.sums + (4 * i + j) * g.matrix + c * g.row + o, some, 0.0f);
                to_filter(u, w);
                for (int i = 0; i < 3; ++i) down[i][j] = w[i];
            }
            for (int i = 0; i < 3; ++i) {
                F32 w[3];
                to_filter(down[i], w);
                for (int j = 0; j < 3; ++j) {
                    wrong += 0.0f * w[j];
                    float* to = g.out + c * g.to_channel + o * g.to_output + g.offsets[3 * i + j];
                    for (int64_t l = 0; l < some; ++l) to[l * g.to_output] = w[j][l];
                }
            }
        }
    return sum_of_lanes<float>(wrong) == 0;
}

}  // namespace

extern const WinogradLoops winograd = {scratch_items,     transform_tiles<OfImages>, transform_tiles<OfResults>, transform_filters,
                                       multiply,          write_results,             write_weights};

}  // namespace lamina::LAMINA_ISA
