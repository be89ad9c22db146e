"""The gamma function's logarithm and derivatives, its incomplete forms, and the zeta function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch import array_functions as af
from ..dispatch.elementwise import binary, elementwise
from ..dispatch.out import written
from ..dispatch.torch_function import torch_function
from ..functions.elementwise.binary import igamma, igammac
from ..functions.elementwise.unary import digamma, lgamma
from ..functions.special import check_dimension

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


gammaln = lgamma
psi = digamma
gammainc = igamma
gammaincc = igammac


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
    return result if out is None else written("special.multigammaln", out, result)


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
