"""Contexts in which calls of functions of tensors are shown to a program, which says what they answer."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Final, Self

from lamina_flatarray.modes import FUNCTION_MODES, switch

__all__ = ["TorchFunctionMode", "ask"]

_in_force: Final[ContextVar[tuple[TorchFunctionMode, ...]]] = ContextVar("lamina_function_modes", default=())
"""The modes of this thread or task, the innermost last."""


class TorchFunctionMode:
    """A context in which calls of functions of tensors are handed to `__torch_function__`, which a derived class defines.

    The innermost mode is asked first. While it answers it is not in force, so that it may call the function. What a function
    calls within itself is not shown. https://docs.pytorch.org/docs/stable/torch.overrides.html

    >>> class Told(torch.overrides.TorchFunctionMode):
    ...     def __torch_function__(self, func, types, args=(), kwargs=None):
    ...         print(func.__name__)
    ...         return func(*args, **(kwargs or {}))
    >>> with Told():
    ...     x = torch.ones(2).exp()
    ones
    exp
    """

    def __torch_function__(
        self, func: Callable[..., Any], types: tuple[type, ...], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Answer a call; a derived class says how.

        Args:
            func: the function that was called.
            types: the classes of tensors among its arguments that override functions.
            args, kwargs: its arguments.

        Returns:
            What the call returns.

        Raises:
            NotImplementedError: the derived class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} defines no __torch_function__")

    def __enter__(self) -> Self:
        _put(*_in_force.get(), self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _put(*_in_force.get()[:-1])


def _put(*modes: TorchFunctionMode) -> None:
    """Put these modes in force, and no others."""
    _in_force.set(modes)
    switch(FUNCTION_MODES, bool(modes))


def ask(function: Callable[..., Any], types: tuple[type, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the innermost mode answers to a call; while it does, only those around it are in force.

    Raises:
        TypeError: it answers NotImplemented.
    """
    modes = _in_force.get()
    _put(*modes[:-1])
    try:
        result = modes[-1].__torch_function__(function, types, args, kwargs)
    finally:
        _put(*modes)
    if result is NotImplemented:
        raise TypeError(f"{function.__name__}: the mode {type(modes[-1]).__name__} answers NotImplemented")
    return result
