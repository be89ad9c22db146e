"""Functions of vectors and matrices that PyTorch has outside of `torch.linalg`."""

from .factorizations import cholesky, geqrf, lu, lu_unpack, orgqr, ormqr, qr, svd
from .low_rank import pca_lowrank, svd_lowrank
from .matrix_functions import det, logdet, matrix_exp, matrix_power, slogdet, trace, vander
from .products import bmm, dot, ger, inner, matmul, mm, mv, outer, vdot
from .solvers import cholesky_inverse, cholesky_solve, inverse, lu_solve, pinverse, triangular_solve
from .sums_with_products import addbmm, addmm, addmv, addr, baddbmm
from .tensor_products import bilinear, chain_matmul, cross, einsum, kron, tensordot

__all__ = [
    "addbmm",
    "addmm",
    "addmv",
    "addr",
    "baddbmm",
    "bilinear",
    "bmm",
    "chain_matmul",
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "cross",
    "det",
    "dot",
    "einsum",
    "geqrf",
    "ger",
    "inner",
    "inverse",
    "kron",
    "logdet",
    "lu",
    "lu_solve",
    "lu_unpack",
    "matmul",
    "matrix_exp",
    "matrix_power",
    "mm",
    "mv",
    "orgqr",
    "ormqr",
    "outer",
    "pca_lowrank",
    "pinverse",
    "qr",
    "slogdet",
    "svd",
    "svd_lowrank",
    "tensordot",
    "trace",
    "triangular_solve",
    "vander",
    "vdot",
]
