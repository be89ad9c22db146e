"""Error functions, and the normal distribution's functions that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.elementwise import elementwise, unary
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "erfcx",
    "log_ndtr",
    "ndtr",
    "ndtri",
]


_ERFCX = elementwise("erfcx", 1)


@torch_function
def erfcx(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the scaled complementary error function, `exp(input**2) * erfc(input)`, without overflow.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.erfcx(torch.tensor([0.0, 1.0, 50.0]))
    tensor([1.0000, 0.4276, 0.0113])
    """
    return unary(_ERFCX, input, out)


@torch_function
def ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the distribution function of the standard normal distribution.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The probabilities that a standard normal variable is at most `input`, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.ndtr(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([0.1587, 0.5000, 0.8413])
    """
    result: Tensor = af.special.ndtr(input)
    return result if out is None else written("special.ndtr", out, result, casts=True)


_NDTRI = elementwise("ndtri", 1)


@torch_function
def ndtri(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the quantiles of the standard normal distribution: the inverse of `ndtr`.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape: -inf at 0, inf at 1, NaN outside.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.ndtri(torch.tensor([0.25, 0.5, 0.75]))
    tensor([-0.6745,  0.0000,  0.6745])
    """
    return unary(_NDTRI, input, out)


_LOG_NDTR = elementwise("log_ndtr", 1)


@torch_function
def log_ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of `ndtr`, without loss of digits in both tails.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The logarithms, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.log_ndtr(torch.tensor([-30.0, 0.0, 1.0]))
    tensor([-4.5432e+02, -6.9315e-01, -1.7275e-01])
    """
    return unary(_LOG_NDTR, input, out)
