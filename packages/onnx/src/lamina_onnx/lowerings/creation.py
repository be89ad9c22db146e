"""Tensors out of numbers: filled ones, ranges, grids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import numpy_helper

from ..graph import Graph, Operand
from ..sizes import Size
from .registry import lowers


def filled(g: Graph, value: Any) -> Any:
    """The result's shape, of one value."""
    dtype = np.dtype(g.result.dtype.numpy)
    if isinstance(value, (Size, Operand)):
        return g.op("Expand", g.operand(value, dtype), g.ints(g.result.shape))
    if not any(isinstance(n, Size) for n in g.result.shape):
        return g.op("Expand", g.number(value, dtype), g.ints(g.result.shape))
    return g.op("ConstantOfShape", g.ints(g.result.shape), value=numpy_helper.from_array(np.array([value], dtype)))


@lowers("zeros", "zeros_like", "new_zeros")
def zeros(g: Graph, lengths: Any = None, size: Any = None, input: Any = None, dtype: Any = None) -> Any:
    """Write `zeros`, `zeros_like` and `new_zeros`."""
    return filled(g, 0)


@lowers("ones", "ones_like", "new_ones")
def ones(g: Graph, lengths: Any = None, size: Any = None, input: Any = None, dtype: Any = None) -> Any:
    """Write `ones`, `ones_like` and `new_ones`."""
    return filled(g, 1)


@lowers("full", "full_like", "new_full")
def full(g: Graph, size: Any = None, fill_value: Any = None, input: Any = None, dtype: Any = None) -> Any:
    """Write `full`, `full_like` and `new_full`."""
    return filled(g, fill_value)


@lowers("arange")
def arange(g: Graph, start: Any = None, end: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """Write `arange` as Range."""
    if end is None:
        start, end = 0, start
    if start is None:
        start = 0
    if any(isinstance(v, Operand) for v in (start, end, step)):
        raise g.unsupported("between tensors")
    numbers = [g.number(v, g.result.dtype) for v in (start, end, step)]
    return g.op("Range", *numbers)


@lowers("eye")
def eye(g: Graph, n: Any, m: Any = None, dtype: Any = None) -> Any:
    """Write `eye` as EyeLike."""
    return g.op("EyeLike", filled(g, 0))


@lowers("meshgrid")
def meshgrid(g: Graph, tensors: Sequence[Any], indexing: Any = None) -> Any:
    """Write `meshgrid` as Expand and Reshape."""
    axes = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)
    lengths = [x.shape[0] if x.ndim else 1 for x in axes]
    swapped = indexing == "xy" and len(axes) > 1
    made = []
    for i, x in enumerate(axes):
        at = (1 - i if i < 2 else i) if swapped else i
        shape = [-1 if d == at else 1 for d in range(len(axes))]
        order = [lengths[1], lengths[0], *lengths[2:]] if swapped else lengths
        made.append(g.op("Expand", g.op("Reshape", x, np.array(shape)), g.ints(order)))
    return tuple(made)
