"""The backend contract: what a backend brings.

A backend is a name, a device type, memory, and a table from op name to kernel. It never sees autograd, broadcasting,
promotion or argument checks: those are done above, once, for all backends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..device_services import Exchange, Marks, Reports, Streams
from ..dtypes import DType
from ..fused_steps import FusedStep

__all__ = ["PROTOCOL", "Backend", "Kernel"]

PROTOCOL: Final = (1, 0)
"""The version of this contract, (major, minor). A backend is accepted when its major is equal and its minor is
not newer."""

Kernel = Callable[..., Any]
"""`kernel(out, *inputs, **params)`: see FAMILIES in `ops` for what each family is given."""


class Backend(Reports, Streams, Exchange, Marks, ABC):
    """What a plug-in subclasses: one object per process, which has memory and kernels.

    What it may do beyond that stands in `device_services`, each with a default: tell of its devices and their memory
    (`Reports`), several orders of work (`Streams`), memory shared with other libraries (`Exchange`), marks for profilers (`Marks`).

    Attributes:
        name: the backend's own name, equal to its entry point's.
        device_type: the device it serves; "cpu" may be served by several backends; unless one is chosen, that of
            the highest `priority` is used.
        protocol: the (major, minor) of the contract that it was written for.
        reads_strides: whether its kernels read any layout. If not, they are only ever given row-major operands,
            and `copy` alone must read strides.
        host: whether its memory can be read by the host as a byte buffer.
        holds_items: whether its memory holds any items. If not, shapes and dtypes are all that its arrays have: checks of
            values are left out.
        unreadable: if its items cannot be read by the host at all, not even by copying, the reason why.
        checks_positions: whether kernels of the family "gather" (its own, and those it extends) raise IndexError for an index
            outside before anything is written, where `index` and `index_put` take negative ones as counted from the end
            unless they are called with `from_front=True`, and all others refuse them. If not, indices are looked at before each call,
            for which the host waits.
        late_errors: whether these kernels, and losses of what is no class or no probability, raise when the host next waits for the device
            (`copy_out`, `synchronize`, `synchronize_stream`) instead of in the call. What is outside is then not written; what is
            read of it is 0.
        extends: the name of a host backend whose kernels serve, on the same memory, what this one lacks.
        priority: see `device_type`.

    >>> from lamina_flatarray import backends
    >>> isinstance(backends.backend("numpy"), Backend)
    True
    """

    name: str
    device_type: str
    protocol: tuple[int, int] = PROTOCOL
    reads_strides: bool = True
    host: bool = False
    holds_items: bool = True
    unreadable: str | None = None
    checks_positions: bool = False
    late_errors: bool = False
    extends: str | None = None
    priority: int = 0

    @abstractmethod
    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return, for each op, the names of the dtypes (of its first input) that a kernel of this backend serves.

        Plain data; must not touch the device.

        Returns:
            A mapping from op to a tuple of dtype names.
        """

    @abstractmethod
    def kernel(self, op: str) -> Kernel:
        """Return the kernel of an op that `capabilities` lists.

        Args:
            op: the op's name.

        Returns:
            A function `kernel(out, *inputs, **params)`.
        """

    @abstractmethod
    def allocate(self, nbytes: int, index: int) -> Any:
        """Return uninitialised memory on device `index`.

        For a host backend it is an object that exports a writable, contiguous buffer of at least `nbytes` bytes, aligned to
        16 bytes or more.

        Args:
            nbytes: how many bytes are wanted, 0 or more.
            index: which of the backend's devices they are on.

        Returns:
            The backend's own object, which flat arrays keep as their `memory`.

        Raises:
            MemoryError: there is not enough.
        """

    def allocator(self, index: int) -> Callable[[int], Any]:
        """Return `allocate` for one device, as tables call it for every array; override it to save the frame in between.

        Args:
            index: which of the backend's devices the memory is on.

        Returns:
            A function from a number of bytes to memory.
        """
        return lambda nbytes: self.allocate(nbytes, index)

    def fuses(self, op: str, dtype: DType) -> bool:
        """Return whether `fuse` takes an op in a dtype: an elementwise one, one of the family `reduce`, or `copy`.

        The parameters of an elementwise op are numbers then, which follow its inputs; a bound that is None is infinite. `pow` is a step
        with a Python number for exponent only. `copy` is a step between any two dtypes for which this says so.

        Args:
            op: the op's name.
            dtype: what it computes in; of `copy`, what it casts from or to.

        Returns:
            False, for a backend that does not fuse.
        """
        return False

    def fuse(self, steps: Sequence[FusedStep], operands: Sequence[DType], temporaries: Sequence[DType]) -> Kernel:
        """Return one kernel for several steps, whose items are, bit for bit, what the kernels of the steps give one after the other.

        Where these give NaN, it may be another NaN.

        Where there are reductions among the steps that are no totals, all are of the same axes: the last ones, of `LONGEST_FUSED_ROW`
        items at most, which are a row. What a row comes to is one item, with 1 for the length of these axes: so is the result of a map of
        nothing else. Beside rows it stands for each of their items. What is reduced is row-major, and so is the array that the step's own
        kernel is compared on.

        A total reduces what a step gave, or an operand, of the whole shape and row-major, into an operand that no step reads, and no later
        step writes what it reduces. All totals are of the same axes: the first ones, where as many items as `FUSED_COLUMNS` has are left,
        and which no row has a part of; or all axes, `MOST_TOTALED_ITEMS` items at most, where there are no rows.

        Args:
            steps: what to compute, in order. Slots are numbered: the operands, and then the temporaries.
            operands: the dtypes of what the kernel is called with, at most `MOST_FUSED_OPERANDS`, all of one shape but for totals and what
                rows come to, the first of them a result; two of them never overlap. The axes of a row lie evenly in each.
            temporaries: the dtypes of values that nobody sees.

        Returns:
            A function `kernel(*operands)`.

        Raises:
            NotImplementedError: the backend does not fuse.
        """
        raise NotImplementedError(f"backend {self.name!r} does not fuse {', '.join(step.op for step in steps)}")

    def reader(self, nested: bool) -> Callable[[Any], Any] | None:
        """Return what reads an array's items as Python numbers, or None where arrays are read through host memory.

        Args:
            nested: whether it gives all items, as lists within lists; else the one item.

        Returns:
            A function of an array, which gives NotImplemented for arrays that it leaves to others.
        """
        return None

    def crc32(self, data: Any, value: int = 0) -> int:
        """Return the CRC-32 of host bytes, which zip archives keep of each of their records.

        Args:
            data: a buffer.
            value: the checksum of what came before it.

        Returns:
            The checksum, from 0 to 2**32 - 1.
        """
        import zlib  # only files want it

        return zlib.crc32(data, value)

    def copy_in(self, memory: Any, offset: int, source: memoryview) -> None:
        """Copy host bytes into memory at a byte offset.

        Args:
            memory: what `allocate` returned.
            offset: where to write, in bytes.
            source: the bytes to copy.
        """
        memoryview(memory).cast("B")[offset : offset + source.nbytes] = source

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        """Copy memory from a byte offset into host bytes.

        Args:
            memory: what `allocate` returned.
            offset: where to read, in bytes.
            target: where the bytes go; its length tells how many.
        """
        target[:] = memoryview(memory).cast("B")[offset : offset + target.nbytes]

    def unavailable(self) -> str | None:
        """Return why the backend cannot run here (no driver, no device), or None when it can. May touch the device.

        Returns:
            The reason, in one line, or None.
        """
        return None

    def device_count(self) -> int:
        """Return how many devices there are.

        Returns:
            The number of devices, from which indices count.
        """
        return 1

    def get_num_threads(self) -> int:
        """Return how many threads kernels may use.

        Returns:
            A number of at least 1.
        """
        return 1

    def set_num_threads(self, n: int) -> None:
        """Let kernels use `n` threads, at least 1. One that uses no threads of its own has nothing to do.

        Args:
            n: the number of threads.
        """

    def __repr__(self) -> str:
        return f"<backend {self.name} for {self.device_type}>"
