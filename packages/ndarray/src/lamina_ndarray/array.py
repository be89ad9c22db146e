"""NDArray: a flat array and the layout that it is read by. The fields and how one is made, and nothing else."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

from lamina_flatarray import Device, DType, FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.compiled import Emptier, Filler, compilable

from .layouts.layout import Layout

if TYPE_CHECKING:
    from lamina_flatarray import Backend

__all__ = ["NDArray", "empty_of", "view_of"]

_new = object.__new__


class NDArray:
    """Items of one dtype in some number of dimensions: `FlatArray` + `Layout`. Views share the flat array.

    Attributes:
        flat: the memory.
        layout: how its items are read: shape, strides and offset.
        native: the backend's own handle for this pair, if it keeps one.
    """

    __slots__ = ("__weakref__", "flat", "layout", "native")
    __array_ufunc__: ClassVar[None] = None  # NumPy's operators leave mixed operands to ours
    __array_priority__: ClassVar[float] = 1000.0  # so do those of older array types, such as NumPy's matrix

    flat: FlatArray
    layout: Layout
    native: Any

    def __init__(self, flat: FlatArray, layout: Layout) -> None:
        self.flat = flat
        self.layout = layout
        self.native = None

    @property
    def dtype(self) -> DType:
        """The type of the items."""
        return self.flat.dtype

    @property
    def device(self) -> Device:
        """Where the items are."""
        return self.flat.kernels.device

    @property
    def backend(self) -> Backend:
        """Who computes on them."""
        return self.flat.kernels.backend

    @property
    def shape(self) -> tuple[int, ...]:
        """How many items there are along each axis."""
        return self.layout.shape

    @property
    def strides(self) -> tuple[int, ...]:
        """How many items of memory one step along each axis skips."""
        return self.layout.strides

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return self.layout.ndim

    @property
    def size(self) -> int:
        """How many items there are."""
        return self.layout.size

    @property
    def itemsize(self) -> int:
        """Bytes of one item."""
        return self.flat.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all items, as if they lay without gaps."""
        return self.layout.size * self.flat.dtype.itemsize


for _name, _path in {
    "dtype": "flat.dtype", "device": "flat.kernels.device", "backend": "flat.kernels.backend", "shape": "layout.shape",
    "strides": "layout.strides", "ndim": "layout.ndim", "size": "layout.size", "itemsize": "flat.dtype.itemsize",
}.items():  # read without a Python frame
    setattr(NDArray, _name, property(attrgetter(_path), doc=getattr(NDArray, _name).__doc__))


@compilable(Emptier(NDArray, FlatArray))
def empty_of(kernels: KernelTable, layout: Layout) -> NDArray:
    """An uninitialised array of the kind that a kernel table is for. The layout must fill its memory from item 0.

    The hot path of every op: plain attribute stores are several times cheaper here than two `__init__` calls.
    """
    flat: FlatArray = _new(FlatArray)
    flat.memory = kernels.allocate(layout.size * kernels.itemsize)
    flat.offset = 0
    flat.size = layout.size
    flat.dtype = kernels.dtype
    flat.kernels = kernels
    flat.version = 0
    array: NDArray = _new(NDArray)
    array.flat = flat
    array.layout = layout
    array.native = None
    return array


@compilable(Filler(NDArray, (("flat", "flat"), "layout"), {"native": None}))
def view_of(array: NDArray, layout: Layout) -> NDArray:
    """The same memory under another layout."""
    made: NDArray = _new(NDArray)
    made.flat = array.flat
    made.layout = layout
    made.native = None
    return made
