// Householder reflections of a panel of few columns, which larger QR decompositions are made of with products.
#pragma once

#include <cstdint>

#include "kernels/linear_algebra/factorizations.hpp"

namespace lamina {

// A panel has rows of kFewColumns items that lie one after another; columns that a matrix lacks hold zeros.
struct ReflectionLoops {  // float32, float64
    // QR of the first `columns` of a panel, as LAPACK packs it; `scratch` has as many items as there are rows.
    void (*reflect[2])(char* panel, int64_t rows, int64_t columns, char* scales, char* scratch);
    // The product of `count` reflections, packed in a panel, times the identity, into another panel.
    void (*product[2])(char* to, const char* panel, const char* scales, int64_t rows, int64_t count, char* scratch);
    // The vectors of reflections: what is packed below the diagonal, ones on it, and zeros above.
    void (*vectors[2])(char* to, int64_t to_row, const char* packed, int64_t row, int64_t column, int64_t rows, int64_t columns);
};

}  // namespace lamina
