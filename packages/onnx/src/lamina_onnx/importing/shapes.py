"""Shapes, orders, joining, splitting, picking, creation."""

from __future__ import annotations

from typing import Any

import numpy as np

import lamina_nn.functional as F
import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, dtype_of, ints, reads


@reads("Reshape")
def reshape(node: Node, x: Tensor, shape: Any = None) -> Tensor:
    """Run Reshape."""
    asked = ints(shape) if shape is not None else list(node.get("shape"))
    if not node.get("allowzero", 0):
        asked = [x.shape[i] if n == 0 else n for i, n in enumerate(asked)]
    return x.reshape(asked)


@reads("Flatten")
def flatten(node: Node, x: Tensor) -> Tensor:
    """Run Flatten."""
    axis = node.get("axis", 1)
    axis = axis + x.ndim if axis < 0 else axis
    return x.reshape(int(np.prod(x.shape[:axis], dtype=np.int64)), int(np.prod(x.shape[axis:], dtype=np.int64)))


@reads("Squeeze")
def squeeze(node: Node, x: Tensor, axes: Any = None) -> Tensor:
    """Run Squeeze."""
    given = ints(axes) if axes is not None else node.get("axes")
    if given is None:
        return lt.squeeze(x)
    dims = {d % x.ndim for d in given}
    return x.reshape([n for d, n in enumerate(x.shape) if d not in dims])


@reads("Unsqueeze")
def unsqueeze(node: Node, x: Tensor, axes: Any = None) -> Tensor:
    """Run Unsqueeze."""
    given = ints(axes) if axes is not None else node.get("axes")
    ndim = x.ndim + len(given)
    for d in sorted(d % ndim for d in given):
        x = lt.unsqueeze(x, d)
    return x


@reads("Transpose")
def transpose(node: Node, x: Tensor) -> Tensor:
    """Run Transpose."""
    return lt.permute(x, tuple(node.get("perm", range(x.ndim)[::-1])))


@reads("Concat")
def concat(node: Node, *xs: Tensor) -> Tensor:
    """Run Concat."""
    return lt.cat(list(xs), node.get("axis", 1))


@reads("Split")
def split(node: Node, x: Tensor, lengths: Any = None) -> Any:
    """Run Split."""
    axis = node.get("axis", 0)
    sizes = ints(lengths) if lengths is not None else node.get("split")
    if sizes is None:
        count = len(node.outputs)
        each = -(-x.shape[axis] // count)
        sizes = [min(each, max(0, x.shape[axis] - i * each)) for i in range(count)]
    return tuple(lt.split(x, list(sizes), axis))


@reads("Slice")
def slice_(node: Node, x: Tensor, starts: Any = None, ends: Any = None, axes: Any = None, steps: Any = None) -> Tensor:
    """Run Slice."""
    first, last = (
        ints(given) if given is not None else node.get(name) for given, name in ((starts, "starts"), (ends, "ends"))
    )
    dims = ints(axes) if axes is not None else node.get("axes", range(len(first)))
    by = ints(steps) if steps is not None else [1] * len(first)
    for d, start, end, step in zip(dims, first, last, by, strict=True):
        length = x.shape[d]
        if step > 0:
            index: list[Any] = [slice(None)] * x.ndim
            index[d] = slice(start, end, step)
            x = x[tuple(index)]
        else:
            chosen = range(*slice(start, end if end >= -length else None, step).indices(length))
            x = lt.index_select(x, d % x.ndim, lt.tensor(list(chosen), dtype=lt.arange(1).dtype))
    return x


@reads("Gather")
def gather(node: Node, x: Tensor, indices: Tensor) -> Tensor:
    """Run Gather."""
    axis = node.get("axis", 0) % x.ndim
    at = from_front(indices, x.shape[axis])
    items = lt.index_select(x, axis, at.reshape(-1))
    return items.reshape([*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]])


def from_front(indices: Tensor, length: int) -> Tensor:
    """Positions of which negative ones count from the end, as int64 ones that do not."""
    at = indices.to(lt.arange(1).dtype)
    return lt.where(lt.lt(at, 0), lt.add(at, length), at)


@reads("GatherElements")
def gather_elements(node: Node, x: Tensor, indices: Tensor) -> Tensor:
    """Run GatherElements."""
    axis = node.get("axis", 0)
    return lt.gather(x, axis, from_front(indices, x.shape[axis]))


@reads("GatherND")
def gather_nd(node: Node, x: Tensor, indices: Tensor) -> Tensor:
    """Run GatherND."""
    batch = node.get("batch_dims", 0)
    if batch:
        lead = x.shape[:batch]
        rows, at = x.reshape(-1, *x.shape[batch:]), indices.reshape(-1, *indices.shape[batch:])
        parts = [rows[i][tuple(lt.unbind(at[i], -1))] for i in range(rows.shape[0])]
        items = lt.stack(parts)
        return items.reshape([*lead, *items.shape[1:]])
    return x[tuple(lt.unbind(indices.to(lt.arange(1).dtype), -1))]


@reads("ScatterND")
def scatter_nd(node: Node, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Run ScatterND."""
    depth = indices.shape[-1]
    lead = x.shape[:depth]
    strides = [int(np.prod(lead[i + 1 :], dtype=np.int64)) for i in range(depth)]
    parts = [from_front(part, n) for part, n in zip(lt.unbind(indices, -1), lead, strict=True)]
    rows = lt.zeros(indices.shape[:-1], dtype=lt.arange(1).dtype)
    for part, stride in zip(parts, strides, strict=True):
        rows = lt.add(rows, lt.mul(part, stride))
    width = int(np.prod(x.shape[depth:], dtype=np.int64))
    flat, source = x.reshape(-1, width), updates.reshape(-1, width)
    at = lt.broadcast_to(rows.reshape(-1, 1), source.shape)
    return scattered(node, flat, 0, at, source).reshape(x.shape)


@reads("ScatterElements", "Scatter")
def scatter_elements(node: Node, x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Run ScatterElements and Scatter."""
    axis = node.get("axis", 0)
    return scattered(node, x, axis, from_front(indices, x.shape[axis]), updates)


def scattered(node: Node, x: Tensor, axis: int, at: Tensor, source: Tensor) -> Tensor:
    """Items put at positions, or combined with those that are there."""
    kind = node.get("reduction", "none")
    if kind == "none":
        return lt.scatter(x, axis, at, source)
    if kind == "add":
        return lt.scatter_add(x, axis, at, source)
    return lt.scatter_reduce(x, axis, at, source, {"mul": "prod", "max": "amax", "min": "amin"}[kind])


@reads("Tile")
def tile(node: Node, x: Tensor, repeats: Tensor) -> Tensor:
    """Run Tile."""
    return x.repeat(*ints(repeats)) if x.ndim else x


@reads("Expand")
def expand(node: Node, x: Tensor, shape: Tensor) -> Tensor:
    """Run Expand."""
    return lt.broadcast_to(x, np.broadcast_shapes(tuple(x.shape), tuple(ints(shape))))


@reads("Shape")
def shape(node: Node, x: Tensor) -> Tensor:
    """Run Shape."""
    return lt.tensor(np.array(tuple(x.shape)[slice(node.get("start", 0), node.get("end"))], np.int64))


@reads("Size")
def size(node: Node, x: Tensor) -> Tensor:
    """Run Size."""
    return lt.tensor(np.array(x.numel(), np.int64))


@reads("Pad")
def pad(node: Node, x: Tensor, pads: Any = None, value: Any = None, axes: Any = None) -> Tensor:
    """Run Pad."""
    given = ints(pads) if pads is not None else node.get("pads")
    dims = [d % x.ndim for d in ints(axes)] if axes is not None else list(range(x.ndim))
    filler = value.item() if value is not None else node.get("value", 0.0)
    kind = node.get("mode", "constant")
    half = len(given) // 2
    for d, before, after in zip(dims, given[:half], given[half:], strict=True):
        x = padded(x, d, before, after, kind, filler)
    return x


def padded(x: Tensor, d: int, before: int, after: int, kind: str, filler: Any) -> Tensor:
    """One dim with items before and after; negative counts leave items out."""
    n = x.shape[d]
    if kind == "constant":
        x = lt.narrow(x, d, max(0, -before), n + min(0, before) + min(0, after))
        ends = [
            lt.full([k if i == d else m for i, m in enumerate(x.shape)], filler, dtype=x.dtype)
            for k in (max(0, before), max(0, after))
        ]
        return lt.cat([ends[0], x, ends[1]], d)
    at = np.arange(-before, n + after)
    if kind == "edge":
        at = np.clip(at, 0, n - 1)
    elif kind == "wrap":
        at = at % n
    else:
        period = max(1, 2 * (n - 1))
        at = at % period
        at = np.where(at < n, at, period - at)
    return lt.index_select(x, d, lt.tensor(at))


@reads("Range")
def range_(node: Node, start: Tensor, limit: Tensor, delta: Tensor) -> Tensor:
    """Run Range."""
    first, end, step = (x.item() for x in (start, limit, delta))
    count = max(0, int(np.ceil((end - first) / step)))
    return lt.add(start, lt.mul(lt.arange(count).to(start.dtype), delta))


@reads("Constant")
def constant(node: Node) -> Tensor:
    """Run Constant."""
    for name, made in (
        ("value_int", np.int64),
        ("value_ints", np.int64),
        ("value_float", np.float32),
        ("value_floats", np.float32),
    ):
        if name in node.attributes:
            return lt.tensor(np.asarray(node.get(name), made))
    if "value" not in node.attributes:
        raise node.unsupported(f"of {', '.join(node.attributes)}")
    return node.get("value")  # type: ignore[no-any-return]


@reads("ConstantOfShape")
def constant_of_shape(node: Node, shape: Tensor) -> Tensor:
    """Run ConstantOfShape."""
    value = node.get("value")
    filler = lt.zeros(1) if value is None else value
    return lt.full(ints(shape), filler.reshape(-1)[0].item(), dtype=filler.dtype)


@reads("EyeLike")
def eye_like(node: Node, x: Tensor) -> Tensor:
    """Run EyeLike."""
    rows, columns = x.shape
    dtype = x.dtype if node.get("dtype") is None else dtype_of(node, node.get("dtype"))
    return lt.tensor(np.eye(rows, columns, node.get("k", 0))).to(dtype)


@reads("Trilu")
def trilu(node: Node, x: Tensor, k: Any = None) -> Tensor:
    """Run Trilu."""
    diagonal = 0 if k is None else int(k.item())
    return (lt.triu if node.get("upper", 1) else lt.tril)(x, diagonal)


@reads("OneHot")
def one_hot(node: Node, indices: Tensor, depth: Tensor, values: Tensor) -> Tensor:
    """Run OneHot."""
    n, axis = ints(depth.to(lt.arange(1).dtype))[0], node.get("axis", -1)
    at = from_front(indices, n)
    hot = lt.eq(lt.unsqueeze(at, -1), lt.arange(n))
    return lt.movedim(lt.where(hot, values[1], values[0]), -1, axis)


@reads("NonZero")
def nonzero(node: Node, x: Tensor) -> Tensor:
    """Run NonZero."""
    return lt.nonzero(x).T


@reads("Compress")
def compress(node: Node, x: Tensor, condition: Tensor) -> Tensor:
    """Run Compress."""
    axis = node.get("axis")
    if axis is None:
        x, axis = x.reshape(-1), 0
    return lt.index_select(x, axis, lt.nonzero(condition).reshape(-1))


@reads("ReverseSequence")
def reverse_sequence(node: Node, x: Tensor, lengths: Tensor) -> Tensor:
    """Run ReverseSequence."""
    batch, time = node.get("batch_axis", 1), node.get("time_axis", 0)
    rows = []
    for i, n in enumerate(ints(lengths)):
        row = lt.narrow(x, batch, i, 1)
        rows.append(
            lt.cat([lt.flip(lt.narrow(row, time, 0, n), (time,)), lt.narrow(row, time, n, x.shape[time] - n)], time)
        )
    return lt.cat(rows, batch)


@reads("DepthToSpace")
def depth_to_space(node: Node, x: Tensor) -> Tensor:
    """Run DepthToSpace."""
    b, (n, c, h, w) = node.get("blocksize"), x.shape
    if node.get("mode", "DCR") == "CRD":
        return F.pixel_shuffle(x, b)
    return x.reshape(n, b, b, c // b**2, h, w).permute(0, 3, 4, 1, 5, 2).reshape(n, c // b**2, h * b, w * b)


@reads("SpaceToDepth")
def space_to_depth(node: Node, x: Tensor) -> Tensor:
    """Run SpaceToDepth."""
    b, (n, c, h, w) = node.get("blocksize"), x.shape
    apart = x.reshape(n, c, h // b, b, w // b, b)
    order = (0, 3, 5, 1, 2, 4) if node.get("mode", "DCR") == "DCR" else (0, 1, 3, 5, 2, 4)
    return apart.permute(*order).reshape(n, c * b * b, h // b, w // b)


@reads("CenterCropPad")
def center_crop_pad(node: Node, x: Tensor, shape: Tensor) -> Tensor:
    """Run CenterCropPad."""
    axes = node.get("axes", range(x.ndim))
    for d, n in zip(axes, ints(shape), strict=True):
        d, have = d % x.ndim, x.shape[d]
        if n < have:
            x = lt.narrow(x, d, (have - n) // 2, n)
        else:
            before = (n - have) // 2
            x = padded(x, d, before, n - have - before, "constant", 0)
    return x


@reads("TensorScatter")
def tensor_scatter(node: Node, past: Tensor, update: Tensor, positions: Any = None) -> Tensor:
    """Run TensorScatter."""
    axis, batch = node.get("axis", -2) % past.ndim, past.shape[0]
    starts = ints(positions) if positions is not None else [0] * batch
    rows = []
    for i in range(batch):
        row, new = past[i].clone(), update[i]
        at = lt.arange(starts[i], starts[i] + new.shape[axis - 1])
        at = lt.remainder(at, past.shape[axis]) if node.get("mode", "linear") == "circular" else at
        rows.append(row.index_copy(axis - 1, at, new))
    return lt.stack(rows)
