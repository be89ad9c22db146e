"""Own code: what lamina, NumPy and the standard library do of themselves is known, whatever else runs is the user's."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Final

import numpy as np

__all__ = ["is_own", "is_own_file", "is_standard"]

_STANDARD: Final = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib"))
_INSTALLED: Final = tuple(sysconfig.get_path(name) for name in ("purelib", "platlib"))  # these may lie within the former
_NUMPY: Final = str(Path(np.__file__).parent)
_STOREYS: Final = ("lamina_flatarray", "lamina_ndarray", "lamina_tensor", "lamina_nn", "lamina")


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
    return module.partition(".")[0] in _STOREYS or file.startswith(_NUMPY) or is_standard(file)


def is_own(module: str | None) -> bool:
    """Whether a module that is loaded is known.

    Args:
        module: its name.
    """
    name = module or ""
    loaded = sys.modules.get(name)
    if loaded is None:
        return name.partition(".")[0] in _STOREYS
    return is_own_file(name, getattr(loaded, "__file__", None) or "<built-in")
