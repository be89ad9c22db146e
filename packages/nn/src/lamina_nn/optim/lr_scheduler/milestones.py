"""Step lengths that shrink by a factor at certain epochs."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from ..optimizer import Optimizer
from .scheduler import LRScheduler, Value

__all__ = ["MultiStepLR", "StepLR"]


class StepLR(LRScheduler):
    """The step length shrinks every so many epochs.

    Args:
        optimizer: whose groups are scheduled.
        step_size: after how many epochs.
        gamma: by what factor.
        last_epoch: the epoch to go on from; -1 to begin.
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        shrinks = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return self._scaled(self.gamma) if shrinks else self._unchanged()

    def _get_closed_form_lr(self) -> list[Value]:
        return [lr * self.gamma ** (self.last_epoch // self.step_size) for lr in self.base_lrs]


class MultiStepLR(LRScheduler):
    """The step length shrinks at given epochs.

    Args:
        optimizer: whose groups are scheduled.
        milestones: the epochs; one that is given twice counts twice.
        gamma: by what factor.
        last_epoch: the epoch to go on from; -1 to begin.
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        times = self.milestones[self.last_epoch]
        return self._scaled(self.gamma**times) if times else self._unchanged()

    def _get_closed_form_lr(self) -> list[Value]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [lr * self.gamma**passed for lr in self.base_lrs]
