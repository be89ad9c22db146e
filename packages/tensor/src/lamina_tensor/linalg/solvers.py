"""Linear systems that have one solution, and inverses: from matrices or from their factors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError

from ..dispatch import return_types
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]

__all__ = [
    "inv",
    "inv_ex",
    "ldl_solve",
    "lu_solve",
    "solve",
    "solve_ex",
    "solve_triangular",
    "tensorinv",
    "tensorsolve",
]


def is_stack_of_vectors(A: Tensor, B: Tensor) -> bool:
    """Whether PyTorch takes B for vectors: it has one dim, or A's shape without the last dim."""
    return B.ndim == 1 or (B.ndim == A.ndim - 1 and tuple(B.shape) == tuple(A.shape[:-1]))


def solved(A: Tensor, B: Tensor, left: bool, check_errors: bool) -> tuple[Tensor, Tensor]:
    """The solution and info of `solve_ex`."""
    vectors = is_stack_of_vectors(A, B)
    right = af.unsqueeze(B, -1) if vectors else B
    x, info = af.linalg.solve_ex(A, right, left=left, check_errors=check_errors)
    if not vectors:
        return x, info
    x = af.squeeze(x, -1)
    if left and x.ndim > 1:  # PyTorch lays a stack of vectors out as if it were one matrix
        x = af.transpose(af.contiguous(af.transpose(x, -2, -1)), -2, -1)
    return x, info


@torch_function(autocast="float32")
def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """Solve `A @ X = B` for X.

    Args:
        A: square matrices (..., n, n).
        B: the right sides (..., n, k); or one vector (n,), or one per matrix of A. Leading dims broadcast.
        left: whether to solve `A @ X = B`; otherwise `X @ A = B`.
        out: where to write the result.

    Returns:
        X, of B's shape.

    Raises:
        ShapeError: A is not square, or the shapes do not fit.
        DTypeError: the dtypes differ.
        LinAlgError: a matrix is singular.

    >>> torch.linalg.solve(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([2.0, 2.0]))
    tensor([1.0000, 0.5000])
    """
    if A.dtype is not B.dtype:
        raise DTypeError(f"linalg.solve: Expected A and B to have the same dtype, but got {A.dtype!r} and {B.dtype!r}")
    result = solved(A, B, left, True)[0]
    return result if out is None else written("linalg.solve", out, result)


@torch_function
def solve_ex(
    A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Pair | None = None
) -> return_types.linalg_solve_ex:
    """Solve `A @ X = B` for X as `solve` does, and say for which matrices there is no solution.

    Args:
        A: square matrices (..., n, n).
        B: the right sides (..., n, k); or one vector (n,), or one per matrix of A. Leading dims broadcast.
        left: whether to solve `A @ X = B`; otherwise `X @ A = B`.
        check_errors: whether to look at `info` and raise.
        out: where to write the result and info.

    Returns:
        X, of B's shape, NaN where a matrix is singular; and info (...) in int32: which pivot, counted from 1, is 0, or
        0 if none is.

    Raises:
        ShapeError: A is not square, or the shapes do not fit.
        DTypeError: the dtypes differ.
        LinAlgError: with `check_errors`, a matrix is singular.

    >>> torch.linalg.solve_ex(torch.ones(2, 2), torch.ones(2)).info
    tensor(2, dtype=lamina.int32)
    """
    result = return_types.linalg_solve_ex(*solved(A, B, left, check_errors))
    return result if out is None else written("linalg.solve_ex", out, result)


@torch_function(autocast="float32")
def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inverses of square matrices.

    Args:
        A: matrices (..., n, n).
        out: where to write the result.

    Returns:
        The inverses (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: a matrix is singular.

    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    result: Tensor = af.linalg.inv(A)
    return result if out is None else written("linalg.inv", out, result)


@torch_function(autocast="float32")
def inv_ex(A: Tensor, *, check_errors: bool = False, out: Pair | None = None) -> return_types.linalg_inv_ex:
    """Compute the inverses of square matrices, and say for which there is none.

    Args:
        A: matrices (..., n, n).
        check_errors: whether to look at `info` and raise.
        out: where to write the inverse and info.

    Returns:
        The inverses (..., n, n), NaN where there is none; and info (...) in int32: which pivot, counted from 1, is 0,
        or 0 if none is.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: with `check_errors`, a matrix is singular.

    >>> torch.linalg.inv_ex(torch.ones(2, 2)).info
    tensor(2, dtype=lamina.int32)
    """
    result = return_types.linalg_inv_ex(*af.linalg.inv_ex(A, check_errors=check_errors))
    return result if out is None else written("linalg.inv_ex", out, result)


@torch_function
def solve_triangular(
    input: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Tensor | None = None
) -> Tensor:
    """Solve `A @ X = B` for X, with a triangular matrix A.

    Args:
        input: A, square matrices (..., n, n), of which one triangle is read.
        B: the right sides (..., n, k), or (..., k, n) if not `left`. Leading dims broadcast.
        upper: whether to read the upper triangle; otherwise the lower one.
        left: whether to solve `A @ X = B`; otherwise `X @ A = B`.
        unitriangular: whether to take the diagonal for ones, without reading it.
        out: where to write the result.

    Returns:
        X, of B's shape; with infinities where the diagonal has a zero.

    Raises:
        ShapeError: A is not square, or the shapes do not fit.
        DTypeError: the dtypes differ.

    >>> A = torch.tensor([[2.0, 0.0], [1.0, 1.0]])
    >>> torch.linalg.solve_triangular(A, torch.tensor([[2.0], [3.0]]), upper=False)
    tensor([[1.],
            [2.]])
    """
    result: Tensor = af.linalg.solve_triangular(input, B, upper=upper, left=left, unitriangular=unitriangular)
    return result if out is None else written("linalg.solve_triangular", out, result)


@torch_function
def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False, out: Tensor | None = None
) -> Tensor:
    """Solve `A @ X = B` for X, from what `lu_factor(A)` returned.

    Args:
        LU: the factors (..., n, n).
        pivots: the pivots (..., n), in int32.
        B: the right sides (..., n, k), or (..., k, n) if not `left`. Leading dims broadcast.
        left: whether to solve `A @ X = B`; otherwise `X @ A = B`.
        adjoint: whether to take `A.mH` for A.
        out: where to write the result.

    Returns:
        X, of B's shape.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.

    >>> LU, pivots = torch.linalg.lu_factor(torch.tensor([[0.0, 2.0], [4.0, 0.0]]))
    >>> torch.linalg.lu_solve(LU, pivots, torch.tensor([[2.0], [4.0]]))
    tensor([[1.],
            [1.]])
    """
    result: Tensor = af.linalg.lu_solve(LU, pivots, B, left=left, adjoint=adjoint)
    return result if out is None else written("linalg.lu_solve", out, result)


@torch_function
def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False, out: Tensor | None = None) -> Tensor:
    """Solve `A @ X = B` for X, from what `ldl_factor(A)` returned.

    Args:
        LD: the factors (..., n, n).
        pivots: the pivots (..., n), in int32.
        B: the right sides (..., n, k). Leading dims broadcast.
        hermitian: as given to `ldl_factor`.
        out: where to write the result.

    Returns:
        X, of B's shape.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or the pivots are not int32.

    >>> LD, pivots = torch.linalg.ldl_factor(torch.tensor([[4.0, 2.0], [2.0, 3.0]]))
    >>> torch.linalg.ldl_solve(LD, pivots, torch.tensor([[4.0], [2.0]]))
    tensor([[1.],
            [0.]])
    """
    result: Tensor = af.linalg.ldl_solve(LD, pivots, B, hermitian=hermitian)
    return result if out is None else written("linalg.ldl_solve", out, result)


@torch_function(autocast="float32")
def tensorinv(input: Tensor, ind: int = 2, *, out: Tensor | None = None) -> Tensor:
    """Invert the linear map that `tensordot` with a tensor is.

    Args:
        input: a tensor whose first `ind` dims have as many items together as the others.
        ind: how many dims are the first ones.
        out: where to write the result.

    Returns:
        The inverse, of shape `input.shape[ind:] + input.shape[:ind]`.

    Raises:
        ShapeError: ind is not positive, or the numbers of items differ.
        LinAlgError: the map is singular.

    >>> torch.linalg.tensorinv(torch.eye(4).reshape(4, 2, 2) * 2, ind=1).shape
    lamina.Size([2, 2, 4])
    """
    result: Tensor = af.linalg.tensorinv(input, ind)
    return result if out is None else written("linalg.tensorinv", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def tensorsolve(
    input: Tensor, other: Tensor, dims: Sequence[int] | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Solve `tensordot(A, X, X.ndim) = B` for X.

    Args:
        input: A, of shape `B.shape + X.shape`, where both have as many items.
        other: B.
        dims: dims of A that are moved to its end first.
        out: where to write the result.

    Returns:
        X.

    Raises:
        ShapeError: the numbers of items do not fit.
        LinAlgError: A is singular.

    >>> torch.linalg.tensorsolve(torch.eye(4).reshape(4, 2, 2) * 2, torch.ones(4))
    tensor([[0.5000, 0.5000],
            [0.5000, 0.5000]])
    """
    result: Tensor = af.linalg.tensorsolve(input, other, dims)
    return result if out is None else written("linalg.tensorsolve", out, result, casts=True)
