"""PyTorch's `torch.jit`: functions and modules stay what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .absent_names import explained

__all__ = ["export", "ignore", "is_scripting", "is_tracing", "script", "script_if_tracing", "trace", "unused"]

differs = "accepted; the program runs eagerly"


def script(obj: Any = None, **options: Any) -> Any:
    """The function or module itself."""
    return obj if obj is not None else lambda obj: obj


def trace(func: Any, example_inputs: Any = None, **options: Any) -> Any:
    """The function or module itself."""
    return func


def ignore(function: Any = None, **options: Any) -> Any:
    """The function itself."""
    return function if callable(function) else lambda function: function


export = unused = script_if_tracing = ignore


def is_scripting() -> bool:
    """False."""
    return False


is_tracing = is_scripting


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
