// QR by blocks of reflections, and products of them.
#include "kernels/linear_algebra/reflecting.hpp"

#include <algorithm>
#include <cstring>

namespace lamina {
namespace {

const ReflectionLoops* loops;
const Registration registration([](const Loops& best) { loops = best.reflections; });

}  // namespace

Reflecting::Reflecting(const Arithmetic& by, char* scratch, int64_t rows, int64_t columns, int64_t item) : by(by), rows(rows), item(item) {
    panel = scratch;
    other = panel + kFewColumns * rows * item;
    vector = other + kFewColumns * rows * item;
    v = {vector + rows * item, kBlock, 1, item};
    u = {v.data + kBlock * rows * item, kBlock, 1, item};
    w = {u.data + kBlock * kBlock * item, columns, 1, item};
}

void Reflecting::reflect(const Part& a, int64_t height, int64_t columns, char* scales) const {
    if (columns < kFewColumns) std::memset(panel, 0, size_t(height * kFewColumns * item));
    copy(few(panel), a, height, columns);
    loops->reflect[by.type](panel, height, columns, scales, vector);
}

// U of the first `count` vectors of the block that begin `at` so many rows and columns from its corner.
void Reflecting::set_triangle(int64_t at, int64_t height, int64_t count, const char* scales) const {
    const Part vectors = v.at(at, at);
    by.multiply(u.at(at, at), vectors.turned(), vectors, count, count, height);
    for (int64_t i = 0; i < count; ++i)
        set_item(u.at(at + i, at + i), item == 4 ? 1 / reinterpret_cast<const float*>(scales)[i]
                                                 : 1 / reinterpret_cast<const double*>(scales)[i]);
}

// Q^T @ c, or Q @ c, for the product Q of `count` reflections, `at` so many rows and columns from the corner of the block.
void Reflecting::apply(const Part& c, int64_t at, int64_t height, int64_t count, int64_t columns, bool transposed) const {
    const Part vectors = v.at(at, at), triangle = u.at(at, at);
    by.multiply(w, vectors.turned(), c, count, columns, height);
    if (transposed)
        by.substitute(triangle.turned(), false, w, count, columns);
    else
        by.substitute(triangle.reversed(count, count), false, w.upwards(count), count, columns);
    by.subtract(c, vectors, w, height, columns, count);
}

// Columns begin ... end - 1 of a, which are some of the block that begins with column `first`, and their V and U.
void Reflecting::factor(const Part& a, int64_t first, int64_t begin, int64_t end, char* scales) const {
    const int64_t height = rows - begin, width = end - begin, at = begin - first;
    if (is_few(width)) {
        char* own = scales + begin * item;
        reflect(a.at(begin, begin), height, width, own);
        copy(a.at(begin, begin), few(panel), height, width);
        for (int64_t i = 0; i < at; ++i) std::memset(v.at(i, at).data, 0, size_t(width * item));
        loops->vectors[by.type](v.at(at, at).data, v.row, panel, kFewColumns, 1, height, width);
        return set_triangle(at, height, width, own);
    }
    const int64_t middle = begin + Arithmetic::half(width), to = middle - first;
    factor(a, first, begin, middle, scales);
    apply(a.at(begin, middle), at, height, middle - begin, end - middle, true);
    factor(a, first, middle, end, scales);
    by.multiply(u.at(at, to), v.at(to, at).turned(), v.at(to, to), middle - begin, end - middle, rows - middle);
}

void Reflecting::factor(const Part& a, int64_t columns, char* scales) const {
    const int64_t count = std::min(rows, columns);
    for (int64_t begin = 0; begin < count; begin += kBlock) {
        const int64_t end = std::min(begin + kBlock, count);
        factor(a, begin, begin, end, scales);
        if (end < columns) apply(a.at(begin, end), 0, rows - begin, end - begin, columns - end, true);
    }
}

// `triangular`: whether c is 0 below its diagonal, which the first rows of a block then leave out.
void Reflecting::multiply(const Part& c, const Part& packed, const char* scales, int64_t count, int64_t columns, bool triangular) const {
    for (int64_t begin = (count + kBlock - 1) / kBlock * kBlock - kBlock; begin >= 0; begin -= kBlock) {
        const int64_t width = std::min(kBlock, count - begin), height = rows - begin, left = triangular ? begin : 0;
        const Part from = packed.at(begin, begin);
        loops->vectors[by.type](v.data, v.row, from.data, from.row, from.column, height, width);
        set_triangle(0, height, width, scales + begin * item);
        apply(c.at(begin, left), 0, height, width, columns - left, false);
    }
}

void Reflecting::multiply(const Part& c, const Part& packed, const char* scales, int64_t count, int64_t columns) const {
    multiply(c, packed, scales, count, columns, false);
}

void Reflecting::product(const Part& q, const Part& packed, const char* scales, int64_t count, int64_t columns) const {
    set_identity(q, rows, columns);
    multiply(q, packed, scales, count, columns, true);
}

}  // namespace lamina
