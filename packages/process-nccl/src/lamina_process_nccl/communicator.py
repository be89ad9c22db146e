"""NCCLCommunicator: moves of what lies on CUDA's devices, queued on a stream of their own; all others are MPI's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any

import numpy as np

from lamina_flatarray import ProcessGroupError, dtype_of
from lamina_flatarray.process_groups import Communicator, DeviceBytes, Request

from .interface import DTYPES, ID_BYTES, OPS, Port

__all__ = ["NCCLCommunicator"]


class _Nothing(Request):
    """A move of no bytes."""

    def done(self) -> bool:
        """Tell whether the move is finished: it is."""
        return True


class _Joining:
    """How a communicator of NCCL is made: rank 0 tells its id, and a thread waits for all to join, as NCCL does not return before."""

    def __init__(self, port: Port, host: Communicator, index: int) -> None:
        self._port, self._size, self._rank, self._index = port, host.size, host.rank, index
        self._id = bytearray(port.unique_id() if host.rank == 0 else bytes(ID_BYTES))
        self._told: Request = host.broadcast(self._id, 0)
        self._thread: Thread | None = None
        self._error: BaseException | None = None
        self.communicator: Any = None

    def done(self) -> bool:
        """Help it along, and tell whether there is a communicator.

        Raises:
            ProcessGroupError: NCCL made none.
        """
        if self._thread is None:
            if not self._told.done():
                return False
            self._thread = Thread(target=self._join, name="lamina nccl", daemon=True)
            self._thread.start()
        if self._error is not None:
            raise self._error
        return self.communicator is not None

    def _join(self) -> None:
        try:
            self.communicator = self._port.join(self._size, bytes(self._id), self._rank, self._index)
        except BaseException as error:
            self._error = error


class _Queued(Request):
    """A move on the device: queued when there is a communicator, and over when the stream has come past it."""

    def __init__(self, owner: NCCLCommunicator, call: Callable[[Any, int], None], *buffers: DeviceBytes) -> None:
        backend, index = buffers[0].backend, buffers[0].device_index
        self._owner, self._call, self._buffers, self._backend = owner, call, buffers, backend
        self._ready = backend.record_event(index, backend.current_stream(index))
        self._over: Any = None

    def queue(self, communicator: Any, stream: Any, number: int, index: int) -> None:
        """Queue it behind what the program had queued when it was begun."""
        self._backend.wait_event(index, stream, self._ready)
        self._call(communicator, number)
        self._over = self._backend.record_event(index, stream)

    def done(self) -> bool:
        """Ask the device."""
        if self._over is None and not self._owner.queued():
            return False
        if not self._backend.event_done(self._over):
            self._owner.check()
            return False
        self._buffers = ()
        return True


class _Arriving(Request):
    """A message that comes into the host's memory, and is copied to the device."""

    def __init__(self, request: Request, into: DeviceBytes, held: Any) -> None:
        self._request, self._into, self._held = request, into, held

    def done(self) -> bool:
        """Ask MPI, and queue the copy of what has come."""
        if not self._request.done():
            return False
        self.source, self.received = self._request.source, self._request.received
        if self._held is not None and self.received in (-1, self._into.nbytes):
            backend, index = self._into.backend, self._into.device_index
            backend.copy_in(self._into.memory, self._into.offset, self._held.data)
            backend.synchronize_stream(index, backend.current_stream(index))  # this thread's stream need not be the program's
        self._held = None
        return True


class NCCLCommunicator(Communicator):
    """Some processes with a device each, and NCCL's communicator of them, made when an array on a device is first moved.

    Args:
        port: how NCCL is called.
        host: the same processes, for what lies in the host's memory. Nobody else uses it.
    """

    device_type = "cuda"

    def __init__(self, port: Port, host: Communicator) -> None:
        self.rank, self.size = host.rank, host.size
        self._port, self._host = port, host
        self._index = -1  # of the device, once there was an array
        self._joining: _Joining | None = None
        self._stream: Any = None
        self._waiting: deque[_Queued] = deque()

    # -- queueing ---------------------------------------------------------------------------------------------------

    def _begin(self, call: Callable[[Any, int], None], *buffers: DeviceBytes) -> Request:
        """Queue a move of bytes of this process's device as soon as there is a communicator."""
        self._on_one_device(*buffers)
        if self._joining is None:
            self._joining = _Joining(self._port, self._host, self._index)
            own = self._port.stream(self._index)
            self._stream = own, buffers[0].backend.stream_by_number(self._index, own.number)
        move = _Queued(self, call, *buffers)
        self._waiting.append(move)
        self.queued()
        return move

    def _on_one_device(self, *buffers: DeviceBytes) -> None:
        for buffer in buffers:
            if self._index < 0:
                self._index = buffer.device_index
            if buffer.device_index != self._index:
                raise ProcessGroupError(
                    f"nccl: an array on cuda:{buffer.device_index} in a group whose arrays were on cuda:{self._index}: each process has "
                    "one device, which torch.cuda.set_device(local_rank) chooses"
                )

    def queued(self) -> bool:
        """Queue what waits for the communicator, in order, if there is one now; tell whether there is."""
        joining = self._joining
        if joining is None or not joining.done():
            return False
        while self._waiting:
            own, stream = self._stream
            self._waiting.popleft().queue(joining.communicator, stream, own.number, self._index)
        return True

    def check(self) -> None:
        """Raise what NCCL found wrong with what was queued."""
        if self._joining is not None:
            self._port.check(self._joining.communicator)

    # -- moves of all -----------------------------------------------------------------------------------------------

    def broadcast(self, data: Any, root: int) -> Request:
        """Copy by ncclBroadcast."""
        if not isinstance(data, DeviceBytes):
            return self._host.broadcast(data, root)
        if not data.nbytes:
            return _Nothing()
        return self._begin(lambda to, stream: self._port.broadcast(to, _address(data), data.nbytes, root, stream), data)

    def all_gather(self, into: Any, data: Any) -> Request:
        """Copy by ncclAllGather."""
        if not isinstance(data, DeviceBytes):
            return self._host.all_gather(into, data)
        if not data.nbytes:
            return _Nothing()
        return self._begin(
            lambda to, stream: self._port.all_gather(to, _address(into), _address(data), data.nbytes, stream), into, data
        )  # fmt: skip

    def all_to_all(self, into: Any, data: Any) -> Request:
        """Copy by a group of ncclSend and ncclRecv."""
        if not isinstance(data, DeviceBytes):
            return self._host.all_to_all(into, data)
        return self._exchange(_parts(into, self.size), _parts(data, self.size))

    def exchange(self, into: Sequence[Any], data: Sequence[Any], tag: int) -> Request:
        """Copy by a group of ncclSend and ncclRecv."""
        if not any(isinstance(buffer, DeviceBytes) for buffer in (*into, *data)):
            return self._host.exchange(into, data, tag)
        return self._exchange(_others(into, self.rank), _others(data, self.rank))

    def _exchange(self, into: dict[int, DeviceBytes], data: dict[int, DeviceBytes]) -> Request:
        if not into and not data:
            return _Nothing()

        def call(communicator: Any, stream: int) -> None:
            self._port.begin_group()
            try:
                for rank, buffer in data.items():
                    self._port.send(communicator, _address(buffer), buffer.nbytes, rank, stream)
                for rank, buffer in into.items():
                    self._port.receive(communicator, _address(buffer), buffer.nbytes, rank, stream)
            finally:
                self._port.end_group()

        return self._begin(call, *into.values(), *data.values())

    def barrier(self) -> Request:
        """Begin MPI's: what was moved on devices has been waited for."""
        return self._host.barrier()

    # -- sums -------------------------------------------------------------------------------------------------------

    def adds_up(self, dtype: str, op: str) -> bool:
        """Tell whether NCCL knows the dtype and the op."""
        return dtype in DTYPES and op in OPS

    def all_reduce(self, data: DeviceBytes, dtype: str, op: str) -> Request:
        """Combine by ncclAllReduce."""
        count, kind, how = _count(data, dtype), DTYPES[dtype], OPS[op]
        return self._begin(lambda to, stream: self._port.all_reduce(to, _address(data), count, kind, how, stream), data)

    def reduce(self, data: DeviceBytes, dtype: str, op: str, root: int) -> Request:
        """Combine by ncclReduce."""
        count, kind, how = _count(data, dtype), DTYPES[dtype], OPS[op]
        return self._begin(lambda to, stream: self._port.reduce(to, _address(data), count, kind, how, root, stream), data)

    def reduce_scatter(self, into: DeviceBytes, data: DeviceBytes, dtype: str, op: str) -> Request:
        """Combine by ncclReduceScatter."""
        count, kind, how = _count(into, dtype), DTYPES[dtype], OPS[op]
        return self._begin(
            lambda to, stream: self._port.reduce_scatter(to, _address(into), _address(data), count, kind, how, stream), into, data
        )  # fmt: skip

    # -- messages ---------------------------------------------------------------------------------------------------

    def send(self, data: Any, to: int, tag: int) -> Request:
        """Send by MPI; what lies on a device is copied to the host first."""
        if isinstance(data, DeviceBytes):
            held = np.empty(data.nbytes, np.uint8)
            data.backend.copy_out(data.memory, data.offset, held.data)
            data = held
        return self._host.send(data, to, tag)

    def receive(self, into: Any, source: int, tag: int) -> Request:
        """Receive by MPI; what is wanted on a device is copied there when it has come."""
        if not isinstance(into, DeviceBytes):
            return self._host.receive(into, source, tag)
        held = np.empty(into.nbytes, np.uint8)
        return _Arriving(self._host.receive(held, source, tag), into, held)

    # -- beginning and end ------------------------------------------------------------------------------------------

    def part(self, ranks: Sequence[int]) -> NCCLCommunicator | None:
        """Part MPI's communicator; NCCL's is made when it is wanted."""
        part = self._host.part(ranks)
        return None if part is None else NCCLCommunicator(self._port, part)

    def free(self) -> None:
        """Have a thread end NCCL's communicator, which waits for the other processes."""
        if self._joining is not None and self._joining.communicator is not None:
            Thread(target=self._port.destroy, args=(self._joining.communicator,), name="lamina nccl", daemon=True).start()
        self._joining = None
        self._host.free()

    def abandon(self) -> None:
        """Abort what NCCL has under way: kernels that wait for a lost process would hold the device."""
        if self._joining is not None and self._joining.communicator is not None:
            self._port.abort(self._joining.communicator)
        self._joining = None
        self._waiting.clear()
        self._host.abandon()

    def finish(self) -> None:
        """End NCCL's communicator, and MPI."""
        if self._joining is not None and self._joining.communicator is not None:
            self._port.destroy(self._joining.communicator)
        self._host.finish()


def _address(buffer: DeviceBytes) -> int:
    return buffer.backend.address(buffer.memory) + buffer.offset


def _count(buffer: DeviceBytes, dtype: str) -> int:
    return buffer.nbytes // dtype_of(dtype).itemsize


def _parts(buffer: DeviceBytes, size: int) -> dict[int, DeviceBytes]:
    """As many parts of equal length."""
    nbytes = buffer.nbytes // size
    return {rank: buffer._replace(offset=buffer.offset + rank * nbytes, nbytes=nbytes) for rank in range(size)} if nbytes else {}


def _others(buffers: Sequence[Any], mine: int) -> dict[int, DeviceBytes]:
    """Those that have bytes, but for this process's own."""
    return {rank: buffer for rank, buffer in enumerate(buffers) if rank != mine and buffer.nbytes}
