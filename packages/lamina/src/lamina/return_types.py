"""PyTorch's `torch.return_types`."""

from typing import TYPE_CHECKING

from lamina_tensor.dispatch.return_types import RETURN_TYPES as all_return_types
from lamina_tensor.dispatch.return_types import (
    NamedResult,
    aminmax,
    cummax,
    cummin,
    frexp,
    geqrf,
    histogram,
    histogramdd,
    kthvalue,
    linalg_cholesky_ex,
    linalg_eig,
    linalg_eigh,
    linalg_inv_ex,
    linalg_ldl_factor,
    linalg_ldl_factor_ex,
    linalg_lstsq,
    linalg_lu,
    linalg_lu_factor,
    linalg_lu_factor_ex,
    linalg_qr,
    linalg_slogdet,
    linalg_solve_ex,
    linalg_svd,
    lu_unpack,
    max,
    median,
    min,
    mode,
    nanmedian,
    qr,
    slogdet,
    sort,
    svd,
    topk,
    triangular_solve,
)  # fmt: skip

from .absent_names import explained

__all__ = [
    "NamedResult", "all_return_types", "aminmax", "cummax", "cummin", "frexp", "geqrf", "histogram", "histogramdd",
    "kthvalue", "linalg_cholesky_ex", "linalg_eig", "linalg_eigh", "linalg_inv_ex", "linalg_ldl_factor",
    "linalg_ldl_factor_ex", "linalg_lstsq", "linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_qr",
    "linalg_slogdet", "linalg_solve_ex", "linalg_svd", "lu_unpack", "max", "median", "min", "mode", "nanmedian", "qr",
    "slogdet", "sort", "svd", "topk", "triangular_solve",
]  # fmt: skip

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
