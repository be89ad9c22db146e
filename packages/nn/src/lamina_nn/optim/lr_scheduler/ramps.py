"""Learning rates that rise or fall evenly: held back at first, along a line, a power, or an exponential."""

from __future__ import annotations

from lamina_flatarray import ArgumentValueError

from ..optimizer import Optimizer
from .scheduler import LRScheduler, Value

__all__ = ["ConstantLR", "ExponentialLR", "LinearLR", "PolynomialLR"]


class ConstantLR(LRScheduler):
    """Multiply the learning rate by a factor for the first epochs only.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        factor: the factor.
        total_iters: the number of those epochs.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: the factor is outside of [0, 1].

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=3)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [0.5, 0.5, 0.5, 1.0, 1.0, 1.0]
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
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        if self.last_epoch == 0:
            return self._scaled(self.factor)
        return self._scaled(1.0 / self.factor) if self.last_epoch == self.total_iters else self._unchanged()

    def _get_closed_form_lr(self) -> list[Value]:
        rest = (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [lr * (self.factor + rest) for lr in self.base_lrs]


class LinearLR(LRScheduler):
    """Multiply the learning rate by a factor that goes along a line from one value to another.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        start_factor: the factor at first.
        end_factor: the factor in the end.
        total_iters: the number of epochs until then.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: a factor is outside of [0, 1], or the first one is zero.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.2, total_iters=4)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [0.2, 0.4, 0.6, 0.8, 1.0, 1.0]
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
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
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
    """Multiply the learning rate by `gamma` every epoch.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        gamma: the factor.
        last_epoch: the epoch to go on from; -1 to begin.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.5, 0.25, 0.125, 0.0625, 0.0312]
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        return self._unchanged() if self._is_initial else self._scaled(self.gamma)

    def _get_closed_form_lr(self) -> list[Value]:
        return [lr * self.gamma**self.last_epoch for lr in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Let the learning rate fall to zero as a power of the epochs that are left.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        total_iters: after how many epochs it is zero.
        power: the power; 1 is a line.
        last_epoch: the epoch to go on from; -1 to begin.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4, power=2.0)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.5625, 0.25, 0.0625, 0.0, 0.0]
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._unchanged()
        left, left_before = (1.0 - epoch / self.total_iters for epoch in (self.last_epoch, self.last_epoch - 1))
        return self._scaled((left / left_before) ** self.power)

    def _get_closed_form_lr(self) -> list[Value]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [lr * left**self.power for lr in self.base_lrs]
