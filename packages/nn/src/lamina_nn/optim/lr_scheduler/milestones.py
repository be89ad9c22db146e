"""Learning rates that shrink by a factor at certain epochs."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from ..optimizer import Optimizer
from .scheduler import LRScheduler, Value

__all__ = ["MultiStepLR", "StepLR"]


class StepLR(LRScheduler):
    """Multiply the learning rate by `gamma` every `step_size` epochs.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        step_size: the number of epochs between two changes.
        gamma: the factor.
        last_epoch: the epoch to go on from; -1 to begin.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 1.0, 0.1, 0.1, 0.01, 0.01]
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        shrinks = self.last_epoch != 0 and self.last_epoch % self.step_size == 0
        return self._scaled(self.gamma) if shrinks else self._unchanged()

    def _get_closed_form_lr(self) -> list[Value]:
        return [lr * self.gamma ** (self.last_epoch // self.step_size) for lr in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Multiply the learning rate by `gamma` at each milestone.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        milestones: the epochs; one that is given twice counts twice.
        gamma: the factor.
        last_epoch: the epoch to go on from; -1 to begin.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 4], gamma=0.1)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.1, 0.1, 0.1, 0.01, 0.01]
    """

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        times = self.milestones[self.last_epoch]
        return self._scaled(self.gamma**times) if times else self._unchanged()

    def _get_closed_form_lr(self) -> list[Value]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [lr * self.gamma**passed for lr in self.base_lrs]
