"""Learning rates that go up and down between two bounds, with the momentum against them."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from lamina_flatarray import ArgumentValueError

from ..optimizer import Optimizer
from .momenta import begin_momenta, set_momentum, uses_beta1
from .scheduler import LRScheduler, Value, check_optimizer, per_group, set_value

__all__ = ["CyclicLR"]


class CyclicLR(LRScheduler):
    """Let the learning rate rise and fall between two bounds, in cycles of lower and lower height where the mode says so (Smith 2017).

    To be stepped after every batch.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        base_lr: the lower bound, or one per group.
        max_lr: the upper bound, or one per group.
        step_size_up: how many steps the rise takes.
        step_size_down: how many the fall takes; None for as many.
        mode: "triangular" for cycles of one height, "triangular2" for each half as high as the one before, "exp_range" for
            heights that shrink by `gamma` with every step.
        gamma: see there.
        scale_fn: the height by number of the cycle or step, in the place of the mode's.
        scale_mode: "cycle" or "iterations": what is given to `scale_fn`.
        cycle_momentum: whether the momentum goes against the learning rate.
        base_momentum: its lower bound, or one per group.
        max_momentum: its upper bound, or one per group.
        last_epoch: the step to go on from; -1 to begin.

    Raises:
        ValueError: the mode is unknown, a list has not one value per group, or there is no momentum to cycle.
        TypeError: `optimizer` is not an optimizer.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.1, max_lr=0.5, step_size_up=2, mode="triangular2")
    >>> rates = []
    >>> for _ in range(8):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [0.1, 0.3, 0.5, 0.3, 0.1, 0.2, 0.3, 0.2]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, lr in zip(optimizer.param_groups, base_lrs, strict=True):
                set_value(group, "lr", lr)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        down = up if step_size_down is None else float(step_size_down)
        self.total_size = up + down
        self.step_ratio = up / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ArgumentValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        self._choose_height()
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = uses_beta1(optimizer)
            self.base_momentums = per_group("base_momentum", optimizer, base_momentum)
            self.max_momentums = per_group("max_momentum", optimizer, max_momentum)
            if last_epoch == -1:
                begin_momenta(optimizer, self.base_momentums, self.max_momentums, self.use_beta1)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def _choose_height(self) -> None:
        if self._scale_fn_custom is not None:
            return
        heights: dict[str, Callable[[float], float]] = {
            "triangular": _same, "triangular2": _halved, "exp_range": partial(_shrunk, self.gamma),
        }  # fmt: skip
        self._scale_fn_ref = heights[self.mode]
        self.scale_mode = "iterations" if self.mode == "exp_range" else "cycle"

    def scale_fn(self, x: float) -> float:
        """Compute the height of a cycle, as a fraction of the distance between the bounds.

        Args:
            x: the number of the cycle, or of the step where `scale_mode` is "iterations".

        Returns:
            The fraction.
        """
        return (self._scale_fn_custom or self._scale_fn_ref)(x)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this step, and set the momentum as well.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        cycle = math.floor(1 + self.last_epoch / self.total_size)
        place = 1.0 + self.last_epoch / self.total_size - cycle
        rising = place <= self.step_ratio
        part = place / self.step_ratio if rising else (place - 1) / (self.step_ratio - 1)

        def height(low: Any, high: Any) -> Any:
            return (high - low) * part * self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)

        lrs = [low + height(low, high) for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]
        if self.cycle_momentum:
            bounds = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, low, high in bounds:
                set_momentum(group, high - height(low, high), self.use_beta1)
        return lrs

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes but the optimizer; the user's `scale_fn` by its attributes if it is an object, else None.

        Returns:
            A dict for `load_state_dict`.
        """
        state = super().state_dict()
        state.pop("_scale_fn_ref", None)
        function = self._scale_fn_custom
        custom = function is not None and not isinstance(function, types.FunctionType)
        state["_scale_fn_custom"] = function.__dict__.copy() if custom else None
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` returned; the user's `scale_fn` stays, and takes over its attributes.

        Args:
            state_dict: what `state_dict` returned.
        """
        attributes = state_dict["_scale_fn_custom"]
        super().load_state_dict({name: value for name, value in state_dict.items() if name != "_scale_fn_custom"})
        if attributes is not None:
            self._scale_fn_custom.__dict__.update(attributes)
        self._choose_height()


def _same(cycle: float) -> float:
    return 1.0


def _halved(cycle: float) -> float:
    return float(1 / 2.0 ** (cycle - 1))


def _shrunk(gamma: float, step: float) -> float:
    return float(gamma**step)
