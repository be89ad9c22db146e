// A matrix product over leading axes: the strides of each, and how large ones are divided among threads.
#pragma once

#include <cstdint>

#include "loops/loops.hpp"
#include "runtime/operand.hpp"

namespace lamina {

struct Product {
    Gemm g;
    int item;
    int leading = 0;  // axes of products side by side
    int64_t count = 1;
    int64_t shape[kMaxDims], a[kMaxDims], b[kMaxDims], c[kMaxDims];

    void add_leading(int64_t n, int64_t a_stride, int64_t b_stride, int64_t c_stride) {
        count *= n;
        if (n == 1) return;
        shape[leading] = n;
        a[leading] = a_stride;
        b[leading] = b_stride;
        c[leading++] = c_stride;
    }

    // Leading axes along which b is the same, and a and c go on evenly, are more rows.
    void rows_from_leading() {
        while (leading > 0) {
            const int d = leading - 1;
            if (b[d] != 0 || a[d] != g.a_row * g.m || c[d] != g.c_row * g.m) return;
            g.m *= shape[d];
            count /= shape[d];
            --leading;
        }
    }

    Gemm at(int64_t i) const;

    void run(const Products& products, int row);

   private:
    using GemmLoop = void (*)(const Gemm&, char*);

    void run_each(GemmLoop loop, double work) const;
    void look_ahead(Gemm& one, const Gemm& next) const;
    void run_divided(const Products& products, int row, const Gemm& one) const;
    Gemm rows_of(Gemm one, int64_t first, int64_t some) const;
    Gemm columns_of(Gemm one, int64_t first, int64_t some) const;
};

}  // namespace lamina
