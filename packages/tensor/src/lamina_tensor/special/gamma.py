"""The gamma function's logarithm and derivatives, its incomplete forms, and the zeta function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.elementwise import binary, elementwise, refuse_numbers, unary
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function
from ..functions.elementwise.unary import digamma
from ..functions.special import check_dimension
from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor
    from ..tensor_fields import Number

__all__ = [
    "gammainc",
    "gammaincc",
    "gammaln",
    "multigammaln",
    "psi",
    "zeta",
]


psi = digamma

_LGAMMA = elementwise("lgamma", 1)
_IGAMMA = elementwise("igamma", 2)
_IGAMMAC = elementwise("igammac", 2)


@torch_function(op=_LGAMMA)
def gammaln(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of |gamma(x)|; `torch.lgamma`.

    Args:
        input: a tensor of real numbers; at 0, -1, -2 and so on, and at both infinities, the logarithm is inf.
        out: where to write the result.

    Returns:
        The logarithms, floating-point, of `input`'s shape.

    Raises:
        DTypeError: an item is a complex number.

    >>> torch.special.gammaln(torch.tensor([0.25, 0.5]))
    tensor([1.2880, 0.5724])
    """
    return unary(_LGAMMA, input, out)


@torch_function(strict=True, op=_IGAMMA, tensors=2)
def gammainc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the regularised lower incomplete gamma function P(a, x); `torch.igamma`.

    Args:
        input: the shapes a, of any shape.
        other: where to compute it, of a shape that broadcasts with `input`'s.
        out: where to write the result.

    Returns:
        The shares, floating-point, of the shape that both broadcast to.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.special.gammainc(torch.tensor([0.25, 0.5]), torch.tensor([2.0, 3.0]))
    tensor([0.9827, 0.9857])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("special_gammainc", input, other)
    return binary(_IGAMMA, input, other, out)


@torch_function(strict=True, op=_IGAMMAC, tensors=2)
def gammaincc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute 1 - P(a, x), the regularised upper incomplete gamma function, accurately where it is small; `torch.igammac`.

    Args:
        input: the shapes a, of any shape.
        other: where to compute it, of a shape that broadcasts with `input`'s.
        out: where to write the result.

    Returns:
        The shares, floating-point, of the shape that both broadcast to.

    Raises:
        DTypeError: an item is a complex number.
        ShapeError: the shapes do not broadcast together.
        DeviceError: the operands are on different devices.
        TypeError: a number stands where a tensor is wanted.

    >>> torch.special.gammaincc(torch.tensor([0.25, 0.5]), torch.tensor([2.0, 3.0]))
    tensor([0.0173, 0.0143])
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        refuse_numbers("special_gammaincc", input, other)
    return binary(_IGAMMAC, input, other, out)


@torch_function
def multigammaln(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of the multivariate gamma function of dimension p; `torch.mvlgamma`.

    Args:
        input: a tensor of real numbers.
        p: the dimension, 1 or more.
        out: where to write the result.

    Returns:
        The logarithms, of `input`'s shape.

    Raises:
        UsageError: p is less than 1.

    >>> torch.special.multigammaln(torch.tensor([1.0, 2.0]), p=1)
    tensor([0., 0.])
    """
    check_dimension("multigammaln", p)
    result: Tensor = af.special.multigammaln(input, p)
    return result if out is None else written("special.multigammaln", out, result, casts=True)


_ZETA = elementwise("zeta", 2)


@torch_function(strict=True)
def zeta(input: Tensor | Number, other: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Compute the Hurwitz zeta function: the sum of `(k + other) ** -input` over k = 0, 1, ...

    Args:
        input: the exponent.
        other: what is added to k; the shapes broadcast.
        out: where to write the result.

    Returns:
        The sums: inf where the exponent is 1, NaN where it is less.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: an operand is complex.

    >>> torch.special.zeta(torch.tensor([2.0, 4.0]), 1)
    tensor([1.6449, 1.0823])
    """
    return binary(_ZETA, input, other, out)
