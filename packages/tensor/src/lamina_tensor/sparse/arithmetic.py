"""Sums, differences, products and quotients of which an operand is sparse."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ShapeError, UsageError
from lamina_ndarray import NDArray

from ..tensor_class import Tensor
from ..tensor_fields import tensor_of
from .kinds import coalesce, keys
from .sparse_tensor import SparseTensor, sparse_rule
from .stored_items import refused


def _same_shape(name: str, a: Any, b: Any) -> None:
    if tuple(a.shape) != tuple(b.shape):
        raise ShapeError(f"{name}: expected sizes of 'self' and 'other' to match, but {list(a.shape)} != {list(b.shape)}")


@sparse_rule("add", "__add__", "__radd__")
def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """The sum: sparse of two sparse ones, dense where the first is dense."""
    if isinstance(other, NDArray):  # two gradients of one leaf
        return add(tensor_of(other) if alpha == 1 else tensor_of(other) * alpha, input).array
    if not isinstance(input, SparseTensor):
        if not isinstance(input, Tensor):
            raise UsageError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        return _dense_add(input, other, alpha)
    if not isinstance(other, SparseTensor):
        raise UsageError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
    _same_shape("add", input, other)
    if input.coordinates.shape[0] != other.coordinates.shape[0]:
        raise UsageError("add: the tensors differ in their numbers of sparse dims")
    addend = other.entries if alpha == 1 else other.entries * alpha
    if input.coordinates is other.coordinates:
        return input.like(input.entries + addend)
    joined = functions.cat([input.coordinates, other.coordinates], 1)
    result = SparseTensor(joined, functions.cat([input.entries, addend]), input.lengths)
    return coalesce(result) if input.coalesced and other.coalesced else result


def _dense_add(dense: Tensor, sparse: SparseTensor, alpha: Any) -> Tensor:
    _same_shape("add", dense, sparse)
    addend = sparse.entries if alpha == 1 else sparse.entries * alpha
    if not sparse.coordinates.shape[0]:
        return dense + addend.sum(0)
    return functions.index_put(dense, tuple(sparse.coordinates), addend.to(dense.dtype), accumulate=True)


@sparse_rule("sub", "subtract", "__sub__", "__rsub__")
def _sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return add(input, other, alpha=-alpha)


@sparse_rule("add_", "__iadd__")
def _add_(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    total = add(input, other, alpha=alpha)
    if not isinstance(input, SparseTensor):
        return input.copy_(total)
    input.coordinates, input.entries, input.coalesced = total.coordinates, total.entries, total.coalesced
    return input


@sparse_rule("sub_", "__isub__")
def _sub_(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _add_(input, other, alpha=-alpha)


def _tensor(x: Any) -> Any:
    """An operand of a backward rule, which may be an array: it is no number."""
    return tensor_of(x) if isinstance(x, NDArray) else x


def _is_number(x: Any) -> bool:
    return not isinstance(x, Tensor) or (not isinstance(x, SparseTensor) and x.ndim == 0)


@sparse_rule("mul", "multiply", "__mul__", "__rmul__")
def _mul(input: Any, other: Any) -> SparseTensor:
    if not isinstance(input, SparseTensor):
        input, other = other, input
    other = _tensor(other)
    if _is_number(other):
        return input.like(input.entries * other)  # type: ignore[no-any-return]
    if not isinstance(other, SparseTensor):
        whole = coalesce(input)
        factors = functions.broadcast_to(other, whole.lengths)[tuple(whole.coordinates)]
        return whole.like(whole.entries * factors)
    _same_shape("mul", input, other)
    a, b = coalesce(input), coalesce(other)
    if not a.entries.shape[0] or not b.entries.shape[0]:
        return SparseTensor(a.coordinates[:, :0], a.entries[:0] * b.entries[:0], a.lengths, True)
    mine, theirs = keys(a), keys(b)
    place = functions.clamp(functions.searchsorted(theirs, mine), max=theirs.shape[0] - 1)
    both = functions.nonzero(theirs[place] == mine)[:, 0]
    return SparseTensor(a.coordinates[:, both], a.entries[both] * b.entries[place[both]], a.lengths, True)


@sparse_rule("div", "divide", "true_divide", "__truediv__", "__rtruediv__")
def _div(input: Any, other: Any, *, rounding_mode: str | None = None) -> SparseTensor:
    if not isinstance(input, SparseTensor):
        refused("div")
    other = _tensor(other)
    if not _is_number(other):
        raise UsageError(
            f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(other.shape)} for divisor)"
        )
    return input.like(functions.div(input.entries, other, rounding_mode=rounding_mode))


def _in_place(name: str, rule: Any) -> None:
    @sparse_rule(name)
    def in_place(input: Any, other: Any) -> Any:
        if not isinstance(input, SparseTensor):
            refused(name)
        result = rule(input, other)
        input.coordinates, input.entries, input.coalesced = result.coordinates, result.entries, result.coalesced
        return input


_in_place("mul_", _mul)
_in_place("div_", _div)
