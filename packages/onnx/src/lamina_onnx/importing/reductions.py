"""Reductions, extremes, sorting, running sums, softmaxes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, ints, reads

BY_NAME: dict[str, Callable[[Tensor, tuple[int, ...], bool], Tensor]] = {
    "ReduceSum": lambda x, dims, keep: lt.sum(x, dims, keep, dtype=x.dtype),
    "ReduceMean": lambda x, dims, keep: lt.mean(x, dims, keep),
    "ReduceMax": lambda x, dims, keep: largest(x, dims, keep),
    "ReduceMin": lambda x, dims, keep: smallest(x, dims, keep),
    "ReduceProd": lambda x, dims, keep: product(x, dims, keep),
    "ReduceL1": lambda x, dims, keep: lt.sum(lt.abs(x), dims, keep, dtype=x.dtype),
    "ReduceL2": lambda x, dims, keep: lt.sqrt(lt.sum(lt.mul(x, x), dims, keep)).to(x.dtype),
    "ReduceSumSquare": lambda x, dims, keep: lt.sum(lt.mul(x, x), dims, keep, dtype=x.dtype),
    "ReduceLogSum": lambda x, dims, keep: lt.log(lt.sum(x, dims, keep)),
    "ReduceLogSumExp": lambda x, dims, keep: lt.logsumexp(x, dims, keep),
}


def largest(x: Tensor, dims: tuple[int, ...], keep: bool) -> Tensor:
    """The maximum; of no items, the least of the dtype."""
    if x.dtype.kind == "b":
        return lt.any(x, dims, keep)
    if x.numel():
        return lt.amax(x, dims, keep)
    return lt.mul(lt.ones_like(lt.sum(x, dims, keep)), float("-inf"))


def smallest(x: Tensor, dims: tuple[int, ...], keep: bool) -> Tensor:
    """The minimum; of no items, the greatest of the dtype."""
    if x.dtype.kind == "b":
        return lt.all(x, dims, keep)
    if x.numel():
        return lt.amin(x, dims, keep)
    return lt.mul(lt.ones_like(lt.sum(x, dims, keep)), float("inf"))


def product(x: Tensor, dims: tuple[int, ...], keep: bool) -> Tensor:
    """The product over several dims, one after the other from the last."""
    for d in sorted(dims, reverse=True):
        x = lt.prod(x, d, keep, dtype=x.dtype)
    return x


@reads(*BY_NAME)
def reduced(node: Node, x: Tensor, axes: Any = None) -> Tensor:
    """A reduction over axes, of an input or an attribute; over all where there are none."""
    given = ints(axes) if axes is not None else node.get("axes")
    keep = bool(node.get("keepdims", 1))
    if not given:
        if node.get("noop_with_empty_axes", 0):
            return BY_NAME[node.op_type](lt.unsqueeze(x, -1), (x.ndim,), False)
        given = range(x.ndim)
    dims = tuple([d % x.ndim for d in given])
    if not dims:
        return BY_NAME[node.op_type](lt.unsqueeze(x, 0), (0,), False)
    return BY_NAME[node.op_type](x, dims, keep)


@reads("ArgMax", "ArgMin")
def position(node: Node, x: Tensor) -> Tensor:
    """Run ArgMax and ArgMin."""
    axis, keep = node.get("axis", 0), bool(node.get("keepdims", 1))
    find = lt.argmax if node.op_type == "ArgMax" else lt.argmin
    if not node.get("select_last_index", 0):
        return find(x, axis, keep)
    return lt.sub(x.shape[axis] - 1, find(lt.flip(x, (axis,)), axis, keep))


@reads("Softmax", "LogSoftmax", "Hardmax")
def softmax(node: Node, x: Tensor) -> Tensor:
    """Run Softmax, LogSoftmax and Hardmax."""
    axis = node.get("axis", -1 if node.opset >= 13 else 1)
    whole = x.shape
    if node.opset < 13:  # over all dims from the axis on
        axis = axis % x.ndim
        x = x.reshape(*x.shape[:axis], -1)
    if node.op_type == "Hardmax":
        best = F.one_hot(lt.argmax(x, axis), x.shape[axis])
        return lt.movedim(best, -1, axis).to(x.dtype).reshape(whole)
    return (F.softmax if node.op_type == "Softmax" else F.log_softmax)(x, axis).reshape(whole)


@reads("CumSum", "CumProd")
def running(node: Node, x: Tensor, axis: Tensor) -> Tensor:
    """Run CumSum and CumProd."""
    d = int(axis.item()) % x.ndim
    backwards = bool(node.get("reverse", 0))
    x = lt.flip(x, (d,)) if backwards else x
    first = lt.narrow(x, d, 0, 1)
    if node.get("exclusive", 0):
        start = lt.zeros_like(first) if node.op_type == "CumSum" else lt.ones_like(first)
        x = lt.cat([start, lt.narrow(x, d, 0, x.shape[d] - 1)], d)
    result = (lt.cumsum if node.op_type == "CumSum" else lt.cumprod)(x, d, dtype=x.dtype)
    return lt.flip(result, (d,)) if backwards else result


@reads("TopK")
def topk(node: Node, x: Tensor, k: Any = None) -> Any:
    """Run TopK."""
    count = ints(k)[0] if k is not None else node.get("k")
    axis, greatest = node.get("axis", -1), bool(node.get("largest", 1))
    values, indices = lt.sort(x, dim=axis, descending=greatest, stable=True)
    return lt.narrow(values, axis, 0, count), lt.narrow(indices, axis, 0, count)


@reads("Unique")
def unique(node: Node, x: Tensor) -> Any:
    """Run Unique."""
    axis = node.get("axis")
    if axis is not None:
        raise node.unsupported("along an axis")
    flat = x.reshape(-1)
    values, inverse, counts = lt.unique(flat, sorted=True, return_inverse=True, return_counts=True)
    places = lt.arange(flat.numel())
    first = lt.stack([lt.amin(places[lt.eq(inverse, i)], ()) for i in range(values.numel())])
    if not node.get("sorted", 1):
        order = lt.argsort(first)
        back = lt.argsort(order)
        values, first, counts, inverse = values[order], first[order], counts[order], back[inverse]
    return (values, first, inverse, counts)[: len(node.outputs)]


@reads("LpNormalization")
def lp_normalization(node: Node, x: Tensor) -> Tensor:
    """Run LpNormalization."""
    axis, p = node.get("axis", -1), node.get("p", 2)
    length = lt.norm(x, float(p), (axis,), True)
    return lt.where(lt.eq(length, 0), lt.zeros_like(x), lt.div(x, length))


@reads("MeanVarianceNormalization")
def mean_variance_normalization(node: Node, x: Tensor) -> Tensor:
    """Run MeanVarianceNormalization."""
    axes = tuple(node.get("axes", (0, 2, 3)))
    apart = lt.sub(x, lt.mean(x, axes, True))
    return lt.div(apart, lt.add(lt.sqrt(lt.mean(lt.mul(apart, apart), axes, True)), 1e-9))
