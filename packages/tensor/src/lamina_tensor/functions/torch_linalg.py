"""`torch.linalg` where it differs from the Array API's `linalg` by more than names: stacks of vectors as right sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, OpNotImplemented, ShapeError
from lamina_ndarray.dispatch.results import SolveResult, SVDResult

from ..dispatch import array_functions as af
from ..dispatch.spelling import written

if TYPE_CHECKING:
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
    """x of `A @ x = B` (`x @ A = B` if not `left`); B may be a vector, or one per matrix of A.

    Raises:
        DTypeError: the dtypes differ.
    """
    if A.dtype is not B.dtype:
        raise DTypeError(f"linalg.solve: Expected A and B to have the same dtype, but got {A.dtype!r} and {B.dtype!r}")
    return solve_ex(A, B, left=left, check_errors=True)[0]  # type: ignore[no-any-return]


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


def cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """The vector product along a dim of length 3; both have equally many dims.

    Raises:
        ShapeError: they have not.
    """
    if input.ndim != other.ndim:
        raise ShapeError(
            f"linalg.cross: inputs must have the same number of dimensions; got {input.shape} and {other.shape}"
        )
    found: Tensor = af.linalg.cross(input, other, dim)
    return found if out is None else written("linalg.cross", out, found)


def vector_norm(
    x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    """See `lamina_ndarray.linalg.vector_norm`; no dims mean all."""
    found: Tensor = af.linalg.vector_norm(x, ord, None if dim in ((), []) else dim, keepdim, dtype=dtype)
    return found if out is None else written("linalg.vector_norm", out, found)


OWN = {function.__name__: function for function in (cross, lstsq, solve, solve_ex, svd, svdvals, vector_norm)}
"""What replaces the function of the same name under PyTorch's spelling."""
