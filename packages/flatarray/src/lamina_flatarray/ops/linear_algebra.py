"""Matrix products, Fourier transforms and factorizations."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # -- matmul --------------------------------------------------------------------------------------------------
    Op("matmul", "matmul", "a b", "arithmetic", "matrix product over leading axes", required=True),
    # -- fft -----------------------------------------------------------------------------------------------------
    Op("fft_c2c", "fft", "x: axis inverse scale", "complex",
       "out[k] = scale * sum of x[j] exp(-2 pi i j k / n); with the other sign where inverse", aten="_fft_c2c", samples="fft_c2c"),
    Op("fft_r2c", "fft", "x: axis scale", "real_to_complex",
       "the first n // 2 + 1 items of the forward transform of a real x; the others are their conjugates",
       aten="_fft_r2c", samples="fft_r2c"),
    Op("fft_c2r", "fft", "x: axis n scale", "complex_to_real",
       "the n real items whose inverse transform begins with x, of length n // 2 + 1", aten="_fft_c2r", samples="fft_c2r"),
    # -- linalg: several results come in a tuple; info is int32 per matrix, 0 for success ------------------------
    Op("cholesky_ex", "linalg", "x: upper", "factor",
       "L of L @ L^H (U of U^H @ U), and the order of the first leading minor that is not positive",
       outputs=2, aten="linalg_cholesky_ex", batching="items"),
    Op("lu_factor_ex", "linalg", "x: pivot", "factor",
       "L below and U on and above the diagonal; int32 pivots, the row (from 1) that each row was exchanged with; which pivot "
       "is 0", outputs=3, aten="linalg_lu_factor_ex", batching="items"),
    Op("det", "linalg", "x", "factor", "the determinant", aten="linalg_det", batching="items"),
    Op("slogdet", "linalg", "x", "factor", "the determinant's sign (phase) and the logarithm of its absolute value",
       outputs=2, aten="linalg_slogdet", batching="items"),
    Op("ldl_factor_ex", "linalg", "x: hermitian", "factor",
       "L and D of P @ L @ D @ L^T @ P^T from the lower triangle, and pivots, as LAPACK's sytrf packs them; which block of D "
       "is 0", outputs=3, aten="linalg_ldl_factor_ex", batching="items"),
    Op("ldl_solve", "linalg", "ld pivots b: hermitian", "factor", "x of a @ x = b, from a's LDL factors", aten="linalg_ldl_solve",
       batching="items"),
    Op("geqrf", "linalg", "x", "factor", "R on and above the diagonal, Householder vectors below; and their scales",
       outputs=2, aten="geqrf", batching="items"),
    Op("householder_product", "linalg", "x tau", "factor", "the first columns of the product of Householder reflections",
       aten="linalg_householder_product", batching="items"),
    Op("qr", "linalg", "x: mode", "factor", "orthonormal q and upper triangular r of q @ r; mode reduced, complete or r",
       outputs=2, aten="linalg_qr", batching="items"),
    Op("svd", "linalg", "x: full_matrices", "factor", "u, descending s and vh of u @ diag(s) @ vh", outputs=3, aten="linalg_svd",
       batching="items"),
    Op("svdvals", "linalg", "x", "factor_real", "singular values, descending", aten="linalg_svdvals", batching="items"),
    Op("eigh", "linalg", "x: upper", "factor_real",
       "ascending eigenvalues, and eigenvectors, of a Hermitian matrix; one triangle is read",
       outputs=2, aten="linalg_eigh", batching="items"),
    Op("eigvalsh", "linalg", "x: upper", "factor_real", "ascending eigenvalues of a Hermitian matrix", aten="linalg_eigvalsh",
       batching="items"),
    Op("eig", "linalg", "x", "factor_complex", "complex eigenvalues and eigenvectors", outputs=2, aten="linalg_eig", batching="items"),
    Op("eigvals", "linalg", "x", "factor_complex", "complex eigenvalues", aten="linalg_eigvals", batching="items"),
    Op("solve_ex", "linalg", "a b", "factor", "x of a @ x = b; which pivot is 0", outputs=2, aten="linalg_solve_ex", batching="items"),
    Op("solve_triangular", "linalg", "a b: upper unitriangular", "factor", "x of a @ x = b, reading one triangle of a",
       aten="linalg_solve_triangular", batching="items"),
    Op("inv_ex", "linalg", "x", "factor", "the inverse; which pivot is 0", outputs=2, aten="linalg_inv_ex", batching="items"),
)
