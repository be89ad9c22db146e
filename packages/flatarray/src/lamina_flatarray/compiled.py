"""Functions that much else waits for, and the compiled twins that a backend may bring of them.

Such a function says as data, its recipe, what it does. While nobody compiles it, it is what it is. As soon as a backend that
does is loaded, its twin takes its place in all modules that imported it, so nothing looks for it when it is called.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

__all__ = ["Checksum", "Emptier", "Filler", "Reader", "Recipe", "compilable", "compile_all"]

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


class Checksum(NamedTuple):
    """The function of a buffer, and of the checksum of what came before, that gives the checksum of both.

    Attributes:
        name: of the kind: "crc32".
    """

    name: str


class Reader(NamedTuple):
    """The function of an array that gives its items as Python numbers. Its twin may leave arrays to the function itself.

    Attributes:
        nested: whether it gives all of them, as lists within lists; else it is for arrays of one item.
    """

    nested: bool


Recipe = Filler | Emptier | Checksum | Reader
Compiler = Callable[[Recipe, Callable[..., Any]], Callable[..., Any] | None]

_lock: Final = threading.Lock()
_plain: Final[list[tuple[Callable[..., Any], Recipe]]] = []
_compilers: Final[list[Compiler]] = []


def compilable(recipe: Recipe) -> Callable[[F], F]:
    """Register the function that does what a recipe says; its twin comes back if there is one already."""

    def register(function: F) -> F:
        with _lock:
            _plain.append((function, recipe))
            if _compilers:
                _replace(function, recipe)
            return _twin(function, recipe) if _compilers else function

    return register


def _twin(function: F, recipe: Recipe) -> F:
    made: Any = _compilers[0](recipe, function)
    return function if made is None else made


def compile_all(compiler: Compiler) -> None:
    """Have the registered functions, and those that will be, replaced by what a compiler makes of their recipes (and of
    them), if it makes anything. The first compiler stays."""
    with _lock:
        if _compilers:
            return
        _compilers.append(compiler)
        for function, recipe in _plain:
            _replace(function, recipe)


def _replace(function: Callable[..., Any], recipe: Recipe) -> None:
    name, twin = function.__name__, _twin(function, recipe)
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("lamina") and getattr(module, "__dict__", {}).get(name) is function:
            setattr(module, name, twin)
