"""How many bytes a compressed file may unpack to, so that a small one cannot fill the memory unless the caller says it may."""

from __future__ import annotations

from typing import Final

from lamina_flatarray import CheckpointError

__all__ = ["Unpacking"]

_ALWAYS: Final = 64 << 20
_FOR_EACH_BYTE: Final = 64


class Unpacking:
    """What may still be unpacked from one file.

    Args:
        name: what errors call the reader and the file.
        size: of the file, in bytes.
        most: how many bytes the caller allows; None: 64 for each byte of the file, or 64 MiB where that is more.
    """

    def __init__(self, name: str, size: int, most: int | None) -> None:
        self._name = name
        self._left = self._most = max(_ALWAYS, _FOR_EACH_BYTE * size) if most is None else most

    def take(self, count: int, what: str) -> None:
        """Count bytes before memory is asked for.

        Raises:
            CheckpointError: they are more than are left.
        """
        if count > self._left:
            raise CheckpointError(
                f"{self._name}: {what} takes {count} bytes unpacked, and the whole file may take {self._most}; "
                "if it is not there to fill the memory, allow more by max_unpacked"
            )
        self._left -= count
