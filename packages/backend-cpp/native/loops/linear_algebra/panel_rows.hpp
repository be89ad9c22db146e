// Rows of a panel, a matrix of few columns: one vector each, or two or four of those that the processor has.
#pragma once

#include "kernels/linear_algebra/factorizations.hpp"
#include "loops/vectors/simd.hpp"

namespace lamina::LAMINA_ISA {

template <class T>
struct PanelRow {
    static constexpr int N = int(kFewColumns), L = kLanes<T> < N ? kLanes<T> : N, V = N / L;
    typedef T Part __attribute__((vector_size(L * sizeof(T))));
    Part parts[V];

    static PanelRow at(const T* from) {
        PanelRow row;
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) std::memcpy(&row.parts[v], from + v * L, sizeof(Part));
        return row;
    }
    void to(T* where) const {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) std::memcpy(where + v * L, &parts[v], sizeof(Part));
    }
    void add(T factor, const PanelRow& other) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) parts[v] += factor * other.parts[v];
    }
    void subtract(T factor, const PanelRow& other) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) parts[v] -= factor * other.parts[v];
    }
    void divide(T divisor) {
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) parts[v] /= divisor;
    }
};

}  // namespace lamina::LAMINA_ISA
