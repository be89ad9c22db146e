"""Random numbers of successes among trials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from lamina_flatarray.random import Generator

    from ..tensor_class import Tensor

__all__ = ["binomial"]


@torch_function
def binomial(count: Tensor, prob: Tensor, generator: Generator | None = None) -> Tensor:
    """Draw how many of `count` trials succeed, each at probability `prob`.

    Args:
        count: numbers of trials, floating-point.
        prob: probabilities, of the same dtype; both broadcast together.
        generator: where the random numbers come from; None for the default one.

    Returns:
        The numbers of successes, in the operands' dtype and of the shape that they broadcast to. No gradient flows through them.

    Raises:
        ShapeError: the shapes do not broadcast together.
        OpNotImplemented: the items are not floating-point.

    >>> torch.binomial(torch.tensor([5.0]), torch.tensor([1.0]))
    tensor([5.])
    """
    return af.binomial(count, prob, generator=generator)
