"""Convolutions, transposed ones, and padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph import MOST, Graph, Operand
from .registry import lowers
from .shapes import sliced

WRAP = 19  # the opset from which Pad goes round


def each(value: Any, dims: int) -> list[int]:
    """One number for each spatial dim."""
    values = list(value) if isinstance(value, (tuple, list)) else [value]
    return values * dims if len(values) == 1 else values


def batched(g: Graph, x: Operand, dims: int) -> tuple[Any, bool]:
    """An input with a batch, and whether it had none."""
    alone = x.ndim == dims + 1
    return (g.op("Unsqueeze", x, np.array([0])) if alone else x), alone


def as_given(g: Graph, x: Any, alone: bool) -> Any:
    """A result without a batch where the input had none."""
    return g.op("Squeeze", x, np.array([0])) if alone else x


@lowers("conv1d", "conv2d", "conv3d")
def conv(
    g: Graph,
    input: Operand,
    weight: Operand,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Any:
    """Write `conv1d`, `conv2d` and `conv3d` as Conv."""
    kernel = [int(k) for k in weight.shape[2:]]
    n = len(kernel)
    dilations = each(dilation, n)
    if isinstance(padding, str):
        total = [d * (k - 1) if padding == "same" else 0 for d, k in zip(dilations, kernel, strict=True)]
        pads = [t // 2 for t in total] + [t - t // 2 for t in total]
    else:
        pads = each(padding, n) * 2
    x, alone = batched(g, input, n)
    result = g.op(
        "Conv",
        x,
        weight,
        bias,
        strides=each(stride, n),
        pads=pads,
        dilations=dilations,
        group=groups,
        kernel_shape=kernel,
    )
    return as_given(g, result, alone)


@lowers("conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
def conv_transpose(
    g: Graph, input: Operand, weight: Operand, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: int = 1, dilation: Any = 1,
) -> Any:  # fmt: skip
    """Write `conv_transpose1d`, `conv_transpose2d` and `conv_transpose3d` as ConvTranspose."""
    kernel = [int(k) for k in weight.shape[2:]]
    n = len(kernel)
    x, alone = batched(g, input, n)
    result = g.op(
        "ConvTranspose", x, weight, bias, strides=each(stride, n), pads=each(padding, n) * 2, dilations=each(dilation, n), group=groups,
        output_padding=each(output_padding, n), kernel_shape=kernel,
    )  # fmt: skip
    return as_given(g, result, alone)


@lowers("pad")
def pad(g: Graph, input: Operand, pad: Sequence[Any], mode: str = "constant", value: Any = None) -> Any:
    """Write `pad` as Pad and Concat."""
    count = len(pad) // 2
    dims = [input.ndim - 1 - i for i in range(count)]
    before, after = list(pad[0::2]), list(pad[1::2])
    if mode == "circular" and g.opset < WRAP:
        x: Any = input
        for dim, left, right in zip(dims, before, after, strict=True):
            parts = ([sliced(g, x, [dim], [-left], [MOST], [1])] if left else []) + [x]
            x = g.op("Concat", *parts, *([sliced(g, x, [dim], [0], [right], [1])] if right else []), axis=dim)
        return x
    lead = [0] * (input.ndim - count)
    pads = g.ints([*lead, *before[::-1], *lead, *after[::-1]])
    kind = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}[mode]
    if mode != "constant" or input.dtype.name != "bool":
        filler = g.number(value or 0, input.dtype) if mode == "constant" else None
        return g.op("Pad", input, pads, filler, mode=kind)
    numbers = g.op("Pad", g.cast(input, np.int32), pads, g.number(int(bool(value)), np.int32), mode=kind)
    return g.cast(numbers, np.bool_, np.int32)
