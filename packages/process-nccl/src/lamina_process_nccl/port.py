"""CuPy: the one file that imports it, and not before something is asked of it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from lamina_flatarray import ProcessGroupError

from .interface import DTYPES, Facts, Port

__all__ = ["CupyPort"]

_BYTE = DTYPES["uint8"]


class _Communicator:
    """CuPy's communicator, and the device that it was made on."""

    __slots__ = ("device", "handle")

    def __init__(self, handle: Any, device: Any) -> None:
        self.handle = handle
        self.device = device


class _Stream:
    """CuPy's stream, which ends with this object."""

    __slots__ = ("handle", "number")

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.number = int(handle.ptr)


class CupyPort(Port):
    """NCCL by way of CuPy.

    >>> CupyPort().facts().import_error != "" or CupyPort().facts().version > 0
    True
    """

    @cached_property
    def _nccl(self) -> Any:
        _load_library()
        from cupy.cuda import nccl

        nccl.get_version()  # a library that was not found is told here at the latest
        return nccl

    @cached_property
    def _cuda(self) -> Any:
        from cupy import cuda

        return cuda

    @contextmanager
    def _refusals(self, device: Any = None) -> Iterator[None]:
        """NCCL's errors as lamina's, on the device of a communicator."""
        try:
            if device is None:
                yield
            else:
                with device:
                    yield
        except self._nccl.NcclError as failure:
            raise ProcessGroupError(f"nccl: {failure}; NCCL_DEBUG=WARN in the environment has it say more") from failure

    def facts(self) -> Facts:
        """Return NCCL's version, or why there is none, without an exception whatever is wrong."""
        try:
            return Facts("", int(self._nccl.get_version()))
        except Exception as failure:
            return Facts((f"{type(failure).__name__}: {failure}".splitlines() or [""])[0])

    def unique_id(self) -> bytes:
        """Ask NCCL; CuPy gives the bytes as signed numbers."""
        with self._refusals():
            return np.array(self._nccl.get_unique_id(), np.int8).tobytes()

    def join(self, size: int, unique_id: bytes, rank: int, index: int) -> Any:
        """Make CuPy's communicator; Python's lock is free meanwhile."""
        device = self._cuda.Device(index)
        with self._refusals(device):
            return _Communicator(self._nccl.NcclCommunicator(size, tuple(np.frombuffer(unique_id, np.int8).tolist()), rank), device)

    def stream(self, index: int) -> Any:
        """Return a stream that waits for no other."""
        with self._cuda.Device(index):
            return _Stream(self._cuda.Stream(non_blocking=True))

    def broadcast(self, communicator: Any, address: int, nbytes: int, root: int, stream: int) -> None:
        """Queue ncclBroadcast."""
        with self._refusals(communicator.device):
            communicator.handle.broadcast(address, address, nbytes, _BYTE, root, stream)

    def all_gather(self, communicator: Any, into: int, source: int, nbytes: int, stream: int) -> None:
        """Queue ncclAllGather."""
        with self._refusals(communicator.device):
            communicator.handle.allGather(source, into, nbytes, _BYTE, stream)

    def all_reduce(self, communicator: Any, address: int, count: int, dtype: int, op: int, stream: int) -> None:
        """Queue ncclAllReduce."""
        with self._refusals(communicator.device):
            communicator.handle.allReduce(address, address, count, dtype, op, stream)

    def reduce(self, communicator: Any, address: int, count: int, dtype: int, op: int, root: int, stream: int) -> None:
        """Queue ncclReduce."""
        with self._refusals(communicator.device):
            communicator.handle.reduce(address, address, count, dtype, op, root, stream)

    def reduce_scatter(self, communicator: Any, into: int, source: int, count: int, dtype: int, op: int, stream: int) -> None:
        """Queue ncclReduceScatter."""
        with self._refusals(communicator.device):
            communicator.handle.reduceScatter(source, into, count, dtype, op, stream)

    def begin_group(self) -> None:
        """Call ncclGroupStart."""
        with self._refusals():
            self._nccl.groupStart()

    def end_group(self) -> None:
        """Call ncclGroupEnd."""
        with self._refusals():
            self._nccl.groupEnd()

    def send(self, communicator: Any, address: int, nbytes: int, peer: int, stream: int) -> None:
        """Queue ncclSend."""
        with self._refusals(communicator.device):
            communicator.handle.send(address, nbytes, _BYTE, peer, stream)

    def receive(self, communicator: Any, address: int, nbytes: int, peer: int, stream: int) -> None:
        """Queue ncclRecv."""
        with self._refusals(communicator.device):
            communicator.handle.recv(address, nbytes, _BYTE, peer, stream)

    def check(self, communicator: Any) -> None:
        """Ask for errors that came late."""
        with self._refusals():
            communicator.handle.check_async_error()

    def abort(self, communicator: Any) -> None:
        """Call ncclCommAbort."""
        communicator.handle.abort()

    def destroy(self, communicator: Any) -> None:
        """Call ncclCommDestroy."""
        communicator.handle.destroy()


def _load_library() -> None:
    """Load the NCCL that pip has installed, if there is one: it lies where the system's linker does not look."""
    with suppress(ImportError, ValueError):
        found = find_spec("nvidia.nccl")
        for folder in (found.submodule_search_locations or ()) if found else ():
            library = Path(folder) / "lib" / "libnccl.so.2"
            if library.exists():
                with suppress(OSError):  # CuPy tells what is missing then
                    ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
