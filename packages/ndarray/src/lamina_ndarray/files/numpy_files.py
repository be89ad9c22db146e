"""NumPy's .npy and .npz files, under NumPy's names. No file is ever executed.

A write replaces the file at once or not at all. NumPy's formats know no bfloat16, and what they call object arrays are
pickles, which run code when they are read: both are refused.
"""

from __future__ import annotations

import ast
import math
import os
import struct
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lamina_flatarray import CheckpointError, DTypeError, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import array_of, is_array
from ..creation.array_likes import asarray, from_numpy
from ..creation.buffers import from_file
from .replacing import Path, replacing
from .unpacking import Unpacking

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["load", "save", "savez", "savez_compressed"]

_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 10_000  # as NumPy: Python's parser, which reads it, is not made for hostile texts
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MOST_DIMS = 64 if int(np.__version__.partition(".")[0]) >= 2 else 32
_END = struct.Struct("<4s6xH10x")
_DAMAGE = (  # what zipfile has been seen to raise for archives with wrong bytes in them
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError,
    LookupError, OverflowError,
)  # fmt: skip


# -- writing ------------------------------------------------------------------------------------------------------------


def save(file: Path | IO[bytes], arr: Any) -> None:
    """Write one array to a .npy file.

    Args:
        file: a path, to which ".npy" is added unless it ends so, or an open binary file.
        arr: an array, or anything that `asarray` takes.

    Raises:
        DTypeError: the array is bfloat16, which the format does not have.
    """
    items = _savable("save", arr)
    if hasattr(file, "write"):
        _write_array(file, items)
        return
    with replacing(_ending(file, ".npy")) as target:
        _write_array(target, items)


def savez(file: Path | IO[bytes], *args: Any, **kwds: Any) -> None:
    """Write several arrays to an .npz file, those without a name as arr_0, arr_1, ...

    Args:
        file: a path, to which ".npz" is added unless it ends so, or an open binary file.
        args, kwds: arrays, or anything that `asarray` takes.

    Raises:
        ValueError: an array is given the name of one without a name.
        DTypeError: an array is bfloat16, which the format does not have.
    """
    _savez("savez", file, args, kwds, zipfile.ZIP_STORED)


def savez_compressed(file: Path | IO[bytes], *args: Any, **kwds: Any) -> None:
    """As `savez`, deflated: smaller, and slower to write and read."""
    _savez("savez_compressed", file, args, kwds, zipfile.ZIP_DEFLATED)


def _savez(op: str, file: Any, args: tuple[Any, ...], kwds: dict[str, Any], compression: int) -> None:
    named = {f"arr_{i}": array for i, array in enumerate(args)}
    if twice := named.keys() & kwds.keys():
        raise ValueError(f"{op}: {sorted(twice)} given as names; arrays without a name are called so")
    arrays = {name: _savable(f"{op}: {name}", array) for name, array in {**named, **kwds}.items()}
    if hasattr(file, "write"):
        _write_archive(file, arrays, compression)
        return
    with replacing(_ending(file, ".npz")) as target:
        _write_archive(target, arrays, compression)


class _Archive(zipfile.ZipFile):
    """An archive that only `close` ends. Ended when it is let go of, one that was interrupted within a member would raise a ValueError."""

    def __del__(self) -> None:
        pass


def _write_archive(target: IO[bytes], arrays: dict[str, Any], compression: int) -> None:
    archive = _Archive(target, "w", compression)
    for name, items in arrays.items():
        with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
            _write_array(member, items)
    archive.close()


def _write_array(target: Any, items: Any) -> None:
    """Header and items, one after the other, to anything that has `write`; NumPy's `tofile` wants to seek."""
    header = np.lib.format.header_data_from_array_1_0(items)
    np.lib.format.write_array_header_1_0(target, header)
    rows = np.ascontiguousarray(items.T if header["fortran_order"] else items)
    target.write(rows.reshape(-1).view(np.uint8).data)


def _savable(op: str, value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        raise DTypeError(f"{op}: an array of Python objects given; it would be pickled, and that is never done here")
    array = value if is_array(value) else asarray(value)
    if array.dtype is dt.bfloat16:
        raise DTypeError(
            f"{op}: bfloat16 given, which NumPy's files do not have; save .astype('float32'), which is exact, "
            "or use save_safetensors"
        )
    return array.to_device("cpu").numpy()


def _ending(path: Path, ending: str) -> str:
    name = os.fsdecode(path)
    # What is there already and is no regular file is written to under its own name.
    other = os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    return name if other or name.endswith(ending) else name + ending


# -- reading ------------------------------------------------------------------------------------------------------------


def load(
    file: Path | IO[bytes], mmap_mode: str | None = None, *, device: Any = None, max_unpacked: int | None = None
) -> NDArray | dict[str, NDArray]:
    """The array of a .npy file, or the arrays of an .npz file by name. What a file claims is checked before memory is
    asked for, and nothing is unpickled.

    Args:
        file: a path, or an open binary file that can seek.
        mmap_mode: for a .npy file at a path, "c" to read its parts only when they are looked at, writes staying in this
            process, or "r+" to write to the file, too.
        device: where to put the arrays.
        max_unpacked: how many bytes all arrays of an .npz file may take; None: 64 for each byte of the file, or 64 MiB where
            that is more.

    Raises:
        CheckpointError: the file is damaged, no NumPy file, holds objects or a dtype that lamina does not have, or unpacks to
            more than is allowed.
        OSError: the file cannot be opened.
    """
    if mmap_mode not in (None, "c", "r+"):
        raise ValueError(f"load: mmap_mode {mmap_mode!r} given; it is None, 'c' or 'r+'")
    if hasattr(file, "read"):
        return _load(file, str(getattr(file, "name", "the file")), device, max_unpacked)  # type: ignore[arg-type]
    name = os.fsdecode(file)
    with open(name, "rb") as opened:
        if mmap_mode is None:
            return _load(opened, name, device, max_unpacked)
        header = _header(opened, name)
        begin = opened.tell()
        if header.size > os.path.getsize(name) - begin:
            raise CheckpointError(f"load: {name} is cut off: {header.size} bytes of items wanted")
        if header.dtype.numpy.newbyteorder("=") != np.dtype(header.descr):
            raise CheckpointError(f"load: {name} is of another byte order; it cannot be mapped, read it without mmap_mode")
    shape = header.shape[::-1] if header.fortran_order else header.shape
    try:
        mapped = from_file(name, shape, dtype=header.dtype, offset=begin, shared=mmap_mode == "r+")
    except ShapeError as error:
        raise CheckpointError(f"load: {name} cannot be mapped ({error}); read it without mmap_mode") from None
    if header.dtype is dt.bool:
        _check_bools(name, mapped.flat.bytes_view())
    return array_of(mapped.flat, mapped.layout.permute(range(len(shape))[::-1])) if header.fortran_order else mapped


def _load(file: IO[bytes], name: str, device: Any, most: int | None) -> NDArray | dict[str, NDArray]:
    start = file.read(6)
    file.seek(-len(start), os.SEEK_CUR)
    begin = file.tell()
    size = file.seek(0, os.SEEK_END) - begin
    file.seek(begin)
    if start == _MAGIC:
        return _array(file, size, name).to_device(device)
    if start[:4] not in (b"PK\x03\x04", b"PK\x05\x06"):
        raise CheckpointError(f"load: {name} is neither a .npy nor an .npz file: it begins with {start!r}")
    unpacking = Unpacking(f"load: {name}", size, most)
    result: dict[str, NDArray] = {}
    try:
        with zipfile.ZipFile(file) as archive:
            _check_count(file, name, len(archive.infolist()))
            for info in archive.infolist():
                key = info.filename.removesuffix(".npy")
                if key == info.filename or key in result:
                    raise CheckpointError(f"load: {name} holds {info.filename[:60]!a}, which is no array, or twice there")
                if info.compress_type not in _PACKED:
                    raise CheckpointError(f"load: {name}, {info.filename[:60]!a} is packed by a method that NumPy does not write")
                with archive.open(info) as member:
                    result[key] = _array(member, info.file_size, f"{name}, {info.filename}", unpacking).to_device(device)
                    if member.read(1):
                        raise CheckpointError(f"load: {name}, {info.filename[:60]!a} is longer than its array")
    except CheckpointError:
        raise
    except _DAMAGE as error:
        raise CheckpointError(f"load: {name} is not a whole .npz file: {error}") from error
    return result


def _check_count(file: IO[bytes], name: str, count: int) -> None:
    """That the directory has as many entries as its end says: a wrong length in one can hide those behind it."""
    file.seek(-_END.size, os.SEEK_END)
    mark, said = _END.unpack(file.read(_END.size))
    if mark == b"PK\x05\x06" and said not in (count, 0xFFFF):  # else there is a comment, or another end for many entries
        raise CheckpointError(f"load: {name} is not a whole .npz file: its directory has {count} entries, and says {said}")


class _Header(NamedTuple):
    descr: str
    dtype: dt.DType
    fortran_order: bool
    shape: tuple[int, ...]
    size: int
    length: int


def _header(file: Any, name: str) -> _Header:
    """What a .npy file says of its items, as NEP 1 defines it, and checked."""
    magic = file.read(8)
    width = {1: 2, 2: 4, 3: 4}.get(magic[6] if len(magic) == 8 else 0)
    prefix = file.read(width or 0)
    if magic[:6] != _MAGIC or width is None or len(prefix) < width:
        raise CheckpointError(f"load: {name} is not a .npy file, or cut off in its header")
    (length,) = struct.unpack("<H" if width == 2 else "<I", prefix)
    text = file.read(length) if length <= _LONGEST_HEADER else b""
    if len(text) < length:
        raise CheckpointError(f"load: {name} has a header of {length} bytes, which is not all there or too long")
    try:
        fields = ast.literal_eval(text.decode("utf-8" if magic[6] == 3 else "latin-1").strip())
        descr, fortran, shape = fields["descr"], fields["fortran_order"], fields["shape"]
        right = len(fields) == 3 and type(fortran) is bool and type(shape) is tuple
        if not right or len(shape) > _MOST_DIMS or not all(type(n) is int and 0 <= n < 1 << 62 for n in shape):
            raise ValueError(f"shape {shape!r}, fortran_order {fortran!r}")
        if type(descr) is not str and type(descr) is not list:
            raise ValueError(f"descr of type {type(descr).__name__}")
        kind = np.dtype(descr)
    except (ValueError, SyntaxError, TypeError, KeyError, RecursionError, MemoryError) as error:
        raise CheckpointError(f"load: the header of {name} makes no sense: {error!r:.200}") from error
    if kind.hasobject:
        raise CheckpointError(f"load: {name} holds Python objects, as a pickle, which could run code; it is not read")
    try:
        dtype = dt.dtype_of(kind)
    except DTypeError:
        hint = "; if it was bfloat16, it had to be saved by save_safetensors" if kind.kind == "V" else ""
        raise CheckpointError(f"load: {name} holds items {descr!r}, which lamina does not have{hint}") from None
    return _Header(str(kind.str), dtype, fortran, shape, math.prod(shape) * dtype.itemsize, 8 + width + length)


def _array(file: Any, size: int, name: str, unpacking: Unpacking | None = None) -> NDArray:
    """The items behind a header, `size` bytes with it; memory is asked for only if so many are there."""
    header = _header(file, name)
    if unpacking is not None:
        unpacking.take(header.size, name.rpartition(", ")[2])
    available = size - header.length
    if header.size > available:
        raise CheckpointError(f"load: {name} is cut off: {header.size} bytes of items wanted, {available} are there")
    raw = bytearray(header.size)
    view, at = memoryview(raw), 0
    while at < header.size:
        part = file.read(min(header.size - at, 1 << 24))
        if not part:
            raise CheckpointError(f"load: {name} is cut off: {header.size} bytes of items wanted, {at} are there")
        view[at : at + len(part)] = part
        at += len(part)
    if header.dtype is dt.bool:
        _check_bools(name, np.frombuffer(raw, np.uint8))
    items = np.frombuffer(raw, np.dtype(header.descr))
    try:
        shaped = items.reshape(header.shape, order="F" if header.fortran_order else "C")
    except ValueError as error:  # no items, but lengths that are too large to count with
        raise CheckpointError(f"load: {name} has the shape {header.shape}: {error}") from None
    return from_numpy(shaped)


def _check_bools(name: str, items: np.ndarray[Any, Any]) -> None:
    if items.max(initial=0) > 1:
        raise CheckpointError(f"load: {name} is of bool, but its byte {int(items.argmax())} is {int(items.max())}")
