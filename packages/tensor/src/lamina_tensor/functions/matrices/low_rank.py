"""Approximations of matrices by ones of low rank.

Halko, Martinsson and Tropp, Finding structure with randomness, SIAM Review 53 (2011), algorithms 4.4 and 5.1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentValueError, ShapeError

from ...dispatch.tensor_functions import FUNCTIONS, af
from ...dispatch.torch_function import torch_function
from .factorizations import adjoint_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

    Triple = tuple[Tensor, Tensor, Tensor]

__all__ = ["pca_lowrank", "svd_lowrank"]

_MOST_STEPS = 10_000
"""Steps of subspace iteration: in exact numbers, each multiplies what is left of the error by a constant below 1."""


def random_directions(A: Tensor, q: int) -> Tensor:
    """q normally distributed vectors of unit variance, which take random numbers in PyTorch's order."""
    shape = (A.shape[-1], q)
    if not A.dtype.is_complex:
        return af.randn(shape, dtype=A.dtype, device=A.device)
    parts = af.randn((*shape, 2), dtype=A.dtype.to_real(), device=A.device) * math.sqrt(0.5)
    return af.complex(parts[..., 0], parts[..., 1])


def _orthonormal(x: Tensor) -> Tensor:
    """An orthonormal basis of what the columns span."""
    basis: Tensor
    basis, _ = af.linalg.qr(x)
    return basis


@torch_function
def svd_lowrank(A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None) -> Triple:
    """Approximate the singular value decomposition of matrices of about rank q: `A ~ U @ diag(S) @ V.mH`.

    Args:
        A: matrices (..., m, n).
        q: the rank, a little overestimated; None for 6.
        niter: how many steps of subspace iteration; None for 2.
        M: what is subtracted from A first, such as the means of its columns.

    Returns:
        U (..., m, q), S (..., q) and V (..., n, q).

    Raises:
        ShapeError: A is no matrix.
        ArgumentValueError: niter is above 10,000.

    >>> U, S, V = torch.svd_lowrank(torch.ones(5, 4), q=2)
    >>> U.shape, S.shape, V.shape
    (lamina.Size([5, 2]), lamina.Size([2]), lamina.Size([4, 2]))
    """
    q, niter = 6 if q is None else q, 2 if niter is None else niter
    if A.ndim < 2:
        raise ShapeError(f"svd_lowrank: A must have at least 2 dims, got shape {tuple(A.shape)}")
    if niter > _MOST_STEPS:
        raise ArgumentValueError(f"svd_lowrank: niter(={niter}) must be {_MOST_STEPS} at most")
    *_, m, n = A.shape
    if M is not None:
        A = A - M
    wide = m < n
    if wide:
        A = adjoint_of(A)
    basis = _orthonormal(A @ random_directions(A, q))
    for _ in range(niter):
        basis = _orthonormal(adjoint_of(A) @ basis)
        basis = _orthonormal(A @ basis)
    u, s, vh = af.linalg.svd(adjoint_of(basis) @ A, full_matrices=False)
    u, v = basis @ u, adjoint_of(vh)
    return (v, s, u) if wide else (u, s, v)


@torch_function
def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> Triple:
    """Approximate the principal components of the rows of matrices; see `svd_lowrank`.

    Args:
        A: matrices (..., m, n), a row per sample.
        q: the rank, a little overestimated; min(6, m, n) by default.
        center: whether to subtract the mean of each column; otherwise they are taken to be 0.
        niter: how many steps of subspace iteration.

    Returns:
        U (..., m, q), S (..., q) and V (..., n, q), whose columns are the principal directions.

    Raises:
        ShapeError: A is no matrix.
        ArgumentValueError: q is not between 0 and min(m, n), or niter is negative or above 10,000.

    >>> U, S, V = torch.pca_lowrank(torch.ones(5, 4), q=2)
    >>> S
    tensor([0., 0.])
    """
    if A.ndim < 2:
        raise ShapeError(f"pca_lowrank: A must have at least 2 dims, got shape {tuple(A.shape)}")
    *_, m, n = A.shape
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n):
        raise ArgumentValueError(
            f"pca_lowrank: q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}"
        )
    if niter < 0:
        raise ArgumentValueError(f"pca_lowrank: niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - FUNCTIONS["mean"](A, -2, True) if center else A, q, niter)
