"""TextLines: the lines of a text file by number, read when they are asked for."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from typing import Any

from lamina_flatarray import CheckpointError, IndexOutOfRange

from ..dataset import Dataset

__all__ = ["TextLines"]


class TextLines(Dataset[str]):
    """Lines of a text file without their ends; only where each begins is kept in memory, 8 bytes a line.

    Args:
        path: the file; it must not change while it is read.
        encoding: of the text; one in which a line's end is the byte 10.

    Raises:
        FileNotFoundError: there is no such file.
    """

    def __init__(self, path: str | os.PathLike[str], encoding: str = "utf-8") -> None:
        self.path, self.encoding = os.fspath(path), encoding
        self._starts = array("q", [0])
        with open(self.path, "rb") as file:
            at = 0
            for line in iter(lambda: file.readline(1 << 20), b""):  # a line without an end is not read as one piece
                at += len(line)
                if line.endswith(b"\n"):
                    self._starts.append(at)
            if at != self._starts[-1]:
                self._starts.append(at)
        self._file: Any = None

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index: int) -> str:
        return self.__getitems__([index])[0]

    def __getitems__(self, indices: Sequence[int]) -> list[str]:
        """The lines of these numbers.

        Raises:
            IndexOutOfRange: there is no such line.
            CheckpointError: its bytes are not of the encoding, or the file has become shorter.
        """
        if self._file is None or self._file[0] != os.getpid():  # a forked process shares no position with its parent
            self._file = os.getpid(), open(self.path, "rb")  # noqa: SIM115
        file, result = self._file[1], []
        for index in indices:
            if not -len(self) <= index < len(self):
                raise IndexOutOfRange(f"{self.path}: line {index} of {len(self)}")
            at = index % len(self)
            begin, end = self._starts[at], self._starts[at + 1]
            file.seek(begin)
            line = file.read(end - begin)
            if len(line) != end - begin:
                raise CheckpointError(f"{self.path}: line {at} is cut short: the file has changed")
            try:
                result.append(line.rstrip(b"\r\n").decode(self.encoding))
            except UnicodeDecodeError as error:
                raise CheckpointError(f"{self.path}: line {at}: {error}") from None
        return result

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_file": None}

    def __del__(self) -> None:
        opened = getattr(self, "_file", None)
        if opened is not None:
            opened[1].close()
