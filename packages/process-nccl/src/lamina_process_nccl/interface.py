"""What process groups want of NCCL: `Port`, which `port.CupyPort` serves with CuPy, and a strict stand-in in tests.

Addresses and streams are plain integers, as CUDA's own calls take them. What is queued on a stream is done when the other processes have
queued the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Final, NamedTuple

__all__ = ["DTYPES", "ID_BYTES", "OPS", "Facts", "Port"]

ID_BYTES: Final = 128
"""How long NCCL's id of a communicator is."""

DTYPES: Final = {
    "int8": 0, "uint8": 1, "int32": 2, "uint32": 3, "int64": 4, "uint64": 5, "float16": 6, "float32": 7, "float64": 8, "bfloat16": 9,
}  # fmt: skip
"""ncclDataType_t by lamina's names."""

OPS: Final = {"sum": 0, "product": 1}
"""ncclRedOp_t of those whose results are lamina's; of its least and greatest it does not promise what becomes of NaN."""


class Facts(NamedTuple):
    """What a port finds, good or bad; `readiness.problem` judges it.

    Attributes:
        import_error: why CuPy's NCCL cannot be imported; empty where it can.
        version: NCCL's, as 10000 * major + 100 * minor + patch; before 2.9, 1000 * major.
    """

    import_error: str = ""
    version: int = 0


class Port(ABC):
    """All that process groups know of NCCL. Its calls raise ProcessGroupError where NCCL refuses.

    >>> Port.__abstractmethods__ >= {"facts", "join", "all_reduce"}
    True
    """

    @abstractmethod
    def facts(self) -> Facts:
        """Return what is installed here. Never raises."""

    @abstractmethod
    def unique_id(self) -> bytes:
        """Return the id of a new communicator, `ID_BYTES` long, which one process tells the others."""

    @abstractmethod
    def join(self, size: int, unique_id: bytes, rank: int, index: int) -> Any:
        """Make a communicator with the other processes that are given the same id, and wait for them.

        Args:
            size: how many processes there are.
            unique_id: the id.
            rank: which of them this is.
            index: its device.

        Returns:
            The port's own object.
        """

    @abstractmethod
    def stream(self, index: int) -> Any:
        """Return a new stream of device `index` with the attribute `number`, CUDA's handle of it; it lives as long as this object."""

    @abstractmethod
    def broadcast(self, communicator: Any, address: int, nbytes: int, root: int, stream: int) -> None:
        """Queue a copy of the root's bytes to all, in place."""

    @abstractmethod
    def all_gather(self, communicator: Any, into: int, source: int, nbytes: int, stream: int) -> None:
        """Queue a copy of the `nbytes` bytes of each process to all, in the order of ranks."""

    @abstractmethod
    def all_reduce(self, communicator: Any, address: int, count: int, dtype: int, op: int, stream: int) -> None:
        """Queue the combination of `count` items of each process, in place on all."""

    @abstractmethod
    def reduce(self, communicator: Any, address: int, count: int, dtype: int, op: int, root: int, stream: int) -> None:
        """Queue the combination of `count` items of each process, in place on the root."""

    @abstractmethod
    def reduce_scatter(self, communicator: Any, into: int, source: int, count: int, dtype: int, op: int, stream: int) -> None:
        """Queue the combination of the i-th `count` items of each process on rank i."""

    @abstractmethod
    def begin_group(self) -> None:
        """Hold what this thread queues, until `end_group` queues it as one."""

    @abstractmethod
    def end_group(self) -> None:
        """Queue what was held."""

    @abstractmethod
    def send(self, communicator: Any, address: int, nbytes: int, peer: int, stream: int) -> None:
        """Queue a message to another process, which queues a `receive` of as many bytes."""

    @abstractmethod
    def receive(self, communicator: Any, address: int, nbytes: int, peer: int, stream: int) -> None:
        """Queue the receiving of a message."""

    @abstractmethod
    def check(self, communicator: Any) -> None:
        """Raise if something has gone wrong with what was queued."""

    @abstractmethod
    def abort(self, communicator: Any) -> None:
        """End what is under way, and the communicator; other processes are not waited for."""

    @abstractmethod
    def destroy(self, communicator: Any) -> None:
        """End a communicator of which nothing is under way; it may wait for the other processes to do the same."""
