// Steps of factorizations over few rows or columns, which larger ones are made of with products; matrices by row, all steps in items.
#pragma once

#include <cstdint>

namespace lamina {

constexpr int64_t kFewColumns = 8;  // that a step takes at once

struct FactorLoops {  // float32, float64
    // LU of columns `begin` to `end` of an m x n matrix whose rows lie `row` apart, from row `begin` on. Exchanges whole rows, and
    // counts pivots from 1; gives the first pivot that is 0, or 0. `scratch` is that of m rows of kFewColumns items.
    int64_t (*lu[2])(char* a, int64_t m, int64_t n, int64_t row, int64_t begin, int64_t end, int32_t* pivots, bool pivot, char* scratch);
    // The lower Cholesky factor of the lower triangle of n x n; gives the first minor that is not positive, or 0.
    int64_t (*cholesky[2])(char* a, int64_t n, int64_t row);
    // n rows of x become those of L @ x = x, for the lower triangle of L.
    void (*substitute[2])(const char* l, int64_t row, int64_t column, bool unit, char* x, int64_t x_row, int64_t n, int64_t columns);
    // The same for any n and few columns; `scratch` is that of n rows of kFewColumns items.
    void (*substitute_few[2])(const char* l, int64_t row, int64_t column, bool unit, char* x, int64_t x_row, int64_t n, int64_t columns,
                              char* scratch);
    // Rows of adjacent items, negated, to where they lie one after another.
    void (*negate[2])(char* to, const char* from, int64_t row, int64_t rows, int64_t columns);
};

}  // namespace lamina
