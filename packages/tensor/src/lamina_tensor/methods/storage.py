"""Storage: the flat memory under a tensor, as PyTorch's programs look at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lamina_flatarray import AutogradError, Device, DType, DTypeError, FlatArray, ShapeError
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout

from ..devices.shared_memory import is_shared, share_memory
from ..tensor_fields import TensorFields, tensor_of
from .sizes import sizes as lengths

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS", "Storage"]


class Storage:
    """The items of a flat array one by one, or, untyped, its bytes; over the same memory.

    Args:
        flat: the memory.
        dtype: of the items; None for bytes.
    """

    def __init__(self, flat: FlatArray, dtype: DType | None = None) -> None:
        self.flat = getattr(flat, "whole", flat)
        self.dtype = dtype

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self.flat.device

    @property
    def is_cuda(self) -> bool:
        """Whether it is on a device of type "cuda"."""
        return self.flat.device.type == "cuda"

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self.flat.nbytes

    def size(self) -> int:
        """How many items, or, untyped, bytes there are."""
        return self.flat.nbytes // self.element_size()

    def element_size(self) -> int:
        """Bytes of one item."""
        return 1 if self.dtype is None else self.dtype.itemsize

    def data_ptr(self) -> int:
        """The address of the first byte.

        Raises:
            DeviceError: the memory is not on the host.
        """
        pointer: int = self.flat.bytes_view().__array_interface__["data"][0]
        return pointer

    def untyped(self) -> Storage:
        """The same memory as bytes."""
        return Storage(self.flat)

    def is_shared(self) -> bool:
        """Whether processes that are forked from this one see the same memory."""
        return is_shared(self.flat.memory)

    def tolist(self) -> list[Any]:
        """The items as Python numbers."""
        return list(self)

    def _items(self) -> np.ndarray[Any, Any]:
        found = self.flat.bytes_view()
        return found if self.dtype is None else found.view(self.dtype.numpy)

    def __len__(self) -> int:
        return self.size()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items().tolist())

    def __getitem__(self, at: int) -> Any:
        return self._items()[at].item()

    def __setitem__(self, at: Any, value: Any) -> None:
        self.flat.version += 1
        self._items()[at] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Storage) and self.flat.memory is other.flat.memory and self.dtype is other.dtype

    def __hash__(self) -> int:
        return id(self.flat.memory)

    def __repr__(self) -> str:
        kind = "UntypedStorage" if self.dtype is None else f"TypedStorage(dtype={self.dtype!r})"
        lines = "".join(f" {item}\n" for item in self.tolist()[:1000])
        return f"{lines}[lamina.storage.{kind}(device={self.device}) of size {self.size()}]"


def _set(
    self: Tensor, source: Any = None, storage_offset: int = 0, size: Any = None, stride: Any = None
) -> Tensor:
    """Make the tensor one over the memory of another, or of a storage; without a source, an empty one.

    Raises:
        AutogradError: gradients are recorded for it.
        DTypeError: the other tensor is of another dtype.
        ShapeError: an item would lie outside of the memory.
    """
    if self.requires_grad:
        raise AutogradError("set_: the tensor requires gradients; detach() it first")
    if source is None:
        source = tensor_of(NDArray(FlatArray.of(self.array.flat.kernels, 0), Layout.dense((0,))))
    flat = source.flat if isinstance(source, Storage) else source.array.flat
    if isinstance(source, TensorFields) and flat.dtype is not self.array.dtype:
        raise DTypeError(f"set_: {flat.dtype.name} items given for a tensor of {self.array.dtype.name}")
    if isinstance(source, Storage):
        flat = flat.reinterpret(self.array.dtype) if flat.dtype is not self.array.dtype else flat
        size = (flat.size,) if size is None else size
    if size is None:
        layout = source.array.layout
    else:
        shape = tuple(size)
        layout = Layout.of(shape, Layout.dense(shape).strides if stride is None else tuple(stride), storage_offset)
        if layout.size and layout.extent()[1] >= flat.size:
            raise ShapeError(f"set_: shape {shape} at {storage_offset} reaches beyond {flat.size} items of memory")
    self.array, self.base = NDArray(flat, layout), None
    return self


def _resize(self: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Another shape, row-major from where the tensor begins; what memory there is is kept, more of it is uninitialised.

    Raises:
        AutogradError: gradients are recorded for it.
    """
    if self.requires_grad:
        raise AutogradError("cannot resize variables that require grad")
    layout = Layout.dense(lengths(sizes))
    if layout.shape == self.array.layout.shape:
        return self
    offset, flat = self.array.layout.offset, self.array.flat
    if offset + layout.size > flat.size:
        flat = FlatArray.of(flat.kernels, offset + layout.size)
        flat[: self.array.flat.size] = self.array.flat
        flat.version = 0
    self.array, self.base = NDArray(flat, Layout.of(layout.shape, layout.strides, offset)), None
    return self


def _resize_as(self: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """Another tensor's shape; see `resize_`."""
    return _resize(self, the_template.array.layout.shape)


METHODS: Final[dict[str, Any]] = {
    "is_shared": lambda self: Storage(self.array.flat).is_shared(),
    "resize_": _resize,
    "resize_as_": _resize_as,
    "set_": _set,
    "share_memory_": share_memory,
    "storage": lambda self: Storage(self.array.flat, self.array.dtype),
    "untyped_storage": lambda self: Storage(self.array.flat),
}
"""What a tensor tells of its memory."""
