"""Step lengths by functions that the user gives."""

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
    """The first step length times a function of the epoch.

    Args:
        optimizer: whose groups are scheduled.
        lr_lambda: the function, or one per group.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: there are not as many functions as groups.
    """

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        return [lr * function(self.last_epoch) for lr, function in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class MultiplicativeLR(_Given):
    """The step length of the epoch before times a function of the epoch.

    Args:
        optimizer: whose groups are scheduled.
        lr_lambda: the function, or one per group.
        last_epoch: the epoch to go on from; -1 to begin.

    Raises:
        ValueError: there are not as many functions as groups.
        TypeError: one is no function.
    """

    def __init__(self, optimizer: Optimizer, lr_lambda: Function | list[Function], last_epoch: int = -1) -> None:
        for function in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(function):
                raise ArgumentTypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Value]:
        """The step lengths of this epoch."""
        self._warn_outside_of_step()
        if self._is_initial:
            return self._unchanged()
        groups = self.optimizer.param_groups
        return [group["lr"] * function(self.last_epoch) for group, function in zip(groups, self.lr_lambdas, strict=True)]
