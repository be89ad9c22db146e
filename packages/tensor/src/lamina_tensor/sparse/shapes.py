"""Sparse tensors with their dims in another order, joined, or picked along a dim."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import IndexOutOfRange, UsageError

from ..tensor_class import Tensor
from .kinds import coalesce
from .sparse_tensor import SparseTensor, sparse_rule
from .stored_items import refused


def dim_of(dim: int, ndim: int) -> int:
    """A dim counted from the front.

    Raises:
        IndexOutOfRange: there is none.
    """
    if not -max(ndim, 1) <= dim < max(ndim, 1):
        raise IndexOutOfRange(f"Dimension out of range (expected to be in range of [{-max(ndim, 1)}, {max(ndim, 1) - 1}], but got {dim})")
    return dim % max(ndim, 1)


@sparse_rule("transpose", "swapaxes", "swapdims")
def transpose(input: SparseTensor, dim0: int, dim1: int) -> SparseTensor:
    """Two sparse dims exchanged."""
    order = list(range(input.ndim))
    i, j = dim_of(dim0, input.ndim), dim_of(dim1, input.ndim)
    order[i], order[j] = j, i
    return permute(input, order)


@sparse_rule("permute")
def permute(input: SparseTensor, *dims: Any) -> SparseTensor:
    """The dims in another order; sparse ones stay before dense ones."""
    order = [dim_of(d, input.ndim) for d in (dims[0] if len(dims) == 1 and not isinstance(dims[0], int) else dims)]
    count = input.coordinates.shape[0]
    if order == list(range(input.ndim)):
        return input
    if sorted(order[:count]) != list(range(count)):
        raise UsageError("permute: transposed dimensions need to be all sparse or all dense")
    coordinates = functions.stack([input.coordinates[d] for d in order[:count]]) if count else input.coordinates
    entries = functions.permute(input.entries, (0, *(d - count + 1 for d in order[count:])))
    return SparseTensor(coordinates, entries, [input.lengths[d] for d in order])


@sparse_rule("t", "T", "mT")
def _t(input: SparseTensor) -> SparseTensor:
    if input.ndim > 2:
        raise UsageError(f"t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got {input.ndim}D")
    return input if input.ndim < 2 else transpose(input, 0, 1)


@sparse_rule("cat", "concat", "concatenate")
def cat(tensors: Any, dim: int = 0) -> SparseTensor:
    """Sparse tensors one behind another."""
    for i, s in enumerate(tensors):
        if not isinstance(s, SparseTensor):
            raise UsageError(f"Concatenating sparse tensors, but a dense tensor was found at position {i}.")
    first = tensors[0]
    axis, count = dim_of(dim, first.ndim), first.coordinates.shape[0]
    if axis >= count:
        refused("cat")
    parts, start = [], 0
    for s in tensors:
        if (*s.lengths[:axis], *s.lengths[axis + 1 :]) != (*first.lengths[:axis], *first.lengths[axis + 1 :]):
            raise UsageError(f"All tensors must have the same shape: {list(first.lengths)}, but got {list(s.lengths)}")
        rows = list(s.coordinates)
        rows[axis] = rows[axis] + start
        parts.append(functions.stack(rows))
        start += s.lengths[axis]
    lengths = (*first.lengths[:axis], start, *first.lengths[axis + 1 :])
    return SparseTensor(functions.cat(parts, 1), functions.cat([s.entries for s in tensors]), lengths)


@sparse_rule("unsqueeze")
def unsqueeze(input: SparseTensor, dim: int) -> SparseTensor:
    """One more dim, of length 1: a sparse one, unless it is put among the dense ones."""
    axis = dim_of(dim, input.ndim + 1)
    lengths = (*input.lengths[:axis], 1, *input.lengths[axis:])
    if axis > input.coordinates.shape[0]:
        entries = functions.unsqueeze(input.entries, axis - input.coordinates.shape[0] + 1)
        return SparseTensor(input.coordinates, entries, lengths, input.coalesced)
    rows = list(input.coordinates)
    rows.insert(axis, functions.zeros(input.entries.shape[0], dtype=input.coordinates.dtype, device=input.device))
    return SparseTensor(functions.stack(rows), input.entries, lengths, input.coalesced)


@sparse_rule("stack")
def _stack(tensors: Any, dim: int = 0) -> SparseTensor:
    return cat([unsqueeze(s, dim) for s in tensors], dim)


@sparse_rule("select")
def select(input: SparseTensor, dim: int, index: int) -> Tensor:
    """The items at one index of a dim: dense where no sparse dim is left.

    Raises:
        IndexOutOfRange: there is no such dim or index.
    """
    axis, count = dim_of(dim, input.ndim), input.coordinates.shape[0]
    length = input.lengths[axis]
    if not -length <= index < length:
        raise IndexOutOfRange(f"select(): index {index} out of range for tensor of size {list(input.lengths)} at dimension {dim}")
    at, lengths = index % length, (*input.lengths[:axis], *input.lengths[axis + 1 :])
    if axis >= count:
        return SparseTensor(input.coordinates, functions.select(input.entries, axis - count + 1, at), lengths, input.coalesced)
    here = functions.nonzero(input.coordinates[axis] == at)[:, 0]
    entries = functions.index_select(input.entries, 0, here)
    if count == 1:
        return functions.sum(entries, 0)
    rows = [row[here] for d, row in enumerate(input.coordinates) if d != axis]
    return SparseTensor(functions.stack(rows), entries, lengths, input.coalesced)


@sparse_rule("__getitem__")
def _getitem(input: SparseTensor, index: Any) -> Tensor:
    """Integers, `None`, `...` and whole slices, as in PyTorch; other indices have no rule there, either."""
    entries = list(index) if isinstance(index, tuple) else [index]
    used = sum(entry is not None and entry is not Ellipsis for entry in entries)
    if used > input.ndim:
        raise IndexOutOfRange(f"too many indices for tensor of dimension {input.ndim}")
    result: Any = input
    axis = 0
    for entry in entries:
        if isinstance(entry, Tensor) and entry.ndim == 0 and entry.dtype.kind in "ui":
            entry = int(entry)
        if entry is None:
            result, axis = functions.unsqueeze(result, axis), axis + 1
        elif entry is Ellipsis:
            axis += input.ndim - used
        elif isinstance(entry, slice) and entry == slice(None):
            axis += 1
        elif hasattr(entry, "__index__") and not isinstance(entry, (bool, Tensor)):
            at, length = entry.__index__(), result.shape[axis]
            if not -length <= at < length:
                raise IndexOutOfRange(f"index {at} is out of bounds for dimension {axis} with size {length}")
            result = functions.select(result, axis, at)
        else:
            refused("index.Tensor")
    return result  # type: ignore[no-any-return]


@sparse_rule("index_select")
def _index_select(input: SparseTensor, dim: int, index: Tensor) -> SparseTensor:
    axis = dim_of(dim, input.ndim)
    whole, count = coalesce(input), input.coordinates.shape[0]
    lengths = (*input.lengths[:axis], index.shape[0], *input.lengths[axis + 1 :])
    if axis >= count:
        return SparseTensor(whole.coordinates, functions.index_select(whole.entries, axis - count + 1, index), lengths, True)
    if index.numel() and (int(index.min()) < 0 or int(index.max()) >= input.lengths[axis]):
        raise IndexOutOfRange(f"index_select(): index contains an index that is out of range for tensor of size {list(input.lengths)}")
    pairs = functions.nonzero(functions.unsqueeze(index, 1) == whole.coordinates[axis])
    rows = [row[pairs[:, 1]] for row in whole.coordinates]
    rows[axis] = pairs[:, 0]
    return coalesce(SparseTensor(functions.stack(rows), whole.entries[pairs[:, 1]], lengths))
