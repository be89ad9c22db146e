"""Whether ops are recorded, in this thread or task, with PyTorch's context managers and decorators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray.modes import INFERENCE, NO_GRAD, switch, word

from ..transforms.decorating import decorated

__all__ = [
    "enable_grad", "inference_mode", "is_grad_enabled", "is_inference_mode_enabled", "no_grad", "set_grad_enabled",
]  # fmt: skip


def is_grad_enabled() -> bool:
    """Whether ops are recorded in this thread."""
    return not word.get() & NO_GRAD


class _Switch:
    """Sets the mode from `__enter__` to `__exit__`; also decorates functions and generators, each call with a stack of its own."""

    to: bool
    before: list[bool]

    def __init__(self) -> None:
        self.before = []

    def __enter__(self) -> None:
        self.before.append(_switched(self.to))

    def __exit__(self, *_: object) -> None:
        _switched(self.before.pop())

    def __call__(self, function: Any) -> Any:
        return decorated(self.clone, function)

    def clone(self) -> Any:
        """Another one that switches alike."""
        return type(self)()


class no_grad(_Switch):
    """While it is on, ops are not recorded: `with no_grad(): ...`, or `@no_grad()` on a function."""

    to = False

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        made = super().__new__(cls)
        if function is None:
            return made
        made.__init__()  # type: ignore[misc]  # `@no_grad` without parentheses
        return made(function)


class enable_grad(no_grad):
    """While it is on, ops are recorded, also inside of `no_grad`."""

    to = True


def is_inference_mode_enabled() -> bool:
    """Whether inference mode is on in this thread."""
    return bool(word.get() & INFERENCE)


class inference_mode(_Switch):
    """While it is on, ops are not recorded and views are not watched: `with inference_mode(): ...`, or as a decorator with
    or without parentheses; `inference_mode(False)` switches back within."""

    def __new__(cls, mode: Any = True) -> Any:
        made = super().__new__(cls)
        if callable(mode):
            made.__init__(True)  # type: ignore[misc]  # `@inference_mode` without parentheses
            return made(mode)
        return made

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.on = bool(mode)

    def __enter__(self) -> None:
        self.before += [_switched(not self.on), switch(INFERENCE, self.on)]

    def __exit__(self, *_: object) -> None:
        switch(INFERENCE, self.before.pop())
        _switched(self.before.pop())

    def clone(self) -> Any:
        """Another one that switches alike."""
        return inference_mode(self.on)


class set_grad_enabled(_Switch):
    """Switch recording on or off from now on; as a context manager, only within it; as a decorator, only within calls."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.to = bool(mode)
        self.at_call = _switched(self.to)

    def __enter__(self) -> None:
        self.before.append(self.at_call)
        _switched(self.to)

    def __call__(self, function: Any) -> Any:
        _switched(self.at_call)
        return super().__call__(function)

    def clone(self) -> Any:
        """Another one that switches alike."""
        return set_grad_enabled(self.to)


def _switched(to: bool) -> bool:
    """Set whether ops are recorded; whether they were."""
    return not switch(NO_GRAD, not to)
