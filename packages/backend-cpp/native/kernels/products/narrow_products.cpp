// Operands of 16 bits become float32, or pairs of bfloat16 where the processor multiplies those; results are rounded. Where it has AMX,
// bfloat16 stays what it is.
#include "kernels/products/narrow_products.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "dtypes/narrow_floats.hpp"
#include "kernels/products/panels.hpp"
#include "runtime/scratch.hpp"
#include "runtime/threads.hpp"

namespace lamina {
namespace {

constexpr int64_t kNarrow = 2, kWide = 4;      // bytes of an item, and of a float or a pair
constexpr int64_t kParallelProduct = 100000;  // multiplications from which several threads pay

// Calls row(i) for rows of so many items, on several threads where these are many.
template <class F>
void each_row(int64_t rows, int64_t items, const F& row) {
    parallel(rows, grain_of(rows, rows * items), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) row(i);
    });
}

// One operand: matrices whose lines along k are `other` items apart, in items of 2 bytes, and then of 4.
struct Operand {
    const char* data;
    int64_t length, k, other, along;  // how many lines, of how many items, and the steps between them
    int leading;
    const int64_t* shape;
    int64_t* lead;
    bool pairs;

    int64_t units() const { return pairs ? (k + 1) / 2 : k; }  // floats or pairs of a line
    bool is_along_k() const { return along == 1 || other != 1; }

    // How many matrices there are, of which none is another again.
    int64_t count() const {
        int64_t matrices = 1;
        for (int d = 0; d < leading; ++d) matrices *= lead[d] == 0 ? 1 : shape[d];
        return matrices;
    }

    // Whether the items lie as pairs already.
    bool is_ready() const {
        bool even = pairs && along == 1 && k % 2 == 0 && other % 2 == 0;
        for (int d = 0; d < leading; ++d) even = even && lead[d] % 2 == 0;
        return even;
    }

    int64_t items() const { return count() * length * k; }
    int64_t bytes() const { return is_ready() ? 0 : aligned(count() * length * units() * kWide); }

    const char* matrix(int64_t i) const {
        int64_t at = 0;
        for (int d = leading - 1; d >= 0; --d) {
            if (lead[d] == 0) continue;
            at += i % shape[d] * lead[d];
            i /= shape[d];
        }
        return data + at * kNarrow;
    }

    void convert(char* to, int code) {
        if (is_ready()) {
            other /= 2;
            for (int d = 0; d < leading; ++d) lead[d] /= 2;
            return;
        }
        const int64_t lines = is_along_k() ? length : units(), items = is_along_k() ? units() : length;
        each_row(count() * lines, items, [&](int64_t i) {
            const char* from = matrix(i / lines);
            char* row = to + i * items * kWide;
            if (pairs)
                is_along_k() ? join(row, from + i % lines * other * kNarrow) : interleave(row, from, 2 * (i % lines));
            else
                widen(reinterpret_cast<float*>(row), from + i % lines * (is_along_k() ? other : along) * kNarrow, code,
                      is_along_k() ? along : other, items);
        });
        data = to;
        int64_t step = lines * items;
        for (int d = leading - 1; d >= 0; --d) {
            if (lead[d] == 0) continue;
            lead[d] = step;
            step *= shape[d];
        }
        const bool by_k = is_along_k();
        other = by_k ? items : 1;
        along = by_k ? 1 : items;
    }

   private:
    // A line, with a zero behind an odd number of items.
    void join(char* to, const char* from) const {
        if (along == 1) {
            std::memcpy(to, from, size_t(k * kNarrow));
        } else {
            for (int64_t i = 0; i < k; ++i) std::memcpy(to + i * kNarrow, from + i * along * kNarrow, kNarrow);
        }
        if (k % 2 != 0) std::memset(to + k * kNarrow, 0, kNarrow);
    }

    // Items i and i + 1 of all lines, which lie beside each other; zeros behind the last.
    void interleave(char* to, const char* from, int64_t i) const {
        static const Narrows& narrows = *best_loops().narrows;
        const char* first = from + i * along * kNarrow;
        if (i + 1 < k) return narrows.interleave(to, kAmxPanel * kWide, first, first + along * kNarrow, length);
        std::memset(to, 0, size_t(length * kWide));
        for (int64_t j = 0; j < length; ++j) std::memcpy(to + j * kWide, first + j * kNarrow, kNarrow);
    }
};

// A product of narrow items: where they lie, and the memory that theirs and the results take.
struct NarrowProduct {
    const Product& of;
    int code;
    bool pairs = code == kBFloat16 && has_pairs();
    int64_t of_bias = of.g.bias != nullptr ? aligned(of.g.n * kWide) : 0;
    const char* bias = nullptr;  // as float32, where there is one

    ProductRow row() const { return pairs ? kOfPairs : kOfFloat32; }

    // A and B of the whole, whose steps between matrices are changed with them, or of one.
    Operand a(Product& whole) const { return {of.g.a, of.g.m, of.g.k, of.g.a_row, of.g.a_column, of.leading, of.shape, whole.a, pairs}; }
    Operand b(Product& whole) const { return {of.g.b, of.g.n, of.g.k, of.g.b_column, of.g.b_row, of.leading, of.shape, whole.b, pairs}; }
    Operand one_a(const Gemm& g) const { return {g.a, g.m, g.k, g.a_row, g.a_column, 0, nullptr, nullptr, pairs}; }
    Operand one_b(const Gemm& g) const { return {g.b, g.n, g.k, g.b_column, g.b_row, 0, nullptr, nullptr, pairs}; }

    void widen_bias(char* to) {
        if (of_bias == 0) return;
        widen(reinterpret_cast<float*>(to), of.g.bias, code, of.g.bias_stride, of.g.n);
        bias = to;
    }

    Gemm gemm_of(const Gemm& g, const Operand& a, const Operand& b, char* results) const {
        return {g.m, g.n, a.units(), a.data, b.data, bias, results, a.other, a.along, b.along, b.other, g.n, 1};
    }

    void finish(const Gemm& to, const char* results, int64_t first, int64_t last) const {
        if (to.c_column == 1 && to.c_row == to.n)
            return narrow(to.c + first * to.n * kNarrow, reinterpret_cast<const float*>(results) + first * to.n, code, 1, (last - first) * to.n);
        for (int64_t i = first; i < last; ++i)
            narrow(to.c + i * to.c_row * kNarrow, reinterpret_cast<const float*>(results) + i * to.n, code, to.c_column, to.n);
    }

    // Operands, product and results, each on all threads.
    void run_whole() {
        static const Products& products = *best_loops().products;
        Product whole = of;
        Operand left = a(whole), right = b(whole);
        const int64_t rows = of.g.m, columns = of.g.n, items = of.count * rows * columns;
        const Scratch memory(left.bytes() + right.bytes() + aligned(items * kWide) + of_bias);
        if (gemm_panels() == nullptr) throw std::bad_alloc();
        char *left_data = memory.data(), *right_data = left_data + left.bytes(), *results = right_data + right.bytes();
        widen_bias(results + aligned(items * kWide));
        {
            const WithoutGil free(left.items() + right.items() >= kReleaseGil);
            left.convert(left_data, code);
            right.convert(right_data, code);
        }
        whole.g = gemm_of(of.g, left, right, results);
        whole.item = int(kWide);
        int64_t step = rows * columns;
        for (int d = of.leading - 1; d >= 0; --d) {
            whole.c[d] = step;
            step *= of.shape[d];
        }
        whole.run(products, row());
        const WithoutGil free(items >= kReleaseGil);
        each_row(of.count * rows, columns, [&](int64_t i) {
            finish(of.at(i / rows), results + i / rows * rows * columns * kWide, i % rows, i % rows + 1);
        });
    }

    // Each product by a thread, whose caches it stays in.
    void run_each() {
        static const Products& products = *best_loops().products;
        const int64_t left_bytes = one_a(of.g).bytes(), right_bytes = one_b(of.g).bytes();
        const int64_t own = left_bytes + right_bytes + aligned(of.g.m * of.g.n * kWide), work = of.count * of.g.m * of.g.n * of.g.k;
        const int64_t slots = work < kParallelProduct ? 1 : std::min<int64_t>(num_threads(), of.count);
        const Scratch memory(slots * own + of_bias);
        widen_bias(memory.data() + slots * own);
        const WithoutGil free(work >= kReleaseGil);
        share_with_panels(of.count, slots, [&](int64_t i, int64_t slot, char* panels) {
            const Gemm g = of.at(i);
            char *data = memory.data() + slot * own, *results = data + left_bytes + right_bytes;
            Operand left = one_a(g), right = one_b(g);
            left.convert(data, code);
            right.convert(data + left_bytes, code);
            products.gemm[row()](gemm_of(g, left, right, results), panels);
            finish(g, results, 0, g.m);
        });
    }
};

void run_by_amx(Product product) {
    static const Products& products = *best_loops().products;
    if (gemm_panels() == nullptr) throw std::bad_alloc();
    product.run(products, kOfBFloat16);
}

}  // namespace

void run_narrow(const Product& product, int code) {
    if (code == kBFloat16 && has_amx()) return run_by_amx(product);
    NarrowProduct narrow_product{product, code};
    Product shared = product;
    const bool apart = narrow_product.a(shared).count() == product.count && narrow_product.b(shared).count() == product.count;
    if (apart && product.count >= 4 * num_threads())
        narrow_product.run_each();
    else
        narrow_product.run_whole();
}

}  // namespace lamina
