// Windows of a plane as lanes: some of a row of windows at once, tap by tap.
#pragma once

#include "loops/convolutions/taps.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {

// Calls visit(z, y) for the rows of x that a row of windows sees.
template <class F>
inline void each_row(const Pool& p, int64_t d, int64_t h, const F& visit) {
    for (int64_t i = 0; i < p.kernel[0]; ++i) {
        const int64_t z = d * p.stride[0] - p.padding[0] + i * p.dilation[0];
        if (z < 0 || z >= p.length[0]) continue;
        for (int64_t j = 0; j < p.kernel[1]; ++j) {
            const int64_t y = h * p.stride[1] - p.padding[1] + j * p.dilation[1];
            if (y >= 0 && y < p.length[1]) visit(z, y);
        }
    }
}

// Windows first .. first + some of each row, whose taps are S items apart in memory (0: any number). At an edge there are fewer than lanes,
// or some taps lie outside of the row.
template <class T, int S, bool Edge>
class PooledRows {
public:
    PooledRows(const Pool& p, int64_t first, int64_t some) : p_(p), first_(first), some_(some) {
        for (int k = 0; k < kKept && k < p.kernel[2]; ++k) kept_[k] = reader(k);
    }

    // Calls visit(items, lanes whose windows have this tap, where the tap of the first window is in the plane) for all taps of windows in
    // one row of them. What there is no tap for is 0.
    template <class F>
    void each_tap(int64_t d, int64_t h, const F& visit) const {
        each_row(p_, d, h, [&](int64_t z, int64_t y) {
            const T* row = reinterpret_cast<const T*>(p_.x) + z * p_.x_stride[0] + y * p_.x_stride[1];
            const int64_t place = (z * p_.length[1] + y) * p_.length[2];
            const int64_t kept = p_.kernel[2] < kKept ? p_.kernel[2] : kKept;
            for (int64_t k = 0; k < kept; ++k) visit(items(kept_[k], row), kept_[k].there, place + kept_[k].at);
            for (int64_t k = kept; k < p_.kernel[2]; ++k) {
                const Reader tap = reader(k);
                visit(items(tap, row), tap.there, place + tap.at);
            }
        });
    }

private:
    struct Reader {
        int64_t at;  // of the first window's tap, in the row
        Tap<T, S, Edge> tap;
        Lanes<T> there;
    };

    Reader reader(int64_t k) const {
        const int64_t step = p_.stride[2], apart = p_.x_stride[2], length = p_.length[2];
        Reader made;
        made.at = first_ * step - p_.padding[2] + k * p_.dilation[2];
        const int64_t behind = made.at + (some_ - 1) * step + 1, end = behind < length ? behind : length;
        if (S > 0) made.tap.ready(made.at * apart, step * apart, (end - 1) * apart + 1);
        if (!Edge) return made;
        const int64_t begin = made.at < 0 ? (-made.at + step - 1) / step : 0;
        made.there = lanes_within<T>(begin, made.at < end ? (end - made.at + step - 1) / step : 0);
        return made;
    }

    Vec<T> items(const Reader& reader, const T* row) const {
        if constexpr (S > 0) return reader.tap.read(row + reader.tap.at);
        const int64_t apart = p_.stride[2] * p_.x_stride[2];
        const T* from = row + reader.at * p_.x_stride[2];
        Vec<T> v = {};
        for (int l = 0; l < kLanes<T>; ++l)
            if (!Edge || reader.there[l]) v[l] = from[l * apart];
        return v;
    }

    static constexpr int kKept = 8;
    const Pool& p_;
    int64_t first_, some_;
    Reader kept_[kKept];
};

// Calls visit(rows, first window, windows) for the rows of a plane, so many windows of each at a time as there are lanes.
template <class T, class F>
inline void in_lanes(const Pool& p, const F& visit) {
    constexpr int64_t L = kLanes<T>;
    const int64_t apart = p.stride[2] * p.x_stride[2];
    const auto with = [&](auto edge, int64_t first, int64_t some) {
        constexpr bool kEdge = decltype(edge)::value;
        if (apart == 1)
            visit(PooledRows<T, 1, kEdge>(p, first, some), edge, first, some);
        else if (apart == 2)
            visit(PooledRows<T, 2, kEdge>(p, first, some), edge, first, some);
        else
            visit(PooledRows<T, 0, kEdge>(p, first, some), edge, first, some);
    };
    for (int64_t first = 0; first < p.count[2]; first += L) {
        const int64_t some = p.count[2] - first < L ? p.count[2] - first : L, at = first * p.stride[2] - p.padding[2];
        const int64_t last = at + (p.kernel[2] - 1) * p.dilation[2] + (L - 1) * p.stride[2];
        if (some == L && at >= 0 && last < p.length[2])
            with(std::false_type(), first, some);
        else
            with(std::true_type(), first, some);
    }
}

// Indices, of which there may be fewer than lanes, some items apart.
template <class T>
inline void put_indices(int64_t* to, const Lanes<T>& indices, int64_t some, int64_t apart) {
    constexpr int L = kLanes<T>;
    int64_t wide[L];
    for (int l = 0; l < L; ++l) wide[l] = indices[l];
    if (apart != 1) {
        for (int64_t l = 0; l < some; ++l) to[l * apart] = wide[l];
        return;
    }
    constexpr int W = kLanes<int64_t>;
    for (int l = 0; l < L && l < some; l += W) put_items(to + l, load(wide + l), some - l);
}

}  // namespace lamina::LAMINA_ISA
