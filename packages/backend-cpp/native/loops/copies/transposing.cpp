// Rows and columns of matrices exchanged: tiles of as many rows as a vector has lanes, in registers.
//
// Eklundh, "A fast computer method for matrix transposing", 1972: for each bit of a lane's number, where it differs from the same bit of the
// row's, two rows exchange lanes.
#include "loops/tables.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {
namespace {

template <class T, int L, int kBit, class Row>
inline void exchange_bits(Row* rows) {
    Row low, high;
#pragma GCC unroll 16
    for (int p = 0; p < L; ++p) {
        low[p] = T(p & kBit ? L + p - kBit : p);
        high[p] = T(p & kBit ? L + p : p + kBit);
    }
#pragma GCC unroll 16
    for (int i = 0; i < L; ++i) {
        if (i & kBit) continue;
        const Row a = rows[i], b = rows[i + kBit];
        rows[i] = __builtin_shuffle(a, b, low);
        rows[i + kBit] = __builtin_shuffle(a, b, high);
    }
    if constexpr (2 * kBit < L) exchange_bits<T, L, 2 * kBit>(rows);
}

template <class T, int L>
inline void transpose_tile(T* out, int64_t out_row, const T* x, int64_t x_row) {
    typedef T Row __attribute__((vector_size(L * sizeof(T))));
    Row rows[L];
#pragma GCC unroll 16
    for (int i = 0; i < L; ++i) std::memcpy(&rows[i], x + i * x_row, sizeof(Row));
    exchange_bits<T, L, 1>(rows);
#pragma GCC unroll 16
    for (int i = 0; i < L; ++i) std::memcpy(out + i * out_row, &rows[i], sizeof(Row));
}

// The last tiles of rows and columns reach back over those before them. Those that share a line of memory follow each other.
template <class T, int L>
void transpose(char* to, int64_t out_row, const char* from, int64_t x_row, int64_t rows, int64_t columns) {
    constexpr int64_t kLine = 64 / int64_t(sizeof(T));
    T* out = reinterpret_cast<T*>(to);
    const T* x = reinterpret_cast<const T*>(from);
    if (rows < L || columns < L) {
        for (int64_t c = 0; c < columns; ++c)
            for (int64_t r = 0; r < rows; ++r) out[c * out_row + r] = x[r * x_row + c];
        return;
    }
    for (int64_t line = 0; line < rows; line += kLine)
        for (int64_t c = 0; c < columns; c += L)
            for (int64_t r = line; r < rows && r < line + kLine; r += L) {
                const int64_t row = r < rows - L ? r : rows - L, column = c < columns - L ? c : columns - L;
                transpose_tile<T, L>(out + column * out_row + row, out_row, x + row * x_row + column, x_row);
            }
}

// Of short items, rows of 16 bytes: more of them would not fit into the registers.
constexpr int kOfWords = kLanes<uint32_t>, kOfLongs = kLanes<uint64_t>;

}  // namespace

extern const Transposes transposes = {
    {transpose<uint8_t, 16>, transpose<uint16_t, 8>, transpose<uint32_t, kOfWords>, transpose<uint64_t, kOfLongs>}};

}  // namespace lamina::LAMINA_ISA
