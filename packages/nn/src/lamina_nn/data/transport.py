"""Batches between processes: a pickle that refers to the items of arrays, and these items raw behind it.

A pipe is all that there is between a loader and its worker. Nothing has a name in the file system, so nothing can be left
there, whatever becomes of either process. Both ends are the same program's: no pickle comes from anywhere else.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, Final

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_flatarray.dtypes import dtype_of
from lamina_tensor import Tensor
from lamina_tensor.tensor_fields import tensor_of

__all__ = ["Parcel", "packed", "receive", "send"]

Parcel = tuple[bytes, list[Any]]
"""A pickle, and the buffers that it refers to."""

_RAW: Final = sys.platform != "win32"  # there, what a pipe's number reads from is no file


def _tensor(items: Any, dtype: str, shape: tuple[int, ...], requires_grad: bool) -> Tensor:
    result = tensor_of(nd.from_numpy(np.asarray(items).view(dtype_of(dtype).numpy).reshape(shape)))
    result.requires_grad = requires_grad
    return result


class _Pickler(ForkingPickler):
    def reducer_override(self, obj: Any) -> Any:
        if type(obj) is not Tensor or obj.array.device.type != "cpu" or obj.__dict__:
            return NotImplemented
        if obj.node is not None:
            raise AutogradError(
                "DataLoader: a tensor that records gradients cannot leave its worker process; return detach() of it"
            )
        array = np.ascontiguousarray(obj.array.numpy())
        metadata = (array.dtype.name, array.shape, obj.requires_grad)
        return _tensor, (array.reshape(-1).view(np.uint8), *metadata)


def packed(obj: Any) -> Parcel:
    """An object as a parcel.

    Raises:
        AutogradError: a tensor in it has a history.
        PicklingError, TypeError: something in it cannot be pickled.
    """
    buffers: list[Any] = []
    frame = io.BytesIO()
    _Pickler(frame, pickle.HIGHEST_PROTOCOL, True, lambda buffer: buffers.append(buffer.raw())).dump(obj)
    return frame.getvalue(), buffers


def send(connection: Connection, parcel: Parcel) -> None:
    """Send a parcel; waits where the other side is slow to read."""
    frame, buffers = parcel
    connection.send_bytes(pickle.dumps((frame, [len(buffer) for buffer in buffers])))
    for buffer in buffers:
        if not _RAW:
            connection.send_bytes(buffer)
            continue
        while len(buffer):
            buffer = buffer[os.write(connection.fileno(), buffer) :]


def receive(connection: Connection) -> Any:
    """The object in the next parcel; the items of its arrays are read straight into their memory.

    Raises:
        EOFError: the other side is gone.
    """
    frame, lengths = pickle.loads(connection.recv_bytes())
    buffers = []
    for length in lengths:
        buffer = np.empty(length, np.uint8)
        rest = memoryview(buffer.data)
        while _RAW and len(rest):
            count = os.readv(connection.fileno(), [rest])
            if not count:
                raise EOFError("the other process is gone")
            rest = rest[count:]
        if not _RAW and length:
            connection.recv_bytes_into(rest)
        buffers.append(buffer)
    return pickle.loads(frame, buffers=buffers)
