"""Bytes of a file whose number is known beforehand: exactly as many, plain or gzip-compressed, or an error."""

from __future__ import annotations

import gzip
import os
import zlib
from types import TracebackType
from typing import IO, Any, Final

import numpy as np

from lamina_flatarray import CheckpointError
from lamina_ndarray.files.unpacking import Unpacking

__all__ = ["Counted"]

_GZIP: Final = b"\x1f\x8b"
_MOST: Final = 1032
"""How many bytes one compressed byte can stand for, at most (zlib's technical notes)."""


class Counted:
    """A file opened for reading, that gives the bytes asked for, all of them, and no memory for more than it can have.

    Args:
        path: plain, or compressed by gzip, which its first two bytes tell.
        max_unpacked: how many bytes a compressed one may give, as `Unpacking` takes it.

    Raises:
        FileNotFoundError: there is no such file.
    """

    def __init__(self, path: str | os.PathLike[str], max_unpacked: int | None = None) -> None:
        self.path = os.fspath(path)
        self._file: IO[bytes] = open(path, "rb")  # noqa: SIM115
        self._left = os.fstat(self._file.fileno()).st_size
        self._unpacking: Unpacking | None = None
        if self._file.peek(2)[:2] == _GZIP:
            self._unpacking = Unpacking(self.path, self._left, max_unpacked)
            self._left *= _MOST
            self._file = gzip.GzipFile(fileobj=self._file)  # type: ignore[assignment]

    def __enter__(self) -> Counted:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(self._file, gzip.GzipFile):
            self._file.fileobj.close()
        self._file.close()

    def damaged(self, why: str) -> CheckpointError:
        """An error that names the file."""
        return CheckpointError(f"{self.path}: {why}")

    def read(self, count: int, what: str) -> np.ndarray[Any, Any]:
        """The next `count` bytes, uint8.

        Raises:
            CheckpointError: there are fewer, the compressed data is damaged, or it unpacks to more than is allowed.
        """
        if count > self._left:
            raise self.damaged(f"the file is cut short: {what} takes {count} bytes, and it has at most {self._left}")
        if self._unpacking is not None:
            self._unpacking.take(count, what)
        self._left -= count
        result = np.empty(count, np.uint8)
        rest = memoryview(result.data)
        while len(rest):
            try:
                length = self._file.readinto(rest)  # type: ignore[attr-defined]
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise self.damaged(f"the compressed data is damaged or cut short: {error}") from None
            if not length:
                raise self.damaged(f"the file is cut short: {what} takes {count} bytes, {count - len(rest)} are there")
            rest = rest[length:]
        return result

    def end(self) -> None:
        """See that nothing follows (of compressed data, this also compares the checksum).

        Raises:
            CheckpointError: something does.
        """
        try:
            more = self._file.read(1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self.damaged(f"the compressed data is damaged or cut short: {error}") from None
        if more:
            raise self.damaged("the file has more bytes than its header tells")
