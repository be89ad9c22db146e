"""The momentum of an optimizer's groups, which some schedules turn against the learning rate."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentValueError

from ..optimizer import Optimizer

__all__ = ["begin_momenta", "set_momentum", "uses_beta1"]


def uses_beta1(optimizer: Optimizer) -> bool:
    """Whether the momentum is the first of `betas`, and not `momentum`.

    Raises:
        ValueError: the optimizer has neither.
    """
    if "momentum" not in optimizer.defaults and "betas" not in optimizer.defaults:
        raise ArgumentValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
    return "betas" in optimizer.defaults


def set_momentum(group: dict[str, Any], momentum: Any, beta1: bool) -> None:
    """Set a group's momentum."""
    if beta1:
        group["betas"] = (momentum, *group["betas"][1:])
    else:
        group["momentum"] = momentum


def begin_momenta(optimizer: Optimizer, base: list[Any], greatest: list[Any], beta1: bool) -> None:
    """Begin with the greatest momentum in every group, and note there between what it goes."""
    for group, low, high in zip(optimizer.param_groups, base, greatest, strict=True):
        set_momentum(group, high, beta1)
        group["max_momentum"] = high
        group["base_momentum"] = low
