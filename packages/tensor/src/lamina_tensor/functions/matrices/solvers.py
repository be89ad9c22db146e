"""PyTorch's older solvers of linear systems and inverses, which `torch.linalg` has under other signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch import return_types
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from .factorizations import adjoint_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]

__all__ = ["cholesky_inverse", "cholesky_solve", "inverse", "lu_solve", "pinverse", "triangular_solve"]


@torch_function(autocast="float32")
def cholesky_inverse(input: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverses of Hermitian positive-definite matrices from their Cholesky factors.

    Args:
        input: the factors (..., n, n).
        upper: whether they are upper triangular.
        out: where to write the result.

    Returns:
        The inverses (..., n, n).

    Raises:
        ShapeError: the factors are not square.

    >>> torch.cholesky_inverse(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([[0.2500, 0.0000],
            [0.0000, 1.0000]])
    """
    result: Tensor = af.linalg.cholesky_inverse(input, upper)
    return result if out is None else written("cholesky_inverse", out, result, casts=True)


@torch_function(autocast="float32")
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Solve `A @ X = B` for X, from the Cholesky factor of A.

    Args:
        input: B, the right sides (..., n, k). Leading dims broadcast.
        input2: the factors (..., n, n).
        upper: whether they are upper triangular.
        out: where to write the result.

    Returns:
        X (..., n, k).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.

    >>> torch.cholesky_solve(torch.tensor([[4.0], [3.0]]), torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([[1.],
            [3.]])
    """
    result: Tensor = af.linalg.cholesky_solve(input, input2, upper)
    return result if out is None else written("cholesky_solve", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def inverse(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverses of square matrices; see `linalg.inv`.

    Args:
        input: matrices (..., n, n).
        out: where to write the result.

    Returns:
        The inverses (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: a matrix is singular.

    >>> torch.inverse(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    result: Tensor = af.linalg.inv(input)
    return result if out is None else written("inverse", out, result)


@torch_function(autocast="float32")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:
    """Compute the Moore-Penrose pseudoinverses of matrices; see `linalg.pinv`.

    Args:
        input: matrices (..., m, n).
        rcond: singular values up to this times the greatest count as 0.

    Returns:
        The pseudoinverses (..., n, m).

    Raises:
        ShapeError: there are fewer than two dims.

    >>> torch.pinverse(torch.tensor([[2.0, 0.0], [0.0, 0.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.0000]])
    """
    result: Tensor = af.linalg.pinv(input, rcond)
    return result


@torch_function(autocast="float32")
def lu_solve(input: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Solve `A @ X = B` for X, from what `lu_factor(A)` returned; see `linalg.lu_solve`.

    Args:
        input: B, the right sides (..., n, k). Leading dims broadcast.
        LU_data: the factors (..., n, n).
        LU_pivots: the pivots (..., n), in int32.
        out: where to write the result.

    Returns:
        X (..., n, k).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.

    >>> LU, pivots = torch.linalg.lu_factor(torch.tensor([[0.0, 2.0], [4.0, 0.0]]))
    >>> torch.lu_solve(torch.tensor([[2.0], [4.0]]), LU, pivots)
    tensor([[1.],
            [1.]])
    """
    result: Tensor = af.linalg.lu_solve(LU_data, LU_pivots, input)
    return result if out is None else written("lu_solve", out, result)


@torch_function(autocast="float32")
def triangular_solve(
    input: Tensor,
    A: Tensor,
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Pair | None = None,
) -> return_types.triangular_solve:
    """Solve `A @ X = B` for X, with a triangular matrix A; see `linalg.solve_triangular`.

    Args:
        input: B, the right sides (..., n, k). Leading dims broadcast.
        A: square matrices (..., n, n), of which one triangle is read.
        upper: whether to read the upper triangle; otherwise the lower one.
        transpose: whether to solve `A.mH @ X = B`.
        unitriangular: whether to take the diagonal for ones, without reading it.
        out: where to write the two results.

    Returns:
        X (..., n, k), and a copy of A with the leading dims of X.

    Raises:
        ShapeError: A is not square, or the shapes do not fit.
        DTypeError: the dtypes differ.

    >>> torch.triangular_solve(torch.tensor([[2.0], [3.0]]), torch.tensor([[2.0, 1.0], [0.0, 1.0]])).solution
    tensor([[-0.5000],
            [ 3.0000]])
    """
    matrix = adjoint_of(A) if transpose else A
    x = af.linalg.solve_triangular(matrix, input, upper=upper is not transpose, unitriangular=unitriangular)
    turned = af.transpose(af.broadcast_to(A, (*x.shape[:-2], *A.shape[-2:])), -2, -1)
    coefficient = af.transpose(af.copy(turned, row_major=True), -2, -1)  # column by column, as all results of LAPACK
    result = return_types.triangular_solve(x, coefficient)
    return result if out is None else written("triangular_solve", out, result)
