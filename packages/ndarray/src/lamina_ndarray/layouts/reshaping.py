"""Another shape for the same items in the same order: its lengths, and the strides that read it without a copy."""

from collections.abc import Sequence
from math import prod
from operator import index as as_int

from lamina_flatarray import ShapeError

from .strides import Shape, outer_stride

__all__ = ["infer_lengths", "reshaped_strides"]


def infer_lengths(op: str, shape: Sequence[int], size: int, of: Shape) -> Shape:
    """Replace -1 in `shape` by what makes it `size` items; `of` is for the message."""
    lengths = [as_int(n) for n in shape]
    if lengths.count(-1) == 1:
        known_size = -prod(lengths)
        if known_size == 0:
            raise ShapeError(f"{op}: -1 in {tuple(shape)} could be any length, since another length is 0")
        lengths[lengths.index(-1)] = size // known_size
    if prod(lengths) != size or (lengths and min(lengths) < 0):
        raise ShapeError(f"{op}: {tuple(shape)} does not make {size} items (from shape {of}); one length may be -1")
    return tuple(lengths)


def reshaped_strides(old: Shape, old_strides: Shape, shape: Shape) -> Shape | None:
    """Return the strides with which `shape` reads the items of `old` (not empty) in C order, or None.

    Dims that continue each other are merged as far as they go; each new dim must then lie within one
    merged dim. Dims of length 1 lie anywhere, so they get the strides that PyTorch gives them: those of the items within them, and
    innermost ones that of the innermost dim.
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
    remaining, stride = 1, 1
    for d in reversed(range(len(shape))):
        if shape[d] == 1:
            strides[d] = outer_stride(shape, strides, d + 1) if d + 1 < len(shape) else old_strides[-1] if old else 1
            continue
        if remaining == 1:
            remaining, stride = next(chunks)
        if remaining % shape[d]:
            return None
        strides[d] = stride
        remaining //= shape[d]
        stride *= shape[d]
    return tuple(strides)
