"""Gradients of reading and writing at positions, and of sorting."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lamina_flatarray import OpNotImplemented

from ..autograd.rules import not_differentiable, rule
from ..autograd.saved_index import index_as_saved
from ..dispatch.dispatched import dispatched
from ..tensor_fields import AnyTensor, tensor_of

cummax, cummin, index_select, index_add, index_fill = (
    dispatched(n) for n in ("cummax", "cummin", "index_select", "index_add", "index_fill")
)
gather, scatter_add, put_at, zeros, scatter, index_put, put_part, getitem, reshape, where, astype, scatter_reduce, ones, total = (
    dispatched(n)
    for n in (
        "gather", "scatter_add", "scatter_into_zeros", "new_zeros", "scatter", "index_put", "put_into_zeros", "getitem", "reshape",
        "where", "astype", "scatter_reduce", "ones_like", "sum",
    )
)  # fmt: skip


def _padded(g: Any, shape: tuple[int, ...]) -> Any:
    """Zeros around what was read of the values: those beyond the positions' shape were not."""
    return g if tuple(g.shape) == shape else put_part(g, shape, tuple(slice(0, n) for n in g.shape))


def _used(values: Any, shape: tuple[int, ...]) -> Any:
    return values if tuple(values.shape) == shape else values[tuple(slice(0, n) for n in shape)]


rule("gather", x=lambda g, x_shape, indices, axis: put_at(g, x_shape, indices, axis))
rule("scatter_into_zeros", x=lambda g, indices, axis: gather(g, indices, axis), node_name="ScatterAddBackward0")
rule(
    "scatter_add",
    inputs="x indices values",
    x=lambda g: g,
    values=lambda g, indices, axis, values_shape: _padded(gather(g, indices, axis), values_shape),
)
rule(
    "scatter",
    inputs="x indices values",
    x=lambda g, indices, axis: scatter(g, indices, 0.0, axis),
    values=lambda g, indices, axis, values_shape: _padded(gather(g, indices, axis), values_shape),
)


def _from_places(g: Any, x_shape: tuple[int, ...], positions: Any, axis: int) -> Any:
    return put_at(g, x_shape, positions, axis)


def _underivable(g: Any) -> Any:
    """A gradient that nobody has defined: the values can be used, but nothing flows back through them."""
    raise OpNotImplemented("unique: the derivative is not implemented; detach() the values")


rule("unique", inputs="x", x=_underivable, node_name="Unique2Backward0")
rule("unique_consecutive", inputs="x", x=_underivable, node_name="UniqueConsecutiveBackward0")
rule("sort", inputs="x positions", x=_from_places)
rule("ranked", inputs="x positions", x=_from_places)
rule("median", inputs="x positions", x=_from_places, node_name="MedianBackward1")
rule("mode", inputs="x positions", x=_from_places)
rule("cummax", inputs="x positions", x=_from_places)
rule("cummin", inputs="x positions", x=_from_places)
not_differentiable("searchsorted", "nonzero", "distinct")


def _to_places(g: Any, x: Any, indices: Any, axis: int) -> Any:
    return put_at(g, x.shape, indices, axis)


rule("running_max", x=lambda g, x, axis: _to_places(g, x, cummax(x, axis).indices, axis))
rule("running_min", x=lambda g, x, axis: _to_places(g, x, cummin(x, axis).indices, axis))


# -- rows of a table ----------------------------------------------------------------------------------------------------


def _to_rows(g: Any, weight_shape: tuple[int, ...], indices: Any, padding: int | None, by_frequency: bool) -> Any:
    """Added to the rows that were read; nothing for the padding, and by frequency each row's mean in the place of the sum."""
    spread = (*indices.shape, *(1,) * (len(weight_shape) - 1))
    if padding is not None:
        g = where(reshape(indices == padding, spread), 0.0, g)
    if by_frequency:
        counts = put_part(ones(indices, dtype=g.dtype), weight_shape[:1], (indices,))
        g = g / reshape(getitem(counts, (indices,)), spread)
    return put_part(g, weight_shape, (indices,))


rule("embedding", inputs="weight", weight=_to_rows)


def _sparse_rows(g: Any, weight_shape: tuple[int, ...], indices: Any, padding: int | None) -> Any:
    """The gradients of the rows that were read, one by one, as a sparse tensor."""
    places, rows = (x if isinstance(x, AnyTensor) else tensor_of(x) for x in (reshape(indices, (1, -1)), reshape(g, (-1, weight_shape[1]))))
    if padding is not None:
        kept = places[0] != padding
        places, rows = places[:, kept], rows[kept]
    return import_module("lamina_tensor.sparse.sparse_tensor").SparseTensor(places, rows, weight_shape)


rule("embedding_sparse", inputs="weight", node_name="EmbeddingBackward0", weight=_sparse_rows)


def _of_bags(g: Any, bag: Any) -> Any:
    return getitem(g, (bag,))


def _to_rows_of_bags(g: Any, x_shape: tuple[int, ...], indices: Any, weights: Any, bag: Any) -> Any:
    rows = _of_bags(g, bag)
    return put_part(rows if weights is None else rows * reshape(weights, (-1, 1)), x_shape, (indices,))


rule(
    "bag_sums",
    x=_to_rows_of_bags,
    weights=lambda g, x, indices, bag: total(getitem(x, (indices,)) * _of_bags(g, bag), 1),
    node_name="EmbeddingBagBackward0",
)


# -- at any index -------------------------------------------------------------------------------------------------------


def _written(g: Any, indices: Any, shape: tuple[int, ...]) -> Any:
    """What was written where: with the axes of length 1 in front that assignment drops."""
    part = getitem(g, index_as_saved(indices))
    return part if part.ndim >= len(shape) else reshape(part, (1,) * (len(shape) - part.ndim) + tuple(part.shape))


rule(
    "index_put",
    inputs="x values",
    x=lambda g, indices, accumulate: g if accumulate else index_put(g, index_as_saved(indices), 0),
    values=lambda g, indices, values_shape: _written(g, indices, values_shape),
)


# -- slices of one axis -------------------------------------------------------------------------------------------------


def _picked(g: Any, values_shape: tuple[int, ...], axis: int, indices: Any) -> Any:
    return reshape(index_select(g, axis, indices), values_shape)


def _scaled(g: Any, values_shape: tuple[int, ...], axis: int, indices: Any, alpha: Any) -> Any:
    part = _picked(g, values_shape, axis, indices)
    return part if alpha == 1 else part * alpha.conjugate()


def _filled(g: Any, axis: int, indices: Any) -> Any:
    """The gradient where it was filled; the engine adds it up."""
    return where(index_fill(zeros(g, tuple(g.shape)), axis, indices, 1) != 0, g, 0.0)


rule("index_select", x=lambda g, x_shape, axis, indices: index_add(zeros(g, x_shape), axis, indices, g))
rule("index_add", inputs="x values", x=lambda g: g, values=_scaled)
rule("index_copy", inputs="x values", x=lambda g, axis, indices: index_fill(g, axis, indices, 0), values=_picked)
rule("index_fill", inputs="x value", x=lambda g, axis, indices: index_fill(g, axis, indices, 0), value=_filled)


# -- folded along an axis -----------------------------------------------------------------------------------------------


def _count(g: Any, x_of_it: Any, values_of_it: Any, indices: Any, axis: int) -> Any:
    """How many items of x and of the values took part in each place."""
    return scatter_add(astype(x_of_it, g.dtype), indices, astype(values_of_it, g.dtype), axis)


def _touched(g: Any, indices: Any, axis: int) -> Any:
    return scatter(zeros(g, tuple(g.shape)), indices, 1, axis) != 0


def _ties(g: Any, x: Any, values: Any, y: Any, indices: Any, axis: int, include_self: bool) -> tuple[Any, Any, Any]:
    """Which items of x and of the values are the extreme, and how many share it."""
    own = (x == y) if include_self else (x == y) & ~_touched(g, indices, axis)
    value_ties = values == gather(y, indices, axis)
    count = _count(g, own, value_ties, indices, axis)
    return own, value_ties, where(count == 0, ones(count), count)


def _mean_count(g: Any, indices: Any, axis: int, include_self: bool) -> Any:
    one = ones(g)
    start = one if include_self else scatter(one, indices, 0, axis)
    return scatter_add(start, indices, ones(gather(g, indices, axis)), axis)


def _to_self(g: Any, x: Any, values: Any, y: Any, indices: Any, axis: int, reduce: str, include_self: bool) -> Any:
    if reduce in ("amax", "amin"):
        own, _, count = _ties(g, x, _used(values, tuple(indices.shape)), y, indices, axis, include_self)
        return where(own, g / count, zeros(g, tuple(g.shape)))
    if not include_self:
        return scatter(g, indices, 0, axis)
    if reduce == "sum":
        return g
    if reduce == "mean":
        return g / _mean_count(g, indices, axis, True)
    return g * scatter_reduce(ones(x), axis, indices, values, "prod")


def _to_values(g: Any, x: Any, values: Any, y: Any, indices: Any, axis: int, reduce: str, include_self: bool) -> Any:
    shape = tuple(values.shape)
    used = _used(values, tuple(indices.shape))
    if reduce == "sum":
        return _padded(gather(g, indices, axis), shape)
    if reduce == "mean":
        return _padded(gather(g / _mean_count(g, indices, axis, include_self), indices, axis), shape)
    if reduce in ("amax", "amin"):
        _, value_ties, count = _ties(g, x, used, y, indices, axis, include_self)
        picked = gather(g / count, indices, axis)
        return _padded(where(value_ties, picked, zeros(picked, tuple(picked.shape))), shape)
    # The product of all others: the product over this one or, if this is the only 0 of its place, the product with 1 for it.
    zero = used == 0
    alone = zero & (gather(scatter_add(zeros(g, tuple(g.shape)), indices, astype(zero, g.dtype), axis), indices, axis) == 1)
    without = scatter_reduce(x, axis, indices, where(alone, ones(used), used), "prod", include_self=include_self)
    share = where(alone, gather(without, indices, axis), gather(y, indices, axis) / where(zero, ones(used), used))
    return _padded(gather(g, indices, axis) * share, shape)


rule("scatter_reduce", inputs="x indices values", x=_to_self, values=_to_values)
