"""Orders in which a dense array's dims may lie in memory, by PyTorch's names: which dim is innermost."""

from collections.abc import Sequence

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
    strides = [0] * len(shape)
    for d, stride in zip(order, dense_strides(tuple([shape[d] for d in order])), strict=True):
        strides[d] = stride
    return tuple(strides)
