"""Functions that no compiled one repeats."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from lamina_flatarray.modes import COMPILING, UNCOMPILED, switched

__all__ = ["left_alone"]


def left_alone(function: Callable[..., Any], recursive: bool = True) -> Callable[..., Any]:
    """Return a function that no compiled one repeats: those that call it run eagerly, and say so.

    Args:
        function: the function.
        recursive: whether compiled functions that it calls run eagerly, too.

    Returns:
        A function that does the same.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with switched(COMPILING, False), switched(UNCOMPILED, recursive):
            return function(*args, **kwargs)

    return call
