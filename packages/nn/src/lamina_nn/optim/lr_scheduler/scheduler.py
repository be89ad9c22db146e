"""LRScheduler: counts epochs and sets the learning rates of an optimizer's groups."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor

from ..optimizer import Optimizer

__all__ = ["LRScheduler", "check_optimizer", "per_group", "set_value", "values", "warn_of_epoch"]

Value = Any
"""A learning rate: a number, or a tensor where the optimizer's is one."""

_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. Call `optimizer.step()` first: else the first value "
    "of the learning rate schedule is skipped."
)
_OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure to "
    "call `optimizer.step()` before `lr_scheduler.step()`."
)
_EPOCH = (
    "The epoch parameter in `scheduler.step()` is deprecated. Please use `scheduler.step()`. Where there is one, a closed "
    "form is used for the epoch given."
)
_GET_LR = "To get the last learning rate computed by the scheduler, please use `get_last_lr()`."


class LRScheduler:
    """Base class of schedulers: counts epochs and sets the learning rate of every parameter group.

    A subclass defines `get_lr`, and may define `_get_closed_form_lr` for epochs out of order. The constructor sets the
    learning rates of the optimizer's groups: load the optimizer's state after it.

    Args:
        optimizer: the optimizer whose learning rates are scheduled.
        last_epoch: the epoch to go on from; -1 to begin.

    Attributes:
        base_lrs: the learning rates at first, per group.
        last_epoch: how many epochs were counted.

    Raises:
        TypeError: `optimizer` is not an optimizer.
        KeyError: the schedule goes on, but a group does not know its first learning rate.

    >>> class Halving(torch.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self):
    ...         return [rate / 2**self.last_epoch for rate in self.base_lrs]
    >>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    >>> scheduler = Halving(optimizer)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    >>> scheduler.get_last_lr()
    [0.125]
    """

    _get_lr_called_within_step: bool = False
    _is_initial: bool = False
    base_lrs: list[Value]
    last_epoch: int
    _last_lr: list[Value]
    _step_count: int

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _own(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with "
                    "last_epoch >= 0: load the optimizer's state first, or begin with last_epoch=-1"
                )
        self.base_lrs = values(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        _watch(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        """Begin to count, and set the first learning rates."""
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    # -- to be given by subclasses --------------------------------------------------------------------------------------

    def get_lr(self) -> list[Value]:
        """Compute the learning rates of the epoch that `step` has just counted; to read the current ones, use `get_last_lr`.

        Returns:
            One learning rate per parameter group.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} defines no get_lr")

    # -- use ------------------------------------------------------------------------------------------------------------

    def get_last_lr(self) -> list[Value]:
        """Return the current learning rates.

        Returns:
            One learning rate per parameter group.
        """
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Count an epoch and set its learning rates; to be called after the optimizer's `step`.

        Args:
            epoch: go to this epoch instead. Deprecated, as in PyTorch.
        """
        if self._step_count == 1:
            if self.optimizer.__dict__.get("_scheduled_step") != _function(self.optimizer.step):
                warnings.warn(_OVERRIDDEN, UserWarning, stacklevel=2)
            elif not self.optimizer._opt_called:
                warnings.warn(_ORDER, UserWarning, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warn_of_epoch(stacklevel=3)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        with self._computing():
            if epoch is None:
                self.last_epoch += 1
                lrs = self.get_lr()
            else:
                self.last_epoch = epoch
                closed_form: Callable[[], list[Value]] = getattr(self, "_get_closed_form_lr", self.get_lr)
                lrs = closed_form()
        self._set_lrs(lrs)

    def _set_lrs(self, lrs: list[Value]) -> None:
        for group, lr in zip(self.optimizer.param_groups, lrs, strict=True):
            set_value(group, "lr", lr)
        self._last_lr = values(self.optimizer, "lr")

    @contextmanager
    def _computing(self) -> Iterator[None]:
        """`get_lr` may be called without a warning."""
        self._get_lr_called_within_step = True
        try:
            yield
        finally:
            self._get_lr_called_within_step = False

    def _warn_outside_of_step(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn(_GET_LR, UserWarning, stacklevel=3)

    def _scaled(self, factor: float) -> list[Value]:
        """The current learning rates times a factor."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]

    def _unchanged(self) -> list[Value]:
        return values(self.optimizer, "lr")

    # -- state ----------------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """Return all attributes but the optimizer, under PyTorch's names.

        Returns:
            A dict for `load_state_dict`.
        """
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what `state_dict` returned.

        Args:
            state_dict: what `state_dict` returned.
        """
        self.__dict__.update(state_dict)


def check_optimizer(optimizer: Any) -> None:
    """Refuse what is no optimizer.

    Raises:
        TypeError: it is not an optimizer.
    """
    if not isinstance(optimizer, Optimizer):
        raise ArgumentTypeError(f"{type(optimizer).__name__} is not an Optimizer")


def per_group(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """One value for every group, from one for all or a list.

    Raises:
        ValueError: the list is of another length.
    """
    if not isinstance(value, (list, tuple)):
        value = [value] * len(optimizer.param_groups)
    elif len(value) != len(optimizer.param_groups):
        raise ArgumentValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, param_groups "
            f"has {len(optimizer.param_groups)}."
        )
    return [_own(v) for v in value]


def values(optimizer: Optimizer, name: str) -> list[Any]:
    """A setting of every group; tensors are copied."""
    return [_own(group[name]) for group in optimizer.param_groups]


def set_value(group: dict[str, Any], name: str, value: Any) -> None:
    """Set a setting of a group; where it is a tensor, its item, so that whoever holds the tensor sees it."""
    if isinstance(group[name], Tensor):
        group[name].fill_(value.squeeze() if isinstance(value, Tensor) else value)
    else:
        group[name] = value


def warn_of_epoch(stacklevel: int) -> None:
    """Say that epochs should not be given to `step`."""
    warnings.warn(_EPOCH, UserWarning, stacklevel=stacklevel + 1)


def _own(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def _watch(optimizer: Optimizer) -> None:
    """From now on, note whether the optimizer steps, and whether its `step` is replaced."""
    if "_scheduled_step" not in optimizer.__dict__:
        optimizer.__dict__["_scheduled_step"] = _function(optimizer.step)
        optimizer._opt_called = False


def _function(method: Callable[..., Any]) -> Any:
    return getattr(method, "__func__", method)
