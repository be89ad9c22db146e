"""The group of one process: what it sends to all, it has already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ProcessGroupError
from .contract import Communicator, Place, Request, Transport

__all__ = ["SingleCommunicator", "SingleTransport"]


class _Done(Request):
    """A move that was finished when it began."""

    source = 0

    def done(self) -> bool:
        """Tell whether the move is finished: it is."""
        return True


class SingleCommunicator(Communicator):
    """A communicator of this process only."""

    rank = 0
    size = 1

    def send(self, data: Any, to: int, tag: int) -> Request:
        """Refuse: there is nobody to send to."""
        raise ProcessGroupError(f"send: there is no rank {to} beside this one, 0")

    def receive(self, into: Any, source: int, tag: int) -> Request:
        """Refuse: there is nobody who sends."""
        raise ProcessGroupError(f"receive: there is no rank {source} beside this one, 0")

    def broadcast(self, data: Any, root: int) -> Request:
        """Leave the bytes as they are."""
        return _Done()

    def all_gather(self, into: Any, data: Any) -> Request:
        """Copy the bytes."""
        memoryview(into).cast("B")[:] = memoryview(data).cast("B")
        return _Done()

    def all_to_all(self, into: Any, data: Any) -> Request:
        """Copy the bytes."""
        return self.all_gather(into, data)

    def barrier(self) -> Request:
        """Wait for nobody."""
        return _Done()

    def part(self, ranks: Sequence[int]) -> Communicator | None:
        """Return another of the kind, or None for no ranks."""
        return SingleCommunicator() if 0 in ranks else None


class SingleTransport(Transport):
    """Connects this process to nobody.

    >>> SingleTransport().world().size
    1
    """

    name = "single"

    def place(self) -> Place:
        """Tell that this is the only process."""
        return Place(0, 1, 0)

    def world(self) -> Communicator:
        """Return a communicator of this process."""
        return SingleCommunicator()

    def command(self, size: int, hosts: Sequence[str] = ()) -> list[str]:
        """Return no words, for one process of this machine: the program is run as it is."""
        if size != 1 or hosts:
            raise ProcessGroupError("single: it has one process, on this machine; install lamina-process-mpi for several")
        return []
