"""FlatArray: n items of one dtype in one backend's memory, with a version that counts writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np

from . import dlpack
from .backends import registry
from .backends.kernel_table import KernelTable
from .contract import Backend, Row, Strided
from .devices import Device
from .dtypes import DType, dtype_of
from .errors import ArgumentValueError, DeviceError, IndexOutOfRange, NoItems, NotOnHost, ShapeError
from .promotion import result_type

__all__ = ["FlatArray"]


class FlatArray:
    """A one-dimensional, contiguous run of items of one dtype; shapes are the business of layouts.

    It is made by the class methods `empty`, `full`, `from_items`, `from_buffer` and `from_dlpack`, and by `of` where a
    kernel table is at hand.

    Args:
        memory: the backend's own object; for a host backend, a writable byte buffer.
        offset: where the first item begins, in bytes.
        size: how many items there are.
        kernels: the table of kernels for this backend, device and dtype.

    Attributes:
        memory, offset, size, kernels: as given.
        dtype: the type of an item.
        version: how many writes there have been; shared by slices of the same array.

    >>> x = FlatArray.from_items([1.0, 2.0, 3.0])
    >>> x[1:].fill(5.0)
    FlatArray([5.0, 5.0], size=2, dtype=lamina.float32, device='cpu')
    >>> x.tolist(), x.version
    ([1.0, 5.0, 5.0], 1)
    """

    __slots__ = ("__weakref__", "dtype", "kernels", "memory", "offset", "size", "version")

    memory: Any
    offset: int
    size: int
    dtype: DType
    kernels: KernelTable
    version: int

    def __init__(self, memory: Any, offset: int, size: int, kernels: KernelTable) -> None:
        self.memory = memory
        self.offset = offset
        self.size = size
        self.dtype = kernels.dtype
        self.kernels = kernels
        self.version = 0

    # -- constructors -----------------------------------------------------------------------------------------------

    @staticmethod
    def of(kernels: KernelTable, size: int) -> FlatArray:
        """Make `size` uninitialised items of the kind that a kernel table is for.

        Args:
            kernels: the table of a backend, device and dtype.
            size: how many items there are, 0 or more.

        Returns:
            An array in memory of its own.
        """
        return FlatArray(kernels.allocate(size * kernels.itemsize), 0, size, kernels)

    def like(self, size: int, kernels: Any = None) -> FlatArray:
        """Make `size` uninitialised items of the same kind, or of the kind that another kernel table is for.

        Args:
            size: how many items there are, 0 or more.
            kernels: the other table, or None.

        Returns:
            An array in memory of its own.
        """
        return FlatArray.of(self.kernels if kernels is None else kernels, size)

    @classmethod
    def empty(cls, size: int, dtype: Any = "float32", device: Any = None) -> FlatArray:
        """Make an array of `size` uninitialised items.

        Args:
            size: how many items there are.
            dtype: their type, or its name.
            device: where they are; None for the default device.

        Returns:
            An array in memory of its own.

        Raises:
            ShapeError: `size` is negative.
            BackendError: nobody serves the device.
        """
        if size < 0:
            raise ShapeError(f"empty: size {size} given; it wants 0 or more")
        return cls.of(registry.kernels(device, dtype_of(dtype)), size)

    @classmethod
    def full(cls, size: int, value: complex, dtype: Any = None, device: Any = None) -> FlatArray:
        """Make an array of `size` items that are all equal to `value`.

        Args:
            size: how many items there are.
            value: a Python number.
            dtype: their type, or its name; None for the type that `value` counts as.
            device: where they are; None for the default device.

        Returns:
            An array in memory of its own.

        Raises:
            ShapeError: `size` is negative.
            BackendError: nobody serves the device.
        """
        return cls.empty(size, result_type(value) if dtype is None else dtype, device).fill(value)

    @classmethod
    def from_buffer(cls, source: Any, dtype: Any = None) -> FlatArray:
        """Make an array over the memory of any contiguous buffer: bytes, array.array, memoryview, NumPy array.

        A read-only buffer, and one that is not aligned to its items, is copied.

        Args:
            source: any object with the buffer protocol, or a NumPy array.
            dtype: how to read the bytes; by default the buffer's own item type.

        Returns:
            An array on the CPU, which keeps the buffer alive.

        Raises:
            DTypeError: the buffer's items have no lamina dtype.
            ShapeError: the buffer is not contiguous, or its bytes are not a whole number of items.
        """
        array = source if isinstance(source, np.ndarray) else np.asarray(memoryview(source))
        dtype = dtype_of(array.dtype if dtype is None else dtype)
        if not array.flags.c_contiguous:
            raise ShapeError("from_buffer: the buffer has gaps between items; it wants a contiguous one")
        if array.nbytes % dtype.itemsize:
            raise ShapeError(f"from_buffer: {array.nbytes} bytes are not a whole number of {dtype.name} items")
        raw = array.reshape(-1).view(np.uint8)
        if not raw.flags.writeable or raw.ctypes.data % dtype.itemsize:
            raw = raw.copy()
        return cls(raw, 0, array.nbytes // dtype.itemsize, registry.kernels("cpu", dtype))

    @classmethod
    def from_items(cls, items: Iterable[complex], dtype: Any = None, device: Any = None) -> FlatArray:
        """Make an array of Python numbers.

        Args:
            items: the numbers.
            dtype: their type, or its name; None for the one that all of them together count as, float32 for none.
            device: where they are put; None for the CPU.

        Returns:
            An array in memory of its own.
        """
        values = list(items)
        dtype = result_type(*values) if dtype is None and values else dtype_of(dtype or "float32")
        return cls.from_buffer(np.array(values, dtype=dtype.numpy)).to(device)

    @classmethod
    def from_dlpack(cls, source: Any) -> FlatArray:
        """Make an array over the memory of a one-dimensional, contiguous array that another library hands over by DLPack.

        Args:
            source: an object with `__dlpack__` and `__dlpack_device__`.

        Returns:
            An array where the items are, which keeps the other library's memory alive.

        Raises:
            BufferError: the memory is on a device that no backend takes over, or may not be written to there.
            ShapeError: it has gaps.
        """
        if dlpack.place(source) == dlpack.HOST:
            return cls.from_buffer(dlpack.imported(source))
        shared = dlpack.shared(source)
        if len(shared.shape) > 1 or (shared.size > 1 and shared.strides != (1,)):
            raise ShapeError("from_dlpack: the items have gaps, or several dimensions; it wants one dimension without gaps")
        if not shared.writable:
            raise BufferError(f"from_dlpack: the memory on {shared.device} may not be written to; hand over a copy")
        return cls(shared.memory, 0, shared.size, registry.kernels(shared.device, shared.dtype))

    # -- what it is -------------------------------------------------------------------------------------------

    @property
    def device(self) -> Device:
        """The device that the items are on."""
        return self.kernels.device

    @property
    def backend(self) -> Backend:
        """The backend whose memory they are in."""
        return self.kernels.backend

    @property
    def itemsize(self) -> int:
        """How many bytes one item has."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """How many bytes all items have together."""
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        items = ", ".join(str(item) for item in self[:6]) + (", ..." if self.size > 6 else "")
        return f"FlatArray([{items}], size={self.size}, dtype={self.dtype!r}, device='{self.device}')"

    # -- items ------------------------------------------------------------------------------------------------

    def __getitem__(self, at: int | slice) -> Any:
        """Return an item as a Python number, or a slice of step 1 that shares memory and version.

        Raises:
            IndexOutOfRange: there is no such item.
            ArgumentValueError: the slice has another step.
        """
        if isinstance(at, slice):
            start, stop, step = at.indices(self.size)
            if step != 1:
                raise ArgumentValueError(f"slice: step {step} given; a FlatArray has no gaps, so it wants step 1")
            return _FlatSlice(self, start, max(0, stop - start))
        return self[self._index(at) :][:1].tolist()[0]

    def __setitem__(self, at: int | slice, value: Any) -> None:
        """Write one number to an index or a whole slice, or as many items as the slice has.

        Raises:
            IndexOutOfRange: there is no such item.
            ShapeError: the slice has another number of items.
        """
        part: FlatArray = self[at] if isinstance(at, slice) else self[self._index(at) :][:1]
        if isinstance(value, (bool, int, float, complex)):
            part.fill(value)
            return
        source = value if isinstance(value, FlatArray) else FlatArray.from_items(value, self.dtype)
        if source.size != part.size:
            raise ShapeError(f"setitem: items given: {source.size}, for a slice of {part.size}")
        part._write(source)

    def _index(self, at: int) -> int:
        if not -self.size <= at < self.size:
            raise IndexOutOfRange(f"index {at} is out of bounds for a FlatArray of size {self.size}")
        return at % self.size

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list[Any]:
        """Return the items as Python numbers, from any device.

        Returns:
            A list of bool, int, float or complex.
        """
        items: list[Any] = self.to("cpu").numpy().tolist()
        return items

    def fill(self, value: complex) -> FlatArray:
        """Set every item to a Python number, and return the array itself.

        Args:
            value: the number, which is cast to the dtype.

        Returns:
            The array itself.
        """
        self.version += 1
        self.kernels["fill"](Strided(self, Row(self.size)), value=value)
        return self

    # -- copies, in memory and in pickles: of what shares memory together, the copies do, too -----------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> FlatArray:
        return self.copy() if self.backend.holds_items else self.like(self.size)

    def __reduce__(self) -> tuple[Any, ...]:
        items = self.to("cpu").bytes_view().tobytes() if self.backend.holds_items else b""
        return _restored, (items, self.size, self.dtype.name, str(self.device))

    # -- conversion ------------------------------------------------------------------------------

    def _write(self, source: FlatArray) -> None:
        """Overwrite all items with those of `source`, cast to this dtype."""
        self.version += 1
        source.to(self.device).kernels["copy"](Strided(self, Row(self.size)), Strided(source, Row(self.size)))

    def copy(self) -> FlatArray:
        """Return a copy in memory of its own.

        Returns:
            An array of the same size, dtype and device, with version 0.
        """
        return self.cast(self.dtype)

    def cast(self, dtype: Any) -> FlatArray:
        """Return a copy with another dtype. From complex to real, the imaginary part is dropped.

        Args:
            dtype: the new dtype, or its name.

        Returns:
            An array of the same size and device, with version 0.
        """
        copied = FlatArray.of(self.kernels.sibling(dtype_of(dtype)), self.size)
        copied._write(self)
        copied.version = 0
        return copied

    def to(self, device: Any) -> FlatArray:
        """Return the array itself if it is on a device already, else a copy there.

        Args:
            device: a device, the name of one ("cpu", "cuda:1"), or None to stay.

        Returns:
            An array of the same size and dtype.

        Raises:
            BackendError: nobody serves the device.
            NoItems: the array is on the device "meta", which holds no items to copy.
        """
        if device is None or Device(device) is self.device:
            return self
        target = registry.kernels(device, self.dtype)
        if target is self.kernels:
            return self
        if not self.backend.holds_items:
            raise NoItems("Cannot copy out of meta tensor; no data!")
        result = FlatArray.of(target, self.size)
        if not result.backend.holds_items:
            return result
        on_host = memoryview(np.empty(self.nbytes, np.uint8).data)
        self.backend.copy_out(self.memory, self.offset, on_host)
        result.backend.copy_in(result.memory, result.offset, on_host)
        return result

    def reinterpret(self, dtype: Any) -> FlatArray:
        """Return the same bytes read as items of another dtype; memory and version are shared.

        Args:
            dtype: the dtype to read the bytes as, or its name.

        Returns:
            An array of `nbytes` divided by the dtype's item size items.

        Raises:
            ShapeError: the bytes are not a whole number of its items.
        """
        dtype = dtype_of(dtype)
        if self.nbytes % dtype.itemsize:
            raise ShapeError(f"reinterpret: {self.nbytes} bytes are not a whole number of {dtype.name} items")
        return _part(self, 0, self.nbytes // dtype.itemsize, dtype)

    def bytes_view(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Return the bytes of the items, as a NumPy array of uint8 over the same memory.

        Returns:
            A NumPy array of shape `(nbytes,)` and dtype uint8.

        Raises:
            DeviceError: the memory is not on the host.
        """
        if not self.backend.holds_items:
            raise NotOnHost(self.backend.unreadable)
        if not self.backend.host:
            raise DeviceError(
                self.backend.unreadable or f"numpy: the items are on {self.device}; copy them with .to('cpu') first"
            )
        memory = self.memory
        raw = memory if type(memory) is np.ndarray else np.frombuffer(memory, np.uint8)
        return raw[self.offset : self.offset + self.nbytes]

    def numpy(self) -> np.ndarray[Any, Any]:
        """Return the items as a one-dimensional NumPy array over the same memory.

        Writes through it are not counted in `version`.

        Returns:
            A NumPy array of shape `(size,)`, of the dtype's NumPy twin.

        Raises:
            DeviceError: the memory is not on the host.
        """
        return self.bytes_view().view(self.dtype.numpy)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.device(self)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a DLPack capsule over the same memory: https://dmlc.github.io/dlpack/latest/python_spec.html."""
        return dlpack.exported(
            self, (self.size,), (1,), 0, stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )


class _FlatSlice(FlatArray):
    """Part of another FlatArray: the same memory and the same version counter."""

    __slots__ = ("whole",)

    whole: FlatArray

    def __init__(self, whole: FlatArray, start: int, size: int) -> None:
        self.whole = whole.whole if isinstance(whole, _FlatSlice) else whole
        self.memory = whole.memory
        self.offset = whole.offset + start * whole.itemsize
        self.size = size
        self.dtype = whole.dtype
        self.kernels = whole.kernels

    @property
    def version(self) -> int:  # a slot there, the whole's slot here
        """The version of the array that this is a part of."""
        return self.whole.version

    @version.setter
    def version(self, value: int) -> None:
        self.whole.version = value

    def __deepcopy__(self, memo: dict[int, Any]) -> FlatArray:
        return _part(deepcopy(self.whole, memo), self.offset - self.whole.offset, self.size, self.dtype.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _part, (self.whole, self.offset - self.whole.offset, self.size, self.dtype.name)


def _restored(items: bytes, size: int, dtype: str, device: str) -> FlatArray:
    """An array from what its pickle holds."""
    made = FlatArray.empty(size, dtype, device)
    return FlatArray.from_buffer(items, dtype).to(made.device) if made.backend.holds_items else made


def _part(whole: FlatArray, offset: int, size: int, dtype: Any) -> FlatArray:
    """Part of an array, from so many bytes on, read as items of a dtype.

    Raises:
        ShapeError: it has fewer bytes.
    """
    part = _FlatSlice(whole, 0, size)
    part.dtype, part.offset = dtype_of(dtype), whole.offset + offset
    part.kernels = whole.kernels.sibling(part.dtype)
    if offset < 0 or size < 0 or offset + part.nbytes > whole.nbytes:
        raise ShapeError(f"FlatArray: {part.nbytes} bytes from byte {offset} on are not all within {whole.nbytes}")
    return part
