"""Special functions that take a number besides a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import UsageError

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["logit", "mvlgamma", "polygamma"]


def check_dimension(op: str, p: int) -> None:
    """Refuse a dimension of the multivariate gamma function that is less than 1.

    Raises:
        UsageError: it is.
    """
    if p < 1:
        raise UsageError(f"{op}: p has to be greater than or equal to 1; it is {p}")


@torch_function
def polygamma(n: int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the n-th derivative of `digamma`.

    Args:
        n: the order, 0 or more.
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The derivatives, of `input`'s shape; for n >= 1 infinite at 0, -1, -2, ...

    Raises:
        DTypeError: `input` is complex.

    >>> torch.polygamma(1, torch.tensor([1.0, 2.0]))
    tensor([1.6449, 0.6449])
    """
    return af.polygamma(n, input, out=out)


@torch_function
def mvlgamma(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    """Compute the logarithm of the multivariate gamma function of dimension p.

    `p * (p - 1) / 4 * log(pi) + sum(lgamma(input - j / 2) for j in range(p))`, defined for `input > (p - 1) / 2`.

    Args:
        input: a tensor of real numbers.
        p: the dimension, 1 or more.
        out: where to write the result.

    Returns:
        The logarithms, of `input`'s shape.

    Raises:
        UsageError: p is less than 1.

    >>> torch.mvlgamma(torch.tensor([1.0, 2.0]), p=1)
    tensor([0., 0.])
    """
    check_dimension("mvlgamma", p)
    result: Tensor = nd.multigammaln(input, p)
    return result if out is None else written("mvlgamma", out, result, casts=True)


@torch_function
def logit(input: Tensor, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute `log(input / (1 - input))`, the inverse of `sigmoid`.

    Args:
        input: a tensor of probabilities.
        eps: if given, `input` is clamped to [eps, 1 - eps] first.
        out: where to write the result.

    Returns:
        The logarithms, of `input`'s shape: -inf at 0, inf at 1, NaN outside.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.logit(torch.tensor([0.0, 0.5, 0.75]))
    tensor([  -inf, 0.0000, 1.0986])
    """
    result: Tensor = af.special.logit(input, eps)
    return result if out is None else written("logit", out, result, casts=True)
