"""Functions that make objects of slotted classes on every op's path, and the compiled twins that a backend may bring.

Such a function says as data which slots it fills. While nobody compiles them, it is what it is. As soon as a backend that does
is loaded, its twin takes its place in all modules that imported it, so nothing looks for it on the way to a kernel.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

__all__ = ["Emptier", "Filler", "compile_constructors", "constructor"]

F = TypeVar("F", bound=Callable[..., Any])


class Filler(NamedTuple):
    """A function that makes an object and fills its slots.

    Attributes:
        kind: the class.
        given: per argument, the slot that takes it; or a pair, the slot and the attribute of the argument that it takes.
        fixed: all other slots, and what they are set to.
    """

    kind: type
    given: tuple[str | tuple[str, str], ...]
    fixed: dict[str, Any]


class Emptier(NamedTuple):
    """The function of a kernel table and a layout that makes an uninitialised array.

    Attributes:
        array: the class of arrays, with the slots flat, layout and native.
        flat: that of flat arrays.
    """

    array: type
    flat: type


Recipe = Filler | Emptier
Compiler = Callable[[Recipe], Callable[..., Any]]

_lock: Final = threading.Lock()
_plain: Final[list[tuple[Callable[..., Any], Recipe]]] = []
_compilers: Final[list[Compiler]] = []


def constructor(recipe: Recipe) -> Callable[[F], F]:
    """Register the function that does what a recipe says; its twin comes back if there is a compiler already."""

    def register(function: F) -> F:
        with _lock:
            _plain.append((function, recipe))
            if not _compilers:
                return function
            return _twin(function, recipe)

    return register


def _twin(function: F, recipe: Recipe) -> F:
    made: Any = _compilers[-1](recipe)
    return made  # type: ignore[no-any-return]


def compile_constructors(compiler: Compiler) -> None:
    """Have the registered functions, and those that will be, replaced by what a compiler makes of their recipes."""
    with _lock:
        if _compilers:
            return
        _compilers.append(compiler)
        for function, recipe in _plain:
            name, twin = function.__name__, _twin(function, recipe)
            for module_name, module in list(sys.modules.items()):
                if module_name.startswith("lamina") and getattr(module, "__dict__", {}).get(name) is function:
                    setattr(module, name, twin)
