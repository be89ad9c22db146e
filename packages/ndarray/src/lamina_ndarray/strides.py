"""The arithmetic on bare shape and stride tuples that Layout is built from."""

from collections.abc import Sequence
from math import prod
from operator import index as as_int

from lamina_flatarray import ShapeError

__all__ = [
    "Shape",
    "dense_strides",
    "extent",
    "infer_lengths",
    "is_c_order",
    "outer_stride",
    "reshaped_strides",
]

Shape = tuple[int, ...]


def extent(shape: Shape, strides: Shape, offset: int) -> tuple[int, int]:
    """Return the lowest and the highest item touched; (offset, offset - 1) when there are no items."""
    if 0 in shape:
        return offset, offset - 1
    low = high = offset
    for n, stride in zip(shape, strides, strict=True):
        if stride < 0:
            low += stride * (n - 1)
        else:
            high += stride * (n - 1)
    return low, high


def dense_strides(shape: Shape) -> Shape:
    """Return the strides of C order without gaps; a length of 0 counts as 1, as in PyTorch."""
    strides, stride = [], 1
    for n in reversed(shape):
        strides.append(stride)
        stride *= n or 1
    return tuple(reversed(strides))


def is_c_order(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Tell whether the strides are those of C order without gaps; those of dims of length 1 do not count."""
    expected = 1
    for n, stride in zip(reversed(shape), reversed(strides), strict=True):
        if n != 1:
            if stride != expected:
                return False
            expected *= n
    return True


def outer_stride(shape: Sequence[int], strides: Sequence[int], dim: int) -> int:
    """Return the stride for a dim of length 1 before `dim`, such that a dense layout stays the dense one."""
    return (shape[dim] or 1) * strides[dim] if dim < len(shape) else 1


def infer_lengths(op: str, shape: Sequence[int], size: int, of: Shape) -> Shape:
    """Replace -1 in `shape` by what makes it `size` items; `of` is for the message."""
    lengths = [as_int(n) for n in shape]
    if lengths.count(-1) == 1:
        known = -prod(lengths)
        if known == 0:
            raise ShapeError(f"{op}: -1 in {tuple(shape)} could be any length, since another length is 0")
        lengths[lengths.index(-1)] = size // known
    if prod(lengths) != size or (lengths and min(lengths) < 0):
        raise ShapeError(f"{op}: {tuple(shape)} does not make {size} items (from shape {of}); one length may be -1")
    return tuple(lengths)


def reshaped_strides(old: Shape, old_strides: Shape, shape: Shape) -> Shape | None:
    """Return the strides with which `shape` reads the items of `old` (not empty) in C order, or None.

    Dims that continue each other are merged as far as they go; each new dim must then lie within one
    merged dim. Dims of length 1 lie anywhere.
    """
    merged: list[tuple[int, int]] = []  # (length, stride), the innermost first
    for n, stride in zip(reversed(old), reversed(old_strides), strict=True):
        if n == 1:
            continue
        if merged and merged[-1][0] * merged[-1][1] == stride:
            merged[-1] = (merged[-1][0] * n, merged[-1][1])
        else:
            merged.append((n, stride))
    strides = [0] * len(shape)
    chunks = iter(merged)
    left, stride = 1, 1
    for d in reversed(range(len(shape))):
        if shape[d] == 1:
            strides[d] = outer_stride(shape, strides, d + 1)
            continue
        if left == 1:
            left, stride = next(chunks)
        if left % shape[d]:
            return None
        strides[d] = stride
        left //= shape[d]
        stride *= shape[d]
    return tuple(strides)
