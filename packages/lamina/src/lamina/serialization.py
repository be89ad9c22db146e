"""PyTorch's `torch.serialization`: files of tensors, and what a program lets them name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import Enum
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from lamina_flatarray import Device
from lamina_nn.files import load, save
from lamina_nn.files.safe_globals import add_safe_globals, clear_safe_globals, get_safe_globals, safe_globals

from .absent_names import explained

__all__ = [
    "LoadEndianness", "add_safe_globals", "clear_safe_globals", "get_default_load_endianness", "get_safe_globals", "load",
    "safe_globals", "save",
]  # fmt: skip

FILE_LIKE: TypeAlias = str | os.PathLike[str] | IO[bytes]
MAP_LOCATION: TypeAlias = Callable[[Any, str], Any] | Device | str | dict[str, str] | None


class LoadEndianness(Enum):
    """The order of bytes of files that do not note theirs.

    Args:
        value: 1, 2 or 3.

    >>> torch.serialization.LoadEndianness.NATIVE.value
    1
    """

    NATIVE = 1
    LITTLE = 2
    BIG = 3


def get_default_load_endianness() -> LoadEndianness | None:
    """Tell in which order the bytes of a file are read that does not note it: always the machine's own.

    Returns:
        None on a machine whose order is little endian, as nearly all are: the file's own is taken, or the machine's.

    >>> torch.serialization.get_default_load_endianness()
    """
    return None if sys.byteorder == "little" else LoadEndianness.NATIVE


if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
