"""PyTorch's format before 1.6: pickles one after another, and behind them the storages, each as its length and its items.

The pickles: a magic number, the format's version, what the writer's machine was like, the object, and the storages' keys in
the order in which they follow. Items are little-endian, whatever machine wrote them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import IO, Any, Final

import numpy as np

from lamina_flatarray import CheckpointError, FlatArray

from .closed_list import StorageType
from .opcodes import run
from .pickle_writing import pickled
from .storages import Argument, Place, Storages, View

__all__ = ["is_stream", "load_stream", "write_stream"]

_MAGIC: Final = 0x1950A86A20F9469CFC6C
_VERSION: Final = 1001
_MACHINE: Final = {
    "protocol_version": _VERSION,
    "little_endian": sys.byteorder == "little",
    "type_sizes": {"short": 2, "int": 4, "long": 4},
}


def write_stream(file: IO[bytes], program: bytes, storages: Sequence[FlatArray], item_sizes: Sequence[int]) -> None:
    """Write a pickle whose storages are numbered as they come, and these.

    Args:
        file: an open binary file.
        program: the pickle.
        storages: the flat arrays, of any device.
        item_sizes: how wide the items of each are, as the pickle mentions it first.
    """
    for header in (_MAGIC, _VERSION, _MACHINE):
        file.write(pickled(header)[0])
    file.write(program)
    file.write(pickled([str(number) for number in range(len(storages))])[0])
    for storage, width in zip(storages, item_sizes, strict=True):
        content = storage.to("cpu").bytes_view()
        if sys.byteorder == "big":
            content = content.view(f"u{storage.dtype.to_real().itemsize}").byteswap().view(np.uint8)
        count = len(content) // width
        file.write(count.to_bytes(8, "little"))
        file.write(content[: count * width].data)


def is_stream(file: IO[bytes]) -> bool:
    """Whether a file begins as a pickle does."""
    file.seek(0)
    return file.read(1) == b"\x80"


def load_stream(file: IO[bytes], name: str, place: Place) -> Any:
    """What was saved. The object's pickle is run twice: where its storages are stands behind it, and is known by its end.

    Raises:
        CheckpointError: the file is damaged, or holds what is not on the closed list.
    """
    file.seek(0)
    data = file.read()
    magic, at = run(data, name, _no_storage)
    if type(magic) is not int or magic != _MAGIC:
        raise CheckpointError(f"load: {name} is a pickle, but not of torch.save, whose magic number is not there")
    version, at = run(data, name, _no_storage, at)
    if type(version) is not int or version != _VERSION:
        raise CheckpointError(f"load: {name} is of an unknown version of PyTorch's format before 1.6; only {_VERSION} is known")
    _, begin = run(data, name, _no_storage, at)
    claims = _Claims(name, len(data))
    _, at = run(data, name, claims, begin)
    keys, at = run(data, name, _no_storage, at)
    if type(keys) is not list or any(type(key) is not str for key in keys) or sorted(keys) != sorted(claims.sizes):
        raise CheckpointError(f"load: {name} has a list of storages that is not that of what its tensors ask for")
    return run(data, name, Storages(_Records(name, data, at, keys, claims), place), begin)[0]


def _no_storage(kind: StorageType, key: str, location: str, count: int, view: View) -> Argument:
    raise CheckpointError("a storage outside of the object")


class _Claims:
    """What a pickle says of its storages, which are all zeros in the meantime: memory that nothing touches takes none.

    Attributes:
        sizes: how many bytes each storage has.
        widths: and each of its items.
    """

    mapped, foreign = True, False

    def __init__(self, name: str, most: int) -> None:
        self.name, self._rest = name, most
        self.sizes: dict[str, int] = {}
        self.widths: dict[str, int] = {}
        self._storages = Storages(self, "cpu")

    def __call__(self, kind: StorageType, key: str, location: str, count: int, view: View) -> Argument:
        if key not in self.sizes:
            width = kind.dtype.itemsize if kind.dtype else 1
            self._rest -= count * width
            if self._rest < 0:
                raise CheckpointError(f"storages of more bytes than the file has: {count} items of {width} in one")
            self.sizes[key], self.widths[key] = count * width, width
        return self._storages(kind, key, location, count, view)

    def size(self, record: str) -> int:
        return self.sizes[record.removeprefix("data/")]

    def read(self, record: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        return np.zeros(self.size(record), np.uint8)

    def read_into(self, record: str, room: Any) -> None:
        memoryview(room)[: self.size(record)] = bytes(self.size(record))


class _Records:
    """The storages behind the pickles, by key."""

    mapped, foreign = False, sys.byteorder == "big"

    def __init__(self, name: str, data: bytes, at: int, keys: list[str], claims: _Claims) -> None:
        self._data = memoryview(data)
        self._places: dict[str, slice] = {}
        for key in keys:
            count, size = int.from_bytes(data[at : at + 8], "little"), claims.sizes[key]
            if at + 8 + size > len(data):
                raise CheckpointError(f"load: {name} is cut off within its storage {key:.20}")
            if count * claims.widths[key] != size:
                raise CheckpointError(f"load: {name} has {count} items in its storage {key:.20}; its tensors ask for {size} bytes")
            self._places[key] = slice(at + 8, at + 8 + size)
            at += 8 + size

    def size(self, record: str) -> int:
        return len(self.read(record))

    def read(self, record: str) -> Any:
        return self._data[self._places[record.removeprefix("data/")]]

    def read_into(self, record: str, room: Any) -> None:
        content = self.read(record)
        memoryview(room).cast("B")[: len(content)] = content
