"""An array as its parts: spans and slices along an axis, all of them views."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from lamina_flatarray import ArgumentTypeError, DeviceError, IndexOutOfRange, ShapeError, UsageError

from ..dispatch.namespace import Array, generic
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

_MOST: Final = 1 << 24
"""Parts beyond the items are empty, but each is an object."""


def _axis(op: str, x: Array, axis: int) -> int:
    if not x.ndim:
        raise ShapeError(f"{op}: cannot be applied to a 0-dim array; it wants at least one axis")
    return normalize_axis(axis, x.ndim, op)


def _spans(x: Array, axis: int, ends: Sequence[int]) -> tuple[Array, ...]:
    """The spans of an axis between consecutive ends."""
    spans = [slice(a, b) for a, b in zip((0, *ends), ends, strict=False)]
    lead = (slice(None),) * axis
    return tuple([x[(*lead, span)] for span in spans] if axis else [x[span] for span in spans])


@generic
def select(x: Array, axis: int, index: int) -> Array:
    """Return one index of an axis, without that axis.

    Args:
        x: an array with one axis at least.
        axis: which axis.
        index: which index; negative ones count from the end.

    Returns:
        A view with one axis less.

    Raises:
        IndexOutOfRange: the axis or the index does not exist.

    >>> nd.select(nd.asarray([[1, 2], [3, 4]]), 1, 0)
    NDArray([1, 3])
    """
    if not x.ndim:
        raise IndexOutOfRange("select: cannot be applied to a 0-dim array; it wants at least one axis")
    at = normalize_axis(axis, x.ndim, "select")
    if not -x.shape[at] <= index < x.shape[at]:
        raise IndexOutOfRange(f"select: index {index} out of range for shape {tuple(x.shape)} at axis {at}")
    return x[(*(slice(None),) * at, int(index))] if at else x[int(index)]


@generic
def narrow(x: Array, axis: int, start: Any, length: int) -> Array:
    """Return `length` items of an axis, from `start` on.

    Args:
        x: an array with one axis at least.
        axis: which axis.
        start: the first index: a number, or an integer array without axes; negative ones count from the end.
        length: how many items.

    Returns:
        A view whose axis has this length.

    Raises:
        IndexOutOfRange: the axis does not exist, or `start` lies outside of it.
        ShapeError: the length is negative, the span reaches beyond the end, or x has no axes.
        UsageError: `start` is an array of another kind.

    >>> nd.narrow(nd.asarray([1, 2, 3, 4]), 0, 1, 2)
    NDArray([2, 3])
    """
    at = _axis("narrow", x, axis)
    if length < 0:
        raise ShapeError(f"narrow: length must be non-negative, got {length}")
    if hasattr(start, "dtype") and (getattr(start, "ndim", 0) != 0 or start.dtype.kind not in "ui"):
        raise UsageError(f"narrow: start must be an 0-dim integral array, got {start.dtype}{tuple(start.shape)}")
    first, n = int(start), x.shape[at]
    if not -n <= first <= n:
        raise IndexOutOfRange(f"narrow: start out of range (expected to be in range of [{-n}, {n}], but got {first})")
    first += n if first < 0 else 0
    if first + length > n:
        raise ShapeError(f"narrow: start ({first}) + length ({length}) exceeds dimension size ({n})")
    return x[(*(slice(None),) * at, slice(first, first + length))]


@generic
def split(x: Array, sizes: int | Sequence[int], axis: int = 0) -> tuple[Array, ...]:
    """Split an axis into pieces of one size, or of the given sizes.

    Args:
        x: an array with one axis at least.
        sizes: the length of each piece, of which the last may be shorter; or a sequence of lengths that sum to the
            axis'.
        axis: which axis.

    Returns:
        A tuple of views.

    Raises:
        ShapeError: the sizes do not add up to the axis, one cannot be, or x has no axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.split(nd.asarray([1, 2, 3, 4, 5]), 2)
    (NDArray([1, 2]), NDArray([3, 4]), NDArray([5]))
    """
    at = _axis("split", x, axis)
    length = x.shape[at]
    if not isinstance(sizes, int):
        return split_with_sizes(x, sizes, at)
    if sizes < 0 or (sizes == 0 and length):
        raise ShapeError(f"split: expects split_size be positive, but got split_size={sizes} for length {length}")
    count = max(-(-length // sizes), 1) if sizes else 1
    return _spans(x, at, [min((i + 1) * sizes, length) for i in range(count)])


@generic
def split_with_sizes(x: Array, sizes: Sequence[int], axis: int = 0) -> tuple[Array, ...]:
    """Split an axis into pieces of the given sizes.

    Args:
        x: an array with one axis at least.
        sizes: the lengths of the pieces, which add up to the axis'.
        axis: which axis.

    Returns:
        A tuple of views.

    Raises:
        ShapeError: the sizes do not add up to the axis, one is negative, or x has no axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.split_with_sizes(nd.asarray([1, 2, 3]), (1, 2))
    (NDArray([1]), NDArray([2, 3]))
    """
    at = _axis("split_with_sizes", x, axis)
    if min(sizes, default=0) < 0 or sum(sizes) != x.shape[at]:
        raise ShapeError(
            f"split_with_sizes: expects split_sizes to sum exactly to {x.shape[at]} (input tensor's size at dimension "
            f"{at}), but got split_sizes={list(sizes)}"
        )
    return _spans(x, at, list(accumulate(sizes)))


@generic
def chunk(x: Array, chunks: int, axis: int = 0) -> tuple[Array, ...]:
    """Split an axis into at most so many pieces of equal length.

    Args:
        x: an array with one axis at least.
        chunks: how many pieces at most.
        axis: which axis.

    Returns:
        A tuple of views, of which the last may be shorter; there are fewer where the length does not divide so.

    Raises:
        UsageError: `chunks` is not positive, or above 16 million where there are no items.
        ShapeError: x has no axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.chunk(nd.asarray([1, 2, 3, 4, 5]), 2)
    (NDArray([1, 2, 3]), NDArray([4, 5]))
    """
    at = _axis("chunk", x, axis)
    if chunks < 1:
        raise UsageError(f"chunk: expects `chunks` to be greater than 0, got: {chunks}")
    length = x.shape[at]
    if not length and chunks > _MOST:
        raise UsageError(f"chunk: {chunks} chunks of no items given; a tuple of more than {_MOST} views is refused")
    return split(x, -(-length // chunks), at) if length else split_with_sizes(x, [0] * chunks, at)


@generic
def tensor_split(x: Array, indices_or_sections: Any, axis: int = 0) -> tuple[Array, ...]:
    """Split an axis at indices, or into pieces whose lengths differ by one at most.

    Args:
        x: an array with one axis at least.
        indices_or_sections: where to split, a sequence or an integer vector on the host; or the number of pieces.
        axis: which axis.

    Returns:
        A tuple of views.

    Raises:
        UsageError: the number of pieces is not positive or above 16 million, or an array of indices is not of integers or has several axes.
        ShapeError: x has no axes.
        IndexOutOfRange: the axis does not exist.
        DeviceError: an array of indices is not on the host.

    >>> nd.tensor_split(nd.asarray([1, 2, 3, 4, 5]), 2)
    (NDArray([1, 2, 3]), NDArray([4, 5]))
    >>> nd.tensor_split(nd.asarray([1, 2, 3, 4, 5]), (1, 3))
    (NDArray([1]), NDArray([2, 3]), NDArray([4, 5]))
    """
    at = _axis("tensor_split", x, axis)
    parts, length = indices_or_sections, x.shape[at]
    if hasattr(parts, "dtype"):
        parts = numbers_to_split_at(parts)
    if not isinstance(parts, int):
        ends = [int(i) for i in parts]
        bounds = [0, *(slice(0, e).indices(length)[1] for e in ends), length]
        lead = (slice(None),) * at
        return tuple(x[(*lead, slice(a, max(a, b)))] for a, b in pairwise(bounds))
    if parts < 1:
        raise UsageError(f"tensor_split: number of sections must be larger than 0, got {parts}")
    if parts > _MOST:
        raise UsageError(f"tensor_split: {parts} sections given; a tuple of more than {_MOST} views is refused")
    least, longer = divmod(length, parts)
    return _spans(x, at, list(accumulate([least + (i < longer) for i in range(parts)])))


def numbers_to_split_at(parts: Any) -> Any:
    """The number of pieces, or the list of indices, that an array holds.

    Raises:
        UsageError: it is not of integers, or has several axes.
        DeviceError: it is not on the host.
    """
    if parts.ndim > 1 or parts.dtype.kind != "i":
        raise UsageError(
            "tensor_split: expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional int64 "
            f"array, but got {parts.dtype}{tuple(parts.shape)}"
        )
    if parts.device.type != "cpu":
        raise DeviceError(f"tensor_split: expected tensor_indices_or_sections to be on cpu, but got it on {parts.device}")
    return parts.tolist()


def _even_split(op: str, least: int, x: Array, parts: Any, axis: int) -> tuple[Array, ...]:
    """NumPy's h/v/dsplit: a number of sections must divide the axis."""
    if x.ndim < least:
        raise ShapeError(f"{op}: requires a tensor with at least {least} dimension, but got {x.ndim} dimensions")
    if isinstance(parts, str) or not (isinstance(parts, int) or hasattr(parts, "__iter__")):
        raise ArgumentTypeError(f"{op}: {type(parts).__name__} given; it wants a number of sections or a sequence of ends")
    if isinstance(parts, int) and (parts < 1 or x.shape[axis] % parts):
        raise ShapeError(
            f"{op}: attempted to split along dimension {axis}, but the size of the dimension {x.shape[axis]} is not "
            f"divisible by the split_size {parts}"
        )
    return tensor_split(x, parts, axis)


@generic
def hsplit(x: Array, indices_or_sections: Any) -> tuple[Array, ...]:
    """Split the second axis, or the only one of a vector, at indices or into equal pieces.

    Args:
        x: an array with one axis at least.
        indices_or_sections: where to split, or the number of pieces, which must divide the axis.

    Returns:
        A tuple of views.

    Raises:
        ShapeError: the pieces would not be equal, or x has no axes.
        ArgumentTypeError: it is neither a number nor a sequence.

    >>> nd.hsplit(nd.asarray([[1, 2], [3, 4]]), 2)
    (NDArray([[1],
             [3]]), NDArray([[2],
             [4]]))
    """
    return _even_split("hsplit", 1, x, indices_or_sections, min(x.ndim - 1, 1))


@generic
def vsplit(x: Array, indices_or_sections: Any) -> tuple[Array, ...]:
    """Split the first axis at indices or into equal pieces.

    Args:
        x: an array with two axes at least.
        indices_or_sections: where to split, or the number of pieces, which must divide the axis.

    Returns:
        A tuple of views.

    Raises:
        ShapeError: the pieces would not be equal, or x has fewer than two axes.
        ArgumentTypeError: it is neither a number nor a sequence.

    >>> nd.vsplit(nd.asarray([[1, 2], [3, 4]]), 2)
    (NDArray([[1, 2]]), NDArray([[3, 4]]))
    """
    return _even_split("vsplit", 2, x, indices_or_sections, 0)


@generic
def dsplit(x: Array, indices_or_sections: Any) -> tuple[Array, ...]:
    """Split the third axis at indices or into equal pieces.

    Args:
        x: an array with three axes at least.
        indices_or_sections: where to split, or the number of pieces, which must divide the axis.

    Returns:
        A tuple of views.

    Raises:
        ShapeError: the pieces would not be equal, or x has fewer than three axes.
        ArgumentTypeError: it is neither a number nor a sequence.

    >>> [part.shape for part in nd.dsplit(nd.ones((2, 3, 4)), 2)]
    [(2, 3, 2), (2, 3, 2)]
    """
    return _even_split("dsplit", 3, x, indices_or_sections, 2)


@generic
def unbind(x: Array, axis: int = 0) -> tuple[Array, ...]:
    """Return the slices along an axis, without it.

    Args:
        x: an array with one axis at least.
        axis: which axis.

    Returns:
        A tuple of views with one axis less, as many as the axis is long.

    Raises:
        IndexOutOfRange: the axis does not exist.

    >>> nd.unbind(nd.asarray([[1, 2], [3, 4]]))
    (NDArray([1, 2]), NDArray([3, 4]))
    """
    if not x.ndim:
        raise IndexOutOfRange(f"unbind: Dimension specified as {axis} but tensor has no dimensions")
    at = normalize_axis(axis, x.ndim, "unbind")
    lead = (slice(None),) * at
    return tuple(x[(*lead, i) if at else i] for i in range(x.shape[at]))


@generic
def unsafe_split(x: Array, sizes: int, axis: int = 0) -> tuple[Array, ...]:
    """Split an axis into pieces of one size, as `split` does.

    Args:
        x: an array with one axis at least.
        sizes: the length of each piece, of which the last may be shorter.
        axis: which axis.

    Returns:
        A tuple of views. They may always be written to.

    Raises:
        ShapeError: the size cannot be, or x has no axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.unsafe_split(nd.asarray([1, 2, 3]), 2)
    (NDArray([1, 2]), NDArray([3]))
    """
    return split(x, sizes, axis)


@generic
def unsafe_split_with_sizes(x: Array, sizes: Sequence[int], axis: int = 0) -> tuple[Array, ...]:
    """Split an axis into pieces of the given sizes, as `split_with_sizes` does.

    Args:
        x: an array with one axis at least.
        sizes: the lengths of the pieces, which add up to the axis'.
        axis: which axis.

    Returns:
        A tuple of views. They may always be written to.

    Raises:
        ShapeError: the sizes do not add up to the axis, one is negative, or x has no axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.unsafe_split_with_sizes(nd.asarray([1, 2, 3]), (2, 1))
    (NDArray([1, 2]), NDArray([3]))
    """
    return split_with_sizes(x, sizes, axis)


@generic
def unsafe_chunk(x: Array, chunks: int, axis: int = 0) -> tuple[Array, ...]:
    """Split an axis into at most so many pieces of equal length, as `chunk` does.

    Args:
        x: an array with one axis at least.
        chunks: how many pieces at most.
        axis: which axis.

    Returns:
        A tuple of views. They may always be written to.

    Raises:
        UsageError: `chunks` is not positive, or above 16 million where there are no items.
        ShapeError: x has no axes.
        IndexOutOfRange: the axis does not exist.

    >>> nd.unsafe_chunk(nd.asarray([1, 2, 3]), 3)
    (NDArray([1]), NDArray([2]), NDArray([3]))
    """
    return chunk(x, chunks, axis)
