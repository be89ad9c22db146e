"""Objects of a program's own classes, as Python's pickle takes them apart: a class or function by name, arguments, a state.

They are written as they are, which runs nothing of the file's; they are read only where the program lets files name the class.
https://docs.python.org/3/library/pickle.html#object.__reduce__
"""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable
from enum import Enum
from types import FunctionType
from typing import Any, NamedTuple

from lamina_flatarray import CheckpointError
from lamina_tensor import Tensor

from .closed_list import Argument

__all__ = ["Made", "Taken", "is_of_a_program", "named", "put_state", "taken_apart"]


class Made(Argument):
    """A class or function that the program lets files name.

    Args:
        function: it.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


class Taken(NamedTuple):
    """What makes an object again.

    Attributes:
        name: the module and name of what is called; of the class itself, where `is_new`.
        arguments: what it is called with.
        is_new: whether the class's `__new__` is meant.
        state: what is put into it then, or None.
        items: what is appended then.
        pairs: what is set then, by key.
    """

    name: tuple[str, str]
    arguments: tuple[Any, ...]
    is_new: bool
    state: Any
    items: list[Any]
    pairs: list[tuple[Any, Any]]


def is_of_a_program(obj: Any) -> bool:
    """Whether an object, class or function is neither of lamina's, nor a tensor, nor one whose `state_dict` stands for it."""
    home = obj.__module__ if isinstance(obj, (type, FunctionType)) else type(obj).__module__
    return not (str(home).startswith("lamina") or isinstance(obj, Tensor) or hasattr(obj, "state_dict"))


def named(obj: Any) -> tuple[str, str] | None:
    """The module and name under which a class or function is found; None for other objects, and for what is not found so."""
    if not isinstance(obj, (type, FunctionType)) or "." in obj.__qualname__:
        return None
    module, name = str(obj.__module__), obj.__qualname__
    return (module, name) if getattr(sys.modules.get(module), name, None) is obj else None


def taken_apart(obj: Any) -> Taken | None:
    """How an object is made again; None where its class does not say, or where it cannot be found by name."""
    try:
        reduced = obj.__reduce_ex__(2)
    except TypeError:  # of what cannot be pickled, as locks and open files
        return None
    if not isinstance(reduced, tuple):
        return None
    function, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
    if function is getattr and isinstance(obj, Enum):  # early versions of Python 3.11 find a member by its name
        function, arguments = type(obj), (obj.value,)
    is_new = function is copyreg.__newobj__  # type: ignore[attr-defined]  # which typeshed does not list
    if is_new:
        function, *rest = arguments
        arguments = tuple(rest)
    name = named(function) if is_of_a_program(function) else None
    return None if name is None else Taken(name, arguments, is_new, state, list(items or ()), list(pairs or ()))


def put_state(obj: Any, state: Any) -> None:
    """Give an object its state, as Python's pickle does.

    Raises:
        CheckpointError: it takes none of this kind.
    """
    if hasattr(obj, "__setstate__"):
        obj.__setstate__(state)
        return
    attributes, slots = state if type(state) is tuple and len(state) == 2 else (state, None)
    if type(attributes) not in (dict, type(None)) or type(slots) not in (dict, type(None)):
        raise CheckpointError(f"the state of a {type(obj).__name__} is no dict of attributes")
    obj.__dict__.update(attributes or {})
    for name, value in (slots or {}).items():
        setattr(obj, name, value)
