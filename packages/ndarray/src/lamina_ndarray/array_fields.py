"""The three fields of an array, and how one is made of them; what arrays can do is written above, in `array`.

What others rely on, and a compiled stand-in for this file has to keep: an array has exactly the slots `flat`, `layout` and
`native`; all items of the layout lie within the flat array; layout and flat array are never exchanged for others; `empty_of` and
`view_of` make arrays of `array_class`, whose `__init__` they do not call.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeGuard

from lamina_flatarray import Device, DType, FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.twins import compiled

from .layouts.layout import Layout

if TYPE_CHECKING:
    from lamina_flatarray import Backend

    from .array import NDArray

__all__ = ["ArrayFields", "array_of", "empty_of", "is_array", "make_arrays_of", "view_of"]

_new = object.__new__


def read(path: str, meaning: str) -> Any:
    """A property that is read without a Python frame.

    Args:
        path: names with points between them, from an array to the value.
        meaning: its documentation.
    """
    return property(attrgetter(path), doc=meaning)


class ArrayFields:
    """What an array is made of: a flat array and the layout that it is read by.

    Args:
        flat: the memory.
        layout: how its items are read: shape, strides and offset, all within the memory.

    Attributes:
        flat: the memory.
        layout: how its items are read: shape, strides and offset.
        native: the backend's own handle for this pair, if it keeps one.

    >>> x = nd.zeros((2, 3))
    >>> isinstance(x, ArrayFields), x.layout.strides, x.flat.size
    (True, (3, 1), 6)
    """

    __slots__ = ("__weakref__", "flat", "layout", "native")

    flat: FlatArray
    layout: Layout
    native: Any

    def __init__(self, flat: FlatArray, layout: Layout) -> None:
        self.flat = flat
        self.layout = layout
        self.native = None

    if TYPE_CHECKING:  # checkers know no property but one of a function

        @property
        def dtype(self) -> DType: ...
        @property
        def device(self) -> Device: ...
        @property
        def backend(self) -> Backend: ...
        @property
        def shape(self) -> tuple[int, ...]: ...
        @property
        def strides(self) -> tuple[int, ...]: ...
        @property
        def ndim(self) -> int: ...
        @property
        def size(self) -> int: ...
        @property
        def itemsize(self) -> int: ...

    else:
        dtype = read("flat.dtype", "The type of the items.")
        device = read("flat.kernels.device", "Where the items are.")
        backend = read("flat.kernels.backend", "Who computes on them.")
        shape = read("layout.shape", "How many items there are along each axis.")
        strides = read("layout.strides", "How many items of memory one step along each axis skips.")
        ndim = read("layout.ndim", "How many axes there are.")
        size = read("layout.size", "How many items there are.")
        itemsize = read("flat.dtype.itemsize", "Bytes of one item.")

    @property
    def nbytes(self) -> int:
        """Bytes of all items, as if they lay without gaps."""
        return self.layout.size * self.flat.dtype.itemsize


array_class: type[NDArray]
"""The class that arrays are made of."""


def make_arrays_of(kind: type[NDArray]) -> None:
    """Name the class that arrays are made of. It is named once, by its own module: its methods call functions that make arrays,
    so that it can only come after them.
    """
    global array_class
    array_class = kind


def is_array(x: object) -> TypeGuard[NDArray]:
    """Whether something is an array."""
    return isinstance(x, ArrayFields)


def array_of(flat: FlatArray, layout: Layout) -> NDArray:
    """The array that reads a flat array by a layout."""
    return array_class(flat, layout)


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
    array: NDArray = _new(array_class)
    array.flat = flat
    array.layout = layout
    array.native = None
    return array


def view_of(array: ArrayFields, layout: Layout) -> NDArray:
    """The same memory under another layout."""
    view: NDArray = _new(array_class)
    view.flat = array.flat
    view.layout = layout
    view.native = None
    return view


if compiled is not None:
    empty_of, view_of = compiled.empty_of, compiled.view_of
