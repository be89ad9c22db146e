// Singular values of float32 matrices: the roots of the eigenvalues of A^T @ A, in float64, whose squares are exact enough for it. The
// right vectors V are its eigenvectors; the left ones are A @ V over the values, or where these are far apart Q of the QR of A @ V, which
// is orthogonal where values are 0, too.
//
// Where eigenvalues are off by a few units of rounding of the greatest, 1e-16 of it, singular values are off by the root of that, 1e-8 of
// the greatest: less than float32 can say of it. Golub and Van Loan, Matrix Computations, 4th ed., section 8.6.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/copies/copy.hpp"
#include "kernels/linear_algebra/reflecting.hpp"
#include "kernels/spectra/spectra.hpp"
#include "kernels/spectra/symmetric.hpp"

namespace lamina {
namespace {

const Vectors* numbers;
const Registration registration([](const Loops& best) { numbers = best.vectors; });

constexpr double kApart = 1000;      // times the least value, the greatest: its square is far below what float64 can tell of a float32
constexpr int64_t kSquareRows = 64;  // of A^T @ A at a time

void convert(const Part& to, const Part& from, int64_t n) {
    char* const p[2] = {to.data, from.data};
    const int64_t strides[2] = {to.column, from.column};
    copy_loop(to.item == 4 ? kFloat32 : kFloat64, from.item == 4 ? kFloat32 : kFloat64)(p, strides, n);
}

float& item_of(const Part& part, int64_t i, int64_t j) { return *reinterpret_cast<float*>(part.at(i, j).data); }

// m x n matrices, m >= n.
struct Shape {
    int64_t m, n, columns;  // of the left vectors
    bool vectors;
};

// One matrix and what is made of it, one after another in scratch memory.
struct Squares {
    const Shape& of;
    const Arithmetic& by;
    Part a, v, product, u, scales;               // float32
    Part wide, quotients, square, eigenvectors;  // float64
    double* eigenvalues;
    char* rest;
    double unit = 1;  // that a was multiplied by

    static int64_t singles(const Shape& of) { return of.m * of.n + (of.vectors ? (of.n + of.m + 1) * of.n + of.m * of.columns : 0); }
    static int64_t doubles(const Shape& of) { return ((of.vectors ? 2 : 1) * of.m + 2 * of.n + 1) * of.n; }
    static int64_t bytes(const Shape& of) {
        const int64_t reflecting = of.vectors ? 4 * Reflecting::scratch_of(of.m, of.columns) : 0;
        return aligned(4 * singles(of)) + aligned(8 * doubles(of)) + std::max(Symmetric<double>::scratch_of(of.n, of.vectors), reflecting);
    }
    static int64_t terms(const Shape& of) {
        return std::max(2 * Symmetric<double>::terms_of(of.n, of.vectors), of.vectors ? Reflecting::terms_of(of.columns) : 0);
    }

    Squares(const Shape& of, const Arithmetic& by, char* scratch) : of(of), by(by) {
        const int64_t n = of.n;
        a = {scratch, n, 1, 4};
        v = a.at(of.m, 0);
        product = v.at(n, 0);
        u = {product.at(of.m, 0).data, of.columns, 1, 4};
        scales = {u.at(of.m, 0).data, n, 1, 4};
        wide = {scratch + aligned(4 * singles(of)), n, 1, 8};
        quotients = of.vectors ? wide.at(of.m, 0) : wide;
        square = quotients.at(of.m, 0);
        eigenvectors = square.at(n, 0);
        eigenvalues = reinterpret_cast<double*>(eigenvectors.at(n, 0).data);
        rest = wide.data + aligned(8 * doubles(of));
    }

    // Descending. False where a number is not finite.
    bool find_values(const Part& x, float* values) {
        const int64_t items = of.m * of.n, n = of.n;
        copy(a, x, of.m, n);
        const double most = numbers->totals[2][0](a.data, items);
        if (!(most <= double(std::numeric_limits<float>::max()))) return false;
        int exponent = 0;
        std::frexp(most, &exponent);
        unit = std::ldexp(1.0, std::max(-exponent, -126));
        numbers->scale[0](a.data, items, unit);
        convert(wide, a, items);
        for (int64_t i = 0; i < n; i += kSquareRows) {  // to the diagonal
            const int64_t end = std::min(i + kSquareRows, n);
            in_double().multiply(square.at(i, 0), wide.turned().at(i, 0), wide, end - i, end, of.m);
        }
        const Part wanted{of.vectors ? eigenvectors.data : nullptr, n, 1, 8};
        if (!Symmetric<double>::solve(in_double(), square, n, eigenvalues, wanted, rest)) return false;
        for (int64_t j = 0; j < n; ++j) values[j] = float(std::sqrt(std::max(eigenvalues[n - 1 - j], 0.0)) / unit);
        return true;
    }

    // Columns of v and u.
    void find_vectors() const {
        for (int64_t i = 0; i < of.n; ++i) convert(v.at(i, 0), descending(eigenvectors, i), of.n);
        const double greatest = eigenvalues[of.n - 1];
        if (of.columns == of.n && greatest <= kApart * kApart * eigenvalues[0] && greatest > 0)
            divide();
        else
            orthogonalize();
    }

   private:
    Arithmetic in_double() const {
        Arithmetic wider = by;
        wider.type = 1;
        return wider;
    }

    Part descending(const Part& x, int64_t i) const { return {x.at(i, of.n - 1).data, of.n, -1, 8}; }

    // u = A @ (V / values).
    void divide() const {
        const int64_t n = of.n;
        double* const scaled = reinterpret_cast<double*>(eigenvectors.data);
        for (int64_t j = 0; j < n; ++j) eigenvalues[j] = 1 / std::sqrt(eigenvalues[j]);
        for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j) scaled[i * n + j] *= eigenvalues[j];
        in_double().multiply(quotients, wide, eigenvectors, of.m, n, n);
        for (int64_t i = 0; i < of.m; ++i) convert(u.at(i, 0), descending(quotients, i), n);
    }

    // u is Q of the QR of A @ V.
    void orthogonalize() const {
        const int64_t m = of.m, n = of.n;
        by.multiply(product, a, v, m, n, n);
        // What is shorter than its rounding has no direction: any that is orthogonal to the others will do.
        constexpr double kRounding = std::numeric_limits<float>::epsilon();
        const double least = eigenvalues[n - 1] * kRounding * kRounding;
        const int64_t directed = std::count_if(eigenvalues, eigenvalues + n, [=](double value) { return value > least; });
        for (int64_t i = 0; i < m; ++i) std::memset(product.at(i, directed).data, 0, size_t(n - directed) * 4);
        const Reflecting reflecting(by, rest, m, of.columns, 4);
        reflecting.factor(product, n, scales.data);
        reflecting.product(u, product, scales.data, n, of.columns);
        for (int64_t j = 0; j < n; ++j) item_of(scales, 0, j) = std::copysign(1.0f, item_of(product, j, j));
        for (int64_t i = 0; i < n; ++i)
            for (int64_t j = 0; j < n; ++j) item_of(v, i, j) *= item_of(scales, 0, j);
    }
};

}  // namespace

bool singular_values_by_squares(const Stack& stack, const View& x, const View* u, const View& values, const View* vh) {
    const bool wide = stack.rows() < stack.columns();
    const int64_t m = std::max(stack.rows(), stack.columns()), n = std::min(stack.rows(), stack.columns());
    const bool full = u != nullptr && u->g.shape[stack.lead + 1] == stack.rows() && vh->g.shape[stack.lead] == stack.columns();
    const Shape of{m, n, full ? m : n, u != nullptr};
    const int64_t own = aligned(4 * n);
    std::atomic<bool> good{true};
    stack.each(Squares::terms(of), (own + Squares::bytes(of)) / 4, 20 * m * n * n, [&](int64_t i, const Arithmetic& by, char* scratch) {
        if (!good.load(std::memory_order_relaxed)) return;
        const Part part = stack.part(x, i);
        float* const found = reinterpret_cast<float*>(scratch);
        Squares squares(of, by, scratch + own);
        if (!squares.find_values(wide ? part.turned() : part, found)) {
            good = false;
            return;
        }
        copy(vector_of(stack, values, i), {scratch, 0, 1, 4}, 1, n);
        if (u == nullptr) return;
        squares.find_vectors();
        const Part left = stack.part(*u, i), right = stack.part(*vh, i);
        by.place(wide ? right.turned() : left, squares.u, m, of.columns);
        by.place(wide ? left : right.turned(), squares.v, n, n);
    });
    return good;
}

}  // namespace lamina
