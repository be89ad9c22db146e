"""Learning rates by functions that the user gives."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError

from ..optimizer import Optimizer
from .scheduler import LRScheduler, Value

__all__ = ["LambdaLR", "MultiplicativeLR"]

Function = Callable[[int], float]


class _Given(LRScheduler):
    lr_lambdas: list[Function]

    def __init__(self, optimizer: Optimizer, lr_lambda: Function | list[Function], last_epoch: int = -1) -> None:
        groups = len(optimizer.param_groups)
        if isinstance(lr_lambda, (list, tuple)):
            if len(lr_lambda) != groups:
                raise ArgumentValueError(f"Expected {groups} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        else:
            self.lr_lambdas = [lr_lambda] * groups
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer; of the functions, those that are objects by their attributes, else None."""
        state = super().state_dict()
        state["lr_lambdas"] = [
            None if isinstance(function, types.FunctionType) else function.__dict__.copy() for function in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave; the functions stay, and take over their attributes."""
        super().load_state_dict({name: value for name, value in state_dict.items() if name != "lr_lambdas"})
        for function, attributes in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if attributes is not None:
                function.__dict__.update(attributes)


class LambdaLR(_Given):
    """Multiply the first learning rate by a function of the epoch.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        lr_lambda: the function, or one per group.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: there are not as many functions as groups.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.5, 0.3333, 0.25, 0.2, 0.1667]
    """

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        return [lr * function(self.last_epoch) for lr, function in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class MultiplicativeLR(_Given):
    """Multiply the previous epoch's learning rate by a function of the epoch.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        lr_lambda: the function, or one per group.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: there are not as many functions as groups.
        TypeError: one is no function.

    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.5 if epoch % 2 else 1.0)
    >>> rates = []
    >>> for _ in range(6):
    ...     rates += scheduler.get_last_lr()
    ...     optimizer.step()
    ...     scheduler.step()
    >>> [round(rate, 4) for rate in rates]
    [1.0, 0.5, 0.5, 0.25, 0.25, 0.125]
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Function | list[Function], last_epoch: int = -1) -> None:
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise ArgumentTypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of this epoch.

        Returns:
            One learning rate per parameter group.
        """
        self._warn_outside_of_step()
        if self._is_initial:
            return self._unchanged()
        groups = self.optimizer.param_groups
        return [group["lr"] * function(self.last_epoch) for group, function in zip(groups, self.lr_lambdas, strict=True)]
