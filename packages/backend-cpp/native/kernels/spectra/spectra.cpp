// eigh, eigvalsh, svd and svdvals of real matrices. What is left to the inherited kernels, which write all results again: singular values
// of large matrices of float64, and what is not finite, of which LAPACK has to say what fails.
#include "kernels/spectra/spectra.hpp"

#include <algorithm>

namespace lamina {
namespace {

// Whether rotations, which take many matrices at once, are quicker than what takes one after another: halves and squares, or LAPACK.
bool rotations_pay(int64_t n, int64_t most, int64_t count) { return n <= most && 5 * count > 3 * (n - 8); }
bool rotations_beat_lapack(int64_t n, int64_t count) { return n <= 32 && 4 * count > n - 8; }

bool run_eigenvalues(const Kernel& kernel, const Call& call) {
    const bool alone = kernel.index != 0;
    View values, vectors, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, 1)) return false;
    const int64_t n = stack.rows();
    const bool upper = bool_of(call, "upper");
    values.read(alone ? call.positional[0] : result_of(call, 0, 2), true, call.op);
    if (!alone) vectors.read(result_of(call, 1, 2), true, call.op);
    stack.require(x, "x", x.code, {n, n});
    stack.require(values, "the eigenvalues", x.code, {n});
    if (!alone) stack.require(vectors, "the eigenvectors", x.code, {n, n});
    if (n == 0 || may_meet(values, x) || (!alone && may_meet(vectors, x))) return false;
    const View* to = alone ? nullptr : &vectors;
    const auto solve = [&](auto type) {
        using T = decltype(type);
        if (rotations_pay(n, sizeof(T) == 4 ? 24 : 16, stack.count)) return eigenvalues_by_rotations<T>(stack, x, values, to, upper);
        return n > kFewColumns && eigenvalues_by_halves<T>(stack, x, values, to, upper);
    };
    return x.code == kFloat32 ? solve(float()) : solve(double());
}

bool run_singular_values(const Kernel& kernel, const Call& call) {
    const bool alone = kernel.index != 0;
    View u, values, vh, x;
    Stack stack{call};
    if (!stack.begin(kernel, x, 2, alone ? 0 : 1)) return false;
    const int64_t m = stack.rows(), n = stack.columns(), least = std::min(m, n), most = std::max(m, n);
    const bool full = !alone && bool_of(call, "full_matrices");
    values.read(alone ? call.positional[0] : result_of(call, 1, 3), true, call.op);
    stack.require(values, "the singular values", x.code, {least});
    if (!alone) {
        u.read(result_of(call, 0, 3), true, call.op);
        vh.read(result_of(call, 2, 3), true, call.op);
        stack.require(u, "u", x.code, {m, full ? m : least});
        stack.require(vh, "vh", x.code, {full ? n : least, n});
    }
    if (least == 0 || may_meet(values, x) || (!alone && (may_meet(u, x) || may_meet(vh, x)))) return false;
    const View *left = alone ? nullptr : &u, *right = alone ? nullptr : &vh;
    const bool thin = !full || m == n;
    if (x.code == kFloat64)
        return thin && rotations_beat_lapack(most, stack.count) && singular_values_by_rotations<double>(stack, x, left, values, right);
    if (thin && rotations_pay(most, 32, stack.count)) return singular_values_by_rotations<float>(stack, x, left, values, right);
    return least > kFewColumns && singular_values_by_squares(stack, x, left, values, right);
}

const Registration registration([](const Loops&) {
    for (const int code : {kFloat32, kFloat64})
        for (const bool alone : {false, true}) {
            Kernel& eigen = kernel_named(alone ? "eigvalsh" : "eigh", run_eigenvalues);
            eigen.rows[code] = kServed;
            eigen.index = alone;
            Kernel& singular = kernel_named(alone ? "svdvals" : "svd", run_singular_values);
            singular.rows[code] = kServed;
            singular.index = alone;
        }
});

}  // namespace
}  // namespace lamina
