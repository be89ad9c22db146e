// Recurrent cells: products of a few rows with packed weights, kept in registers, and the cell's formula at once behind them.
#include "kernels/fused/recurrence.hpp"

#include "loops/fused/passes.hpp"
#include "loops/tables.hpp"

namespace lamina::LAMINA_ISA {
namespace cells {

constexpr int kRows = 6;
template <class T>
constexpr int kUnits = 2 * kLanes<T>;

template <class T>
const T* items(const char* bytes) {
    return reinterpret_cast<const T*>(bytes);
}
template <class T>
T* items(char* bytes) {
    return reinterpret_cast<T*>(bytes);
}

inline F32 logistic(const F32& x) { return vsigmoid(x); }
inline F32 hyperbolic(const F32& x) { return vtanh(x); }
inline F64 logistic(const F64& x) { return dsigmoid(x); }
inline F64 hyperbolic(const F64& x) { return dtanh(x); }

template <class T>
void pack(char* bytes, const char* from, int64_t k, int64_t k_stride, int64_t column_stride, int64_t columns) {
    T* to = items<T>(bytes);
    const T* w = items<T>(from);
    for (int64_t j = 0; j < kUnits<T>; ++j) {
        if (j >= columns)
            for (int64_t i = 0; i < k; ++i) to[i * kUnits<T> + j] = 0;
        else
            for (int64_t i = 0; i < k; ++i) to[i * kUnits<T> + j] = w[i * k_stride + j * column_stride];
    }
}

// R rows of a, `stride` apart, times one panel.
template <class T, int R>
inline void product(const T* a, int64_t stride, const T* panel, int64_t k, T* sums) {
    constexpr int L = kLanes<T>;
    Vec<T> found[R][2];
    for (int r = 0; r < R; ++r) found[r][0] = found[r][1] = Vec<T>{};
    for (int64_t i = 0; i < k; ++i, panel += 2 * L) {
        const Vec<T> left = load(panel), right = load(panel + L);
#pragma GCC unroll 6
        for (int r = 0; r < R; ++r) {
            const T x = a[r * stride + i];
            found[r][0] += x * left;
            found[r][1] += x * right;
        }
    }
    for (int r = 0; r < R; ++r) {
        store<T>(sums + r * 2 * L, found[r][0]);
        store<T>(sums + r * 2 * L + L, found[r][1]);
    }
}

template <class T>
inline void products(int64_t rows, const T* a, int64_t stride, const T* panel, int64_t k, T* sums) {
    switch (rows) {
        case 1: return product<T, 1>(a, stride, panel, k, sums);
        case 2: return product<T, 2>(a, stride, panel, k, sums);
        case 3: return product<T, 3>(a, stride, panel, k, sums);
        case 4: return product<T, 4>(a, stride, panel, k, sums);
        case 5: return product<T, 5>(a, stride, panel, k, sums);
        default: return product<T, 6>(a, stride, panel, k, sums);
    }
}

// Some items of a row of units.
template <class T>
struct Part {
    int64_t at, count;  // at most a vector

    Vec<T> of(const T* row) const { return count == kLanes<T> ? load(row + at) : load_some(row + at, count, T(0)); }
    void put(T* row, const Vec<T>& v) const {
        if (count == kLanes<T>)
            store<T>(row + at, v);
        else
            store_some<T>(row + at, v, count);
    }
};

// Calls f(row, part, lane) for the vectors of a block of units.
template <class T, class F>
inline void over_parts(int64_t rows, int64_t block, int64_t hidden, const F& f) {
    constexpr int L = kLanes<T>;
    for (int64_t r = 0; r < rows; ++r)
        for (int half = 0; half < 2; ++half) {
            const int64_t at = block * kUnits<T> + half * L;
            if (at >= hidden) continue;
            f(r, Part<T>{at, hidden - at < L ? hidden - at : L}, half * L);
        }
}

template <class T, int kMode>
void step(const CellStep& s) {
    constexpr int G = gates_of(kMode), C = kUnits<T>;
    const int64_t n = s.hidden, blocks = (n + C - 1) / C;
    const T *given = items<T>(s.given), *before = items<T>(s.before), *panels = items<T>(s.panels), *bias = items<T>(s.bias);
    T *after = items<T>(s.after), *kept = items<T>(s.kept);
    T sums[G][kRows * C];
    const int64_t tiles = (s.rows + kRows - 1) / kRows;  // of much the same height: few rows at once are slower
    for (int64_t block = s.first_block; block < s.last_block; ++block)
        for (int64_t tile = 0; tile < tiles; ++tile) {
            const int64_t row = tile * s.rows / tiles, rows = (tile + 1) * s.rows / tiles - row;
            for (int g = 0; g < G; ++g) products<T>(rows, before + row * s.before_row, s.before_row, panels + (g * blocks + block) * C * n, n, sums[g]);
            over_parts<T>(rows, block, n, [&](int64_t r, const Part<T>& part, int lane) {
                const int64_t line = row + r;
                const T* in = given + line * s.given_row;
                Vec<T> share[G];
                for (int g = 0; g < G; ++g) {
                    share[g] = load(sums[g] + r * C + lane);
                    if (bias != nullptr) share[g] += part.of(bias + g * n);
                }
                if constexpr (kMode == kRnnTanh) {
                    part.put(after + line * n, hyperbolic(share[0] + part.of(in)));
                } else if constexpr (kMode == kRnnRelu) {
                    const Vec<T> x = share[0] + part.of(in);
                    part.put(after + line * n, (x > T(0)) | (x != x) ? x : Vec<T>{});
                } else if constexpr (kMode == kLstm) {
                    T* keep = kept + line * 4 * n;
                    const Vec<T> i = logistic(share[0] + part.of(in)), f = logistic(share[1] + part.of(in + n));
                    const Vec<T> c = hyperbolic(share[2] + part.of(in + 2 * n)), o = logistic(share[3] + part.of(in + 3 * n));
                    const Vec<T> cell = f * part.of(items<T>(s.cells_before) + line * s.cells_row) + i * c;
                    part.put(keep, i);
                    part.put(keep + n, f);
                    part.put(keep + 2 * n, c);
                    part.put(keep + 3 * n, o);
                    part.put(items<T>(s.cells) + line * n, cell);
                    part.put(after + line * n, o * hyperbolic(cell));
                } else {
                    T* keep = kept + line * 4 * n;
                    const Vec<T> r_gate = logistic(share[0] + part.of(in)), z = logistic(share[1] + part.of(in + n));
                    const Vec<T> fresh = hyperbolic(part.of(in + 2 * n) + r_gate * share[2]);
                    part.put(keep, r_gate);
                    part.put(keep + n, z);
                    part.put(keep + 2 * n, fresh);
                    part.put(keep + 3 * n, share[2]);
                    part.put(after + line * n, fresh + z * (part.of(before + line * s.before_row) - fresh));
                }
            });
        }
}

template <class T, int kMode>
void gradient_of_gates(const CellGradient& s) {
    constexpr int G = gates_of(kMode);
    const int64_t n = s.hidden;
    const T *gradient = items<T>(s.gradient), *kept = items<T>(s.kept), *after = items<T>(s.after);
    T *out = items<T>(s.of_given), *state = items<T>(s.state);
    for (int64_t block = s.first_block; block < s.last_block; ++block)
        over_parts<T>(s.rows, block, n, [&](int64_t line, const Part<T>& part, int) {
            Vec<T> h = part.of(state + line * n);
            if (gradient != nullptr) h += part.of(gradient + line * s.gradient_row);
            T* to = out + line * G * n;
            if constexpr (kMode == kRnnTanh) {
                const Vec<T> y = part.of(after + line * n);
                part.put(to, h * (T(1) - y * y));
                part.put(state + line * n, Vec<T>{});
            } else if constexpr (kMode == kRnnRelu) {
                part.put(to, part.of(after + line * n) > T(0) ? h : Vec<T>{});
                part.put(state + line * n, Vec<T>{});
            } else if constexpr (kMode == kLstm) {
                const T* keep = kept + line * 4 * n;
                T* cell_state = items<T>(s.cell_state) + line * n;
                const Vec<T> i = part.of(keep), f = part.of(keep + n), c = part.of(keep + 2 * n), o = part.of(keep + 3 * n);
                const Vec<T> top = hyperbolic(part.of(items<T>(s.cells) + line * n));
                const Vec<T> cell = part.of(cell_state) + h * o * (T(1) - top * top);
                part.put(to, cell * c * i * (T(1) - i));
                part.put(to + n, cell * part.of(items<T>(s.cells_before) + line * s.cells_row) * f * (T(1) - f));
                part.put(to + 2 * n, cell * i * (T(1) - c * c));
                part.put(to + 3 * n, h * top * o * (T(1) - o));
                part.put(cell_state, cell * f);
                part.put(state + line * n, Vec<T>{});
            } else {
                const T* keep = kept + line * 4 * n;
                T* hidden = items<T>(s.of_hidden) + line * 3 * n;
                const Vec<T> r = part.of(keep), z = part.of(keep + n), fresh = part.of(keep + 2 * n), share = part.of(keep + 3 * n);
                const Vec<T> of_fresh = h * (T(1) - z) * (T(1) - fresh * fresh);
                const Vec<T> of_r = of_fresh * share * r * (T(1) - r);
                const Vec<T> of_z = h * (part.of(items<T>(s.before) + line * s.before_row) - fresh) * z * (T(1) - z);
                part.put(to, of_r);
                part.put(to + n, of_z);
                part.put(to + 2 * n, of_fresh);
                part.put(hidden, of_r);
                part.put(hidden + n, of_z);
                part.put(hidden + 2 * n, of_fresh * r);
                part.put(state + line * n, h * z);
            }
        });
}

template <class T, int kMode>
void gradient_of_state(const CellGradient& s) {
    constexpr int G = gates_of(kMode), C = kUnits<T>;
    const int64_t n = s.hidden, k = G * n;
    const T* gates = items<T>(kMode == kGru ? s.of_hidden : s.of_given);
    T* state = items<T>(s.state);
    T sums[kRows * C];
    const int64_t tiles = (s.rows + kRows - 1) / kRows;  // of much the same height: few rows at once are slower
    for (int64_t block = s.first_block; block < s.last_block; ++block)
        for (int64_t tile = 0; tile < tiles; ++tile) {
            const int64_t row = tile * s.rows / tiles, rows = (tile + 1) * s.rows / tiles - row;
            products<T>(rows, gates + row * k, k, items<T>(s.panels) + block * C * k, k, sums);
            over_parts<T>(rows, block, n, [&](int64_t r, const Part<T>& part, int lane) {
                T* line = state + (row + r) * n;
                part.put(line, part.of(line) + load(sums + r * C + lane));
            });
        }
}

template <class T>
constexpr RecurrenceLoops loops_of() {
    return {kUnits<T>,
            pack<T>,
            {step<T, 0>, step<T, 1>, step<T, 2>, step<T, 3>},
            {gradient_of_gates<T, 0>, gradient_of_gates<T, 1>, gradient_of_gates<T, 2>, gradient_of_gates<T, 3>},
            {gradient_of_state<T, 0>, gradient_of_state<T, 1>, gradient_of_state<T, 2>, gradient_of_state<T, 3>}};
}

}  // namespace cells

extern const Recurrences recurrences = {{cells::loops_of<float>(), cells::loops_of<double>()}};

}  // namespace lamina::LAMINA_ISA
