"""Picking items and putting them: `x[index]`, `x[index] = value`, gather, scatter, embedding."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import MOST, Graph, Operand
from ..sizes import Size
from .comparisons import is_bool
from .registry import lowers
from .shapes import sliced


def parts_of(index: Any) -> list[Any]:
    """An index as a list of its parts; lists of integers are tensors."""
    parts = list(index) if isinstance(index, tuple) else [index]
    return [np.asarray(p) if isinstance(p, list) else p for p in parts]


def widened(g: Graph, x: Operand, index: Any) -> list[Any]:
    """An index with a part for each dim of x, and None for each new one."""
    parts = parts_of(index)
    if any(isinstance(p, bool) for p in parts):
        raise g.unsupported("at a truth value")
    used = sum(mask_dims(p) for p in parts if p is not None and p is not Ellipsis)
    rest = [slice(None)] * (x.ndim - used)
    at = next((i for i, p in enumerate(parts) if p is Ellipsis), None)
    return [*parts, *rest] if at is None else [*parts[:at], *rest, *parts[at + 1 :]]


def mask_dims(part: Any) -> int:
    """How many dims a part of an index stands for."""
    masks = isinstance(part, (Operand, np.ndarray)) and is_bool(part.dtype)
    return int(part.ndim) if masks else 1


def is_tensor(part: Any) -> bool:
    """Whether a part of an index picks items by their positions."""
    return isinstance(part, (Operand, np.ndarray))


def bounds(part: slice) -> tuple[Any, Any, Any]:
    """Where a slice starts and ends, and its step, as ONNX takes them."""
    start, end = 0 if part.start is None else part.start, MOST if part.stop is None else part.stop
    return start, end, 1 if part.step is None else part.step


@lowers("__getitem__")
def getitem(g: Graph, self: Operand, index: Any) -> Any:
    """Write `__getitem__` as Gather and Unsqueeze."""
    parts = widened(g, self, index)
    if any(is_tensor(p) and is_bool(p.dtype) for p in parts):
        return by_mask(g, self, parts)
    x: Any = self
    own = [p for p in parts if p is not None]
    cut = [
        (d, *bounds(p))
        for d, p in enumerate(own)
        if isinstance(p, slice) and (p.start, p.stop, p.step) != (None, None, None)
    ]
    if cut:
        dims, starts, ends, steps = (list(column) for column in zip(*cut, strict=True))
        x = sliced(g, x, dims, starts, ends, steps)
    tensors = [d for d, p in enumerate(own) if is_tensor(p)]
    ints = [d for d, p in enumerate(own) if isinstance(p, (int, Size))]
    if tensors:
        return by_tensors(g, x, parts, own, tensors, ints)
    for d in reversed(ints):
        x = g.op("Gather", x, g.number(own[d], np.int64), axis=d)
    left = [p for p in parts if p is None or isinstance(p, slice)]
    new = [i for i, p in enumerate(left) if p is None]
    return g.op("Unsqueeze", x, np.array(new)) if new else x


def by_tensors(g: Graph, x: Any, parts: list[Any], own: list[Any], tensors: list[int], ints: list[int]) -> Any:
    """Items at positions that tensors hold; where they stand for several dims, broadcast and taken by GatherND."""
    if len(tensors) == 1 and not ints and not any(p is None for p in parts):
        return g.op("Gather", x, positions(g, own[tensors[0]]), axis=tensors[0])
    if any(p is None for p in parts):
        raise g.unsupported("at tensors and new dims")
    picked = sorted(tensors + ints)
    kept = [d for d in range(len(own)) if d not in picked]
    if picked != list(range(picked[0], picked[-1] + 1)):
        place = 0
    else:
        place = picked[0]
    at = stacked(g, [own[d] for d in picked])
    items = g.op("GatherND", g.op("Transpose", x, perm=picked + kept), at)
    index_dims = max(np.ndim(own[d]) if not isinstance(own[d], Operand) else own[d].ndim for d in tensors)
    if place:
        total = index_dims + len(kept)
        order = [*range(index_dims, index_dims + place), *range(index_dims), *range(index_dims + place, total)]
        items = g.op("Transpose", items, perm=order)
    return items


def positions(g: Graph, part: Any) -> Any:
    """Positions as an int64 tensor."""
    if isinstance(part, Operand):
        return g.cast(part, np.int64)
    return g.constant(part.astype(np.int64)) if isinstance(part, np.ndarray) else g.number(part, np.int64)


def stacked(g: Graph, parts: list[Any]) -> Any:
    """Positions of several dims side by side, broadcast to one shape."""
    named = [positions(g, p) for p in parts]
    if len(named) > 1:
        whole = named[0]
        for name in named[1:]:
            whole = g.op("Add", whole, name)
        shape = g.op("Shape", whole)
        named = [g.op("Expand", name, shape) for name in named]
    last = np.array([-1])
    return g.op("Concat", *(g.op("Unsqueeze", name, last) for name in named), axis=-1)


def by_mask(g: Graph, x: Operand, parts: list[Any]) -> Any:
    """The items where a mask over the first dims is true; how many there are is no size that the record could know."""
    raise g.unsupported("at a mask, whose result has as many items as the mask says,")


@lowers("__setitem__")
def setitem(g: Graph, self: Operand, index: Any, value: Any) -> Any:
    """The tensor with other items at an index."""
    source = g.operand(value, self.dtype)
    if isinstance(index, Operand) and is_bool(index.dtype):
        return masked(g, self, index, value, source)
    parts = widened(g, self, index)
    if any(is_tensor(p) and is_bool(p.dtype) for p in parts) or any(p is None for p in parts):
        raise g.unsupported("at a mask among other parts, or at a new dim,")
    if all(isinstance(p, slice) and (p.start, p.stop, p.step) == (None, None, None) for p in parts):
        return g.op("Expand", source, g.ints(self.shape))
    grid = flat_positions(g, self, parts)
    shape = g.op("Shape", grid)
    flat = g.op("Reshape", self, np.array([-1]))
    where = g.op("Reshape", grid, np.array([-1, 1]))
    items = g.op("Reshape", g.op("Expand", source, shape), np.array([-1]))
    return g.op("Reshape", g.op("ScatterND", flat, where, items), g.ints(self.shape))


def flat_positions(g: Graph, x: Operand, parts: list[Any]) -> Any:
    """The positions, in row-major order, of the items at an index: those of all items, indexed alike."""
    count = g.op("Size", x)
    numbers = g.op("Range", g.number(0, np.int64), count, g.number(1, np.int64))
    grid = g.op("Reshape", numbers, g.ints(x.shape))
    return getitem(g, Operand(grid, x.shape, np.dtype(np.int64)), tuple(parts))


def masked(g: Graph, x: Operand, mask: Operand, value: Any, source: Any) -> Any:
    """The tensor with one item wherever a mask is true."""
    if isinstance(value, Operand) and any(n != 1 for n in value.shape):
        raise g.unsupported("of several items at a mask")
    if isinstance(value, Operand) and value.ndim:
        source = g.op("Reshape", source, np.array([], np.int64))
    over = x.ndim - mask.ndim
    condition = g.op("Unsqueeze", mask, np.arange(mask.ndim, x.ndim)) if over else mask
    return g.op("Where", condition, source, x)


@lowers("gather", "take_along_dim")
def gather(g: Graph, input: Operand, dim: Any = None, index: Any = None, indices: Any = None) -> Any:
    """Write `gather` and `take_along_dim` as GatherElements."""
    at = index if index is not None else indices
    if dim is None or (g.call.name == "take_along_dim" and input.ndim != at.ndim):
        raise g.unsupported("without a dim")
    return g.op("GatherElements", input, g.cast(at, np.int64), axis=dim)


@lowers("index_select")
def index_select(g: Graph, input: Operand, dim: int, index: Operand) -> Any:
    """Write `index_select` as Gather and Reshape."""
    at = g.cast(index, np.int64) if index.ndim else g.op("Reshape", g.cast(index, np.int64), np.array([1]))
    return g.op("Gather", input, at, axis=dim)


@lowers("embedding")
def embedding(
    g: Graph, input: Operand, weight: Operand, padding_idx: Any = None, max_norm: Any = None, norm_type: float = 2.0
) -> Any:
    """Write `embedding` as Gather."""
    if max_norm is not None:
        raise g.unsupported("with max_norm")
    return g.op("Gather", weight, g.cast(input, np.int64), axis=0)


@lowers("one_hot")
def one_hot(g: Graph, tensor: Any = None, num_classes: Any = -1, input: Any = None) -> Any:
    """Write `one_hot` as OneHot."""
    if num_classes == -1:
        raise g.unsupported("without num_classes")
    x = tensor if input is None else input
    return g.op("OneHot", g.cast(x, np.int64), g.ints([num_classes]), np.array([0, 1], np.int64), axis=-1)


@lowers("scatter")
def scatter(
    g: Graph, input: Operand, dim: int, index: Operand, src: Any = None, value: Any = None, reduce: Any = None
) -> Any:
    """Write `scatter` as ScatterElements, Expand and Shape."""
    source = src if src is not None else value
    if not isinstance(source, Operand):
        items = g.op("Expand", g.number(source, input.dtype), g.op("Shape", index))
    else:
        items = cut_to(g, source, index)
    kind = {None: None, "add": "add", "multiply": "mul"}[reduce]
    return g.op("ScatterElements", input, g.cast(index, np.int64), items, axis=dim, reduction=kind)


@lowers("scatter_add")
def scatter_add(g: Graph, input: Operand, dim: int, index: Operand, src: Operand) -> Any:
    """Write `scatter_add` as ScatterElements."""
    return g.op("ScatterElements", input, g.cast(index, np.int64), cut_to(g, src, index), axis=dim, reduction="add")


def cut_to(g: Graph, source: Operand, index: Operand) -> Any:
    """The items of a source that an index has a position for."""
    if source.shape == index.shape:
        return source
    axes = list(range(index.ndim))
    return g.op("Slice", source, g.ints([0] * index.ndim), g.op("Shape", index), g.ints(axes))
