"""Own code: what lamina, NumPy and the standard library do of themselves is known, whatever else runs is the user's."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from types import CodeType
from typing import Final

import numpy as np

import lamina_flatarray
import lamina_ndarray
from lamina_flatarray.backends.kernel_table import tables

__all__ = ["codes_of_backends", "is_own", "is_own_file", "is_standard", "own", "packages_of_backends"]

_STANDARD: Final = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
_INSTALLED: Final = tuple(sysconfig.get_path(name) for name in ("purelib", "platlib"))  # these may lie within the former
_NUMPY: Final = str(Path(np.__file__).parent)
own: Final = {package.__name__ for package in (lamina_flatarray, lamina_ndarray)} | {__name__.partition(".")[0]}
"""The packages whose code is known; storeys above add themselves."""


def is_standard(file: str) -> bool:
    """Whether a file is the standard library's; what is frozen or built in has no file of its own.

    Args:
        file: a path, as code objects and modules have it.
    """
    return file.startswith(("<frozen", "<built-in")) or (file.startswith(_STANDARD) and not file.startswith(_INSTALLED))


def is_own_file(module: str, file: str) -> bool:
    """Whether code is known: a module of that name may be the user's, so the file decides for all but lamina's.

    Args:
        module: its module's name.
        file: where it stands.
    """
    return module.partition(".")[0] in own or file.startswith(_NUMPY) or is_standard(file)


def codes_of_backends() -> frozenset[CodeType]:
    """Return the code that lamina itself calls of the backends in use; what they run beneath is no program's."""
    pairs = {(table.backend, table.index) for table in list(tables.values())}
    given = [backend.allocator(index) for backend, index in pairs]
    given += [value for backend, _ in pairs for kind in type(backend).__mro__ for value in vars(kind).values()]
    found = (getattr(value, "fget", None) or getattr(value, "__func__", None) or getattr(value, "func", value) for value in given)
    codes = (getattr(value, "__code__", None) for value in found)
    return frozenset(code for code in codes if code is not None)


def packages_of_backends() -> set[str]:
    """Return the packages of the backends in use, whose kernels an optimizer's step calls; a program of one file is none."""
    return {type(table.backend).__module__.partition(".")[0] for table in list(tables.values())} - {"__main__"}


def is_own(module: str | None) -> bool:
    """Whether a module that is loaded is known.

    Args:
        module: its name.
    """
    name = module or ""
    loaded = sys.modules.get(name)
    if loaded is None:
        return name.partition(".")[0] in own
    return is_own_file(name, getattr(loaded, "__file__", None) or "<built-in")
