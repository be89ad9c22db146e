"""MPICommunicator: moves of bytes as MPI's non-blocking calls."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import mpi4py

from lamina_flatarray import ProcessGroupError
from lamina_flatarray.process_groups import Communicator, Request

mpi4py.rc.initialize = False  # by `started`, with the level of threads that it needs
mpi4py.rc.finalize = False  # at the end MPI waits for all processes, of which some may be lost

from mpi4py import MPI  # noqa: E402

__all__ = ["MPICommunicator", "started"]


@cache
def started() -> MPICommunicator:
    """Start MPI, and return a communicator of all processes: one object for each process, as MPI starts once.

    Raises:
        ProcessGroupError: MPI allows no calls from several threads, one at a time.
    """
    if not MPI.Is_initialized():
        MPI.Init_thread(MPI.THREAD_SERIALIZED)
    if MPI.Query_thread() < MPI.THREAD_SERIALIZED:
        raise ProcessGroupError("mpi: this MPI library serves one thread only; it wants MPI_THREAD_SERIALIZED")
    return MPICommunicator(MPI.COMM_WORLD.Dup())


class _Move(Request):
    """A request of MPI, and the buffers that it reads and writes until it is finished."""

    def __init__(self, request: MPI.Request, *buffers: Any) -> None:
        self._request = request
        self._buffers = buffers
        self._status = MPI.Status()

    def done(self) -> bool:
        """Test the request, by which MPI makes progress with all."""
        try:
            finished = self._request.Test(self._status)
        except MPI.Exception as error:
            raise ProcessGroupError(f"mpi: {error}") from error
        if finished:
            self._buffers = ()
            self.source, self.received = self._status.Get_source(), self._status.Get_count(MPI.BYTE)
        return bool(finished)


class MPICommunicator(Communicator):
    """A communicator of MPI.

    Args:
        communicator: of mpi4py; nobody else uses it.
    """

    def __init__(self, communicator: MPI.Comm) -> None:
        communicator.Set_errhandler(MPI.ERRORS_RETURN)
        self._communicator = communicator
        self.rank, self.size = communicator.Get_rank(), communicator.Get_size()

    def send(self, data: Any, to: int, tag: int) -> Request:
        """Send by MPI_Isend."""
        return _Move(self._communicator.Isend([data, MPI.BYTE], to, tag), data)

    def receive(self, into: Any, source: int, tag: int) -> Request:
        """Receive by MPI_Irecv."""
        return _Move(self._communicator.Irecv([into, MPI.BYTE], MPI.ANY_SOURCE if source < 0 else source, tag), into)

    def broadcast(self, data: Any, root: int) -> Request:
        """Copy by MPI_Ibcast."""
        return _Move(self._communicator.Ibcast([data, MPI.BYTE], root), data)

    def all_gather(self, into: Any, data: Any) -> Request:
        """Copy by MPI_Iallgather."""
        return _Move(self._communicator.Iallgather([data, MPI.BYTE], [into, MPI.BYTE]), into, data)

    def all_to_all(self, into: Any, data: Any) -> Request:
        """Copy by MPI_Ialltoall."""
        return _Move(self._communicator.Ialltoall([data, MPI.BYTE], [into, MPI.BYTE]), into, data)

    def barrier(self) -> Request:
        """Begin an MPI_Ibarrier."""
        return _Move(self._communicator.Ibarrier())

    def part(self, ranks: Sequence[int]) -> MPICommunicator | None:
        """Split by MPI_Comm_split."""
        mine = self.rank in ranks
        made = self._communicator.Split(0 if mine else MPI.UNDEFINED, ranks.index(self.rank) if mine else 0)
        return MPICommunicator(made) if mine else None

    def free(self) -> None:
        """Leave it: MPI_Comm_free waits for all of its processes, of which some may be lost. MPI_Finalize frees all."""

    def finish(self) -> None:
        """End MPI."""
        if not MPI.Is_finalized():
            MPI.Finalize()
