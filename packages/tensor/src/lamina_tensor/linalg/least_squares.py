"""Linear systems that have no solution or many: least squares, and pseudoinverses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch import return_types
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

    Quadruple = tuple[Tensor, Tensor, Tensor, Tensor]

__all__ = ["lstsq", "pinv"]


@torch_function(autocast="float32")
def lstsq(
    input: Tensor, b: Tensor, rcond: float | None = None, *, driver: str | None = None, out: Quadruple | None = None
) -> return_types.linalg_lstsq:
    """Find the X of least norm among those for which `A @ X` comes nearest to B.

    Args:
        input: A, matrices (..., m, n).
        b: B, the right sides (..., m, k), or one vector per matrix of A. Leading dims broadcast.
        rcond: singular values up to `rcond` times the greatest count as 0; by default the dtype's eps times max(m, n).
        driver: LAPACK's driver: "gels", which takes A to have full rank; "gelsy", the default; "gelsd" or "gelss".
        out: where to write the four results.

    Returns:
        The solution (..., n, k); the squared residuals (..., k) where m > n and all matrices have full rank (never
        from "gelsy"), otherwise empty; the rank (...) in int64, empty from "gels"; and the singular values
        (..., min(m, n)) from "gelsd" and "gelss", otherwise empty.

    Raises:
        ShapeError: the shapes do not fit, or there is no such driver.
        DTypeError: the dtypes differ.

    >>> A = torch.tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    >>> torch.linalg.lstsq(A, torch.tensor([[1.0], [2.0], [5.0]])).solution
    tensor([[1.],
            [1.]])
    """
    if b.ndim and b.ndim == input.ndim - 1 and tuple(b.shape) == tuple(input.shape[:-1]):
        solution, *others = af.linalg.lstsq(input, af.unsqueeze(b, -1), rcond, driver=driver)
        result = return_types.linalg_lstsq(af.squeeze(solution, -1), *others)
    else:
        result = return_types.linalg_lstsq(*af.linalg.lstsq(input, b, rcond, driver=driver))
    return result if out is None else written("linalg.lstsq", out, result, casts=True)


@torch_function
def pinv(
    input: Tensor,
    rcond: float | Tensor | None = None,
    hermitian: bool = False,
    *,
    atol: float | Tensor | None = None,
    rtol: float | Tensor | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the Moore-Penrose pseudoinverses of matrices.

    Args:
        input: matrices (..., m, n).
        rcond: the older name of `rtol`.
        hermitian: whether the matrices are Hermitian, so that eigenvalues serve instead of singular values.
        atol: singular values up to this count as 0; 0 by default.
        rtol: so do those up to this times the greatest; by default the dtype's eps times max(m, n), or 0 if `atol` is
            given.
        out: where to write the result.

    Returns:
        The pseudoinverses (..., n, m).

    Raises:
        ShapeError: there are fewer than two dims, or Hermitian matrices that are not square.

    >>> torch.linalg.pinv(torch.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    result: Tensor = af.linalg.pinv(input, rcond, hermitian, atol=atol, rtol=rtol)
    return result if out is None else written("linalg.pinv", out, result, casts=True)
