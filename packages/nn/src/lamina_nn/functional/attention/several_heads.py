"""Attention of several heads, with projections before and after (Vaswani et al. 2017, section 3.2.2)."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.spans import spans

from ..dropping import dropout
from ..linear_maps import linear
from .one_head import scaled_dot_product_attention

__all__ = ["multi_head_attention_forward"]


class _Heads(NamedTuple):
    """Queries, keys and values by head: (batch, heads, length, features)."""

    q: Tensor
    k: Tensor
    v: Tensor


def canonical_mask(
    mask: Tensor | None, mask_name: str, other: Tensor | None, other_name: str, dtype: Any
) -> Tensor | None:
    """Return a mask as numbers to be added to scores: -inf where a boolean one is true.

    Args:
        mask: a boolean or floating-point mask, or None.
        mask_name: its name, for messages.
        other: another mask, which should be of the same dtype, or None.
        other_name: its name, for messages.
        dtype: of the scores.

    Returns:
        A floating-point mask; None for None.

    Raises:
        AssertionError: the mask is neither boolean nor floating-point.
    """
    if mask is None:
        return None
    if mask.dtype is not nd.bool and not mask.dtype.is_floating_point:
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if other is not None and other.dtype is not mask.dtype:
        warnings.warn(
            f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=3,
        )
    if mask.dtype.is_floating_point:
        return mask
    return lt.masked_fill(lt.zeros_like(mask, dtype=dtype), mask, -math.inf)


def _check_heads(
    query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None, attn_mask: Tensor | None, heads: int
) -> None:
    """That all of them have a batch, or none, and that masks have the right number of dims."""
    if query.ndim not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {query.ndim}-D query tensor")
    batched = "batched (3-D)" if query.ndim == 3 else "unbatched (2-D)"
    if key.ndim != query.ndim or value.ndim != query.ndim:
        raise AssertionError(
            f"For {batched} `query`, expected `key` and `value` to be {query.ndim}-D but found {key.ndim}-D and "
            f"{value.ndim}-D tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.ndim != query.ndim - 1:
        raise AssertionError(
            f"For {batched} `query`, expected `key_padding_mask` to be `None` or {query.ndim - 1}-D but found "
            f"{key_padding_mask.ndim}-D tensor instead"
        )
    if attn_mask is None:
        return
    if attn_mask.ndim not in (2, 3):
        raise AssertionError(
            f"For {batched} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.ndim}-D tensor instead"
        )
    whole = (heads, query.shape[0], key.shape[0])
    if query.ndim == 2 and attn_mask.ndim == 3 and tuple(attn_mask.shape) != whole:
        raise AssertionError(f"Expected `attn_mask` shape to be {whole} but got {tuple(attn_mask.shape)}")


def _projected_together(query: Tensor, key: Tensor, value: Tensor, weight: Tensor, bias: Tensor | None) -> tuple[Tensor, ...]:
    """Projections by one weight, (3 * features, features): one product for what is one tensor."""
    n = query.shape[-1]
    if key is value and query is key:
        return spans(linear(query, weight, bias), (n, n, n), query.ndim - 1)
    sizes = (n, 2 * n) if key is value else (n, n, n)
    weights = spans(weight, sizes)
    biases = (None,) * len(sizes) if bias is None else spans(bias, sizes)
    if key is value:
        both = linear(key, weights[1], biases[1])
        return (linear(query, weights[0], biases[0]), *spans(both, (n, n), key.ndim - 1))
    return tuple([linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)])


def _projected_apart(
    query: Tensor, key: Tensor, value: Tensor, weights: tuple[Any, ...], bias: Tensor | None
) -> tuple[Tensor, ...]:
    n = query.shape[-1]
    names = ("query", "key", "value")
    for name, x, w in zip(names, (query, key, value), weights, strict=True):
        if w is None:
            raise AssertionError(f"use_separate_proj_weight is True but {name[0]}_proj_weight is None")
        if tuple(w.shape) != (n, x.shape[-1]):
            raise AssertionError(f"expecting {name} weights shape of {(n, x.shape[-1])}, but got {tuple(w.shape)}")
    biases = (None,) * 3 if bias is None else spans(bias, (n, n, n))
    return tuple([linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases, strict=True)])


def _by_head(x: Tensor, static: Tensor | None, name: str, batch: int, heads: int, features: int) -> Tensor:
    """(length, batch, heads * features), or what was given in its place, as (batch, heads, length, features)."""
    if static is None:
        return x.reshape(x.shape[0], batch, heads, features).permute(1, 2, 0, 3)
    for dim, expected in ((0, batch * heads), (2, features)):
        if static.shape[dim] != expected:
            raise AssertionError(f"expecting {name}.size({dim}) of {expected}, but got {static.shape[dim]}")
    return static.reshape(batch, heads, static.shape[1], features)


def _attention_mask(mask: Tensor | None, batch: int, heads: int, queries: int, keys: int) -> Tensor | None:
    """A mask in a shape that broadcasts to (batch, heads, queries, keys)."""
    if mask is None:
        return None
    expected = (queries, keys) if mask.ndim == 2 else (batch * heads, queries, keys)
    if tuple(mask.shape) != expected:
        raise ShapeError(f"The shape of the {mask.ndim}D attn_mask is {tuple(mask.shape)}, but should be {expected}.")
    return mask if mask.ndim == 2 else mask.reshape(batch, heads, queries, keys)


def _one_more_key(mask: Tensor | None) -> Tensor | None:
    """A mask for one more key, which all see."""
    return None if mask is None else lt.cat([mask, lt.zeros_like(mask[..., :1])], -1)


def _with_padding(mask: Tensor | None, padding: Tensor | None, batch: int, keys: int) -> Tensor | None:
    """The mask together with that of padded keys."""
    if padding is None:
        return mask
    if tuple(padding.shape) != (batch, keys):
        raise AssertionError(f"Expected key_padding_mask of shape {(batch, keys)}, but got {tuple(padding.shape)}")
    spread = padding.reshape(batch, 1, 1, keys)
    return spread if mask is None else mask + spread


def _weighted(heads: _Heads, mask: Tensor | None, dropout_p: float) -> tuple[Tensor, Tensor]:
    """Values by weight, and the weights, NaN for a query that sees nothing."""
    scores = lt.matmul(heads.q * math.sqrt(1.0 / heads.q.shape[-1]), lt.transpose(heads.k, -2, -1))
    weights = lt.softmax(scores if mask is None else scores + mask, -1)
    if dropout_p:
        weights = dropout(weights, dropout_p)
    return lt.matmul(weights, heads.v), weights


@torch_function
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attend with several heads: project the inputs, attend with each head's share of features, and project the results.

    Args:
        query: (queries, batch, features), or without a batch (queries, features).
        key, value: (keys, batch, their features), or without a batch.
        embed_dim_to_check: the features that the query must have.
        num_heads: how many heads share them.
        in_proj_weight: the projections of query, key and value, (3 * features, features).
        in_proj_bias: their biases, (3 * features,).
        bias_k, bias_v: one more key and value, (1, 1, features).
        add_zero_attn: whether there is one more key and value of zeros.
        dropout_p: with what probability, in training, a weight is zeroed.
        out_proj_weight, out_proj_bias: the last projection.
        training: whether there is dropout.
        key_padding_mask: (batch, keys): boolean, true where a key is not seen, or added to the scores.
        need_weights: whether the weights are wanted.
        attn_mask: (queries, keys) or (batch * heads, queries, keys): boolean, true where a query does not see a key, or added.
        use_separate_proj_weight: whether the three weights that follow stand for `in_proj_weight`.
        q_proj_weight, k_proj_weight, v_proj_weight: (features, query's, key's and value's features).
        static_k, static_v: keys and values by head as they are, (batch * heads, keys, features / heads).
        average_attn_weights: whether the weights are averaged over the heads.
        is_causal: a hint that `attn_mask` is the causal one.

    Returns:
        The output (queries, batch, features), and the weights (batch, queries, keys), with `average_attn_weights` false
        (batch, heads, queries, keys), or None; both without a batch if the inputs have none.

    Raises:
        AssertionError: shapes do not fit.
        ArgumentValueError: there are no heads.
        RuntimeError: a mask has the wrong shape, or there is none where one is hinted at.

    >>> x, weight = torch.ones(3, 1, 2), torch.eye(2)
    >>> output, weights = torch.nn.functional.multi_head_attention_forward(
    ...     x, x, x, 2, 1, weight.repeat(3, 1), None, None, None, False, 0.0, weight, None
    ... )
    >>> output.shape, weights.shape
    (lamina.Size([3, 1, 2]), lamina.Size([1, 3, 3]))
    """
    _check_heads(query, key, value, key_padding_mask, attn_mask, num_heads)
    batched = query.ndim == 3
    if not batched:
        shared = (key is query, value is key)
        query, first_key, first_value = (lt.unsqueeze(x, 1) for x in (query, key, value))
        key = query if shared[0] else first_key
        value = key if shared[1] else first_value
        key_padding_mask = None if key_padding_mask is None else lt.unsqueeze(key_padding_mask, 0)
    queries, batch, features = query.shape
    padding = canonical_mask(key_padding_mask, "key_padding_mask", attn_mask, "attn_mask", query.dtype)
    if is_causal and attn_mask is None:
        raise UsageError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    is_causal = is_causal and padding is None and not need_weights
    mask = None if is_causal else canonical_mask(attn_mask, "attn_mask", None, "", query.dtype)
    if features != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {features}")
    if num_heads < 1:
        raise ArgumentValueError(f"multi_head_attention_forward: num_heads must be greater than 0, got {num_heads}")
    if features % num_heads:
        raise AssertionError(f"embed_dim {features} not divisible by num_heads {num_heads}")
    if key.shape[:2] != value.shape[:2] or (not use_separate_proj_weight and key.shape != value.shape):
        raise AssertionError(f"key shape {tuple(key.shape)} does not match value shape {tuple(value.shape)}")
    if use_separate_proj_weight:
        q, k, v = _projected_apart(query, key, value, (q_proj_weight, k_proj_weight, v_proj_weight), in_proj_bias)
    elif in_proj_weight is None:
        raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
    else:
        q, k, v = _projected_together(query, key, value, in_proj_weight, in_proj_bias)
    mask = _attention_mask(mask, batch, num_heads, queries, key.shape[0])
    if bias_k is not None and bias_v is not None:
        if static_k is not None or static_v is not None:
            raise AssertionError("bias cannot be added to static key or value.")
        k, v = (lt.cat([x, b.expand(1, batch, features)]) for x, b in ((k, bias_k), (v, bias_v)))
        mask, padding = _one_more_key(mask), _one_more_key(padding)
    elif bias_k is not None or bias_v is not None:
        raise AssertionError("bias_k and bias_v must both be set, or neither")
    share = features // num_heads
    q, k, v = (_by_head(x, static, name, batch, num_heads, share) for x, static, name in (
        (q, None, "query"), (k, static_k, "static_k"), (v, static_v, "static_v")))  # fmt: skip
    if add_zero_attn:
        k, v = (lt.cat([x, x.detach().new_zeros((batch, num_heads, 1, share))], 2) for x in (k, v))
        mask, padding = _one_more_key(mask), _one_more_key(padding)
    mask = _with_padding(mask, padding, batch, k.shape[2])
    dropout_p = dropout_p if training else 0.0
    weights = None
    if need_weights:
        attended, weights = _weighted(_Heads(q, k, v), mask, dropout_p)
        if average_attn_weights:
            weights = lt.mean(weights, 1)
    else:
        attended = scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal)
    rows = attended.permute(2, 0, 1, 3).reshape(queries, batch, features)
    output = linear(rows, out_proj_weight, out_proj_bias)
    if batched:
        return output, weights
    return lt.squeeze(output, 1), None if weights is None else lt.squeeze(weights, 0)
