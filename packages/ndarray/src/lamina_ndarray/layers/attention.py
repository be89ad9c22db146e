"""Attention, values weighted by how well keys fit queries, and its gradient: one kernel call each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, ShapeError, float32

from ..array_fields import empty_of
from ..dispatch.operands import cast, fused_kernels
from ..layouts.layout import Layout
from ..shapes.views import broadcast_to, contiguous

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["attention", "attention_gradient"]


def _rows(x: NDArray) -> NDArray:
    """x, or a copy of it, with the items of a row side by side."""
    return x if x.layout.shape[-1] < 2 or x.layout.strides[-1] == 1 else contiguous(x)


def _in_order(x: NDArray) -> Layout:
    """The layout of an array in x's order of memory, if that has rows, of four axes, whose items lie side by side; else row-major."""
    order = x.layout.result
    return order if order.ndim == 4 and order.strides[-1] == 1 else Layout.dense(order.shape)


def _operands(op: str, kernels: Any, query: NDArray, key: NDArray, value: NDArray, mask: NDArray | None) -> list[Any]:
    if not query.flat.dtype is key.flat.dtype is value.flat.dtype:
        raise DTypeError(f"{op}: query, key and value are {query.dtype.name}, {key.dtype.name} and {value.dtype.name}")
    *lead, _, features = query.layout.shape
    keys, values = key.layout.shape[-2], value.layout.shape[-1]
    if key.layout.shape != (*lead, keys, features) or value.layout.shape != (*lead, keys, values):
        raise ShapeError(f"{op}: query {list(query.shape)}, key {list(key.shape)} and value {list(value.shape)} do not fit")
    if mask is not None:
        if mask.dtype.is_floating_point:
            mask = cast(mask, kernels)
        mask = broadcast_to(mask, (*lead, query.layout.shape[-2], keys))
    return [_rows(query), _rows(key), _rows(value), mask]


def attention(
    query: NDArray, key: NDArray, value: NDArray, mask: NDArray | None, scale: float, causal: bool
) -> tuple[NDArray, NDArray]:
    """softmax(query @ key.T * scale + mask) @ value.

    Args:
        query: (..., queries, features).
        key: (..., keys, features), with the same leading axes.
        value: (..., keys, values), with the same leading axes.
        mask: broadcast to (..., queries, keys): boolean, true where a query sees a key, or added to the scores; or None.
        scale: of the scores.
        causal: whether query i sees keys 0 ... i only.

    Returns:
        (..., queries, values), 0 for a query that sees nothing, and as PyTorch's in the query's order of memory where there are four axes,
        as many values as features, and no operand to be copied first; and the logarithms of the sums of exponentials (..., queries), in
        float32 at least, inf for such a query.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or are not floating.
    """
    kernels = fused_kernels("attention", query, key, value, mask)
    operands = _operands("attention", kernels, query, key, value, mask)
    lead = query.layout.shape[:-1]
    shape = (*lead, value.layout.shape[-1])
    as_they_are = all(x is given for x, given in zip(operands, (query, key, value), strict=False))
    output = empty_of(kernels, _in_order(query) if as_they_are and query.layout.shape == shape else Layout.dense(shape))
    logs = empty_of(kernels.sibling(float32) if kernels.itemsize < 4 else kernels, Layout.dense(lead))
    kernels["attention"]((output, logs), *operands, scale=scale, causal=causal)
    return output, logs


def attention_gradient(
    gradient: NDArray, query: NDArray, key: NDArray, value: NDArray, mask: NDArray | None, result: NDArray | None,
    logsumexp: NDArray | None, scale: float, causal: bool,
) -> tuple[NDArray, ...]:  # fmt: skip
    """The gradients of `attention` in query, key and value.

    Args:
        gradient: of the result.
        result, logsumexp: what `attention` gave, or None.
        query, key, value, mask, scale, causal: as for `attention`.

    Returns:
        The gradients, each in the order of memory of what it belongs to where that has four axes.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ.
    """
    op = "attention_gradient"
    kernels = fused_kernels(op, query, key, value, mask, gradient)
    operands = _operands(op, kernels, query, key, value, mask)
    outs = tuple([empty_of(kernels, _in_order(x)) for x in (query, key, value)])
    kernels[op](outs, _rows(cast(gradient, kernels)), *operands, result, logsumexp, scale=scale, causal=causal)
    return outs
