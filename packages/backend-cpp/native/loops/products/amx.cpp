// Products of bfloat16 by AMX: the processor multiplies tiles of 16 lines of 32 items, and adds up 16 x 16 sums.
//
// Intel, "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 1, chapter 18. One operand's tile has a line of items
// along k in each row. The other's is turned: a row has two items along k, of each of 16 lines.
#include "loops/products/amx.hpp"

#if defined(__AVX512F__)
#include "loops/products/packing.hpp"

namespace lamina::LAMINA_ISA {
namespace {

constexpr int kLines = 16, kItems = 32, kTileBytes = 1024;  // of a tile
constexpr int64_t kDepth = 1024 / kItems, kBlock = 512;     // of a block: tiles along k, and lines
constexpr int64_t kItem = 2, kPair = 4, kPacked = 64;       // bytes, of a packed tile's row, too

// What the instructions take for a tile's shape: all eight are 16 rows of 64 bytes.
struct alignas(64) TileShapes {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
    uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Held as long as a thread's tile registers are in use.
class TileRegisters {
   public:
    TileRegisters() { asm volatile("ldtilecfg %0" : : "m"(shapes_)); }
    TileRegisters(const TileRegisters&) = delete;
    TileRegisters& operator=(const TileRegisters&) = delete;
    ~TileRegisters() { asm volatile("tilerelease"); }

   private:
    const TileShapes shapes_;
};

template <int N>
inline void zero_tile() {
    asm volatile("tilezero %%tmm%c0" : : "i"(N));
}

template <int N>
inline void load_tile(const char* from, int64_t row_bytes = kPacked) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(row_bytes), "i"(N) : "memory");
}

template <int N>
inline void store_tile(char* to) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(kPacked), "i"(N) : "memory");
}

template <int Sum, int Left, int Right>
inline void add_product() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(Sum), "i"(Left), "i"(Right));
}

// Lines of items along k; `line` and `along` are the steps from one to the next. Of pairs: `line` from panel to panel, in pairs.
struct Operand {
    const uint16_t* items;
    int64_t lines, line, along;
    bool pairs = false;

    bool has_lines() const { return along == 1; }
    bool has_lines_turned() const { return line == 1 && along != 1; }
};

inline int64_t at_most(int64_t most, int64_t n) { return n < most ? n : most; }

inline F32 first_items(const uint16_t* from, int64_t n) {
    return bits_as<F32>(_mm512_maskz_loadu_epi16(n >= kItems ? ~__mmask32(0) : (__mmask32(1) << n) - 1, from));
}

inline U32 first_words(const uint16_t* from, int64_t n) {
    return bits_as<U32>(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(n >= kLines ? __mmask16(~0) : __mmask16((1 << n) - 1), from)));
}

// A tile of as many lines and items as there are, with zeros behind them.
struct Corner {
    const uint16_t* items;
    int64_t line, along, lines, length;

    bool is_whole() const { return lines >= kLines && length >= kItems; }

    template <bool Whole>
    void read_lines(F32* rows) const {
#pragma GCC unroll 16
        for (int i = 0; i < kLines; ++i)
            rows[i] = Whole ? load(reinterpret_cast<const float*>(items + i * line)) : i < lines ? first_items(items + i * line, length) : F32{};
    }

    template <bool Whole>
    void read_turned(F32* rows) const {
#pragma GCC unroll 16
        for (int i = 0; i < kLines; ++i) {
            const U32 low = Whole || 2 * i < length ? first_words(items + 2 * i * along, Whole ? kLines : lines) : U32{};
            const U32 high = Whole || 2 * i + 1 < length ? first_words(items + (2 * i + 1) * along, Whole ? kLines : lines) : U32{};
            rows[i] = bits_as<F32>(low | high << 16);
        }
    }

    void read_scattered(F32* rows) const {
        uint16_t copied[kLines][kItems] = {};
        for (int64_t i = 0; i < kLines && i < lines; ++i)
            for (int64_t k = 0; k < kItems && k < length; ++k) copied[i][k] = items[i * line + k * along];
        std::memcpy(rows, copied, sizeof copied);
    }
};

template <bool Turned, bool Whole>
[[gnu::noinline]] void pack_tile(char* to, const Operand& from, const Corner& corner) {
    F32 rows[kLines];
    if (from.has_lines_turned())
        corner.read_turned<Whole>(rows);
    else if (from.has_lines())
        corner.read_lines<Whole>(rows);
    else
        corner.read_scattered(rows);
    if (from.has_lines_turned() != Turned) swap_corners<float, 1>(rows);
#pragma GCC unroll 16
    for (int i = 0; i < kLines; ++i) store(reinterpret_cast<float*>(to + i * kPacked), rows[i]);
}

// Tiles of some lines, 16 by 16, each from `start` to `end` along k; in the order in which memory has them.
template <bool Turned>
void pack(char* to, const Operand& from, int64_t first, int64_t lines, int64_t start, int64_t end) {
    const int64_t groups = (lines + kLines - 1) / kLines, steps = (end - start + kItems - 1) / kItems;
    const bool turned = from.has_lines_turned();
    for (int64_t i = 0; i < groups * steps; ++i) {
        const int64_t group = turned ? i % groups : i / steps, step = turned ? i / groups : i % steps;
        const int64_t line = first + group * kLines, k = start + step * kItems;
        const Corner corner{from.items + line * from.line + k * from.along, from.line, from.along, from.lines - line, end - k};
        char* tile = to + (group * steps + step) * kTileBytes;
        corner.is_whole() ? pack_tile<Turned, true>(tile, from, corner) : pack_tile<Turned, false>(tile, from, corner);
    }
}

// Tiles of an operand: where the first is, and the bytes between rows of a tile, tiles along k, and those of other lines, by twos.
struct Tiles {
    const char* data;
    int64_t row, along, beside, two;

    Tiles after(int64_t lines) const { return {data + lines / kAmxPanel * two, row, along, beside, two}; }
};

// The sums of R by V tiles, each beside the next; `steps` along k.
template <int R, int V>
void multiply_tiles(const Tiles& left, const Tiles& right, int64_t steps, char* sums, bool add) {
    if (add) {
        load_tile<0>(sums);
        if (V > 1) load_tile<1>(sums + kTileBytes);
        if (R > 1) load_tile<2>(sums + 2 * kTileBytes);
        if (R > 1 && V > 1) load_tile<3>(sums + 3 * kTileBytes);
    } else {
        zero_tile<0>();
        if (V > 1) zero_tile<1>();
        if (R > 1) zero_tile<2>();
        if (R > 1 && V > 1) zero_tile<3>();
    }
    const char *l = left.data, *r = right.data;
    for (int64_t i = 0; i < steps; ++i, l += left.along, r += right.along) {
        load_tile<4>(l, left.row);
        load_tile<6>(r, right.row);
        add_product<0, 4, 6>();
        if (V > 1) {
            load_tile<7>(r + right.beside, right.row);
            add_product<1, 4, 7>();
        }
        if (R > 1) {
            load_tile<5>(l + left.beside, left.row);
            add_product<2, 5, 6>();
        }
        if (R > 1 && V > 1) add_product<3, 5, 7>();
    }
    store_tile<0>(sums);
    if (V > 1) store_tile<1>(sums + kTileBytes);
    if (R > 1) store_tile<2>(sums + 2 * kTileBytes);
    if (R > 1 && V > 1) store_tile<3>(sums + 3 * kTileBytes);
}

inline __m256i rounded(const F32& x) {
    __m256i brains;
    asm("vcvtneps2bf16 %1, %0" : "=v"(brains) : "v"(x));
    return brains;
}

// C, or C turned where its columns are what is adjacent: of bfloat16, or of float32.
template <class T>
struct Results {
    T* items;
    int64_t rows, columns, row, column;
    bool turned, add;
    const uint16_t* bias;  // of C's columns, or null
    int64_t bias_step;

    void write(F32* sums, int64_t first_row, int64_t first_column) const {
        const int64_t height = at_most(kLines, rows - first_row), width = at_most(kLines, columns - first_column);
        if (bias != nullptr) turned ? add_bias(sums, first_row, height) : add_bias(sums, first_column, width);
        T* to = items + first_row * row + first_column * column;
        if (column == 1 && height == kLines && width == kLines) {
#pragma GCC unroll 16
            for (int i = 0; i < kLines; ++i) write_row(to + i * row, sums[i]);
            return;
        }
        for (int64_t i = 0; i < height; ++i, to += row) write_some(to, sums[i], width);
    }

   private:
    void add_bias(F32* sums, int64_t first, int64_t n) const {
        F32 shifts{};
        for (int64_t i = 0; i < n; ++i) shifts[i] = bits_as<float>(uint32_t(bias[(first + i) * bias_step]) << 16);
        for (int i = 0; i < kLines; ++i) sums[i] += turned ? every(shifts[i]) : shifts;
    }

    void write_row(T* to, const F32& sums) const {
        if constexpr (sizeof(T) == 4)
            store(to, add ? sums + load(to) : sums);
        else
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), rounded(sums));
    }

    void write_some(T* to, const F32& sums, int64_t n) const {
        alignas(64) T line[kLines] = {};
        for (int64_t i = 0; add && i < n; ++i) line[i] = to[i * column];
        write_row(line, sums);
        for (int64_t i = 0; i < n; ++i) to[i * column] = line[i];
    }
};

template <class T>
struct Product {
    Operand left, right;
    Results<T> results;
    bool turned;  // the lines of `left` are columns of the results
    int64_t k;

    // Packing is what the two ways differ in: of lines along k the left operand's are ready, of others the right one's.
    static Product of(const Gemm& g) {
        const auto items = [](const char* data) { return reinterpret_cast<const uint16_t*>(data); };
        const Operand a{items(g.a), g.m, g.a_row, g.a_column, g.pairs_of_a}, b{items(g.b), g.n, g.b_column, g.b_row};
        const Results<T> results = results_of(g);
        const int64_t turn = g.m * g.n;
        const bool exchanged = a.pairs || cost(b, a, g.k) + (results.turned ? 0 : turn) < cost(a, b, g.k) + (results.turned ? turn : 0);
        return {exchanged ? b : a, exchanged ? a : b, results, exchanged != results.turned, g.k};
    }

    void run(char* scratch) const {
        const int64_t steps = (k + kItems - 1) / kItems, depth = at_most(kDepth, steps);
        const int64_t height = steps <= depth ? left.lines : kBlock;
        char *right_tiles = scratch, *left_tiles = right_tiles + kBlock / kLines * kDepth * kTileBytes;
        char* sums = left_tiles + 2 * kDepth * kTileBytes;
        for (int64_t top = 0; top < left.lines; top += height)
            for (int64_t side = 0; side < right.lines; side += kBlock) {
                const int64_t bottom = at_most(top + height, left.lines), end = at_most(side + kBlock, right.lines);
                int64_t start = 0;
                do {
                    const int64_t stop = at_most(start + depth * kItems, k);
                    const Tiles right_ones = right_of(side, end - side, start, stop, right_tiles);
                    for (int64_t line = top; line < bottom; line += kAmxPanel) {
                        const Tiles left_ones = left_of(line, at_most(kAmxPanel, bottom - line), start, stop, left_tiles);
                        char* row = sums + (steps <= depth ? 0 : (line - top) * kBlock * int64_t(sizeof(float)));
                        multiply(left_ones, right_ones, row, line, bottom, side, end, start, stop);
                    }
                    start = stop;
                } while (start < k);
            }
    }

   private:
    static int64_t cost(const Operand& left, const Operand& right, int64_t k) {
        return k * (left.lines * (left.has_lines() ? 1 : 2) + right.lines * (right.has_lines_turned() ? 1 : 2));
    }

    // Rows have adjacent items, if either do.
    static Results<T> results_of(const Gemm& g) {
        T* c = reinterpret_cast<T*>(g.c);
        const uint16_t* bias = reinterpret_cast<const uint16_t*>(g.bias);
        if (g.c_column != 1 && g.c_row == 1) return {c, g.n, g.m, g.c_column, 1, true, g.add, bias, g.bias_stride};
        return {c, g.m, g.n, g.c_row, g.c_column, false, g.add, bias, g.bias_stride};
    }

    static Tiles packed_ones(const char* data, int64_t start, int64_t stop) {
        const int64_t beside = (stop - start + kItems - 1) / kItems * kTileBytes;
        return {data, kPacked, kTileBytes, beside, 2 * beside};
    }

    // Whole tiles of lines along k stay where they are.
    Tiles left_of(int64_t first, int64_t lines, int64_t start, int64_t stop, char* packed) const {
        if (left.has_lines() && lines % kLines == 0 && (stop - start) % kItems == 0) {
            const char* data = reinterpret_cast<const char*>(left.items + first * left.line + start);
            return {data, left.line * kItem, kItems * kItem, kLines * left.line * kItem, kAmxPanel * left.line * kItem};
        }
        pack<false>(packed, left, first, lines, start, stop);
        return packed_ones(packed, start, stop);
    }

    // So do pairs.
    Tiles right_of(int64_t first, int64_t lines, int64_t start, int64_t stop, char* packed) const {
        if (right.pairs) {
            const char* data = reinterpret_cast<const char*>(right.items) + (start / 2 * right.along + first / kAmxPanel * right.line) * kPair;
            return {data, right.along * kPair, kItems / 2 * right.along * kPair, kLines * kPair, right.line * kPair};
        }
        pack<true>(packed, right, first, lines, start, stop);
        return packed_ones(packed, start, stop);
    }

    // Two lines of tiles by all of the right operand's.
    void multiply(const Tiles& left_tiles, const Tiles& right_tiles, char* sums, int64_t line, int64_t bottom, int64_t side, int64_t end,
                  int64_t start, int64_t stop) const {
        const int64_t steps = (stop - start + kItems - 1) / kItems;
        const bool tall = bottom - line > kLines, blocks = stop - start < k;
        for (int64_t column = side; column < end; column += kAmxPanel) {
            const bool wide = end - column > kLines;
            const auto run = tall ? wide ? multiply_tiles<2, 2> : multiply_tiles<2, 1> : wide ? multiply_tiles<1, 2> : multiply_tiles<1, 1>;
            run(left_tiles, right_tiles.after(column - side), steps, sums, start > 0);
            for (int i = 0; stop == k && i <= int(tall); ++i)
                for (int j = 0; j <= int(wide); ++j) write(sums + (2 * i + j) * kTileBytes, line + i * kLines, column + j * kLines);
            if (blocks) sums += 4 * kTileBytes;
        }
    }

    void write(char* sums, int64_t line, int64_t column) const {
        F32* rows = reinterpret_cast<F32*>(sums);
        if (turned) swap_corners<float, 1>(rows);
        turned ? results.write(rows, column, line) : results.write(rows, line, column);
    }
};

}  // namespace

static_assert((kBlock / kLines + 2) * kDepth * kTileBytes + kBlock * kBlock * int64_t(sizeof(float)) <= kGemmScratch);

template <class T>
void gemm_by_amx(const Gemm& g, char* scratch) {
    const TileRegisters registers;
    Product<T>::of(g).run(scratch);
}

template void gemm_by_amx<uint16_t>(const Gemm& g, char* scratch);
template void gemm_by_amx<float>(const Gemm& g, char* scratch);

}  // namespace lamina::LAMINA_ISA
#endif
