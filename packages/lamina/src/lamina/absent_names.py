"""What a module says when it is asked for a name that it lacks: whether PyTorch has it, and which name comes nearest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dis import opmap
from importlib import import_module
from typing import Any, Final

__all__ = ["absent", "explained"]

_IMPORT_FROM: Final = opmap["IMPORT_FROM"]


def explained(namespace: dict[str, Any], parts: Sequence[str] = (), further: Any = None) -> Callable[[str], Any]:
    """Give a module its `__getattr__`, which Python calls for names that are not there, and no others.

    Args:
        namespace: the module's `globals()`.
        parts: its sub-modules that load when they are first wanted.
        further: an object whose attributes are names of the module, too; they enter it when they are first wanted.
    """
    module: str = namespace["__name__"]
    others = frozenset() if further is None else frozenset(dir(further))

    def lookup(name: str) -> Any:
        if name in parts:
            return import_module(f"{module}.{name}")
        if name in others:
            namespace[name] = found = getattr(further, name)
            return found
        raise absent(module, name, {*namespace, *parts, *others})

    lookup.__name__ = "__getattr__"
    namespace["__getattr__"] = lookup
    return lookup


def absent(module: str, name: str, there: set[str]) -> AttributeError | ImportError:
    """The error for a name that a module lacks, to be raised by its `__getattr__`: an ImportError for `from module import name`,
    which would replace any other's message by its own.

    Args:
        module: our name of it.
        name: what was asked for.
        there: the names that the module has.
    """
    if name.startswith("__"):  # Python's protocols, which ask often
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    from .programs.pytorch_names import missing
    from .programs.respelling import theirs

    text = missing(theirs(module), name, there)
    asking = sys._getframe(2)
    if (
        asking.f_lasti >= 0
        and asking.f_code.co_code[asking.f_lasti] == _IMPORT_FROM
        and f"{module}.{name}" not in sys.modules
    ):
        return ImportError(text, name=module)
    return AttributeError(text)
