"""Attention, with one head and with several."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import Graph, Operand
from .comparisons import is_bool
from .registry import lowers


def additive(g: Graph, mask: Operand, dtype: Any, seen: bool) -> Any:
    """A mask as what is added to the scores: minus infinity where a key is not seen."""
    if not is_bool(mask.dtype):
        return g.cast(mask, dtype)
    zero, never = g.number(0, dtype), g.number(-math.inf, dtype)
    return g.op("Where", mask, zero, never) if seen else g.op("Where", mask, never, zero)


def causal(g: Graph, scores: Any, dtype: Any) -> Any:
    """Scores, of which a query's are minus infinity for keys that come after it."""
    shape = g.op("Shape", scores, start=-2)
    ones = g.op("Trilu", g.op("Expand", g.number(1, dtype), shape), upper=0)
    return g.op("Where", g.op("Greater", ones, g.number(0, dtype)), scores, g.number(-math.inf, dtype))


def weights_of(g: Graph, scores: Any, dtype: Any, masked: bool) -> Any:
    """The softmax of scores; zeros in rows without a key, which masks may leave."""
    weights = g.op("Softmax", scores, axis=-1)
    if not masked:
        return weights
    last = np.array([-1])
    best = (
        g.op("ReduceMax", scores, last, keepdims=1)
        if g.opset >= 18
        else g.op("ReduceMax", scores, axes=[-1], keepdims=1)
    )
    return g.op("Where", g.op("Equal", best, g.number(-math.inf, dtype)), g.number(0, dtype), weights)


@lowers("scaled_dot_product_attention")
def scaled_dot_product_attention(
    g: Graph, query: Operand, key: Operand, value: Operand, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: Any = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """Write `scaled_dot_product_attention` as products around a Softmax."""
    if dropout_p:
        raise g.unsupported("with dropout")
    k, v = (by_query_heads(g, x, query) if enable_gqa else x for x in (key, value))
    n = key.ndim
    factor = 1 / math.sqrt(int(query.shape[-1])) if scale is None else scale
    turned = g.op("Transpose", k, perm=[*range(n - 2), n - 1, n - 2])
    scores = g.op("Mul", g.op("MatMul", query, turned), g.number(factor, query.dtype))
    if is_causal:
        scores = causal(g, scores, query.dtype)
    if attn_mask is not None:
        scores = g.op("Add", scores, additive(g, attn_mask, query.dtype, True))
    return g.op("MatMul", weights_of(g, scores, query.dtype, attn_mask is not None), v)


def by_query_heads(g: Graph, x: Operand, query: Operand) -> Any:
    """Keys or values, each head of which serves several of the query's."""
    if query.shape[-3] == x.shape[-3]:
        return x
    times = int(query.shape[-3]) // int(x.shape[-3])
    n = x.ndim
    tiled = g.op("Tile", g.op("Unsqueeze", x, np.array([n - 2])), np.array([1] * (n - 2) + [times, 1, 1]))
    shape = [0] * (n - 3) + [int(query.shape[-3]), -1, int(x.shape[-1])]
    return g.op("Reshape", tiled, np.array(shape))


@lowers("multi_head_attention_forward")
def multi_head_attention_forward(
    g: Graph, query: Operand, key: Operand, value: Operand, embed_dim_to_check: int, num_heads: int, in_proj_weight: Any,
    in_proj_bias: Any, bias_k: Any, bias_v: Any, add_zero_attn: bool, dropout_p: float, out_proj_weight: Operand, out_proj_bias: Any,
    training: bool = True, key_padding_mask: Any = None, need_weights: bool = True, attn_mask: Any = None,
    use_separate_proj_weight: bool = False, q_proj_weight: Any = None, k_proj_weight: Any = None, v_proj_weight: Any = None,
    average_attn_weights: bool = True, is_causal: bool = False,
) -> Any:  # fmt: skip
    """Write `multi_head_attention_forward` as projections and products around a Softmax."""
    if (training and dropout_p) or bias_k is not None or add_zero_attn:
        raise g.unsupported("with dropout, bias_k or add_zero_attn")
    dtype, features = query.dtype, embed_dim_to_check
    alone = query.ndim == 2
    first = np.array([0])
    operands: list[Any] = [g.op("Unsqueeze", x, np.array([1])) if alone else x for x in (query, key, value)]
    weights: tuple[Any, ...] = (q_proj_weight, k_proj_weight, v_proj_weight)
    if not use_separate_proj_weight:
        weights = g.op("Split", in_proj_weight, np.array([features] * 3), axis=0, outputs=3)
    biases: tuple[Any, ...] = (None, None, None)
    if in_proj_bias is not None:
        biases = g.op("Split", in_proj_bias, np.array([features] * 3), axis=0, outputs=3)
    share = features // num_heads
    heads = []  # (batch, heads, length, share)
    for x, w, b in zip(operands, weights, biases, strict=True):
        rows = g.op("MatMul", x, g.op("Transpose", w, perm=[1, 0]))
        rows = rows if b is None else g.op("Add", rows, b)
        heads.append(g.op("Transpose", g.op("Reshape", rows, np.array([0, 0, num_heads, share])), perm=[1, 2, 0, 3]))
    q, k, v = heads
    scores = g.op(
        "MatMul", g.op("Mul", q, g.number(1 / math.sqrt(share), dtype)), g.op("Transpose", k, perm=[0, 1, 3, 2])
    )
    if attn_mask is not None:
        mask: Any = additive(g, attn_mask, dtype, False)
        if attn_mask.ndim == 3:
            mask = g.op(
                "Reshape", mask, g.op("Concat", np.array([-1, num_heads]), g.op("Shape", attn_mask, start=1), axis=0)
            )
        scores = g.op("Add", scores, mask)
    if key_padding_mask is not None:
        padding = additive(g, key_padding_mask, dtype, False)
        axes = np.array([0, 1, 2]) if alone else np.array([1, 2])
        scores = g.op("Add", scores, g.op("Unsqueeze", padding, axes))
    masked = not need_weights and (attn_mask is not None or key_padding_mask is not None)
    attention = weights_of(g, scores, dtype, masked)
    rows = g.op("Transpose", g.op("MatMul", attention, v), perm=[2, 0, 1, 3])
    output = g.op(
        "MatMul", g.op("Reshape", rows, np.array([0, 0, features])), g.op("Transpose", out_proj_weight, perm=[1, 0])
    )
    if out_proj_bias is not None:
        output = g.op("Add", output, out_proj_bias)
    output = g.op("Squeeze", output, np.array([1])) if alone else output
    if not need_weights:
        return output, None
    if average_attn_weights:
        attention = (
            g.op("ReduceMean", attention, np.array([1]), keepdims=0)
            if g.opset >= 18
            else g.op("ReduceMean", attention, axes=[1], keepdims=0)
        )
    return output, g.op("Squeeze", attention, first) if alone else attention
