"""The arithmetic on bare shape and stride tuples that Layout is built from."""

from collections.abc import Sequence
from math import prod
from struct import error as StructError
from struct import pack

from lamina_flatarray import ShapeError

__all__ = [
    "Shape",
    "dense_strides",
    "extent",
    "is_c_order",
    "is_dense",
    "kept_strides",
    "outer_stride",
    "pack_layout",
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


def is_dense(shape: Shape, strides: Shape) -> bool:
    """Tell whether the strides are those of C order without gaps, for some order of the dims."""
    expected = 1
    for stride, n in sorted([(s, n) for s, n in zip(strides, shape, strict=True) if n != 1]):
        if stride != expected:
            return False
        expected *= n
    return True


def kept_strides(shape: Shape, operands: Sequence[Shape]) -> Shape:
    """Return the strides of a result without gaps that keeps the order in which its operands lie, as PyTorch's does (the rule is
    that of `reorder_dimensions` in its TensorIterator).

    Dims are sorted from the innermost on. Of two dims, that with the smaller stride goes inside in the first operand that tells them
    apart; one that an operand repeats, by a stride of 0, is not told of by it. What no operand tells stays row-major.

    Args:
        shape: of the result.
        operands: the strides of each operand, spread to the shape.
    """
    sizes = [tuple(map(abs, strides)) for strides in operands]
    order = list(range(len(shape) - 1, -1, -1))
    for start in range(1, len(order)):
        place = start
        for inner in range(start - 1, -1, -1):
            comparison = _outermost(shape, sizes, order[inner], order[place])
            if comparison < 0:
                break
            if comparison:  # where nothing is told, the next one further in may tell
                order[inner], order[place] = order[place], order[inner]
                place = inner
    result, stride = [0] * len(shape), 1
    for dim in order:
        result[dim] = stride
        stride *= shape[dim] or 1
    return tuple(result)


def _outermost(shape: Shape, operands: Sequence[Shape], a: int, b: int) -> int:
    """1 where dim `a` goes outside of dim `b`, -1 where inside, 0 where no operand tells."""
    for strides in operands:
        if strides[a] == 0 or strides[b] == 0:
            continue
        if strides[a] != strides[b]:
            return 1 if strides[a] > strides[b] else -1
        if shape[a] > shape[b]:
            return 1
    return 0


def pack_layout(shape: Shape, strides: Shape, offset: int) -> bytes:
    """Return ndim, offset, shape and strides as int64s in native byte order, for kernels outside Python.

    Raises ShapeError where they are no layout: a stride too few, a negative length, an item before the memory, or
    a count that 64 bits do not hold.
    """
    if len(shape) != len(strides):
        raise ShapeError(f"Layout: {len(shape)} lengths {shape} for {len(strides)} strides {strides}")
    if shape and min(shape) < 0:
        raise ShapeError(f"Layout: negative length in shape {shape}")
    low, high = extent(shape, strides, offset)
    try:
        packed = pack(f"={2 + 2 * len(shape)}q", len(shape), offset, *shape, *strides)
    except StructError:
        packed = b""
    if not packed or low < 0 or max(prod(shape), high) >= 2**63:
        why = f"begin before the memory, at item {low}" if low < 0 else "exceed 64-bit integers"
        raise ShapeError(f"Layout: shape {shape}, strides {strides}, offset {offset} {why}")
    return packed
