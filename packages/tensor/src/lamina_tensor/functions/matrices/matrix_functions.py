"""Numbers and matrices that are functions of one matrix or vector: determinants, powers, the exponential, the trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import ShapeError
from lamina_ndarray.dispatch.operands import refuse_booleans

from ...dispatch import return_types
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]

__all__ = ["det", "logdet", "matrix_exp", "matrix_power", "slogdet", "trace", "vander"]


@torch_function
def det(input: Tensor) -> Tensor:
    """Compute the determinants of square matrices; see `linalg.det`.

    Args:
        input: matrices (..., n, n).

    Returns:
        The determinants (...).

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.det(torch.tensor([[2.0, 0.0], [1.0, 3.0]]))
    tensor(6.)
    """
    result: Tensor = af.linalg.det(input)
    return result


@torch_function
def slogdet(input: Tensor, *, out: Pair | None = None) -> return_types.slogdet:
    """Compute the signs and the logarithms of the absolute values of determinants; see `linalg.slogdet`.

    Args:
        input: matrices (..., n, n).
        out: where to write sign and logabsdet.

    Returns:
        sign (...), of complex matrices the phase, and logabsdet (...), real: 0 and -inf for a singular matrix.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.slogdet(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    lamina.return_types.slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(0.))
    """
    result = return_types.slogdet(*af.linalg.slogdet(input))
    return result if out is None else written("slogdet", out, result)


@torch_function
def logdet(input: Tensor) -> Tensor:
    """Compute the logarithms of the determinants of square matrices.

    Args:
        input: matrices (..., n, n).

    Returns:
        The logarithms (...): NaN where a determinant is negative, -inf where it is 0.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.logdet(torch.eye(2))
    tensor(0.)
    """
    result: Tensor = af.linalg.logdet(input)
    return result


@torch_function
def matrix_exp(input: Tensor) -> Tensor:
    """Compute the exponentials of square matrices; see `linalg.matrix_exp`.

    Args:
        input: matrices (..., n, n).

    Returns:
        The exponentials (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.matrix_exp(torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    result: Tensor = af.linalg.matrix_exp(input)
    return result


@torch_function
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Multiply square matrices by themselves n times; see `linalg.matrix_power`.

    Args:
        input: matrices (..., m, m).
        n: the power; the inverse is multiplied if it is negative.
        out: where to write the result.

    Returns:
        The powers (..., m, m).

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: n is negative, and a matrix is singular.

    >>> torch.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    result: Tensor = af.linalg.matrix_power(input, n)
    return result if out is None else written("matrix_power", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def trace(input: Tensor) -> Tensor:
    """Sum the diagonal of a matrix.

    Args:
        input: (n, m).

    Returns:
        The sum, with no dims; of integers in int64.

    Raises:
        DTypeError: its items are booleans.
        ShapeError: it is no matrix.

    >>> torch.trace(torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    if input.ndim != 2:
        raise ShapeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    refuse_booleans("trace", input.array.flat.dtype)
    return af.linalg.trace(input)


@torch_function
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """Raise the items of a vector to powers: a Vandermonde matrix.

    Args:
        x: (n,).
        N: how many powers; n by default.
        increasing: whether the powers are 0, 1, ..., N - 1; otherwise N - 1, ..., 1, 0.

    Returns:
        The powers (n, N).

    Raises:
        ShapeError: x is no vector, or N is negative.

    >>> torch.vander(torch.tensor([2, 3]), N=3)
    tensor([[4, 2, 1],
            [9, 3, 1]])
    """
    if x.ndim != 1:
        raise ShapeError(f"vander: x must be a one-dimensional tensor; got shape {x.shape}")
    count = x.shape[0] if N is None else N
    if count < 0:
        raise ShapeError(f"vander: N must be non-negative; got {count}")
    powers = af.linalg.vander(x, N=max(count, 2))[:, :count]
    return powers if increasing else af.copy(af.flip(powers, (-1,)))
