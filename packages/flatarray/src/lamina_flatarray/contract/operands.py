"""What a backend's kernels are given: operands, with the layouts that their items have."""

from __future__ import annotations

from collections.abc import Callable
from struct import pack
from typing import Any, Protocol

import numpy as np

from ..devices import Device
from ..dtypes import DType
from .backend import Backend, Kernel

__all__ = ["Flat", "Kernels", "Operand", "Row", "Strided", "StridedLayout"]


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
