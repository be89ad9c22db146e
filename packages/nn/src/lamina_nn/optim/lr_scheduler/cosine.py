"""Learning rates that fall along half a wave of a cosine, once, there and back, or again and again."""

from __future__ import annotations

import math

from lamina_flatarray import ArgumentValueError

from ..optimizer import Optimizer
from .scheduler import LRScheduler, Value

__all__ = ["CosineAnnealingLR", "CosineAnnealingWarmRestarts"]


class CosineAnnealingLR(LRScheduler):
    """Let the learning rate follow a cosine from its first value to `eta_min` and back (Loshchilov & Hutter 2017, without restarts).

    Each is computed from the one before, so that other schedules may change it as well.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        T_max: how many epochs half a wave takes.
        eta_min: the least learning rate.
        last_epoch: the epoch to go on from; -1 to begin.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.8536, 0.5, 0.1464, 0.0, 0.1464]
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        if self._is_initial:
            return self._unchanged()
        epoch, half, least = self.last_epoch, self.T_max, self.eta_min
        if self._step_count == 1 and epoch > 0:
            return [least + (lr - least) * (1 + math.cos(epoch * math.pi / half)) / 2 for lr in self.base_lrs]
        groups = self.optimizer.param_groups
        if (epoch - 1 - half) % (2 * half) == 0:  # the wave was at its least, where the ratio below is 0 / 0
            rise = 1 - math.cos(math.pi / half)
            return [group["lr"] + (lr - least) * rise / 2 for lr, group in zip(self.base_lrs, groups, strict=True)]
        ratio = (1 + math.cos(math.pi * epoch / half)) / (1 + math.cos(math.pi * (epoch - 1) / half))
        return [ratio * (group["lr"] - least) + least for group in groups]

    def _get_closed_form_lr(self) -> list[Value]:
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (lr - self.eta_min) * height / 2 for lr in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Let the learning rate fall along half a wave of a cosine, again and again (Loshchilov & Hutter 2017).

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        T_0: how many epochs the first fall takes.
        T_mult: by what factor each fall is longer than the one before.
        eta_min: the least learning rate.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: `T_0` is no positive integer, `T_mult` none from 1, or `eta_min` no number.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=2)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.5, 1.0, 0.8536, 0.5, 0.1464]
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ArgumentValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ArgumentValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ArgumentValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        height = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        return [self.eta_min + (lr - self.eta_min) * height / 2 for lr in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Count an epoch, or go to one, which may be a fraction, and set its learning rates.

        Args:
            epoch: the epoch to go to, which may be a fraction; None for the next one.

        Raises:
            ValueError: the epoch is negative.
        """
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        elif epoch < 0:
            raise ArgumentValueError(f"Expected non-negative epoch, but got {epoch}")
        elif epoch < self.T_0:
            self.T_cur, self.T_i = epoch, self.T_0
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            falls = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**falls - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**falls
        self.last_epoch = math.floor(epoch)
        with self._computing():
            lrs = self.get_lr()
        self._set_lrs(lrs)
