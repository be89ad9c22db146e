"""The contract of process groups: what moves bytes between processes. It need not know dtypes, nor add anything up.

Reductions are made of moves once, above it, in the order of ranks, with lamina's own kernels. A communicator that reaches the memory of
devices may add up there itself, in an order of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..contract import Backend

__all__ = ["PROTOCOL", "Communicator", "DeviceBytes", "Place", "Request", "Together", "Transport"]

PROTOCOL: Final = (1, 0)
"""The version of this contract, (major, minor). A plug-in is accepted when its major is equal and its minor is not newer."""


class Place(NamedTuple):
    """Where a process stands among those that were started together.

    Attributes:
        rank: its index.
        size: how many there are.
        local_rank: its index among those of its machine.

    >>> Place(0, 1, 0).size
    1
    """

    rank: int
    size: int
    local_rank: int


class DeviceBytes(NamedTuple):
    """Contiguous bytes in a device's memory, where a communicator that reaches it is given a buffer.

    Attributes:
        backend: whose memory it is.
        device_index: which of its devices.
        memory: what its `allocate` returned.
        offset: where they begin, in bytes.
        nbytes: how many there are.

    >>> DeviceBytes._fields
    ('backend', 'device_index', 'memory', 'offset', 'nbytes')
    """

    backend: Backend
    device_index: int
    memory: Any
    offset: int
    nbytes: int


class Request(ABC):
    """A move that is under way.

    Attributes:
        source: the rank that a message came from, once it has come.
        received: how many bytes came; -1 where that is not known.
    """

    source: int = -1
    received: int = -1

    @abstractmethod
    def done(self) -> bool:
        """Help the move along, without waiting.

        Returns:
            Whether it is finished. Until then, its buffers belong to it.

        Raises:
            ProcessGroupError: it failed.
        """


class Together(Request):
    """Several moves as one.

    Args:
        moves: what is under way.

    >>> Together([]).done()
    True
    """

    def __init__(self, moves: Sequence[Request]) -> None:
        self._moves = list(moves)

    def done(self) -> bool:
        """Help all of them along, and tell whether they are finished."""
        self._moves = [move for move in self._moves if not move.done()]
        return not self._moves


class Communicator(ABC):
    """Some processes, and moves of contiguous bytes between them; none of them waits.

    Buffers are objects that export contiguous bytes, writable where something comes in; they may be empty. `DeviceBytes` are buffers,
    too, where `device_type` names their device. Moves of all processes (those without a `tag`) are called in the same order by each of
    them. Methods are called by one thread at a time.

    Attributes:
        rank: the index of this process.
        size: how many processes there are.
        device_type: the devices whose memory it reaches beside the host's; "cpu" for none.
    """

    rank: int
    size: int
    device_type: str = "cpu"

    @abstractmethod
    def send(self, data: Any, to: int, tag: int) -> Request:
        """Send bytes to one process, which receives them with the same tag.

        Args:
            data: the bytes.
            to: the rank of the receiver; not this process.
            tag: from 0 to 2**20 - 1.

        Returns:
            A `Request`.
        """

    @abstractmethod
    def receive(self, into: Any, source: int, tag: int) -> Request:
        """Receive the bytes of one `send`; messages of one sender and tag come in order.

        Args:
            into: as many bytes as were sent.
            source: the rank of the sender; -1 for any.
            tag: as the sender's.

        Returns:
            A `Request`, which fails if more was sent.
        """

    @abstractmethod
    def broadcast(self, data: Any, root: int) -> Request:
        """Copy the bytes of one process to all.

        Args:
            data: the bytes, on the process `root`; elsewhere, as many to overwrite.
            root: its rank.

        Returns:
            A `Request`.
        """

    @abstractmethod
    def all_gather(self, into: Any, data: Any) -> Request:
        """Copy the bytes of all processes to all, in the order of ranks.

        Args:
            into: `size` times as many bytes.
            data: the bytes of this process, as many on each.

        Returns:
            A `Request`.
        """

    @abstractmethod
    def all_to_all(self, into: Any, data: Any) -> Request:
        """Send the i-th part of the bytes to rank i, and put that of rank i into the i-th place.

        Args:
            into: as many bytes as `data`.
            data: `size` parts of equal length.

        Returns:
            A `Request`.
        """

    def exchange(self, into: Sequence[Any], data: Sequence[Any], tag: int) -> Request:
        """Send bytes to each of the others, and receive some from each, of any lengths. All processes call it.

        Args:
            into: for each rank, where its bytes go; none where fewer are given, or no bytes. This process's own place is left as it is.
            data: for each rank, the bytes to send, likewise.
            tag: one that nothing else uses now.

        Returns:
            A `Request`.
        """
        others = [rank for rank in range(self.size) if rank != self.rank]
        moves = [self.receive(into[rank], rank, tag) for rank in others if rank < len(into) and into[rank].nbytes]
        moves += [self.send(data[rank], rank, tag) for rank in others if rank < len(data) and data[rank].nbytes]
        return Together(moves)

    def adds_up(self, dtype: str, op: str) -> bool:
        """Tell whether items in the memory of devices are combined by `all_reduce`, `reduce` and `reduce_scatter`, in an order of its own.

        Args:
            dtype: the items' type, such as "float32".
            op: "sum" or "product".

        Returns:
            A bool; without them, moves of bytes are followed by lamina's kernels.
        """
        return False

    def all_reduce(self, data: DeviceBytes, dtype: str, op: str) -> Request:
        """Combine the items of all processes, in place. Called where `adds_up`.

        Args:
            data: the items of this process, as many on each.
            dtype, op: as for `adds_up`.

        Returns:
            A `Request`.
        """
        raise NotImplementedError

    def reduce(self, data: DeviceBytes, dtype: str, op: str, root: int) -> Request:
        """Combine the items of all processes on one of them; those of others stay as they are. Called where `adds_up`.

        Args:
            data: the items of this process, as many on each.
            dtype, op: as for `adds_up`.
            root: the rank of the one.

        Returns:
            A `Request`.
        """
        raise NotImplementedError

    def reduce_scatter(self, into: DeviceBytes, data: DeviceBytes, dtype: str, op: str) -> Request:
        """Combine the i-th parts of the items of all processes on rank i. Called where `adds_up`.

        Args:
            into: where this process's part goes.
            data: `size` times as many items.
            dtype, op: as for `adds_up`.

        Returns:
            A `Request`.
        """
        raise NotImplementedError

    @abstractmethod
    def barrier(self) -> Request:
        """Begin to wait for all processes.

        Returns:
            A `Request`, finished when all have called it.
        """

    @abstractmethod
    def part(self, ranks: Sequence[int]) -> Communicator | None:
        """Make a communicator of some of these processes; all of these call it. It may wait for them.

        Args:
            ranks: their ranks here, in the order of their ranks there.

        Returns:
            A `Communicator`, or None for a process that is not among them.
        """

    def free(self) -> None:  # noqa: B027 - nothing is right where nothing is held
        """Give back what the communicator holds. All of its processes call it; it does not wait."""

    def abandon(self) -> None:  # noqa: B027 - likewise
        """Give up what is under way, as a process is lost or has not come: no device goes on waiting for it. Nothing is begun after it."""

    def finish(self) -> None:  # noqa: B027 - likewise
        """End what began with `Transport.world`, as this process ends. All others are known to do the same now."""


class Transport(ABC):
    """What a plug-in subclasses: one object per process, which connects it to others.

    Attributes:
        name: its own name, equal to its entry point's.
        protocol: the (major, minor) of the contract that it was written for.

    >>> from lamina_flatarray import process_groups
    >>> isinstance(process_groups.transport("single"), Transport)
    True
    """

    name: str
    protocol: tuple[int, int] = PROTOCOL

    def unavailable(self) -> str | None:
        """Return why it cannot run here (no library), or None when it can. Starts nothing.

        Returns:
            The reason, in one line, or None.
        """
        return None

    @abstractmethod
    def place(self) -> Place | None:
        """Tell from the environment where this process stands among those that were started for this transport. Starts nothing.

        Returns:
            A `Place`, or None where nobody started it for that.
        """

    @abstractmethod
    def world(self) -> Communicator:
        """Connect to all processes that were started together.

        Returns:
            A `Communicator` of all of them.

        Raises:
            ProcessGroupError: it failed.
        """

    @abstractmethod
    def command(self, size: int, hosts: Sequence[str] = ()) -> list[str]:
        """Return the command that starts processes. The one that ends badly does not end the others.

        Args:
            size: how many.
            hosts: on which machines; none for this one.

        Returns:
            The words of a command line, which the program and its arguments follow.

        Raises:
            ProcessGroupError: what starts processes is not installed.
        """

    def __repr__(self) -> str:
        return f"<process groups of {self.name}>"
