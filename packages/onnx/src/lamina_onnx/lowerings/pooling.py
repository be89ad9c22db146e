"""Pooling: windows, and those that adapt to an output size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import Graph, Operand
from ..sizes import Size
from .convolutions import as_given, batched, each
from .reductions import reduced
from .registry import lowers
from .shapes import sliced


@lowers("max_pool1d", "max_pool2d", "max_pool3d")
def max_pool(
    g: Graph, input: Operand, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    """Write `max_pool1d`, `max_pool2d` and `max_pool3d` as MaxPool."""
    if return_indices:
        raise g.unsupported("with indices")
    n = int(g.call.name[-2])
    kernel, dilations = each(kernel_size, n), each(dilation, n)
    x, alone = batched(g, input, n)
    strides, before = steps(stride, kernel), each(padding, n)
    after = list(before)
    lengths, outputs = input.shape[-n:], g.result.shape[-n:]
    if ceil_mode and not any(isinstance(length, Size) for length in (*lengths, *outputs)):
        for i in range(n):  # what the windows need behind the input is known
            end = (int(outputs[i]) - 1) * strides[i] + dilations[i] * (kernel[i] - 1) + 1
            after[i] = max(before[i], end - int(lengths[i]) - before[i])
        ceil_mode = any(a >= k for a, k in zip(after, kernel, strict=True))  # more than runtimes take
        after = before if ceil_mode else after
    result = g.op(
        "MaxPool", x, kernel_shape=kernel, strides=strides, pads=before + after, dilations=dilations, ceil_mode=int(ceil_mode)
    )  # fmt: skip
    return as_given(g, result, alone)


def steps(stride: Any, kernel: list[int]) -> list[int]:
    """The strides; the windows' lengths where none are given."""
    return kernel if stride is None or stride == [] or stride == () else each(stride, len(kernel))


@lowers("avg_pool1d", "avg_pool2d", "avg_pool3d")
def avg_pool(
    g: Graph, input: Operand, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    """Write `avg_pool1d`, `avg_pool2d` and `avg_pool3d` as AveragePool and Mul."""
    n = int(g.call.name[-2])
    kernel = each(kernel_size, n)
    if ceil_mode and (g.opset < 19 or divisor_override is not None):
        raise g.unsupported("with ceil_mode and a divisor" if g.opset >= 19 else "with ceil_mode before opset 19")
    include = count_include_pad or divisor_override is not None
    x, alone = batched(g, input, n)
    result = g.op(
        "AveragePool", x, kernel_shape=kernel, strides=steps(stride, kernel), pads=each(padding, n) * 2, ceil_mode=int(ceil_mode),
        count_include_pad=int(include),
    )  # fmt: skip
    if divisor_override is not None:
        result = g.op("Mul", result, g.number(math.prod(kernel) / divisor_override, input.dtype))
    return as_given(g, result, alone)


def asked(input: Operand, output_size: Any, n: int) -> list[Any]:
    """The lengths that an adaptive pool is to give; the input's where None is asked for."""
    return [input.shape[i - n] if length is None else length for i, length in enumerate(each(output_size, n))]


@lowers("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d")
def adaptive_avg_pool(g: Graph, input: Operand, output_size: Any) -> Any:
    """Write `adaptive_avg_pool1d`, `adaptive_avg_pool2d` and `adaptive_avg_pool3d` as ReduceMean."""
    n = int(g.call.name[-2])
    lengths = asked(input, output_size, n)
    dims = [input.ndim - n + i for i in range(n)]
    if all(length == 1 for length in lengths):
        return reduced(g, "ReduceMean", input, dims, True, input.ndim)
    x: Any = input
    for dim, length in zip(dims, lengths, strict=True):
        have = input.shape[dim]
        if have == length:
            continue
        if length == 1:
            x = reduced(g, "ReduceMean", x, dim, True, input.ndim)
            continue
        x = averaged(g, input, x, dim, *known(g, have, length))
    return x


def known(g: Graph, have: Any, length: Any) -> tuple[int, int]:
    """Lengths that are constant, which an adaptive pool needs for its windows."""
    if isinstance(have, Size) or isinstance(length, Size):
        raise g.unsupported("of a dynamic length, to another one than 1,")
    return have, length


def averaged(g: Graph, input: Operand, x: Any, dim: int, have: int, length: int) -> Any:
    """Means of the windows of one dim: a product with a matrix of their weights."""
    weights = np.zeros((have, length), np.dtype(input.dtype.numpy))
    for i, (start, end) in enumerate(windows(have, length)):
        weights[start:end, i] = 1 / (end - start)
    order = list(range(input.ndim))
    order[dim], order[-1] = order[-1], order[dim]
    if dim == input.ndim - 1:
        return g.op("MatMul", x, weights)
    return g.op("Transpose", g.op("MatMul", g.op("Transpose", x, perm=order), weights), perm=order)


def windows(have: int, length: int) -> list[tuple[int, int]]:
    """Where each window of an adaptive pool starts and ends."""
    return [(i * have // length, -(-(i + 1) * have // length)) for i in range(length)]


@lowers("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d")
def adaptive_max_pool(g: Graph, input: Operand, output_size: Any, return_indices: bool = False) -> Any:
    """Write `adaptive_max_pool1d`, `adaptive_max_pool2d` and `adaptive_max_pool3d` as Concat and ReduceMax."""
    if return_indices:
        raise g.unsupported("with indices")
    n = int(g.call.name[-2])
    x: Any = input
    for i, length in enumerate(asked(input, output_size, n)):
        dim = input.ndim - n + i
        if length == input.shape[dim]:
            continue
        if length == 1:
            x = reduced(g, "ReduceMax", x, dim, True, input.ndim)
            continue
        spans = windows(*known(g, input.shape[dim], length))
        parts = [reduced(g, "ReduceMax", sliced(g, x, [dim], [a], [b], [1]), dim, True, input.ndim) for a, b in spans]
        x = g.op("Concat", *parts, axis=dim)
    return x


@lowers("lp_pool1d", "lp_pool2d", "lp_pool3d")
def lp_pool(
    g: Graph, input: Operand, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Any:
    """Write `lp_pool1d`, `lp_pool2d` and `lp_pool3d` as LpPool."""
    n = int(g.call.name[-2])
    kernel = each(kernel_size, n)
    if ceil_mode or norm_type != int(norm_type):
        raise g.unsupported("with ceil_mode, or of a fractional norm,")
    x, alone = batched(g, input, n)
    return as_given(g, g.op("LpPool", x, kernel_shape=kernel, strides=steps(stride, kernel), p=int(norm_type)), alone)
