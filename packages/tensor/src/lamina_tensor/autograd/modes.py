"""Whether ops are recorded, in this thread or task, with PyTorch's context managers and decorators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar, overload

from lamina_flatarray import ArgumentTypeError
from lamina_flatarray.modes import INFERENCE, NO_GRAD, switch, switched, word

from ..transforms.decorating import decorated

__all__ = [
    "enable_grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "no_grad", "set_grad_enabled",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])


def is_grad_enabled() -> bool:
    """Whether ops are recorded in this thread or task.

    Returns:
        A bool; recording is on by default.

    >>> torch.is_grad_enabled()
    True
    """
    return not word.get() & NO_GRAD


class GradMode(switched):
    """A context manager that switches recording, which also decorates functions and generators.

    >>> mode = torch.no_grad()
    >>> with mode:
    ...     print(torch.is_grad_enabled())
    False
    """

    to: bool = False
    """Whether ops are recorded within."""

    def __init__(self) -> None:
        super().__init__(NO_GRAD, not self.to)

    def __call__(self, func: F) -> F:
        return decorated(self.clone, func)  # type: ignore[no-any-return]

    def clone(self) -> Self:
        """Make another one that switches alike.

        Returns:
            A context manager of the same class.

        >>> with torch.no_grad().clone():
        ...     print(torch.is_grad_enabled())
        False
        """
        return type(self)()


class no_grad(GradMode):
    """Do not record ops: as a context manager within a block, as a decorator within calls of a function.

    Args:
        orig_func: the function to decorate, where the decorator is written without parentheses.

    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> with torch.no_grad():
    ...     y = 2 * x
    >>> y.requires_grad
    False
    >>> @torch.no_grad()
    ... def double(x):
    ...     return 2 * x
    >>> double(x).requires_grad
    False
    """

    @overload
    def __new__(cls, orig_func: F) -> F: ...  # type: ignore[misc]
    @overload
    def __new__(cls, orig_func: None = None) -> Self: ...
    def __new__(cls, orig_func: Any = None) -> Any:
        mode = super().__new__(cls)
        return mode if orig_func is None else mode(orig_func)

    def __init__(self, orig_func: None = None) -> None:
        super().__init__()


class enable_grad(no_grad):
    """Record ops, also inside of `no_grad`: as a context manager within a block, as a decorator within calls of a function.

    Args:
        orig_func: the function to decorate, where the decorator is written without parentheses.

    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     y = 2 * x
    >>> y.requires_grad
    True
    """

    to = True


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on in this thread or task.

    Returns:
        A bool; inference mode is off by default.

    >>> torch.is_inference_mode_enabled()
    False
    """
    return bool(word.get() & INFERENCE)


class inference_mode(GradMode):
    """Do not record ops, nor watch views: as a context manager within a block, as a decorator within calls of a function.

    Args:
        mode: whether inference mode is on within; or the function to decorate, where the decorator is written without
            parentheses.

    >>> with torch.inference_mode():
    ...     torch.is_inference_mode_enabled(), torch.is_grad_enabled()
    (True, False)
    """

    on: bool

    @overload
    def __new__(cls, mode: F) -> F: ...  # type: ignore[misc]
    @overload
    def __new__(cls, mode: bool = True) -> Self: ...
    def __new__(cls, mode: Any = True) -> Any:
        self = super().__new__(cls)
        self.on = callable(mode) or bool(mode)
        return self(mode) if callable(mode) else self

    def __init__(self, mode: bool = True) -> None:
        switched.__init__(self, NO_GRAD | INFERENCE, self.on)

    def clone(self) -> Self:
        """Make another one that switches alike.

        Returns:
            A new `inference_mode` with the same `mode`.
        """
        return type(self)(self.on)


class set_grad_enabled(GradMode):
    """Switch recording on or off from now on; at the end of a `with` block it is as it was before the call. As a decorator, only within
    calls.

    Args:
        mode: whether ops are recorded.

    Attributes:
        mode: the same.
        prev: whether they were at the call.

    Raises:
        TypeError: `mode` is no bool.

    >>> x = torch.tensor([1.0], requires_grad=True)
    >>> with torch.set_grad_enabled(False):
    ...     y = 2 * x
    >>> y.requires_grad
    False
    >>> torch.set_grad_enabled(True)
    lamina.set_grad_enabled(mode=True)
    """

    def __init__(self, mode: bool) -> None:
        if mode.__class__ is not bool:
            raise ArgumentTypeError(f"set_grad_enabled(): argument 'mode' must be bool, not {type(mode).__name__}")
        self.mode = self.to = mode
        super().__init__()
        off = switch(NO_GRAD, not mode)
        self.prev = not off
        self.before.append(NO_GRAD if off else 0)  # for a block that is left and was not entered

    def __enter__(self) -> None:
        self.before.append(self.before[0])
        switch(NO_GRAD, not self.to)

    def __call__(self, func: F) -> F:
        switch(NO_GRAD, not self.prev)
        return super().__call__(func)

    def clone(self) -> Self:
        """Make another context manager with the same `mode`, which also switches at once.

        Returns:
            A new `set_grad_enabled`.
        """
        return type(self)(self.to)

    def __repr__(self) -> str:
        return f"lamina.set_grad_enabled(mode={self.mode})"
