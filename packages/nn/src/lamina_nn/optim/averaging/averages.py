"""How an average takes in a new value: all alike, or older ones exponentially less."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor, no_grad

from ..memory.running_means import take_in

__all__ = ["get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn"]

OfOne = Callable[[Tensor, Tensor, Any], Tensor]
OfSeveral = Callable[[Sequence[Tensor], Sequence[Tensor], Any], None]


def get_ema_avg_fn(decay: float = 0.999) -> OfOne:
    """Return a function `(average, value, number averaged)` that computes `decay * average + (1 - decay) * value`.

    Args:
        decay: the fraction of the average that is kept, in [0, 1].

    Returns:
        A function for the argument `avg_fn` of `AveragedModel`.

    Raises:
        ValueError: `decay` is outside of [0, 1].

    >>> update = torch.optim.swa_utils.get_ema_avg_fn(decay=0.75)
    >>> update(torch.tensor([0.0, 4.0]), torch.tensor([4.0, 4.0]), 1)
    tensor([1., 4.])
    """
    _check_decay(decay)

    @no_grad()
    def update(average: Tensor, value: Tensor, averaged: int | Tensor) -> Tensor:
        return average.mul(decay).add(value, alpha=1 - decay)

    return update


def get_ema_multi_avg_fn(decay: float = 0.999) -> OfSeveral:
    """Return a function that updates several exponential moving averages in place, each as `get_ema_avg_fn` says.

    Args:
        decay: the fraction of the averages that is kept, in [0, 1].

    Returns:
        A function for the argument `multi_avg_fn` of `AveragedModel`.

    Raises:
        ValueError: `decay` is outside of [0, 1].

    >>> averages = [torch.tensor([0.0, 4.0])]
    >>> torch.optim.swa_utils.get_ema_multi_avg_fn(decay=0.75)(averages, [torch.tensor([4.0, 4.0])], 1)
    >>> averages
    [tensor([1., 4.])]
    """
    _check_decay(decay)

    @no_grad()
    def update(averages: Sequence[Tensor], values: Sequence[Tensor], averaged: Any) -> None:
        for average, value in zip(averages, values, strict=True):
            if average.dtype.is_inexact:
                take_in(average, value, decay)
            else:
                average.copy_(average * decay + value * (1 - decay))

    return update


def get_swa_avg_fn() -> OfOne:
    """Return a function `(average, value, number averaged)` that takes one more value into a mean of equal weights.

    Returns:
        A function for the argument `avg_fn` of `AveragedModel`.

    >>> update = torch.optim.swa_utils.get_swa_avg_fn()
    >>> update(torch.tensor(1.0), torch.tensor(4.0), 2)  # the mean of two values is 1
    tensor(2.)
    """

    @no_grad()
    def update(average: Tensor, value: Tensor, averaged: int | Tensor) -> Tensor:
        return average + (value - average) / (averaged + 1)

    return update


def get_swa_multi_avg_fn() -> OfSeveral:
    """Return a function that updates several means of equal weights in place, each as `get_swa_avg_fn` says.

    Returns:
        A function for the argument `multi_avg_fn` of `AveragedModel`.

    >>> averages = [torch.tensor(1.0)]
    >>> torch.optim.swa_utils.get_swa_multi_avg_fn()(averages, [torch.tensor(4.0)], torch.tensor(2))
    >>> averages
    [tensor(2.)]
    """

    @no_grad()
    def update(averages: Sequence[Tensor], values: Sequence[Tensor], averaged: Any) -> None:
        share = float(1 / (averaged + 1))
        for average, value in zip(averages, values, strict=True):
            if average.dtype.is_inexact:
                take_in(average, value, 1 - share)
            else:
                average.copy_(average + (value - average) * share)

    return update


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ArgumentValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")
