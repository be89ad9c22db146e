"""Sums, extremes, positions of them, norms, sorting and running sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph import Graph, Operand, elem_type
from ..sizes import Size
from .registry import lowers

AXES_ARE_INPUTS = 18  # from this opset on; of ReduceSum always


def reduced(g: Graph, op_type: str, x: Any, dims: Any, keepdim: bool, ndim: int) -> Any:
    """A reduction over dims; over all where there are none."""
    axes = dims_of(dims, ndim)
    if ndim == 0:
        return x if isinstance(x, str) else x.name
    if g.opset >= AXES_ARE_INPUTS or op_type == "ReduceSum":
        return g.op(op_type, x, g.ints(axes), keepdims=int(keepdim))
    return g.op(op_type, x, axes=list(axes), keepdims=int(keepdim))


def dims_of(dims: Any, ndim: int) -> tuple[int, ...]:
    """Dims as they are counted from the front; all, where there are none."""
    if dims is None or (isinstance(dims, (tuple, list)) and not dims):
        return tuple(range(ndim))
    return tuple(d % ndim if ndim else 0 for d in ((dims,) if isinstance(dims, int) else dims))


def count_of(x: Operand, dims: Any) -> int | Size:
    """How many items there are in dims."""
    count: int | Size = 1
    for d in dims_of(dims, x.ndim):
        count = count * x.shape[d] if x.ndim else 1
    return count


@lowers("sum")
def sum_(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Write `sum` as ReduceSum."""
    return reduced(g, "ReduceSum", g.cast(input, g.result.dtype), dim, keepdim, input.ndim)


@lowers("mean")
def mean(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Write `mean` as ReduceMean."""
    return reduced(g, "ReduceMean", g.cast(input, g.result.dtype), dim, keepdim, input.ndim)


@lowers("prod")
def prod(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Write `prod` as ReduceProd."""
    return reduced(g, "ReduceProd", g.cast(input, g.result.dtype), dim, keepdim, input.ndim)


@lowers("amax")
def amax(g: Graph, input: Operand, dim: Any = (), keepdim: bool = False) -> Any:
    """Write `amax` as ReduceMax."""
    return reduced(g, "ReduceMax", input, dim, keepdim, input.ndim)


@lowers("amin")
def amin(g: Graph, input: Operand, dim: Any = (), keepdim: bool = False) -> Any:
    """Write `amin` as ReduceMin."""
    return reduced(g, "ReduceMin", input, dim, keepdim, input.ndim)


@lowers("logsumexp")
def logsumexp(g: Graph, input: Operand, dim: Any, keepdim: bool = False) -> Any:
    """Write `logsumexp` as ReduceLogSumExp."""
    return reduced(g, "ReduceLogSumExp", g.cast(input, g.result.dtype), dim, keepdim, input.ndim)


@lowers("var", "std", "var_mean", "std_mean")
def var(
    g: Graph, input: Operand, dim: Any = None, unbiased: Any = None, keepdim: bool = False, correction: Any = None
) -> Any:
    """Write `var`, `std`, `var_mean` and `std_mean`."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    less = correction if correction is not None else 0 if unbiased is False else 1
    center = reduced(g, "ReduceMean", input, dim, True, input.ndim)
    apart = g.op("Sub", input, center)
    total = reduced(g, "ReduceSum", g.op("Mul", apart, apart), dim, keepdim, input.ndim)
    result = g.op("Div", total, g.number(count_of(input, dim) - less, input.dtype))
    if g.call.name.startswith("std"):
        result = g.op("Sqrt", result)
    if not g.call.name.endswith("_mean"):
        return result
    return result, reduced(g, "ReduceMean", input, dim, keepdim, input.ndim)


def extreme(g: Graph, input: Operand, dim: Any, keepdim: bool, other: Any, largest: bool) -> Any:
    """The greatest or the least items, with their positions where they are asked for by a dim."""
    if isinstance(dim, Operand):
        dim, other = None, dim
    if other is not None:
        return g.op("Max" if largest else "Min", g.cast(input, g.result.dtype), g.cast(other, g.result.dtype))
    if dim is None:
        return reduced(g, "ReduceMax" if largest else "ReduceMin", input, None, False, input.ndim)
    values = reduced(g, "ReduceMax" if largest else "ReduceMin", input, dim, keepdim, input.ndim)
    return values, g.op("ArgMax" if largest else "ArgMin", input, axis=dim, keepdims=int(keepdim))


@lowers("max")
def max_(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False, other: Any = None) -> Any:
    """Write `max`."""
    return extreme(g, input, dim, keepdim, other, True)


@lowers("min")
def min_(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False, other: Any = None) -> Any:
    """Write `min`."""
    return extreme(g, input, dim, keepdim, other, False)


def position(g: Graph, op_type: str, input: Operand, dim: Any, keepdim: bool) -> Any:
    """Where the greatest or the least items are."""
    if dim is None:
        if keepdim:
            raise g.unsupported("over all dims, kept,")
        return g.op("Squeeze", g.op(op_type, g.op("Reshape", input, np.array([-1])), axis=0, keepdims=0))
    return g.op(op_type, input, axis=dim, keepdims=int(keepdim))


@lowers("argmax")
def argmax(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False) -> Any:
    """Write `argmax` as ArgMax."""
    return position(g, "ArgMax", input, dim, keepdim)


@lowers("argmin")
def argmin(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False) -> Any:
    """Write `argmin` as ArgMin."""
    return position(g, "ArgMin", input, dim, keepdim)


@lowers("any")
def any_(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False) -> Any:
    """Write `any` as Cast and ReduceMax."""
    truth = g.cast(g.cast(input, np.bool_), np.int32, of=np.bool_)
    return g.op("Cast", reduced(g, "ReduceMax", truth, dim, keepdim, input.ndim), to=elem_type(np.bool_))


@lowers("all")
def all_(g: Graph, input: Operand, dim: Any = None, keepdim: bool = False) -> Any:
    """Write `all` as Cast and ReduceMin."""
    truth = g.cast(g.cast(input, np.bool_), np.int32, of=np.bool_)
    return g.op("Cast", reduced(g, "ReduceMin", truth, dim, keepdim, input.ndim), to=elem_type(np.bool_))


@lowers("norm", "vector_norm")
def norm(
    g: Graph, input: Any = None, p: Any = None, dim: Any = None, keepdim: bool = False, x: Any = None, ord: Any = None
) -> Any:
    """Write `norm` and `vector_norm`."""
    tensor = input if x is None else x
    order = p if p is not None else ord if ord is not None else 2
    if order in (2, "fro"):
        return reduced(g, "ReduceL2", tensor, dim, keepdim, tensor.ndim)
    if order == 1:
        return reduced(g, "ReduceL1", tensor, dim, keepdim, tensor.ndim)
    if order in (math.inf, -math.inf):
        return reduced(g, "ReduceMax" if order > 0 else "ReduceMin", g.op("Abs", tensor), dim, keepdim, tensor.ndim)
    if not isinstance(order, (int, float)) or order == 0:
        raise g.unsupported(f"of order {order!r}")
    powers = g.op("Pow", g.op("Abs", tensor), g.number(order, tensor.dtype))
    return g.op("Pow", reduced(g, "ReduceSum", powers, dim, keepdim, tensor.ndim), g.number(1 / order, tensor.dtype))


@lowers("cumsum")
def cumsum(g: Graph, input: Operand, dim: int, dtype: Any = None) -> Any:
    """Write `cumsum` as CumSum."""
    return g.op("CumSum", g.cast(input, g.result.dtype), np.array(dim, np.int64))


@lowers("topk")
def topk(g: Graph, input: Operand, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Write `topk` as TopK."""
    return g.op("TopK", input, g.ints([k]), axis=dim, largest=int(largest), sorted=int(sorted), outputs=2)


@lowers("sort")
def sort(g: Graph, input: Operand, dim: int = -1, descending: bool = False) -> Any:
    """Write `sort` as TopK."""
    length = g.ints([input.shape[dim]])
    return g.op("TopK", input, length, axis=dim, largest=int(descending), sorted=1, outputs=2)


@lowers("argsort")
def argsort(g: Graph, input: Operand, dim: int = -1, descending: bool = False) -> Any:
    """Write `argsort` as the positions of TopK."""
    return sort(g, input, dim, descending)[1]


@lowers("count_nonzero")
def count_nonzero(g: Graph, input: Operand, dim: Any = None) -> Any:
    """Write `count_nonzero` as ReduceSum."""
    truth = g.cast(g.cast(input, np.bool_), np.int64, of=np.bool_)
    return reduced(g, "ReduceSum", truth, dim, False, input.ndim)


@lowers("softmax")
def softmax(g: Graph, input: Operand, dim: Any = None, dtype: Any = None) -> Any:
    """Write `softmax` as Softmax."""
    return along(g, "Softmax", input, dim)


@lowers("log_softmax")
def log_softmax(g: Graph, input: Operand, dim: Any = None, dtype: Any = None) -> Any:
    """Write `log_softmax` as LogSoftmax."""
    return along(g, "LogSoftmax", input, dim)


@lowers("softmin")
def softmin(g: Graph, input: Operand, dim: Any = None, dtype: Any = None) -> Any:
    """Write `softmin` as Softmax and Neg."""
    return g.op("Softmax", g.op("Neg", g.cast(input, g.result.dtype)), axis=implied(input, dim))


def implied(input: Operand, dim: Any) -> int:
    """The dim that PyTorch's softmax goes along where none is given."""
    return dim if dim is not None else 0 if input.ndim in (0, 1, 3) else 1


def along(g: Graph, op_type: str, input: Operand, dim: Any) -> Any:
    """A softmax along a dim."""
    return g.op(op_type, g.cast(input, g.result.dtype), axis=implied(input, dim))
