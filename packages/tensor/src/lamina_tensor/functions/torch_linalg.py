"""`torch.linalg` where it differs from the Array API's `linalg` by more than names: stacks of vectors as right sides."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import OpNotImplemented
from lamina_ndarray.results import SolveResult, SVDResult

from .. import array_functions as af
from ..tensor import Tensor

__all__ = ["OWN"]


def _is_stack_of_vectors(A: Tensor, B: Tensor) -> bool:
    """PyTorch takes B for vectors if it has one axis, or A's shape without the last axis."""
    return B.ndim == 1 or (B.ndim == A.ndim - 1 and tuple(B.shape) == tuple(A.shape[:-1]))


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> SolveResult:
    """x of `A @ x = B` (`x @ A = B` if not `left`) and `info`; B may be a vector, or one per matrix of A."""
    vectors = _is_stack_of_vectors(A, B)
    right = af.unsqueeze(B, -1) if vectors else B
    x, info = af.linalg.solve_ex(A, right, left=left, check_errors=check_errors)
    return SolveResult(af.squeeze(x, -1) if vectors else x, info)


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """x of `A @ x = B` (`x @ A = B` if not `left`); B may be a vector, or one per matrix of A."""
    vectors = _is_stack_of_vectors(A, B)
    x = af.linalg.solve(A, af.unsqueeze(B, -1) if vectors else B, left=left)
    return af.squeeze(x, -1) if vectors else x


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """See `lamina_ndarray.linalg.lstsq`; B may also be one vector per matrix of A."""
    if B.ndim and B.ndim == A.ndim - 1 and tuple(B.shape) == tuple(A.shape[:-1]):
        found = af.linalg.lstsq(A, af.unsqueeze(B, -1), rcond, driver=driver)
        return found._replace(solution=af.squeeze(found.solution, -1))
    return af.linalg.lstsq(A, B, rcond, driver=driver)


def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None) -> SVDResult:
    """U, S and Vh. `driver` names one of cuSOLVER's methods, of which there are none here."""
    _refuse_driver("svd", driver)
    return af.linalg.svd(A, full_matrices)


def svdvals(A: Tensor, *, driver: str | None = None) -> Tensor:
    """S alone. `driver` names one of cuSOLVER's methods, of which there are none here."""
    _refuse_driver("svdvals", driver)
    return af.linalg.svdvals(A)


def _refuse_driver(op: str, driver: str | None) -> None:
    if driver is not None:
        raise OpNotImplemented(f"linalg.{op}: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER")


OWN = {function.__name__: function for function in (solve, solve_ex, lstsq, svd, svdvals)}
"""What replaces the function of the same name under PyTorch's spelling."""
