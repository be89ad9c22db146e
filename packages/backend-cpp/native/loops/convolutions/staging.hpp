// Images with their margins: copies of short rows, between the zeros that a filter sees around them.
#pragma once

#include "kernels/convolutions/sliding.hpp"
#include "loops/copies/short_rows.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
inline void copy_row(T* to, const T* from, int64_t n) {
    copy_bytes(reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), n * int64_t(sizeof(T)));
}

// Items 2 apart, of which there are a vector's at least.
template <class T>
inline void copy_every_second(T* to, const T* from, int64_t n) {
    constexpr int L = kLanes<T>;
    Lanes<T> picked;  // the second half comes from a vector that begins one item earlier, so that nothing behind is read
    for (int j = 0; j < L; ++j) picked[j] = j < L / 2 ? 2 * j : 2 * j + 1;
    for (int64_t i = 0;; i = i + 2 * L <= n ? i + L : n - L) {
        store<T>(to + i, Vec<T>(__builtin_shuffle(load(from + 2 * i), load(from + 2 * i + L - 1), picked)));
        if (i + L >= n) return;
    }
}

// What a staged row holds: zeros, `inside` items of the image from `from` on, and zeros; the same for all rows of a plane.
struct StagedRow {
    int64_t front, inside, n, from, apart;

    StagedRow() = default;
    StagedRow(int64_t begin, int64_t step, int64_t stride, int64_t length, int64_t n) : n(n), apart(step * stride) {
        front = begin < 0 ? (-begin + step - 1) / step : 0;
        int64_t end = begin >= length ? 0 : (length - begin + step - 1) / step;
        if (end > n) end = n;
        if (front > end) front = end;
        inside = end - front;
        from = (begin + front * step) * stride;
    }
};

template <class T>
inline void stage_row(T* to, const T* x, const StagedRow& row) {
    if (row.front > 0) to[0] = T(0);  // often the only one
    for (int64_t i = 1; i < row.front; ++i) to[i] = T(0);
    T* at = to + row.front;
    if (row.inside > 0) {
        const T* from = x + row.from;
        if (row.apart == 1)
            copy_row(at, from, row.inside);
        else if (row.apart == 2 && row.inside >= kLanes<T>)
            copy_every_second(at, from, row.inside);
        else if (const T first = from[0]; row.apart == 0)  // a gradient that is one number
            for (int64_t i = 0; i < row.inside; ++i) at[i] = first;
        else
            for (int64_t i = 0; i < row.inside; ++i) at[i] = from[i * row.apart];
    }
    at += row.inside;
    const int64_t behind = row.n - row.front - row.inside;
    if (behind > 0) at[0] = T(0);
    for (int64_t i = 1; i < behind; ++i) at[i] = T(0);
}

constexpr int64_t kResidues = 16;  // staged together, while a row of the image is in the first cache

template <class T>
void stage(const Stage& s) {
    const int64_t length = s.staged[2], plane = s.staged[0] * s.staged[1] * length;
    T* to = reinterpret_cast<T*>(s.to);
    StagedRow rows[kResidues];
    for (int64_t first = 0; first < s.planes[2]; first += kResidues) {
        const int64_t some = s.planes[2] - first < kResidues ? s.planes[2] - first : kResidues;
        for (int64_t r = 0; r < some; ++r)
            rows[r] = StagedRow(s.start[2][first + r] + s.first[2] * s.step[2], s.step[2], s.x_stride[2], s.length[2], s.filled[2]);
        const T* x = reinterpret_cast<const T*>(s.x);
        for (int64_t c = 0; c < s.channels; ++c, x += s.x_channel)
            for (int64_t p = 0; p < s.planes[0]; ++p)
                for (int64_t q = 0; q < s.planes[1]; ++q) {
                    T* in_plane = to + c * s.to_channel + ((p * s.planes[1] + q) * s.planes[2] + first) * plane;
                    for (int64_t i = 0; i < s.filled[0]; ++i) {
                        const int64_t d = s.start[0][p] + (s.first[0] + i) * s.step[0];
                        for (int64_t j = 0; j < s.filled[1]; ++j) {
                            const int64_t h = s.start[1][q] + (s.first[1] + j) * s.step[1];
                            const bool outside = d < 0 || d >= s.length[0] || h < 0 || h >= s.length[1];
                            T* at = in_plane + (i * s.staged[1] + j) * length;
                            for (int64_t r = 0; r < some; ++r, at += plane)
                                if (outside)
                                    for (int64_t k = 0; k < s.filled[2]; ++k) at[k] = T(0);
                                else
                                    stage_row(at, x + d * s.x_stride[0] + h * s.x_stride[1], rows[r]);
                        }
                    }
                }
    }
}

}  // namespace lamina::LAMINA_ISA
