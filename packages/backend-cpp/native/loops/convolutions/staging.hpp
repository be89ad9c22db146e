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

constexpr bool kMasksRows = kVectorBytes > 16;

// Whether rows are staged in columns: not long ones, which are read as they lie.
template <class T>
bool has_columns(const StagedRow& row) {
    constexpr bool kMaskedStores = kVectorBytes == 64;
    return kMasksRows && row.apart == 1 && row.inside > 0 && row.n <= 4 * kLanes<T> && (kMaskedStores || (sizeof(T) >= 4 && row.n >= kLanes<T>));
}

#if defined(__AVX512BW__) || defined(__AVX2__)
// A vector of a staged row, some of whose lanes lie in the image: no others are read, and these are zero.
class MaskedVector {
public:
    // Lanes of so many bytes, from one on and before another; a few first ones are written.
    MaskedVector(int bytes, int64_t begin, int64_t end, int64_t written) {
#if defined(__AVX512BW__)
        read_ = first(end * bytes) & ~first(begin * bytes);
        write_ = first(written * bytes);
#else
        alignas(kVectorBytes) int32_t words[kVectorBytes / 4];
        for (int i = 0; i < kVectorBytes / 4; ++i) words[i] = i * 4 >= begin * bytes && i * 4 < end * bytes ? -1 : 0;
        read_ = _mm256_load_si256(reinterpret_cast<const __m256i*>(words));
#endif
    }
    void copy(void* to, const void* from) const {
#if defined(__AVX512BW__)
        _mm512_mask_storeu_epi8(to, write_, _mm512_maskz_loadu_epi8(read_, from));
#else
        _mm256_storeu_si256(static_cast<__m256i*>(to), _mm256_maskload_epi32(static_cast<const int*>(from), read_));
#endif
    }

private:
#if defined(__AVX512BW__)
    static __mmask64 first(int64_t bytes) { return bytes >= 64 ? ~__mmask64(0) : (__mmask64(1) << bytes) - 1; }
    __mmask64 read_, write_;
#else
    __m256i read_;
#endif
};

// Rows of an image whose items lie side by side, in columns of vectors; the last begins where a row then ends.
template <class T>
void stage_columns(T* to, int64_t length, const T* x, int64_t x_row, int64_t rows, const StagedRow& row) {
    constexpr int L = kLanes<T>;
    const auto within = [&](int64_t item) { return item < 0 ? 0 : item > L ? L : item; };
    for (int64_t at = 0; at < row.n; at += L) {
        if (at + L > row.n && row.n > L) at = row.n - L;
        const MaskedVector vector(sizeof(T), within(row.front - at), within(row.front + row.inside - at), within(row.n - at));
        const T* from = x + row.from - row.front + at;
        T* put = to + at;
        for (int64_t i = 0; i < rows; ++i, from += x_row, put += length) vector.copy(put, from);
    }
}

// A plane of one residue: rows of zeros, of the image, and of zeros.
template <class T>
void stage_plane(T* to, int64_t length, const T* x, const StagedRow& row, const StagedRow& column) {
    const auto put_zeros = [&](int64_t begin, int64_t end) {
        for (int64_t j = begin; j < end; ++j)
            for (int64_t k = 0; k < row.n; ++k) to[j * length + k] = T(0);
    };
    put_zeros(0, column.front);
    stage_columns(to + column.front * length, length, x + column.from, column.apart, column.inside, row);
    put_zeros(column.front + column.inside, column.n);
}
#endif

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
        const bool in_columns = s.planes[2] == 1 && has_columns<T>(rows[0]);
        const T* x = reinterpret_cast<const T*>(s.x);
        for (int64_t c = 0; c < s.channels; ++c, x += s.x_channel)
            for (int64_t p = 0; p < s.planes[0]; ++p)
                for (int64_t q = 0; q < s.planes[1]; ++q) {
                    T* in_plane = to + c * s.to_channel + ((p * s.planes[1] + q) * s.planes[2] + first) * plane;
                    for (int64_t i = 0; i < s.filled[0]; ++i) {
                        const int64_t d = s.start[0][p] + (s.first[0] + i) * s.step[0];
                        if constexpr (kMasksRows)
                            if (in_columns && d >= 0 && d < s.length[0]) {
                                const StagedRow column(s.start[1][q] + s.first[1] * s.step[1], s.step[1], s.x_stride[1], s.length[1], s.filled[1]);
                                stage_plane(in_plane + i * s.staged[1] * length, length, x + d * s.x_stride[0], rows[0], column);
                                continue;
                            }
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
