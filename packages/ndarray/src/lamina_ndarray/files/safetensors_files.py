"""Arrays in safetensors files: written here, checked by the safetensors library, mapped into memory.

The format (https://huggingface.co/docs/safetensors, "Format"): the length of a JSON header in 8 bytes, little-endian;
the header, with dtype, shape and place of each tensor; then the tensors' bytes. It cannot hold code.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np

from lamina_flatarray import ArgumentValueError, CheckpointError, FlatArray, ShapeError
from lamina_flatarray.dtypes import DTYPES, DType

from ..array import NDArray
from ..layouts.layout import Layout
from ..shapes.views import contiguous
from .replacing import Path, replacing

__all__ = ["SafetensorsFile", "load_safetensors", "open_safetensors", "save_safetensors"]

_NAMES = {
    "bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "float16": "F16",
    "float32": "F32", "float64": "F64", "bfloat16": "BF16", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "complex64": "C64",
}  # fmt: skip
_LONGEST_HEADER = 100_000_000  # what the safetensors library reads
_DTYPES = {theirs: DTYPES[ours] for ours, theirs in _NAMES.items()}


def save_safetensors(
    arrays: Mapping[str, NDArray], path: Path, metadata: Mapping[str, str] | None = None
) -> None:
    """Write arrays by name. If writing fails, what was there before is still there.

    Args:
        arrays: of any layout and device; they are written row-major.
        path: the file. A link is followed; a device or a pipe is written to as it is.
        metadata: texts to keep beside them.

    Raises:
        CheckpointError: a dtype has no place in the format, or a name or metadata is no text.
        OSError: the file cannot be written.
    """
    for name, array in arrays.items():
        if array.dtype.name not in _NAMES:
            raise CheckpointError(f"save_safetensors: {name} is {array.dtype!r}, which the safetensors format does not have")
    for text in (*arrays, *(metadata or {}), *(metadata or {}).values()):
        if not isinstance(text, str) or text == "__metadata__":
            raise CheckpointError(f"save_safetensors: {text!r} given as a name or as metadata, which must be texts")
    # Wide items first, so that each array begins at a place that its items can be read at.
    ordered = sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    end = 0
    for name, array in ordered:
        begin, end = end, end + array.size * array.dtype.itemsize
        header[name] = {"dtype": _NAMES[array.dtype.name], "shape": list(array.shape), "data_offsets": [begin, end]}
    try:
        head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise CheckpointError(f"save_safetensors: a name or metadata has no UTF-8: {error}") from error
    head += b" " * (-len(head) % 8)
    if len(head) > _LONGEST_HEADER:
        raise CheckpointError(f"save_safetensors: names and metadata take {len(head)} bytes; readers take up to {_LONGEST_HEADER}")
    with replacing(path) as file:
        file.write(len(head).to_bytes(8, "little") + head)
        for _, array in ordered:
            items = contiguous(array.to_device("cpu"))
            begin = items.layout.offset * items.dtype.itemsize
            file.write(items.flat.bytes_view()[begin : begin + items.size * items.dtype.itemsize].data)


def _library() -> Any:
    try:
        import safetensors
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "safetensors files want the safetensors library: pip install 'lamina-ndarray[files]'", name="safetensors"
        ) from error
    return safetensors


def load_safetensors(path: Path, *, device: Any = "cpu", mmap: bool | None = None) -> dict[str, NDArray]:
    """All arrays of a file by name.

    Args:
        path: the file.
        device: where the arrays go.
        mmap: whether they are parts of the file mapped into memory, read when they are looked at, as the safetensors library
            does it; what is written to them stays in this process, and the file must not be cut or written over (it may be
            replaced) as long as one of them lives. False gives each array memory of its own. None: True, but on Windows, where
            what is mapped cannot be replaced.

    Raises:
        CheckpointError: the file is damaged, or holds a dtype that lamina does not have.
        ModuleNotFoundError: the safetensors library is not installed.
        OSError: the file cannot be opened.
    """
    with open_safetensors(path, device=device, mmap=mmap) as file:
        return dict(file)


def open_safetensors(path: Path, *, device: Any = "cpu", mmap: bool | None = None) -> SafetensorsFile:
    """A file whose arrays are read one by one, as they are asked for; use it in a `with` statement.

    Args:
        path: the file.
        device: where the arrays go.
        mmap: whether they are parts of the mapped file; see `load_safetensors`.

    Raises:
        CheckpointError: the file is damaged.
        ModuleNotFoundError: the safetensors library is not installed.
        OSError: the file cannot be opened.
    """
    return SafetensorsFile(path, device, mmap)


class SafetensorsFile(Mapping[str, NDArray]):
    """The arrays of an open file by name; looking at names, shapes and dtypes reads the header only.

    Attributes:
        metadata: the texts that were saved beside the arrays.
    """

    metadata: dict[str, str]

    def __init__(self, path: Path, device: Any = "cpu", mmap: bool | None = None) -> None:
        library = _library()
        self._path, self._device = os.fsdecode(path), device
        self._file = open(self._path, "rb")  # noqa: SIM115 - closed by close()
        try:
            with library.safe_open(self._path, framework="numpy"):
                pass  # it has checked that the header is whole, and that places neither overlap nor leave the file
            length = int.from_bytes(self._file.read(8), "little")
            header = json.loads(self._file.read(length))
            mapped = sys.platform != "win32" if mmap is None else mmap
            self._map: Any = np.memmap(self._file, np.uint8, "c").view(np.ndarray) if mapped else None
        except (library.SafetensorError, ValueError) as error:
            self._file.close()
            raise CheckpointError(f"load_safetensors: {self._path} is not a whole safetensors file: {error}") from error
        except BaseException:
            self._file.close()
            raise
        self._begin = 8 + length
        self.metadata = header.pop("__metadata__", None) or {}
        self._entries: dict[str, Any] = header

    def dtype(self, name: str) -> DType:
        """The dtype of one array.

        Raises:
            KeyError: there is no array of this name.
            CheckpointError: lamina does not have this dtype.
        """
        code = self._entries[name]["dtype"]
        if code not in _DTYPES:
            raise CheckpointError(
                f"load_safetensors: {name} in {self._path} has dtype {code}, which lamina does not have"
            )
        return _DTYPES[code]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of one array.

        Raises:
            KeyError: there is no array of this name.
        """
        return tuple(self._entries[name]["shape"])

    def __getitem__(self, name: str) -> NDArray:
        """One array: a part of the mapped file, or read from it.

        Raises:
            KeyError: there is no array of this name.
            CheckpointError: it is damaged, or of a dtype that lamina does not have.
        """
        dtype = self.dtype(name)
        try:
            layout = Layout.dense(self.shape(name))
        except ShapeError as error:
            raise CheckpointError(f"load_safetensors: {name} in {self._path} has a shape that no array has: {error}") from None
        begin, end = self._entries[name]["data_offsets"]
        raw, wanted = self._bytes(self._begin + begin, end - begin), layout.size * dtype.itemsize
        if raw.nbytes != wanted:
            raise CheckpointError(f"load_safetensors: {name} in {self._path} is cut off: {wanted} bytes wanted")
        if dtype is _DTYPES["BOOL"] and raw.max(initial=0) > 1:
            raise CheckpointError(
                f"load_safetensors: {name} in {self._path} is of bool, but its byte {int(raw.argmax())} is {int(raw.max())}"
            )
        return NDArray(FlatArray.from_buffer(raw, dtype), layout).to_device(self._device)

    def _bytes(self, begin: int, count: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Bytes of the file; fewer, if it ends before."""
        if self._file.closed:
            raise ArgumentValueError(f"SafetensorsFile: {self._path} is closed")
        if self._map is not None:
            mapped: np.ndarray[Any, np.dtype[np.uint8]] = self._map[begin : begin + count]
            return mapped
        raw = np.empty(count, np.uint8)
        self._file.seek(begin)
        return raw[: self._file.readinto(raw.data)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def close(self) -> None:
        """Let go of the file; arrays that were read stay, and keep the file mapped if they are parts of it."""
        self._map = None
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
