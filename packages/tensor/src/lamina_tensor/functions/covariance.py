"""How much variables vary together: covariances and correlations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["corrcoef", "cov"]


@torch_function
def cov(
    input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None
) -> Tensor:
    """Estimate the covariances of variables.

    Args:
        input: a row per variable and a column per observation, or a vector for one variable.
        correction: what is subtracted from the number of observations before dividing by it.
        fweights: how often each observation came: whole numbers, one per column.
        aweights: how much each observation counts: floating-point numbers, one per column.

    Returns:
        The covariances (n, n) of n variables, or a tensor with no dims for one.

    Raises:
        ShapeError: `input` has more than two dims, or weights are not one number >= 0 per observation, or sum to 0.
        DTypeError: `input` is boolean, `fweights` are not whole numbers, or `aweights` not floating-point.

    >>> torch.cov(torch.tensor([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    result: Tensor = nd.cov(input, correction=correction, fweights=fweights, aweights=aweights)
    return result


@torch_function
def corrcoef(input: Tensor) -> Tensor:
    """Estimate the correlations of variables: covariances divided by both standard deviations.

    Args:
        input: a row per variable and a column per observation, or a vector for one variable.

    Returns:
        The correlations (n, n) of n variables, between -1 and 1, or a tensor with no dims for one.

    Raises:
        ShapeError: `input` has more than two dims.
        DTypeError: `input` is boolean.

    >>> torch.corrcoef(torch.tensor([[0.0, 2.0, 4.0], [4.0, 2.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    result: Tensor = nd.corrcoef(input)
    return result
