// Stacks of real matrices, parts of one, and arithmetic on parts with scratch of each thread: what all factorizations are made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "kernels/linear_algebra/factorizations.hpp"
#include "runtime/kernel.hpp"
#include "runtime/parameters.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"

namespace lamina {

// Part of a matrix: the address of its first item, and the steps to the next row and column in items.
struct Part {
    char* data;
    int64_t row, column;
    int64_t item;

    Part at(int64_t i, int64_t j) const { return {data + (i * row + j * column) * item, row, column, item}; }
    Part turned() const { return {data, column, row, item}; }
    // The last row and column first: an upper triangle is a lower one then.
    Part reversed(int64_t rows, int64_t columns) const {
        return {data + ((rows - 1) * row + (columns - 1) * column) * item, -row, -column, item};
    }
    // The last row first.
    Part upwards(int64_t rows) const { return {data + (rows - 1) * row * item, -row, column, item}; }
};

bool adjacent(const View& v);  // whether the items of a row are
void copy(const Part& to, const Part& from, int64_t rows, int64_t columns);
void fill_nan(const Part& to, int64_t rows, int64_t columns);
void set_item(const Part& to, double value);                      // the first
void set_identity(const Part& to, int64_t rows, int64_t columns);  // for adjacent columns

// Of the parts of one matrix, with scratch memory of its own: for what is subtracted, and for the products of each thread.
struct Arithmetic {
    int type;  // float32, float64
    char* terms;
    char* scratch;
    int64_t threads;  // that products may use
    const FactorLoops& steps;
    const Products& products;
    const Transposes& transposes;

    // The least size of `terms`, in items, for matrices of `rows` and `columns`, the latter with those of right sides.
    static int64_t terms_of(int64_t rows, int64_t columns) {
        return rows <= kFewColumns ? 0 : std::max((rows / 2 + kFewColumns) * columns, rows * kFewColumns);
    }

    static int64_t half(int64_t n) { return (n / 2 + kFewColumns - 1) / kFewColumns * kFewColumns; }

    // c = a @ b, for (m, k) and (k, n) with adjacent columns of b and c.
    void multiply(const Part& c, const Part& a, const Part& b, int64_t m, int64_t n, int64_t k) const;

    // c -= a @ b, the same.
    void subtract(const Part& c, const Part& a, const Part& b, int64_t m, int64_t n, int64_t k) const;

    // Row r of `from`, (rows, columns) with adjacent columns, to column r of `to`, likewise.
    void transpose(const Part& to, const Part& from, int64_t rows, int64_t columns) const {
        transposes.of[from.item == 4 ? 2 : 3](to.data, to.row, from.data, from.row, rows, columns);
    }

    // Rows of adjacent items to wherever a result lies: column by column, as most do, or otherwise.
    void place(const Part& to, const Part& from, int64_t rows, int64_t columns) const;

    // x of l @ x = x, for the lower triangle of l (n, n) and adjacent columns of x.
    void substitute(const Part& l, bool unit, const Part& x, int64_t n, int64_t columns) const;
};

// Stacks of matrices of equal leading axes, and what each thread needs for one of them.
struct Stack {
    const Call& call;
    int64_t count = 1, item = 0;
    int code = -1, lead = 0;
    const View* shaped = nullptr;

    // Reads the matrices that give the stack its shape, the first input of so many arrays; false where their dtype is not served.
    bool begin(const Kernel& kernel, View& x, Py_ssize_t arrays, Py_ssize_t keywords);

    // That a view has the stack's leading axes, and then these.
    void require(const View& v, const char* name, int dtype, std::initializer_list<int64_t> own) const;

    int64_t rows() const { return shaped->g.shape[lead]; }
    int64_t columns() const { return shaped->g.shape[lead + 1]; }

    int64_t offset(const View& v, int64_t i) const;  // of matrix i, in items

    Part part(const View& v, int64_t i) const {
        return {v.data + offset(v, i) * item, v.g.strides[lead], v.g.strides[lead + 1], item};
    }

    template <class T>
    T* of(const View& v, int64_t i) const {
        return reinterpret_cast<T*>(v.data) + offset(v, i);
    }

    // Calls task(i, arithmetic, scratch) for each matrix, whose scratch for `terms` and `more` items is its thread's.
    template <class F>
    void each(int64_t terms, int64_t more, int64_t work, const F& task) const {
        const int threads = num_threads();
        const bool divided = work < 200000 || count >= 2 * threads;  // the stack is, else the products of a large matrix
        const int64_t slots = !divided || count * work < 100000 ? 1 : std::min<int64_t>(threads, count);
        const int64_t own = aligned((terms + more) * item), scratch = terms == 0 ? 0 : kGemmScratch * (slots > 1 ? 1 : threads);
        const Scratch memory(slots * (own + scratch));
        const WithoutGil free(count * work >= kReleaseGil);
        share(count, slots, [&](int64_t i, int64_t slot) {
            char* start = memory.data() + slot * (own + scratch);
            task(i, arithmetic(start, start + own, slots > 1 ? 1 : threads), start + terms * item);
        });
    }

   private:
    Arithmetic arithmetic(char* terms, char* scratch, int64_t threads) const;
};

}  // namespace lamina
