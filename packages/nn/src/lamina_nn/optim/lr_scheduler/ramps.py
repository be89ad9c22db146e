"""Step lengths that rise or fall evenly: held back at first, along a line, a power, or an exponential."""

from __future__ import annotations

from lamina_flatarray import ArgumentValueError

from ..optimizer import Optimizer
from .scheduler import LRScheduler, Value

__all__ = ["ConstantLR", "ExponentialLR", "LinearLR", "PolynomialLR"]


class ConstantLR(LRScheduler):
    """The step length times a factor for the first epochs, then whole.

    Args:
        optimizer: whose groups are scheduled.
        factor: the factor.
        total_iters: for how many epochs.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: the factor is outside of [0, 1].
    """

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ArgumentValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor) if self.last_epoch == self.total_iters else self._unchanged()

    def _get_closed_form_lr(self) -> list[Value]:
        rest = (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [lr * (self.factor + rest) for lr in self.base_lrs]


class LinearLR(LRScheduler):
    """The step length times a factor that goes along a line from one value to another.

    Args:
        optimizer: whose groups are scheduled.
        start_factor: the factor at first.
        end_factor: the factor in the end.
        total_iters: after how many epochs.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: a factor is outside of [0, 1], or the first one is zero.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ArgumentValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ArgumentValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        if self.last_epoch == 0:
            return self._scaled(self.start_factor)
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._unchanged()
        rise = self.end_factor - self.start_factor
        before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
        return self._scaled(1.0 + rise / before)

    def _get_closed_form_lr(self) -> list[Value]:
        rise = self.end_factor - self.start_factor
        epoch = min(self.total_iters, self.last_epoch)
        return [lr * (self.start_factor + rise * epoch / self.total_iters) for lr in self.base_lrs]


class ExponentialLR(LRScheduler):
    """The step length shrinks every epoch.

    Args:
        optimizer: whose groups are scheduled.
        gamma: by what factor.
        last_epoch: the epoch to go on from; -1 to begin.
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        return self._unchanged() if self._is_initial else self._scaled(self.gamma)

    def _get_closed_form_lr(self) -> list[Value]:
        return [lr * self.gamma**self.last_epoch for lr in self.base_lrs]


class PolynomialLR(LRScheduler):
    """The step length falls to zero as a power of the epochs that are left.

    Args:
        optimizer: whose groups are scheduled.
        total_iters: after how many epochs it is zero.
        power: the power; 1 is a line.
        last_epoch: the epoch to go on from; -1 to begin.
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._unchanged()
        left, left_before = (1.0 - epoch / self.total_iters for epoch in (self.last_epoch, self.last_epoch - 1))
        return self._scaled((left / left_before) ** self.power)

    def _get_closed_form_lr(self) -> list[Value]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [lr * left**self.power for lr in self.base_lrs]
