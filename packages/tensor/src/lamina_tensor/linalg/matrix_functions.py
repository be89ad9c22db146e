"""Numbers and matrices that are functions of a square matrix: determinants, powers, the exponential."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch import return_types
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]

__all__ = ["det", "matrix_exp", "matrix_power", "slogdet"]


@torch_function
def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the determinants of square matrices.

    Args:
        A: matrices (..., n, n).
        out: where to write the result.

    Returns:
        The determinants (...).

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.linalg.det(torch.tensor([[2.0, 0.0], [1.0, 3.0]]))
    tensor(6.)
    """
    result: Tensor = af.linalg.det(A)
    return result if out is None else written("linalg.det", out, result)


@torch_function
def slogdet(A: Tensor, *, out: Pair | None = None) -> return_types.linalg_slogdet:
    """Compute the signs and the logarithms of the absolute values of the determinants of square matrices.

    Args:
        A: matrices (..., n, n).
        out: where to write sign and logabsdet.

    Returns:
        sign (...), of complex matrices the phase, and logabsdet (...), real: 0 and -inf for a singular matrix.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.linalg.slogdet(torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    lamina.return_types.linalg_slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(0.))
    """
    result = return_types.linalg_slogdet(*af.linalg.slogdet(A))
    return result if out is None else written("linalg.slogdet", out, result)


@torch_function
def matrix_power(input: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Multiply square matrices by themselves n times.

    Args:
        input: matrices (..., m, m).
        n: the power; the inverse is multiplied if it is negative.
        out: where to write the result.

    Returns:
        The powers (..., m, m).

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: n is negative, and a matrix is singular.

    >>> torch.linalg.matrix_power(torch.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    tensor([[1., 3.],
            [0., 1.]])
    """
    result: Tensor = af.linalg.matrix_power(input, n)
    return result if out is None else written("linalg.matrix_power", out, result, row_major=True, casts=True)


@torch_function
def matrix_exp(input: Tensor) -> Tensor:
    """Compute the exponentials of square matrices.

    By scaling and squaring of a Taylor polynomial: Higham, Functions of Matrices (2008), section 10.3.

    Args:
        input: matrices (..., n, n).

    Returns:
        The exponentials (..., n, n).

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are neither floating-point nor complex.

    >>> torch.linalg.matrix_exp(torch.tensor([[0.0, 1.0], [0.0, 0.0]]))
    tensor([[1., 1.],
            [0., 1.]])
    """
    result: Tensor = af.linalg.matrix_exp(input)
    return result
