"""Functions of ndarray on tensors that read and write at positions: gathered, scattered, and by an index."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.array_fields import view_of
from lamina_ndarray.indexing import gathering, selection
from lamina_ndarray.indexing.basic_index import basic_index, differs_by_slice, refuse_empty_masks
from lamina_ndarray.indexing.selection import picked

from .. import tensor_fields
from ..autograd.recording import array_of, recorded
from ..autograd.rules import RULES
from ..autograd.saved_index import saved_index
from ..tensor_fields import AnyTensor, TensorFields, tensor_of, viewed
from .byte_masks import masks_of_bytes
from .tensor_functions import FUNCTIONS, arrays_of, defined, numbers_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__: list[str] = []


@defined
def gather(x: TensorFields, indices: Tensor, axis: int) -> Tensor:
    """Items picked along an axis; see `lamina_ndarray.gather`."""
    positions = indices.array if isinstance(indices, AnyTensor) else array_of(indices)
    items = nd.gather(x.array, positions, axis)
    return recorded(RULES["gather"], items, (x, positions), indices=positions, axis=axis) if x.requires_grad else tensor_of(items)


def _scattering(op: str) -> Callable[..., Tensor]:
    compute = getattr(nd, op)

    def function(x: Tensor, indices: Tensor, values: Any, axis: int) -> Tensor:
        positions = indices.array if isinstance(indices, AnyTensor) else array_of(indices)
        source = values.array if isinstance(values, AnyTensor) else array_of(values)
        return recorded(RULES[op], compute(array_of(x), positions, source, axis), (x, positions, values), axis=axis)

    function.__name__ = op
    function.__doc__ = f"See `lamina_ndarray.{op}`."
    return function


for _op in ("scatter", "scatter_add"):
    FUNCTIONS[_op] = _scattering(_op)


@defined
def index_select(x: TensorFields, axis: int, indices: Tensor) -> Tensor:
    """The slices of an axis at positions; see `lamina_ndarray.index_select`."""
    positions = indices.array if isinstance(indices, AnyTensor) else array_of(indices)
    result = nd.index_select(x.array, axis, positions)
    return recorded(RULES["index_select"], result, (x,), axis=axis, indices=positions) if x.requires_grad else tensor_of(result)


@defined
def getitem(x: TensorFields, index: Any) -> Tensor:
    """`x[index]`; see `lamina_ndarray.getitem`."""
    array = x.array
    indices: Any = None
    if isinstance(index, AnyTensor):
        indices = index.array
        if not indices.layout.ndim and indices.flat.dtype is nd.int64 and not differs_by_slice(indices):
            index, indices = int(indices), None
    elif index.__class__ is tuple and tensor_fields.tensor_class in map(type, index):
        indices = tuple([part.array if isinstance(part, AnyTensor) else part for part in index])
    if indices is not None:
        items = picked(array, indices)
        if items is not None:
            return recorded(RULES["getitem"], items, (x,), index=saved_index(indices)) if x.requires_grad else tensor_of(items)
    rows = isinstance(index, AnyTensor) and (index.array.layout.ndim > 0 or index.array.flat.dtype is nd.uint8)
    layout = None if rows else basic_index(array.layout, index)
    if layout is not None:
        if not x.requires_grad:
            return viewed(x, layout)
        index = numbers_of(index)
        name = "select" if index.__class__ is int else "slice" if index.__class__ is slice else "getitem"
        return recorded(RULES[name], view_of(array, layout), (x,), x, index=index)
    plain = masks_of_bytes(arrays_of(index))
    if not rows or plain.flat.dtype.kind == "b":
        refuse_empty_masks(array.layout, plain)
    return recorded(RULES["getitem"], selection.getitem(array, plain), (x,), index=saved_index(plain) if x.requires_grad else plain)


@defined
def index_put(x: TensorFields, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """A copy of x with items written, or added, at an index; see `lamina_ndarray.index_put`."""
    plain, source = masks_of_bytes(arrays_of(indices)), array_of(values)
    result = selection.index_put(x.array, plain, source, accumulate)
    if word.get() & NO_GRAD:
        return tensor_of(result)
    return recorded(RULES["index_put"], result, (x, values), indices=saved_index(plain), accumulate=accumulate)


@defined
def put_into_zeros(values: TensorFields, shape: tuple[int, ...], index: Any) -> Tensor:
    """Zeros with `values` added at an index; see `lamina_ndarray.put_into_zeros`."""
    return recorded(RULES["put_into_zeros"], selection.put_into_zeros(values.array, shape, index), (values,), index=index)


@defined
def scatter_into_zeros(values: TensorFields, shape: tuple[int, ...], indices: TensorFields, axis: int) -> Tensor:
    """Zeros with `values` added along an axis at positions; see `lamina_ndarray.scatter_into_zeros`."""
    result = gathering.scatter_into_zeros(values.array, shape, indices.array, axis)
    return recorded(RULES["scatter_into_zeros"], result, (values,), indices=indices.array, axis=axis)
