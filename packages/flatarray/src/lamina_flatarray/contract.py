"""The backend contract: what a backend brings, and the operands that its kernels are given.

A backend is a name, a device type, memory, and a table from op name to kernel. It never sees autograd, broadcasting,
promotion or argument checks: those are done above, once, for all backends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from struct import pack
from typing import Any, Final, Protocol

import numpy as np

from .device_services import Exchange, Marks, Reports, Streams
from .devices import Device
from .dtypes import DType
from .fused_steps import FusedStep

__all__ = ["PROTOCOL", "Backend", "Flat", "Kernel", "Kernels", "Operand", "Row", "Strided", "StridedLayout"]

PROTOCOL: Final = (1, 0)
"""The version of this contract, (major, minor). A backend is accepted when its major is equal and its minor is
not newer."""

Kernel = Callable[..., Any]
"""`kernel(out, *inputs, **params)`: see FAMILIES in `ops` for what each family is given."""


class Kernels(Protocol):
    """The kernels of one backend on one device for one dtype, by op: what a kernel table is to the storeys below it.

    Attributes:
        backend, device, dtype: what the kernels are for.
        index: which of the backend's devices that is.
        itemsize: bytes of one item.
    """

    backend: Backend
    device: Device
    dtype: DType
    index: int
    itemsize: int

    @property
    def allocate(self) -> Callable[[int], Any]:
        """The backend's allocation for this device: from a number of bytes to memory."""

    @property
    def sibling(self) -> Callable[[DType], Kernels]:
        """From a dtype to the kernels of the same backend and device for it."""

    def __getitem__(self, op: str, /) -> Kernel:
        """Return the kernel of an op."""


class Flat(Protocol):
    """What kernels and backends are given of a FlatArray: where its items are, and who serves them.

    Attributes:
        memory: the backend's own object.
        offset: where the first item begins, in bytes.
        size: how many items there are.
        dtype: the type of an item.
    """

    memory: Any
    offset: int
    size: int
    dtype: DType

    @property
    def kernels(self) -> Kernels:
        """The kernels for this backend, device and dtype."""

    @property
    def backend(self) -> Backend:
        """The backend whose memory the items are in."""

    @property
    def device(self) -> Device:
        """The device that the items are on."""

    @property
    def itemsize(self) -> int:
        """How many bytes one item has."""

    @property
    def nbytes(self) -> int:
        """How many bytes all items have together."""

    def bytes_view(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the bytes of the items, as a NumPy array over the same memory."""

    def like(self, size: int, kernels: Any = None) -> Flat:
        """Make `size` uninitialised items of the same kind, or of the kind that other kernels are for."""


class StridedLayout(Protocol):
    """How an operand's items lie in its FlatArray, all in items: an immutable value.

    Attributes:
        shape: the number of items along each axis.
        strides: how far apart neighbours along each axis lie; 0 and negative ones are allowed.
        offset: where the first item lies.
        ndim: the number of axes.
        size: the number of items.
        contiguous: whether the items lie in row-major order without gaps, at any offset.
        packed: int64s in native order for kernels outside Python: ndim, offset, shape..., strides...
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    ndim: int
    size: int
    contiguous: bool
    packed: bytes

    @property
    def compact(self) -> StridedLayout:
        """The row-major layout of the same shape at offset 0."""


class Operand(Protocol):
    """What a kernel is given: a flat array and a layout. `Strided` is the plainest, an NDArray is another.

    Attributes:
        layout: how the items are read; see StridedLayout.
        native: belongs to the backend, for a handle of its own such as a NumPy view; it begins as None.

    >>> from lamina_flatarray import FlatArray
    >>> x: Operand = Strided(FlatArray.from_items([1.0, 2.0]), Row(2))
    >>> x.layout.shape
    (2,)
    """

    layout: Any
    native: Any

    @property
    def flat(self) -> Flat:
        """The flat array that holds the items."""


class Strided:
    """The plainest operand: a flat array, a layout, and a slot for the backend's own handle.

    Args:
        flat: the flat array.
        layout: how its items are read.

    >>> from lamina_flatarray import FlatArray
    >>> x, out = FlatArray.from_items([1.0, 4.0]), FlatArray.empty(2)
    >>> out.kernels["sqrt"](Strided(out, Row(2)), Strided(x, Row(2)))
    >>> out.tolist()
    [1.0, 2.0]
    """

    __slots__ = ("flat", "layout", "native")

    flat: Flat
    layout: Any
    native: Any

    def __init__(self, flat: Flat, layout: Any) -> None:
        self.flat = flat
        self.layout = layout
        self.native = None


class Row:
    """The layout of a whole flat array, with one axis and without gaps: all that flatarray itself needs of layouts.

    Args:
        size: the number of items.

    >>> Row(3).shape, Row(3).strides
    ((3,), (1,))
    """

    __slots__ = ("packed", "shape", "size")

    strides = (1,)
    offset = 0
    ndim = 1
    contiguous = True

    def __init__(self, size: int) -> None:
        self.size = size
        self.shape = (size,)
        self.packed = pack("4q", 1, 0, size, 1)

    @property
    def compact(self) -> Row:
        """The layout itself."""
        return self


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
        """Return whether `fuse` takes an op of the family `map`, without parameters, in a dtype.

        Args:
            op: the op's name.
            dtype: what it computes in.

        Returns:
            False, for a backend that does not fuse.
        """
        return False

    def fuse(self, steps: Sequence[FusedStep], operands: Sequence[DType], temporaries: Sequence[DType]) -> Kernel:
        """Return one kernel for several steps, whose items are, bit for bit, what the kernels of the steps give one after the other.

        Args:
            steps: what to compute, in order. Slots are numbered: the operands, and then the temporaries.
            operands: the dtypes of what the kernel is called with, at most `MOST_FUSED_OPERANDS`, all of one shape, the first of them a
                result; two of them never overlap.
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
