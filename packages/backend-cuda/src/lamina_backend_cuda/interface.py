"""What the backend wants of CUDA: `Port`, which `port.CupyPort` serves with CuPy, and a strict stand-in in tests.

Addresses are plain integers, as on the device. All work is queued on a stream; who uses memory on another one than it
was last used on orders the two by an event.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Facts", "Function", "Port", "Product", "Properties"]


class Properties(NamedTuple):
    """What is known of one device.

    Attributes:
        name: what its maker calls it.
        capability: its compute capability, (major, minor).
        total_memory: bytes of memory.
        multiprocessors: how many streaming multiprocessors it has.
    """

    name: str
    capability: tuple[int, int]
    total_memory: int
    multiprocessors: int


class Facts(NamedTuple):
    """What a port finds, good or bad; `readiness.problem` judges it.

    Attributes:
        distributions: installed distributions of CuPy.
        import_error: why CuPy cannot be imported; empty where it can.
        driver: the newest CUDA version that the driver serves, as 1000 * major + 10 * minor; 0 without a driver.
        runtime: the CUDA version that CuPy was built for, written alike.
        devices: what is known of each device.
    """

    distributions: tuple[str, ...]
    import_error: str = ""
    driver: int = 0
    runtime: int = 0
    devices: tuple[Properties, ...] = ()


class Function(NamedTuple):
    """A kernel that was compiled and loaded on one device.

    Attributes:
        name: of the kernel in its source.
        formats: one format of `struct` for each parameter; "P" is an address.
        handle: the port's own.
    """

    name: str
    formats: tuple[str, ...]
    handle: Any


class Port(ABC):
    """Devices, memory, streams, events and kernels; all that the backend knows of CUDA.

    >>> Port.__abstractmethods__ >= {"facts", "allocate", "launch"}
    True
    """

    @abstractmethod
    def facts(self) -> Facts:
        """Return what is installed and found here. Never raises."""

    @abstractmethod
    def stream(self, index: int) -> Any:
        """Return a new stream of device `index`, which waits for no other stream."""

    @abstractmethod
    def allocate(self, nbytes: int, stream: Any) -> Any:
        """Return uninitialised memory with the attributes `address` and `nbytes`, to be used on `stream`.

        Raises:
            MemoryError: there is not enough.
        """

    @abstractmethod
    def copy_in(self, address: int, source: memoryview, stream: Any) -> None:
        """Queue a copy of host bytes to an address; `source` may change as soon as this returns."""

    @abstractmethod
    def copy_out(self, address: int, target: memoryview, stream: Any) -> None:
        """Copy from an address to host bytes, once all that is queued on `stream` is done."""

    @abstractmethod
    def compile(self, source: str, functions: Mapping[str, tuple[str, ...]], stream: Any) -> dict[str, Function]:
        """Compile CUDA C++ for the device of a stream, and return its kernels.

        Args:
            source: the whole source.
            functions: from the name of each kernel to the formats of its parameters.
            stream: a stream of the device that they are for.

        Returns:
            The kernels by name.
        """

    @abstractmethod
    def launch(self, function: Function, grid: int, block: int, values: Sequence[Any], stream: Any) -> None:
        """Queue a kernel on `grid` blocks of `block` threads.

        Args:
            function: the kernel.
            grid, block: how many blocks, and threads in each.
            values: the numbers that `function.formats` take, one after another.
            stream: where it is queued.
        """

    @abstractmethod
    def multiply(self, product: Product, stream: Any) -> bool:
        """Queue a product of matrices by the vendor's library; False, and nothing done, where there is none."""

    @abstractmethod
    def record(self, stream: Any) -> Any:
        """Return an event that is over when all is done that is queued on `stream` by now."""

    @abstractmethod
    def wait(self, stream: Any, event: Any) -> None:
        """Have what is queued on `stream` from now on wait for an event."""

    @abstractmethod
    def synchronize(self, stream: Any) -> None:
        """Wait until all that is queued on `stream` is done."""

    @abstractmethod
    def done(self, event: Any) -> bool:
        """Return whether an event is over."""

    @abstractmethod
    def finish(self, event: Any) -> None:
        """Wait until an event is over."""

    @abstractmethod
    def elapsed_ms(self, start: Any, end: Any) -> float:
        """Return the milliseconds between two events that are over."""

    @abstractmethod
    def number(self, stream: Any) -> int:
        """Return what other libraries know a stream by: CUDA's handle of it."""

    @abstractmethod
    def stream_of(self, number: int, index: int) -> Any:
        """Return another library's stream of device `index` by its number; 1 and 2 are CUDA's own, of the process and of the thread."""

    @abstractmethod
    def external_stream(self, number: int, index: int) -> Any:
        """Return another library's stream of device `index` as `stream` does: work may be queued on it, and memory allocated for it."""

    @abstractmethod
    def memory_info(self, index: int) -> tuple[int, int]:
        """Return the bytes of device `index` that no program holds, and those that it has."""

    @abstractmethod
    def reaches(self, index: int, other: int) -> bool:
        """Return whether kernels of device `index` can read memory of device `other`."""

    @abstractmethod
    def mark(self, message: str) -> None:
        """Mark this moment in what CUDA's profilers record."""

    @abstractmethod
    def push_range(self, message: str) -> None:
        """Begin a range there, within those of this thread that have begun."""

    @abstractmethod
    def pop_range(self) -> None:
        """End the innermost range of this thread."""

    @abstractmethod
    def record_profile(self, wanted: bool) -> None:
        """Have profilers that wait for it record from now on, or no more."""

    @abstractmethod
    def held_bytes(self, index: int) -> tuple[int, int]:
        """Return the bytes that are in use on device `index`, and those that are kept, these included."""

    @abstractmethod
    def release(self, index: int) -> None:
        """Give memory of device `index` that is kept and not in use back to the system."""


class Product(NamedTuple):
    """`batch` products of row-major matrices: c (m, n) = a (m, k) @ b (k, n), or c + that.

    Attributes:
        dtype: the items' type, by lamina's name.
        batch, m, n, k: how many products, and their sizes.
        a, b, c: the addresses of the first matrices.
        a_row, b_row, c_row: how many items apart rows are; columns of an operand that is read transposed.
        a_transposed, b_transposed: whether rows and columns of the operand change places in memory.
        a_step, b_step, c_step: how many items apart the matrices of the batch are.
        added: whether the products are added to what is in c.
    """

    dtype: str
    batch: int
    m: int
    n: int
    k: int
    a: int
    b: int
    c: int
    a_row: int
    b_row: int
    c_row: int
    a_transposed: bool
    b_transposed: bool
    a_step: int
    b_step: int
    c_step: int
    added: bool = False
