"""Learning rates that rise once and then fall far below where they began, with the momentum against them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Literal

from lamina_flatarray import ArgumentValueError

from ..optimizer import Optimizer
from .momenta import begin_momenta, set_momentum, uses_beta1
from .scheduler import LRScheduler, Value, check_optimizer, per_group

__all__ = ["OneCycleLR"]


class OneCycleLR(LRScheduler):
    """Let the learning rate rise from a fraction of its maximum to it, and fall to a much smaller one (Smith & Topin 2018).

    To be stepped after every batch.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        max_lr: the greatest learning rate, or one per group.
        total_steps: the number of steps; if None, the product of the next two.
        epochs: the number of epochs.
        steps_per_epoch: the number of steps per epoch.
        pct_start: the fraction of the steps, from 0 to 1, in which the learning rate rises.
        anneal_strategy: the shape of the way, "cos" or "linear".
        cycle_momentum: whether the momentum goes against the learning rate.
        base_momentum: its lower bound, or one per group.
        max_momentum: its upper bound, or one per group.
        div_factor: the quotient of the greatest and the first learning rate.
        final_div_factor: the quotient of the first and the last learning rate.
        three_phase: whether it falls as it rose, and then further.
        last_epoch: the step to go on from; -1 to begin.

    Raises:
        ValueError: a setting is out of its range, the number of steps is not given, or there is no momentum to cycle; when
            stepped, there are no more steps.
        TypeError: `optimizer` is not an optimizer.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=0.1, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=6, pct_start=0.5)
    >>> rates = []
    >>> for _ in range(5):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [0.04, 0.52, 1.0, 0.75, 0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is not None:
            self.total_steps = _positive("total_steps", total_steps)
        elif epochs is not None and steps_per_epoch is not None:
            self.total_steps = _positive("epochs", epochs) * _positive("steps_per_epoch", steps_per_epoch)
        else:
            raise ArgumentValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ArgumentValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ArgumentValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        rise = float(pct_start * self.total_steps)
        ends: list[float] = [rise - 1, 2 * rise - 2] if three_phase else [rise - 1]
        self._schedule_phases = _phases([*ends, self.total_steps - 1], three_phase)
        self._anneal_func_type = anneal_strategy
        max_lrs = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, greatest in zip(optimizer.param_groups, max_lrs, strict=True):
                group["initial_lr"] = greatest / div_factor
                group["max_lr"] = greatest
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.use_beta1 = uses_beta1(optimizer)
            high = per_group("max_momentum", optimizer, max_momentum)
            low = per_group("base_momentum", optimizer, base_momentum)
            if last_epoch == -1:
                begin_momenta(optimizer, low, high, self.use_beta1)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this step, and set the momentum as well.

        Returns:
            One learning rate per parameter group.

        Raises:
            ValueError: there are no more steps.
        """
        self._warn_outside_of_step()
        step = self.last_epoch
        if step > self.total_steps:
            raise ArgumentValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        ends = [phase["end_step"] for phase in self._schedule_phases]
        i = next((i for i, end in enumerate(ends) if step <= end), len(ends) - 1)
        phase, begin = self._schedule_phases[i], ends[i - 1] if i else 0.0
        part = (step - begin) / (phase["end_step"] - begin)
        between = _along_cosine if self._anneal_func_type == "cos" else _along_line
        lrs = []
        for group in self.optimizer.param_groups:
            lrs.append(between(group[phase["start_lr"]], group[phase["end_lr"]], part))
            if self.cycle_momentum:
                momentum = between(group[phase["start_momentum"]], group[phase["end_momentum"]], part)
                set_momentum(group, momentum, self.use_beta1)
        return lrs


def _positive(name: str, value: Any) -> int:
    if not isinstance(value, int) or value <= 0:
        raise ArgumentValueError(f"Expected positive integer {name}, but got {value}")
    return value


def _phases(ends: list[float], three: bool) -> list[dict[str, Any]]:
    """When each phase ends, and between which settings of a group it goes."""
    lrs = ["initial_lr", "max_lr", "initial_lr", "min_lr"] if three else ["initial_lr", "max_lr", "min_lr"]
    momenta = ["max_momentum", "base_momentum", "max_momentum", "max_momentum"][: len(lrs)]
    return [
        {"end_step": end, "start_lr": lr, "end_lr": next_lr, "start_momentum": momentum, "end_momentum": next_momentum}
        for end, (lr, next_lr), (momentum, next_momentum) in zip(ends, pairwise(lrs), pairwise(momenta), strict=True)
    ]


def _along_cosine(start: Any, end: Any, part: float) -> Any:
    return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def _along_line(start: Any, end: Any, part: float) -> Any:
    return (end - start) * part + start
