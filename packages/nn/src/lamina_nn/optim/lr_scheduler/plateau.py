"""Learning rates that shrink when a measure has not improved for some time."""

from __future__ import annotations

import math
from typing import Any, Literal, SupportsFloat

from lamina_flatarray import ArgumentValueError, UsageError

from ..optimizer import Optimizer
from .scheduler import LRScheduler, check_optimizer, set_value, values, warn_of_epoch

__all__ = ["ReduceLROnPlateau"]


class ReduceLROnPlateau(LRScheduler):
    """Reduce the learning rate when a measure has stopped improving.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        mode: whether a smaller ("min") or a greater ("max") measure is better.
        factor: the number below 1 that the learning rate is multiplied by.
        patience: the number of epochs without improvement that are tolerated.
        threshold: the least change that counts as an improvement.
        threshold_mode: whether `threshold` is relative to the best value ("rel") or not ("abs").
        cooldown: the number of epochs after a reduction that are not counted.
        min_lr: the least learning rate, or one per group.
        eps: the greatest change of the learning rate that is left out as too small.

    Raises:
        ValueError: a setting is out of its range, or a list has not one value per group.
        TypeError: `optimizer` is not an optimizer.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    >>> for loss in [3.0, 2.0, 2.0, 2.0, 2.0]:  # the second epoch without improvement is one too many
    ...     optimizer.step()
    ...     scheduler.step(loss)
    ...     print(scheduler.get_last_lr())
    [1.0]
    [1.0]
    [1.0]
    [0.5]
    [0.5]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: Literal["min", "max"] = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: float | list[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ArgumentValueError("Factor should be < 1.0.")
        check_optimizer(optimizer)
        self.factor = factor
        self.optimizer = optimizer
        groups = len(optimizer.param_groups)
        self.default_min_lr: float | None
        if isinstance(min_lr, (list, tuple)):
            if len(min_lr) != groups:
                raise ArgumentValueError(f"expected {groups} min_lrs, got {len(min_lr)}")
            self.default_min_lr, self.min_lrs = None, list(min_lr)
        else:
            self.default_min_lr, self.min_lrs = min_lr, [min_lr] * groups
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = values(optimizer, "lr")
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self._init_is_better()
        self._reset()

    def _init_is_better(self) -> None:
        if self.mode not in ("min", "max"):
            raise ArgumentValueError(f"mode {self.mode} is unknown!")
        if self.threshold_mode not in ("rel", "abs"):
            raise ArgumentValueError(f"threshold mode {self.threshold_mode} is unknown!")
        self.mode_worse = math.inf if self.mode == "min" else -math.inf

    def _reset(self) -> None:
        """Forget the best value and all epochs counted."""
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether epochs do not count now."""
        return self.cooldown_counter > 0

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:  # type: ignore[override]
        """Count an epoch, and reduce the learning rate if the measure has not improved for longer than `patience`.

        Args:
            metrics: the measure in this epoch, a number or a tensor of one item.
            epoch: its number. Deprecated, as in PyTorch.

        Raises:
            RuntimeError: groups were added, but every group has a `min_lr` of its own.
        """
        value = float(metrics)
        if epoch is None:
            self.last_epoch += 1
        else:
            warn_of_epoch(stacklevel=2)
            self.last_epoch = epoch
        if self._is_better(value, self.best):
            self.best = value
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = values(self.optimizer, "lr")

    def _is_better(self, value: float, best: float) -> bool:
        sign = -1 if self.mode == "min" else 1
        threshold = best * (1.0 + sign * self.threshold) if self.threshold_mode == "rel" else best + sign * self.threshold
        return value < threshold if self.mode == "min" else value > threshold

    def _reduce_lr(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise UsageError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from when `ReduceLROnPlateau` "
                    f"was initialized ({len(self.min_lrs)}), usually due to a new param group being added to the optimizer. "
                    "Please modify the `min_lrs` field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs, strict=True):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_value(group, "lr", new)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` returned.

        Args:
            state_dict: what `state_dict` returned.
        """
        super().load_state_dict(state_dict)
        self._init_is_better()
