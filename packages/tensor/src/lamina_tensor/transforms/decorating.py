"""Context managers as decorators: of a function, around each call; of a generator function, around each turn of it."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any

__all__ = ["decorated"]

Make = Callable[[], AbstractContextManager[Any]]


def decorated(make: Make, function: Any) -> Any:
    """The function, each call of it (each turn, of a generator) within a context manager of its own.

    Args:
        make: makes the context manager.
        function: a function, a generator function, or a class, whose `__init__` is decorated, with a warning.
    """
    if isinstance(function, type):
        warnings.warn(
            "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions "
            "or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` "
            "method and nothing else.",
            FutureWarning,
            stacklevel=3,
        )
        function.__init__ = decorated(make, function.__init__)  # type: ignore[misc]
        return function
    if inspect.isgeneratorfunction(function):
        return _each_turn(make, function)

    @wraps(function)
    def within(*args: Any, **params: Any) -> Any:
        with make():
            return function(*args, **params)

    return within


def _each_turn(make: Make, function: Callable[..., Generator[Any, Any, Any]]) -> Callable[..., Any]:
    """Between its turns a generator is suspended, and what it switched must be as its caller has it."""

    @wraps(function)
    def turns(*args: Any, **params: Any) -> Generator[Any, Any, Any]:
        generator = function(*args, **params)
        try:
            with make():
                item = next(generator)
            while True:
                try:
                    sent = yield item
                except GeneratorExit:
                    with make():
                        generator.close()
                    raise
                except BaseException as error:
                    with make():
                        item = generator.throw(error)
                else:
                    with make():
                        item = generator.send(sent)
        except StopIteration as end:
            return end.value

    return turns
