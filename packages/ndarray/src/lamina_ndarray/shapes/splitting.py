"""An array as its parts: spans and slices along an axis, all of them views."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

from lamina_flatarray import IndexOutOfRange, ShapeError

from ..dispatch.namespace import composite
from ..layouts.broadcast import normalize_axis

__all__ = [
    "chunk",
    "dsplit",
    "hsplit",
    "narrow",
    "select",
    "split",
    "split_with_sizes",
    "tensor_split",
    "unbind",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "vsplit",
]


def _axis(op: str, x: Any, axis: int) -> int:
    if not x.ndim:
        raise ShapeError(f"{op}: cannot be applied to a 0-dim array; it wants at least one axis")
    return normalize_axis(axis, x.ndim, op)


def _spans(x: Any, axis: int, ends: Sequence[int]) -> tuple[Any, ...]:
    """The spans of an axis between consecutive ends."""
    spans = [slice(a, b) for a, b in zip((0, *ends), ends, strict=False)]
    lead = (slice(None),) * axis
    return tuple([x[(*lead, span)] for span in spans] if axis else [x[span] for span in spans])


@composite
def select(x: Any, axis: int, index: int) -> Any:
    """One index of an axis, without that axis: a view.

    Raises:
        IndexOutOfRange: the axis or the index does not exist.
    """
    if not x.ndim:
        raise IndexOutOfRange("select: cannot be applied to a 0-dim array; it wants at least one axis")
    at = normalize_axis(axis, x.ndim, "select")
    if not -x.shape[at] <= index < x.shape[at]:
        raise IndexOutOfRange(f"select: index {index} out of range for shape {tuple(x.shape)} at axis {at}")
    return x[(*(slice(None),) * at, int(index))] if at else x[int(index)]


@composite
def narrow(x: Any, axis: int, start: Any, length: int) -> Any:
    """`length` items of an axis from `start` on (a number, or an integer array of one item without axes): a view.

    Raises:
        IndexOutOfRange: `start` lies outside of the axis.
        ShapeError: the span reaches beyond the end, or `start` is an array of another kind.
    """
    at = _axis("narrow", x, axis)
    if length < 0:
        raise ShapeError(f"narrow: length must be non-negative, got {length}")
    if hasattr(start, "dtype") and (getattr(start, "ndim", 0) != 0 or start.dtype.kind not in "ui"):
        raise ShapeError(f"narrow: start must be an 0-dim integral array, got {start.dtype}{tuple(start.shape)}")
    first, n = int(start), x.shape[at]
    if not -n <= first <= n:
        raise IndexOutOfRange(f"narrow: start out of range (expected to be in range of [{-n}, {n}], but got {first})")
    first += n if first < 0 else 0
    if first + length > n:
        raise ShapeError(f"narrow: start ({first}) + length ({length}) exceeds dimension size ({n})")
    return x[(*(slice(None),) * at, slice(first, first + length))]


@composite
def split(x: Any, sizes: int | Sequence[int], axis: int = 0) -> tuple[Any, ...]:
    """Views of pieces along an axis: of one size (the last may be smaller) or of the given sizes.

    Raises:
        ShapeError: the sizes do not add up to the axis.
    """
    at = _axis("split", x, axis)
    length = x.shape[at]
    if not isinstance(sizes, int):
        return split_with_sizes(x, sizes, at)
    if sizes < 0 or (sizes == 0 and length):
        raise ShapeError(f"split: expects split_size be positive, but got split_size={sizes} for length {length}")
    count = max(-(-length // sizes), 1) if sizes else 1
    return _spans(x, at, [min((i + 1) * sizes, length) for i in range(count)])


@composite
def split_with_sizes(x: Any, sizes: Sequence[int], axis: int = 0) -> tuple[Any, ...]:
    """Views of pieces of the given sizes along an axis.

    Raises:
        ShapeError: the sizes do not add up to the axis, or one is negative.
    """
    at = _axis("split_with_sizes", x, axis)
    if min(sizes, default=0) < 0 or sum(sizes) != x.shape[at]:
        raise ShapeError(
            f"split_with_sizes: expects split_sizes to sum exactly to {x.shape[at]} (input tensor's size at dimension "
            f"{at}), but got split_sizes={list(sizes)}"
        )
    return _spans(x, at, list(accumulate(sizes)))


@composite
def chunk(x: Any, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """At most this many views of equal length along an axis; the last may be shorter.

    Raises:
        ShapeError: `chunks` is not positive.
    """
    at = _axis("chunk", x, axis)
    if chunks < 1:
        raise ShapeError(f"chunk: expects `chunks` to be greater than 0, got: {chunks}")
    length = x.shape[at]
    return split(x, -(-length // chunks), at) if length else split_with_sizes(x, [0] * chunks, at)


@composite
def tensor_split(x: Any, indices_or_sections: Any, axis: int = 0) -> tuple[Any, ...]:
    """Views between the given ends along an axis, or a number of views whose lengths differ by one at most.

    `indices_or_sections` is a number, a sequence, or an integer array on the host of at most one axis.

    Raises:
        ShapeError: the number of sections is not positive, or the array is of another kind.
    """
    at = _axis("tensor_split", x, axis)
    parts, length = indices_or_sections, x.shape[at]
    if hasattr(parts, "dtype"):
        if parts.ndim > 1 or parts.dtype.kind != "i":
            raise ShapeError(
                "tensor_split: expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional int64 "
                f"array, but got {parts.dtype}{tuple(parts.shape)}"
            )
        parts = parts.tolist()
    if not isinstance(parts, int):
        ends = [int(i) for i in parts]
        bounds = [0, *(slice(0, e).indices(length)[1] for e in ends), length]
        lead = (slice(None),) * at
        return tuple(x[(*lead, slice(a, max(a, b)))] for a, b in pairwise(bounds))
    if parts < 1:
        raise ShapeError(f"tensor_split: number of sections must be larger than 0, got {parts}")
    least, longer = divmod(length, parts)
    return _spans(x, at, list(accumulate([least + (i < longer) for i in range(parts)])))


def _even_split(op: str, least: int, x: Any, parts: Any, axis: int) -> tuple[Any, ...]:
    """NumPy's h/v/dsplit: a number of sections must divide the axis."""
    if x.ndim < least:
        raise ShapeError(f"{op}: requires a tensor with at least {least} dimension, but got {x.ndim} dimensions")
    if isinstance(parts, str) or not (isinstance(parts, int) or hasattr(parts, "__iter__")):
        raise TypeError(f"{op}: {type(parts).__name__} given; it wants a number of sections or a sequence of ends")
    if isinstance(parts, int) and (parts < 1 or x.shape[axis] % parts):
        raise ShapeError(
            f"{op}: attempted to split along dimension {axis}, but the size of the dimension {x.shape[axis]} is not "
            f"divisible by the split_size {parts}"
        )
    return tensor_split(x, parts, axis)


@composite
def hsplit(x: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Split along the second axis (the only one of a vector): at ends, or in a number of equal parts.

    Raises:
        ShapeError: the parts would not be equal.
    """
    return _even_split("hsplit", 1, x, indices_or_sections, min(x.ndim - 1, 1))


@composite
def vsplit(x: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Split along the first axis of at least two: at ends, or in a number of equal parts.

    Raises:
        ShapeError: the parts would not be equal.
    """
    return _even_split("vsplit", 2, x, indices_or_sections, 0)


@composite
def dsplit(x: Any, indices_or_sections: Any) -> tuple[Any, ...]:
    """Split along the third axis: at ends, or in a number of equal parts.

    Raises:
        ShapeError: the parts would not be equal.
    """
    return _even_split("dsplit", 3, x, indices_or_sections, 2)


@composite
def unbind(x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The slices along an axis, without it: views.

    Raises:
        IndexOutOfRange: there is no such axis.
    """
    if not x.ndim:
        raise IndexOutOfRange(f"unbind: Dimension specified as {axis} but tensor has no dimensions")
    at = normalize_axis(axis, x.ndim, "unbind")
    lead = (slice(None),) * at
    return tuple(x[(*lead, i) if at else i] for i in range(x.shape[at]))


@composite
def unsafe_split(x: Any, sizes: int, axis: int = 0) -> tuple[Any, ...]:
    """As `split`: here the pieces may always be written to."""
    return split(x, sizes, axis)


@composite
def unsafe_split_with_sizes(x: Any, sizes: Sequence[int], axis: int = 0) -> tuple[Any, ...]:
    """As `split_with_sizes`."""
    return split_with_sizes(x, sizes, axis)


@composite
def unsafe_chunk(x: Any, chunks: int, axis: int = 0) -> tuple[Any, ...]:
    """As `chunk`."""
    return chunk(x, chunks, axis)
