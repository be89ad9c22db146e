"""Orders in which a dense array's dims may lie in memory, by PyTorch's names: which dim is innermost."""

from collections.abc import Sequence
from itertools import accumulate
from operator import mul

from lamina_flatarray import ShapeError

from .strides import Shape, dense_strides

__all__ = ["MEMORY_FORMATS", "dim_order", "format_strides"]

_CHANNELS_LAST = {"channels_last": 4, "channels_last_3d": 5}

MEMORY_FORMATS = ("contiguous", "fortran", *_CHANNELS_LAST)
"""'contiguous' is C order; 'fortran' has the first dim innermost; the others have dim 1 innermost, and a number of
dims of their own: (N, C, H, W) and (N, C, D, H, W)."""


def dim_order(memory_format: str, ndim: int, op: str) -> Sequence[int] | None:
    """Return the dims from the outermost to the innermost, or None where the format has another number of dims.

    Raises ShapeError for an unknown format.
    """
    if memory_format == "contiguous":
        return range(ndim)
    if memory_format == "fortran":
        return range(ndim)[::-1]
    rank = _CHANNELS_LAST.get(memory_format)
    if rank is None:
        formats = ", ".join(map(repr, MEMORY_FORMATS))
        raise ShapeError(f"{op}: unknown memory format {memory_format!r}; it is one of {formats}")
    return (0, *range(2, ndim), 1) if ndim == rank else None


def format_strides(shape: Shape, memory_format: str, op: str = "Layout") -> Shape:
    """Return the strides of a dense array in a memory format.

    Raises ShapeError for an unknown format, and for one that wants another number of dims.
    """
    order = dim_order(memory_format, len(shape), op)
    if order is None:
        raise ShapeError(
            f"{op}: memory format {memory_format!r} for shape {shape}; required rank {_CHANNELS_LAST[memory_format]}"
            " tensor to use it"
        )
    lengths = tuple([shape[d] for d in order])
    steps = accumulate(reversed(lengths[1:]), mul, initial=1) if memory_format in _CHANNELS_LAST else reversed(dense_strides(lengths))
    strides = [0] * len(shape)
    for d, step in zip(reversed(order), steps, strict=True):
        strides[d] = step  # as in PyTorch, lengths of 0 count as such in formats of images
    return tuple(strides)
