"""Linear algebra over stacks of matrices: the Array API's extension `linalg`, and what PyTorch has beyond it."""

from lamina_flatarray import LinAlgError

from .factorizations import cholesky, cholesky_ex, geqrf, householder_product, ldl_factor, ldl_factor_ex, qr
from .least_squares import lstsq, pinv
from .lu import lu, lu_factor, lu_factor_ex, lu_unpack, pivots_to_permutation
from .matrix_functions import det, logdet, matrix_exp, matrix_power, slogdet
from .norms import cond, matrix_norm, matrix_rank, norm, vector_norm
from .products import (
    cross,
    diagonal,
    matmul,
    matrix_transpose,
    multi_dot,
    outer,
    tensordot,
    trace,
    vander,
    vecdot,
)
from .solvers import (
    cholesky_inverse,
    cholesky_solve,
    inv,
    inv_ex,
    ldl_solve,
    lu_solve,
    solve,
    solve_ex,
    solve_triangular,
    tensorinv,
    tensorsolve,
)
from .spectra import eig, eigh, eigvals, eigvalsh, svd, svdvals

__all__ = [
    "LinAlgError", "cholesky", "cholesky_ex", "cholesky_inverse", "cholesky_solve", "cond", "cross", "det",
    "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "geqrf", "householder_product", "inv", "inv_ex",
    "ldl_factor", "ldl_factor_ex", "ldl_solve", "logdet", "lstsq", "lu", "lu_factor", "lu_factor_ex", "lu_solve",
    "lu_unpack", "matmul", "matrix_exp", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose",
    "multi_dot", "norm", "outer", "pinv", "pivots_to_permutation", "qr", "slogdet", "solve", "solve_ex",
    "solve_triangular", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vander", "vecdot",
    "vector_norm",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)
