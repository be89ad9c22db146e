// Panels of matrices: blocks copied so that the tiles of a product read them one item after another.
#pragma once

#include <type_traits>

#include "loops/vectors/corners.hpp"

namespace lamina::LAMINA_ISA {

// Rows of a panel of A and vectors of one of B: a tile of both has its sums in most of the registers.
constexpr int kPanelRows = 6;
#if defined(__AVX512F__)
constexpr int kPanelVectors = 4;
#else
constexpr int kPanelVectors = 2;
#endif

template <class T>
constexpr int kPanelColumns = kPanelVectors * kLanes<T>;

// Parts of a whole that differ by one at most; the larger ones come first.
struct EvenParts {
    int64_t whole, parts;
    int64_t first(int64_t part) const { return part * (whole / parts) + (part < whole % parts ? part : whole % parts); }
};

// How panels share the vectors of so many columns.
template <class T>
constexpr EvenParts shared_by_panels(int64_t columns) {
    const int64_t vectors = (columns + kLanes<T> - 1) / kLanes<T>;
    return {vectors, (vectors + kPanelVectors - 1) / kPanelVectors};
}

// Calls what is compiled for each number of vectors that a panel may have.
template <int V = kPanelVectors, class F>
inline void with_vectors(int vectors, const F& call) {
    if constexpr (V > 1)
        if (vectors < V) return with_vectors<V - 1>(vectors, call);
    call(std::integral_constant<int, V>());
}

// Adjacent columns of B as panels of V vectors a row.
template <class T, int V>
inline void pack_along(T* to, const T* b, int64_t b_row, int64_t k, int64_t panels) {
    constexpr int L = kLanes<T>, C = V * L;
    for (int64_t i = 0; i < k; ++i, to += C, b += b_row)
        for (int64_t p = 0; p < panels; ++p)
            for (int v = 0; v < V; ++v) store<T>(to + p * k * C + v * L, load(b + p * C + v * L));
}

// Columns of B, k of its rows, as one panel with V vectors a row, zeros at the end.
template <class T, int V>
inline void pack_b(T* to, const T* b, int64_t b_row, int64_t b_column, int64_t k, int columns) {
    constexpr int L = kLanes<T>, C = V * L;
    if (columns == C && b_column == 1) return pack_along<T, V>(to, b, b_row, k, 1);
    int64_t done = 0;
    if (b_row == 1) {
        for (; done + L <= k; done += L)
            for (int first = 0; first < C; first += L) {
                Vec<T> rows[L];
                for (int j = 0; j < L; ++j)
                    rows[j] = first + j < columns ? load(b + (first + j) * b_column + done) : Vec<T>{};
                swap_corners<T, 1>(rows);
                for (int j = 0; j < L; ++j) store<T>(to + (done + j) * C + first, rows[j]);
            }
    }
    for (; done < k; ++done) {
        for (int j = 0; j < columns; ++j) to[done * C + j] = b[done * b_row + j * b_column];
        for (int j = columns; j < C; ++j) to[done * C + j] = T(0);
    }
}

// All panels, one behind the other. Those of one width are filled together where rows of B are adjacent, so that memory is seen in
// long stretches.
template <class T>
inline void pack_panels(T* to, const T* b, int64_t b_row, int64_t b_column, int64_t k, int64_t columns) {
    constexpr int64_t L = kLanes<T>, kTogether = 8;
    const EvenParts shared = shared_by_panels<T>(columns);
    for (int64_t p = 0, together; p < shared.parts; p += together) {
        const int64_t first = shared.first(p) * L, vectors = shared.first(p + 1) - shared.first(p);
        const int64_t alike = vectors > shared.whole / shared.parts ? shared.whole % shared.parts : shared.parts;
        const int64_t left = alike - p < kTogether ? alike - p : kTogether, width = vectors * L, whole = (columns - first) / width;
        together = b_column != 1 || whole < 2 ? 1 : left < whole ? left : whole;
        with_vectors(int(vectors), [&](auto count) {
            constexpr int V = decltype(count)::value;
            const int64_t some = columns - first < width ? columns - first : width;
            if (together > 1) return pack_along<T, V>(to + first * k, b + first, b_row, k, together);
            pack_b<T, V>(to + first * k, b + first * b_column, b_row, b_column, k, int(some));
        });
    }
}

constexpr int kPackSlack = 64;  // items behind a panel of A that packing may write to

// Vectors along the rows of A, turned: its first columns, as many as whole vectors hold, so many items from one to the next. Returns how
// many. A vector that is longer than a column is written over by the next, and the last lies over what is behind the panel.
template <class T>
inline int64_t pack_turned(T* to, const T* a, int64_t a_row, int64_t k, int rows, int pitch) {
    constexpr int L = kLanes<T>;
    int64_t done = 0;
    for (; done + L <= k; done += L)
        for (int first = 0; first < rows; first = first + L < rows && first + 2 * L > rows ? rows - L : first + L) {
            Vec<T> turned[L];
            for (int r = 0; r < L; ++r) turned[r] = first + r < rows ? load(a + (first + r) * a_row + done) : Vec<T>{};
            swap_corners<T, 1>(turned);
            for (int i = 0; i < L; ++i) store<T>(to + (done + i) * pitch + first, turned[i]);
        }
    return done;
}

// Rows of A as one panel; where there are fewer rows than it has, what lies between is left as it comes.
template <class T>
inline void pack_a(T* to, const T* a, int64_t a_row, int64_t a_column, int64_t k, int rows) {
    constexpr int R = kPanelRows;
    int64_t done = 0;
    if (a_column == 1 && (rows == R || kLanes<T> >= R)) {
        done = pack_turned(to, a, a_row, k, rows, R);
    } else if (a_row == 1 && rows == R) {
        for (; done < k; ++done) std::memcpy(to + done * R, a + done * a_column, R * sizeof(T));
    }
    for (; done < k; ++done)
        for (int r = 0; r < rows; ++r) to[done * R + r] = a[r * a_row + done * a_column];
}

}  // namespace lamina::LAMINA_ISA
