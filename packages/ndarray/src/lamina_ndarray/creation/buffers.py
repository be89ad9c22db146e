"""Arrays over memory that something else owns: a buffer, or the bytes of a file mapped into memory."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import CheckpointError, FlatArray, ShapeError
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from ..array_fields import array_of
from ..layouts.broadcast import integers
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["from_file", "frombuffer"]


def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0) -> NDArray:
    """Interpret the bytes of a buffer as one row of items, sharing its memory.

    A buffer that is read-only, or not aligned to its items from `offset` on, is copied.

    Args:
        buffer: any object with the buffer protocol: bytes, bytearray, array.array, mmap, memoryview, ...
        dtype: how to read the bytes.
        count: how many items; all that are left where negative.
        offset: how many bytes to skip.

    Returns:
        An array of shape `(count,)` on the CPU.

    Raises:
        TypeError: the object has no buffer protocol.
        ShapeError: the buffer is empty or too short, `count` is 0, or its bytes are not a whole number of items.

    >>> memory = bytearray([1, 0, 2, 0, 3, 0])
    >>> x = nd.frombuffer(memory, dtype="int16")
    >>> memory[0] = 9
    >>> x
    NDArray([9, 2, 3], dtype=lamina.int16)
    """
    item_dtype, view = dtype_of(dtype), memoryview(buffer)
    if not view.c_contiguous:
        raise ShapeError("frombuffer: the buffer has gaps between its items; it wants a contiguous one")
    size = item_dtype.itemsize
    if view.nbytes == 0 or count == 0:
        raise ShapeError(f"frombuffer: both buffer length ({view.nbytes}) and count ({count}) must not be 0")
    if not 0 <= offset < view.nbytes:
        raise ShapeError(
            f"frombuffer: offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({view.nbytes} bytes) minus 1"
        )
    if count < 0 and (view.nbytes - offset) % size:
        raise ShapeError(
            f"frombuffer: buffer length ({view.nbytes} bytes) after offset ({offset} bytes) must be a multiple of "
            f"element size ({size})"
        )
    length = (view.nbytes - offset) // size if count < 0 else count
    if offset + length * size > view.nbytes:
        raise ShapeError(
            f"frombuffer: requested buffer length ({length} * {size} bytes) after offset ({offset} bytes) must not be "
            f"greater than actual buffer length ({view.nbytes} bytes)"
        )
    part = np.frombuffer(view, np.uint8, length * size, offset)
    return array_of(FlatArray.from_buffer(part, item_dtype), Layout.dense((length,)))


def from_file(
    path: str | os.PathLike[str],
    shape: int | Sequence[int] | None = None,
    *,
    dtype: Any = None,
    offset: int = 0,
    shared: bool = False,
) -> NDArray:
    """Map the raw items of a file into memory: parts are read when they are first looked at.

    Args:
        path: the file. With `shared`, it is made, or made longer (with zeros), where it is too short.
        shape: a length or several; by default, one row of all items in the file.
        dtype: how to read the bytes; by default, the default dtype.
        offset: how many bytes to skip; a whole number of items.
        shared: whether what is written to the array goes to the file; otherwise it stays in this process.

    Returns:
        An array of the shape on the CPU.

    Raises:
        CheckpointError: the file is too short, or its bytes are not a whole number of items.
        ShapeError: a length or the offset is negative, or the offset is no whole number of items.
        OSError: the file cannot be opened.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(bytes([1, 2, 3, 4, 5, 6]))
    ...     file.flush()
    ...     nd.from_file(file.name, (2, 3), dtype="uint8")
    NDArray([[1, 2, 3],
             [4, 5, 6]], dtype=lamina.uint8)
    """
    item_dtype = get_default_dtype() if dtype is None else dtype_of(dtype)
    if offset < 0 or offset % item_dtype.itemsize:
        raise ShapeError(f"from_file: offset {offset} given; it wants a whole number of {item_dtype.name} items in bytes")
    file = os.fspath(path)
    nbytes = os.path.getsize(file) if os.path.exists(file) or not shared else 0
    if shape is None:
        if (nbytes - offset) % item_dtype.itemsize or nbytes < offset:
            raise CheckpointError(
                f"from_file: {file} has {nbytes} bytes; after {offset} of them it wants a whole number of {item_dtype.name} items"
            )
        lengths: tuple[int, ...] = ((nbytes - offset) // item_dtype.itemsize,)
    else:
        lengths = integers(shape, "from_file")
    layout = Layout.dense(lengths)
    end = offset + layout.size * item_dtype.itemsize
    if end > nbytes and not shared:
        raise CheckpointError(
            f"from_file: {file} has {nbytes} bytes; shape {lengths} of {item_dtype.name} from byte {offset} on wants {end}"
        )
    if layout.size == 0:
        return array_of(FlatArray.empty(0, item_dtype, "cpu"), layout)
    if end > nbytes:
        with open(file, "ab") as grown:
            grown.truncate(end)
    count = math.prod(lengths) * item_dtype.itemsize
    raw: Any = np.memmap(file, np.uint8, "r+" if shared else "c", offset, (count,))
    return array_of(FlatArray.from_buffer(np.ndarray(count, np.uint8, raw), item_dtype), layout)
