"""SWALR: learning rates that go to a constant and stay there, while parameters are averaged."""

from __future__ import annotations

import math
from typing import Literal

from lamina_flatarray import ArgumentValueError

from ..lr_scheduler.scheduler import LRScheduler, Value, per_group
from ..optimizer import Optimizer

__all__ = ["SWALR"]


class SWALR(LRScheduler):
    """Move the learning rate to `swa_lr`, where it stays while weights are averaged (Izmailov et al. 2018).

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        swa_lr: the last learning rate, or one per group.
        anneal_epochs: how many epochs the way takes.
        anneal_strategy: the shape of the way, "cos" or "linear".
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: the strategy is unknown, the number of epochs negative, or a list has not one value per group.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.swa_utils.SWALR(optimizer, swa_lr=0.2, anneal_epochs=2, anneal_strategy="linear")
    >>> rates = []
    >>> for _ in range(4):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.6, 0.2, 0.2]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | list[float],
        anneal_epochs: int = 10,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        last_epoch: int = -1,
    ) -> None:
        for group, lr in zip(optimizer.param_groups, per_group("swa_lr", optimizer, swa_lr), strict=True):
            group["swa_lr"] = lr
        if anneal_strategy not in ("cos", "linear"):
            raise ArgumentValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ArgumentValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch; the previous ones tell where the way began.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._way(step - 1), self._way(step)
        lrs = []
        for group in self.optimizer.param_groups:
            last = group["swa_lr"]
            first = last if before == 1 else (group["lr"] - before * last) / (1 - before)
            lrs.append(last * now + first * (1 - now))
        return lrs

    def _way(self, step: int) -> float:
        """Which part of the way is behind at a step."""
        part: float = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * part)) / 2 if self._anneal_strategy == "cos" else part
