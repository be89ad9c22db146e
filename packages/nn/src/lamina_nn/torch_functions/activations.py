"""Activations whose arguments are others than in `functional`: `torch.rrelu` and `torch.threshold`."""

from __future__ import annotations

from lamina_flatarray.random.generator import Generator
from lamina_tensor import Tensor
from lamina_tensor.dispatch.out import written
from lamina_tensor.dispatch.torch_function import torch_function

from ..functional.activations.rectifiers import _leaky_at_random, _thresholded
from ..functional.checking import check_tensor


@torch_function
def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, generator: Generator | None = None
) -> Tensor:
    """Scale negative items by random slopes in training, and by the middle of the bounds otherwise (Xu et al. 2015).

    Args:
        input: floating-point numbers of any shape.
        lower, upper: the bounds of the uniform distribution of slopes.
        training: whether slopes are random.
        generator: where the slopes come from; by default, the default generator.

    Returns:
        A tensor of the input's shape.

    Raises:
        UsageError: lower is greater than upper.
        OpNotImplemented: input is not floating-point.

    >>> torch.rrelu(torch.tensor([-2.0, 3.0]), 0.25, 0.75)
    tensor([-1.,  3.])
    """
    return _leaky_at_random(input, lower, upper, training, False, generator)


@torch_function
def threshold(input: Tensor, threshold: float, value: float, *, out: Tensor | None = None) -> Tensor:
    """Replace items that are not above a threshold.

    Args:
        input: numbers of any shape.
        threshold: the threshold.
        value: what replaces them.
        out: where to write the result.

    Returns:
        A tensor of the input's shape; `out` where it is given.

    >>> torch.threshold(torch.tensor([-2.0, 0.0, 3.0]), 1.0, 20.0)
    tensor([20., 20.,  3.])
    """
    check_tensor("threshold", input)
    result = _thresholded(input, threshold, value)
    return result if out is None else written("threshold", out, result, casts=True)
