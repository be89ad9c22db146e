"""Normal numbers within bounds."""

from __future__ import annotations

import math
import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

__all__ = ["trunc_normal_"]


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Fill a tensor with normally distributed numbers, drawn again where they are outside of [a, b].

    Args:
        tensor: the tensor to overwrite.
        mean: the mean before truncation.
        std: the standard deviation before truncation.
        a, b: the bounds.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ArgumentValueError: std is 0.

    >>> x = torch.nn.init.trunc_normal_(torch.empty(100), a=-1.0, b=1.0)
    >>> bool((x.abs() <= 1).all())
    True
    """
    return _no_grad_trunc_normal_(tensor, mean, std, a, b, generator)


@no_grad()
def _no_grad_trunc_normal_(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any = None) -> Tensor:
    """Do what `trunc_normal_` does; published code calls it by this name."""
    if std == 0:
        raise ArgumentValueError("trunc_normal_: std must not be 0")
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=4,  # past trunc_normal_ and no_grad
        )
    if tensor.is_meta:
        return tensor
    inside = (math.erf((b - mean) / std / math.sqrt(2)) - math.erf((a - mean) / std / math.sqrt(2))) / 2
    return (_redrawn if inside > 0.3 else _accepted)(tensor, mean, std, a, b, generator)


def _redrawn(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Normal numbers; all are drawn again, and those that were outside replaced, until none is."""
    low, high = (lt.tensor(v, device="cpu", dtype=tensor.dtype).item() for v in (a, b))
    tensor.normal_(mean, std, generator=generator)
    while True:
        outside = af.logical_or(tensor < low, tensor > high)
        if not bool(outside.any()):
            return tensor
        tensor.copy_(af.where(outside, lt.empty_like(tensor.detach()).normal_(mean, std, generator=generator), tensor.detach()))


def _accepted(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Uniform numbers, kept with a probability that is the density over its peak, until all are."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    pending: Tensor | None = None
    while pending is None or bool(pending.any()):
        candidates = lt.empty_like(tensor.detach()).uniform_(a, b, generator=generator)
        tensor.copy_(candidates if pending is None else af.where(pending, candidates, tensor.detach()))
        density = candidates.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        refused = af.log(lt.empty_like(candidates).uniform_(generator=generator)) > density
        pending = refused if pending is None else af.logical_and(pending, refused)
    return tensor
