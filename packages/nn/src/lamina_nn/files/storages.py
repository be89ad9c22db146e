"""Storages of a PyTorch file, each read once and put on its device, and the tensors made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, Final, Protocol

import lamina_ndarray as nd
from lamina_flatarray import (
    ArgumentTypeError,
    BackendError,
    CheckpointError,
    Device,
    DeviceError,
    DType,
    FlatArray,
    LaminaError,
    UsageError,
    backends,
)
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout
from lamina_tensor import Size, Tensor
from lamina_tensor.devices.memory_formats import sparse_coo
from lamina_tensor.methods.memory.storage import Storage
from lamina_tensor.tensor_fields import tensor_of

from ..parameter import Parameter

__all__ = ["MADE_OF_STORAGES", "Argument", "Place", "Records", "Storages", "View"]

Place = Any
"""`map_location`: None, a device, a mapping of locations, or a function of a storage and its location."""

View = tuple[Any, int, int] | None
"""A part of a storage that is one itself: its key, and where it begins and how long it is, in items."""

_MOST_DIMS: Final = 64
_MOST_ITEMS: Final = 1 << 62


class Records(Protocol):
    """Where storages are: see `archive_reading.Archive`."""

    mapped: bool
    foreign: bool

    def size(self, record: str) -> int:
        """Return how many bytes a storage has."""
        ...

    def read(self, record: str) -> Any:
        """Return the bytes of a storage, mapped where `mapped` says so."""
        ...

    def read_into(self, record: str, room: Any) -> None:
        """Write the bytes of a storage over a buffer of as many."""
        ...


class Argument:
    """What a pickle may hand to what makes values, but not hold as a value."""


class _Stored:
    """The bytes of one storage on their device, and the flat arrays over them."""

    def __init__(self, whole: FlatArray) -> None:
        self.whole = whole
        self._flats: dict[tuple[DType, bool, bool], FlatArray] = {}

    def flat(self, dtype: DType, conj: bool, neg: bool) -> FlatArray:
        """All items, conjugated or negated if asked for: one array for all tensors that ask for the same."""
        result = self._flats.get((dtype, conj, neg))
        if result is None:
            result = self._flats[dtype, conj, neg] = self._resolved(dtype, conj, neg) if conj or neg else self._read(dtype)
        return result

    def _read(self, dtype: DType) -> FlatArray:
        whole = self.whole
        if whole.dtype is not dtype:
            items = whole.nbytes // dtype.itemsize
            whole = whole.reinterpret("uint8")[: items * dtype.itemsize].reinterpret(dtype)
        if dtype is nd.bool and whole.to("cpu").bytes_view().max(initial=0) > 1:
            raise CheckpointError("a storage of bool with bytes other than 0 and 1")
        return whole

    def _resolved(self, dtype: DType, conj: bool, neg: bool) -> FlatArray:
        """PyTorch conjugates and negates when items are looked at, and says so beside them; here it is done at once."""
        if dtype is not self.whole.dtype or not dtype.is_inexact:
            raise CheckpointError(f"a view of a storage as {dtype.name}, to be conjugated or negated")
        items = NDArray(self.flat(dtype, False, False), Layout.dense((self.whole.size,)))
        for applies, function in ((conj, nd.conj), (neg, nd.negative)):
            items = function(items) if applies else items
        return items.flat


class _Typed(Argument):
    """A storage as a pickle describes it."""

    def __init__(self, stored: _Stored, dtype: DType | None, view: View) -> None:
        self.stored, self.dtype, self.view = stored, dtype, view

    def flat(self, dtype: DType | None, conj: bool, neg: bool) -> FlatArray:
        """Its items, or those of the part that it is."""
        kind = self.dtype or nd.uint8
        flat = self.stored.flat(dtype or kind, conj, neg)
        if self.view is None:
            return flat
        _, offset, size = self.view
        if dtype not in (None, kind) or offset + size > flat.size:
            raise CheckpointError(f"a view of items {offset} to {offset + size} of a storage of {flat.size}, or as another dtype")
        part: FlatArray = flat[offset : offset + size]
        return part


class Storages:
    """The storages of a file by key.

    Args:
        archive: where they are.
        place: where they go, as `map_location` of `load`.

    Raises:
        BackendError: nobody serves the one device that is given as `place`.
    """

    def __init__(self, archive: Records, place: Place) -> None:
        if isinstance(place, (str, Device)):
            backends.kernels(place, nd.uint8)  # whether it is there at all
        self._archive = archive
        self._place = place
        self._found: dict[str, _Stored] = {}

    def __call__(self, kind: Any, key: str, location: str, count: int, view: View = None) -> Argument:
        """The storage of a key, which must have `count` items of the kind's dtype.

        Raises:
            CheckpointError: it is not there, too short, or on a device that is not.
        """
        record = f"data/{key}"
        if count * (kind.dtype or nd.uint8).itemsize > self._archive.size(record):
            raise CheckpointError(f"storage {key:.20} has {self._archive.size(record)} bytes; {count} items of it are asked for")
        stored = self._found.get(key)
        if stored is None:
            stored = self._found[key] = _Stored(self._placed(self._flat(record, kind.dtype), location))
        return _Typed(stored, kind.dtype, view)

    def _flat(self, record: str, dtype: DType | None) -> FlatArray:
        archive = self._archive
        if dtype is None and archive.foreign:
            raise CheckpointError("a storage without a dtype, in the other byte order; it is not known what to turn round")
        kernels = backends.kernels("cpu", nd.uint8 if dtype is None else dtype)
        count = archive.size(record) // kernels.itemsize
        if archive.mapped:
            whole = FlatArray.from_buffer(archive.read(record)[: count * kernels.itemsize], kernels.dtype)
        else:
            memory = kernels.allocate(archive.size(record))
            archive.read_into(record, memory)
            whole = FlatArray(memory, 0, count, kernels)
        if archive.foreign and count:
            whole.bytes_view().view(f"u{kernels.dtype.to_real().itemsize}").byteswap(inplace=True)
        return whole

    def _placed(self, flat: FlatArray, location: str) -> FlatArray:
        place = self._place
        if callable(place):
            chosen = place(Storage(flat), location)
            if isinstance(chosen, Storage):
                return chosen.flat
            if chosen is not None:
                raise ArgumentTypeError(f"load: map_location gave {type(chosen).__name__}; it wants to give the storage or None")
            place = None
        if isinstance(place, Mapping):
            place = place.get(location)
        if place is not None:
            return flat.to(Device(place))
        try:
            return flat.to(Device(location))
        except (BackendError, DeviceError) as error:
            raise CheckpointError(
                f"a storage was saved on {location[:40]!a}, which is not here ({error}); load with map_location='cpu'"
            ) from error


# -- tensors ------------------------------------------------------------------------------------------------------------


def _lengths(value: Any) -> tuple[int, ...]:
    if type(value) not in (tuple, Size) or len(value) > _MOST_DIMS:
        raise CheckpointError(f"{type(value).__name__} found where at most {_MOST_DIMS} lengths or strides are wanted")
    if not all(type(n) is int and 0 <= n < _MOST_ITEMS for n in value):
        raise CheckpointError("a length, stride or offset that is negative, too large or no int")
    return tuple(value)


def _tensor(
    storage: Any, offset: Any, size: Any, stride: Any, dtype: DType | None, requires_grad: Any = False, marks: Any = None
) -> Tensor:
    """A tensor over a storage; no item lies outside of it."""
    if not isinstance(storage, _Typed) or type(requires_grad) is not bool:
        raise CheckpointError("a tensor made of what is no storage")
    marks = {} if marks is None else marks
    if type(marks) is not dict or not set(marks) <= {"conj", "neg"} or any(type(mark) is not bool for mark in marks.values()):
        raise CheckpointError("a tensor with marks other than conj and neg, which are bools")
    conj, neg = marks.get("conj", False), marks.get("neg", False)
    flat = storage.flat(dtype, conj, neg)
    (offset,), shape, strides = _lengths((offset,)), _lengths(size), _lengths(stride)
    last = offset + sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
    if offset > flat.size or (0 not in shape and last >= flat.size):
        raise CheckpointError(
            f"a tensor of shape {shape}, strides {strides} and offset {offset} wants more than the {flat.size} items of its storage"
        )
    if prod(shape) >= _MOST_ITEMS:
        raise CheckpointError(f"a tensor of shape {shape} has too many items")
    tensor = tensor_of(NDArray(flat, Layout.of(shape, strides, offset)))
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_tensor(storage: Any, offset: Any, size: Any, stride: Any) -> Tensor:
    return _tensor(storage, offset, size, stride, None)


def _rebuild_tensor_v2(
    storage: Any, offset: Any, size: Any, stride: Any, requires_grad: Any, hooks: Any, marks: Any = None
) -> Tensor:
    return _tensor(storage, offset, size, stride, None, requires_grad, marks)


def _rebuild_tensor_v3(
    storage: Any, offset: Any, size: Any, stride: Any, requires_grad: Any, hooks: Any, dtype: Any, marks: Any = None
) -> Tensor:
    if type(dtype) is not DType:
        raise CheckpointError("a tensor without a dtype")
    return _tensor(storage, offset, size, stride, dtype, requires_grad, marks)


def _rebuild_sparse_tensor(kind: Any, parts: Any) -> Tensor:
    if kind is not sparse_coo or not isinstance(parts, tuple) or len(parts) not in (3, 4):
        raise CheckpointError("a sparse tensor of another layout than torch.sparse_coo, or of other parts")
    from lamina_tensor.sparse.construction import sparse_coo_tensor

    indices, values, size, coalesced = parts if len(parts) == 4 else (*parts, False)
    if type(indices) is not Tensor or type(values) is not Tensor or indices.dtype is not nd.int64 or type(coalesced) is not bool:
        raise CheckpointError("a sparse tensor without indices and values")
    lengths = _lengths(size)
    try:
        try:
            return sparse_coo_tensor(indices, values, lengths, is_coalesced=coalesced)
        except UsageError:  # it is not; nor are indices that are still to be read, in the format before 1.6
            return sparse_coo_tensor(indices, values, lengths)
    except LaminaError as error:
        raise CheckpointError(f"a sparse tensor whose parts do not fit together: {error}") from error


def _rebuild_meta_tensor_no_storage(dtype: Any, size: Any, stride: Any, requires_grad: Any) -> Tensor:
    if type(dtype) is not DType:
        raise CheckpointError("a tensor without a dtype")
    shape, strides = _lengths(size), _lengths(stride)
    if len(shape) != len(strides) or prod(shape) >= _MOST_ITEMS:
        raise CheckpointError(f"a tensor of shape {shape} with strides {strides}")
    reach = 1 + sum((n - 1) * step for n, step in zip(shape, strides, strict=True)) if 0 not in shape else 0
    tensor = tensor_of(NDArray(FlatArray.empty(reach, dtype, device="meta"), Layout.of(shape, strides, 0)))
    return tensor.requires_grad_() if requires_grad else tensor


def _rebuild_parameter(data: Any, requires_grad: Any, hooks: Any, state: Any = None) -> Parameter:
    if type(data) is not Tensor or type(requires_grad) is not bool:
        raise CheckpointError("a parameter made of what is no tensor")
    rebuilt: Parameter = Parameter(data, requires_grad)
    return rebuilt


MADE_OF_STORAGES: Final[dict[str, Callable[..., Any]]] = {
    "torch._utils._rebuild_tensor": _rebuild_tensor,
    "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
    "torch._utils._rebuild_tensor_v3": _rebuild_tensor_v3,
    "torch._utils._rebuild_sparse_tensor": _rebuild_sparse_tensor,
    "torch._utils._rebuild_meta_tensor_no_storage": _rebuild_meta_tensor_no_storage,
    "torch._utils._rebuild_parameter": _rebuild_parameter,
    "torch._utils._rebuild_parameter_with_state": _rebuild_parameter,
}
"""PyTorch's names of what makes tensors of storages, as its pickles call them. Hooks and attributes are left out."""
