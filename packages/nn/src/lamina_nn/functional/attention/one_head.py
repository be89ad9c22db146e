"""Attention of one set of queries, keys and values (Vaswani et al. 2017, section 3.2.1)."""

from __future__ import annotations

import math

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_ndarray.batching import all_slices
from lamina_ndarray.layouts.broadcast import broadcast_shapes
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..dropping import dropout

__all__ = ["scaled_dot_product_attention"]

_INF = float("inf")


def _check_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, is_causal: bool) -> None:
    op = "scaled_dot_product_attention"
    if not query.dtype is key.dtype is value.dtype:
        raise DTypeError(
            f"{op}: Expected query, key, and value to have the same dtype, but got query.dtype: {query.dtype} key.dtype: "
            f"{key.dtype} and value.dtype: {value.dtype} instead."
        )
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise ShapeError(
            f"{op}: Expected query, key, and value to all be at least 2 dimensional, but got query.dim(): {query.ndim}, "
            f"key.dim(): {key.ndim} and value.dim(): {value.ndim} instead."
        )
    if attn_mask is None:
        return
    if is_causal:
        raise UsageError(f"{op}: Explicit attn_mask should not be set when is_causal=True")
    if attn_mask.dtype is not nd.bool and attn_mask.dtype is not query.dtype:
        raise DTypeError(
            f"{op}: Expected attn_mask dtype to be bool or to match query dtype, but got attn_mask.dtype: {attn_mask.dtype} and "
            f"query.dtype: {query.dtype} instead."
        )


def _check_groups(query: Tensor, key: Tensor, value: Tensor) -> None:
    """That heads can be shared evenly."""
    if min(query.ndim, key.ndim, value.ndim) < 3:
        shapes = [tuple(x.shape) for x in (query, key, value)]
        raise IndexOutOfRange(f"scaled_dot_product_attention: enable_gqa wants a dim of heads, -3, in each of {shapes}")
    heads, of_key, of_value = query.shape[-3], key.shape[-3], value.shape[-3]
    if any(own != heads and (not own or heads % own) for own in (of_key, of_value)):
        raise ShapeError(
            f"scaled_dot_product_attention: Number of heads in key and value must divide the number of heads in query: "
            f"{of_key} and {of_value} against {heads}"
        )


def _repeated_heads(x: Tensor, heads: int) -> Tensor:
    """Keys or values for so many heads of the queries, each for several in a row."""
    own = x.shape[-3]
    return x if own == heads else lt.repeat_interleave(x, heads // own, -3)


def _by_group(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """With one more dim, of the several heads of the queries that share one of keys and values."""
    *lead, heads, rows, features = query.shape
    own = key.shape[-3]
    return query.reshape([*lead, own, heads // own, rows, features]), lt.unsqueeze(key, -3), lt.unsqueeze(value, -3)


def _masked(scores: Tensor, mask: Tensor) -> tuple[Tensor, Tensor | None]:
    """Scores with the mask, and which rows see nothing, if any: these have zeros for scores, to have no NaN."""
    boolean = mask.dtype is nd.bool
    closed = ~mask if boolean else mask.detach() == -_INF
    blind = lt.all(closed, -1, keepdim=True)
    scores = lt.masked_fill(scores, closed, -_INF) if boolean else scores + mask
    backend = blind.array.flat.backend
    if backend.host and backend.holds_items and not nd.any(all_slices(blind.array)).item():
        return scores, None
    return lt.masked_fill(scores, blind, 0.0), blind


@torch_function(autocast="lower")
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """Attend: softmax(query @ key.T * scale + mask) @ value.

    Args:
        query: (..., heads, queries, features).
        key: (..., heads, keys, features).
        value: (..., heads, keys, values).
        attn_mask: broadcast to (..., heads, queries, keys): boolean, true where a query sees a key, or added to the scores.
            A query that sees nothing gets zeros.
        dropout_p: with what probability a weight is zeroed, in evaluation as well.
        is_causal: whether query i sees keys 0 ... i only.
        scale: of the scores; by default 1/sqrt(features).
        enable_gqa: whether keys and values may have fewer heads, each then serving several of the queries'.

    Returns:
        (..., heads, queries, values).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: attn_mask is given and is_causal is true.
        IndexOutOfRange: heads are to be shared, and there is no dim of heads.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.scaled_dot_product_attention(torch.zeros(1, 1, 2), torch.ones(1, 2, 2), torch.tensor([[[1.0], [3.0]]]))
    tensor([[[2.]]])
    """
    _check_attention(query, key, value, attn_mask, is_causal)
    if scale is None:
        scale = 1.0 / math.sqrt(query.shape[-1]) if query.shape[-1] else 1.0
    at_once = not dropout_p and (attn_mask is None or not attn_mask.requires_grad)
    grouped = False
    if enable_gqa:
        _check_groups(query, key, value)
        heads, own = query.shape[-3], key.shape[-3]
        grouped = at_once and attn_mask is None and own != heads and own == value.shape[-3]
        if grouped:  # what is shared is read by strides of 0
            query, key, value = _by_group(query, key, value)
        else:
            key, value = _repeated_heads(key, heads), _repeated_heads(value, heads)
    if at_once:
        leads = [x.array.layout.shape[:-2] for x in (query, key, value)]
        if not leads[0] == leads[1] == leads[2]:
            lead = broadcast_shapes(*leads)
            query, key, value = (af.broadcast_to(x, (*lead, *x.array.layout.shape[-2:])) for x in (query, key, value))
            query = af.contiguous(query)  # the result is row-major then
        output = fused.attention(query, key, value, attn_mask, scale, is_causal)
        return output.flatten(-4, -3) if grouped else output
    scores = lt.matmul(query * scale, lt.transpose(key, -2, -1))
    blind = None
    if is_causal:
        rows, columns = scores.shape[-2:]
        hidden = lt.triu(lt.ones((rows, columns), dtype=dt.bool, device=query.device), 1)
        scores = lt.masked_fill(scores, hidden, -_INF)
    elif attn_mask is not None:
        scores, blind = _masked(scores, attn_mask)
    weights = lt.softmax(scores, -1)
    if blind is not None:
        weights = lt.masked_fill(weights, blind, 0.0)
    if dropout_p:
        weights = dropout(weights, dropout_p)
    return lt.matmul(weights, value)
