"""Contexts in which calls of functions of tensors are shown to a program, which says what they answer."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final, Self

from lamina_flatarray.modes import FUNCTION_MODES, region

__all__ = ["TorchFunctionMode", "ask"]

_in_force: Final[ContextVar[tuple[TorchFunctionMode, ...]]] = ContextVar("lamina_function_modes", default=())
"""The modes of this thread or task, the innermost last."""


class TorchFunctionMode(region):
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

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        self = super().__new__(cls)
        region.__init__(self, FUNCTION_MODES, _in_force)  # a derived class may have an __init__ that does not call this one's
        return self

    def __init__(self) -> None:
        pass

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

    def _entered(self, outer: tuple[TorchFunctionMode, ...]) -> tuple[int, tuple[TorchFunctionMode, ...]]:
        return FUNCTION_MODES, (*outer, self)


class _around(region):
    """A block in which only the modes around the innermost one are in force."""

    def __init__(self) -> None:
        super().__init__(FUNCTION_MODES, _in_force)

    def _entered(self, outer: tuple[TorchFunctionMode, ...]) -> tuple[int, tuple[TorchFunctionMode, ...]]:
        return FUNCTION_MODES if len(outer) > 1 else 0, outer[:-1]


def ask(function: Callable[..., Any], types: tuple[type, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the innermost mode answers to a call; while it does, only those around it are in force.

    Raises:
        TypeError: it answers NotImplemented.
    """
    mode = _in_force.get()[-1]
    with _around():
        result = mode.__torch_function__(function, types, args, kwargs)
    if result is NotImplemented:
        raise TypeError(f"{function.__name__}: the mode {type(mode).__name__} answers NotImplemented")
    return result
