// Depthwise correlation: some rows by a vector of columns at once, each tap's weight used for all of them; edges by masked reads.
#include "kernels/convolutions/depthwise.hpp"

#include "loops/convolutions/taps.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// Some windows of a row, from `column` on: `some` of a vector.
struct Strip {
    int64_t column, some;

    bool inside(const Depthwise& d, int lanes) const {
        const int64_t first = column * d.step[1] + d.start[1];
        return some == lanes && first >= 0 && first + (d.taps[1] - 1) * d.apart[1] + (lanes - 1) * d.step[1] < d.length[1];
    }
    template <class T, int S, bool Edge>
    void ready(const Depthwise& d, int64_t j, Tap<T, S, Edge>& tap) const {
        const int64_t first = column * d.step[1] + j * d.apart[1] + d.start[1], end = first + (some - 1) * d.step[1] + 1;
        tap.ready(first, d.step[1], end < d.length[1] ? end : d.length[1]);
    }
};

// What does not go to `out` as whole vectors; one function for all blocks, as they are many.
template <class T>
[[gnu::noinline]] void write_some(const Depthwise& d, int64_t row, const Strip& strip, const Vec<T>* sums, int rows) {
    constexpr int L = kLanes<T>;
    T* out = reinterpret_cast<T*>(d.out) + row * d.out_row + strip.column * d.out_column;
    // Rows shorter than a vector: what is written behind one is written again by the next ones.
    const bool dense = d.out_row == d.count[1] && d.count[1] < L;
    for (int r = 0; r < rows; ++r, out += d.out_row) {
        if (d.out_column != 1)
            for (int64_t l = 0; l < strip.some; ++l) out[l * d.out_column] = sums[r][l];
        else if (strip.some == L || (dense && (d.count[0] - row - r) * d.count[1] >= L))
            store<T>(out, sums[r]);
        else
            store_some<T>(out, sums[r], strip.some);
    }
}

template <class T, int R>
inline void write_rows(const Depthwise& d, int64_t row, const Strip& strip, const Vec<T>* sums) {
    if (d.out_column != 1 || strip.some != kLanes<T>) {
        Vec<T> copied[R];  // whose address is taken, so that `sums` stays in registers
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) copied[r] = sums[r];
        return write_some<T>(d, row, strip, copied, R);
    }
    T* out = reinterpret_cast<T*>(d.out) + row * d.out_row + strip.column;
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r, out += d.out_row) store<T>(out, sums[r]);
}

// R rows of a strip. With K, the filter has K rows, and neighbouring rows of out, S apart, share all but S of those that they read.
template <class T, int R, int K, int S, bool Edge>
inline void correlate_block(const Depthwise& d, const T* const* lines, int64_t row, const Strip& strip) {
    Vec<T> sums[R];
    const Vec<T> bias = every(d.bias != nullptr ? *reinterpret_cast<const T*>(d.bias) : T(0));
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) sums[r] = bias;
    const T* w = reinterpret_cast<const T*>(d.weights);
    for (int64_t j = 0; j < d.taps[1]; ++j, w += d.tap_stride[1]) {
        Tap<T, S, Edge> tap;
        strip.ready(d, j, tap);
        if constexpr (K > 0) {
            Vec<T> weights[K];
#pragma GCC unroll 8
            for (int i = 0; i < K; ++i) weights[i] = every(w[i * d.tap_stride[0]]);
#pragma GCC unroll 32
            for (int q = 0; q < (R - 1) * S + K; ++q) {
                const Vec<T> items = tap.read(lines[q] + tap.at);
#pragma GCC unroll 8
                for (int i = 0; i < K; ++i)
                    if (q >= i && (q - i) % S == 0 && (q - i) / S < R) sums[(q - i) / S] += weights[i] * items;
            }
        } else {
            for (int64_t i = 0; i < d.taps[0]; ++i) {
                const Vec<T> weight = every(w[i * d.tap_stride[0]]);
#pragma GCC unroll 8
                for (int r = 0; r < R; ++r) sums[r] += weight * tap.read(lines[i * R + r] + tap.at);
            }
        }
    }
    write_rows<T, R>(d, row, strip, sums);
}

// Blocks of R rows, the last of them over the one in front of it; likewise vectors.
template <class T, int R, int K, int S>
void correlate_plane(const Depthwise& d) {
    constexpr int L = kLanes<T>;
    const T *x = reinterpret_cast<const T*>(d.x), *zeros = reinterpret_cast<const T*>(d.zeros);
    const T* lines[kMostTapRows * R];
    const auto line = [&](int64_t y) { return y >= 0 && y < d.length[0] ? x + y * d.x_row : zeros; };
    for (int64_t done = 0; done < d.count[0]; done += R) {
        const int64_t row = done + R <= d.count[0] ? done : d.count[0] - R;
        if (K > 0)
            for (int q = 0; q < (R - 1) * S + K; ++q) lines[q] = line(row * S + q + d.start[0]);
        else
            for (int64_t i = 0; i < d.taps[0]; ++i)
                for (int r = 0; r < R; ++r) lines[i * R + r] = line((row + r) * d.step[0] + i * d.apart[0] + d.start[0]);
        for (int64_t ready = 0; ready < d.count[1]; ready += L) {
            const int64_t column = ready + L <= d.count[1] || d.count[1] < L ? ready : d.count[1] - L;
            const Strip strip{column, d.count[1] - column < L ? d.count[1] - column : L};
            if (strip.inside(d, L))
                correlate_block<T, R, K, S, false>(d, lines, row, strip);
            else
                correlate_block<T, R, K, S, true>(d, lines, row, strip);
        }
    }
}

template <class T, int K, int S>
inline void correlate_by_rows(const Depthwise& d) {
    if (d.count[0] >= 8) return correlate_plane<T, 8, K, S>(d);
    if (d.count[0] >= 4) return correlate_plane<T, 4, K, S>(d);
    correlate_plane<T, 1, 0, S>(d);
}

template <class T, int S>
inline void correlate_by_filter(const Depthwise& d) {
    switch (d.step[0] == S && d.apart[0] == 1 ? d.taps[0] : 0) {
        case 3: return correlate_by_rows<T, 3, S>(d);
        case 5: return correlate_by_rows<T, 5, S>(d);
        case 7: return correlate_by_rows<T, 7, S>(d);
        default: return correlate_by_rows<T, 0, S>(d);
    }
}

template <class T>
void correlate_depthwise(const Depthwise& d) {
    if (d.step[1] == 1) return correlate_by_filter<T, 1>(d);
    if (d.step[1] == 2) return correlate_by_filter<T, 2>(d);
    correlate_by_rows<T, 0, 0>(d);
}

extern const DepthwiseLoops depthwise = {{correlate_depthwise<float>, correlate_depthwise<double>}};

}  // namespace lamina::LAMINA_ISA
