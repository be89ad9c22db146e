"""Arrays with a margin around them, of one value or of their own items, or with a margin cut off."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_int
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ShapeError

from ..array_fields import empty_of, view_of
from ..creation.scalars import as_number
from ..dispatch.namespace import Array, generic, namespace
from ..indexing.writable import fitted
from ..layouts.bounded_cache import BoundedCache
from ..layouts.image_order import image_layout
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["circular_pad", "constant_pad", "reflect_pad", "replicate_pad"]

_PADDED: Final[BoundedCache[tuple[bytes, tuple[int, ...]], tuple[Layout, Layout, Layout]]] = BoundedCache("constant_pad", 512)
"""From a packed layout and margins to what `_placed` gives."""


def constant_pad(x: NDArray, pad: Sequence[int], value: Any = 0) -> NDArray:
    """Pad an array with one value.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.
        value: a number of a kind that x's dtype holds.

    Returns:
        A new array of x's dtype, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or cut off more than there is.
        DTypeError: x's dtype cannot hold the value.

    >>> nd.constant_pad(nd.asarray([[1, 2], [3, 4]]), (1, 0))
    NDArray([[0, 1, 2],
             [0, 3, 4]])
    """
    margins = tuple(map(as_int, pad))
    layout = x.layout
    padded = _PADDED.get((layout.packed, margins))
    if padded is None:
        _check_pairs("constant_pad", x, pad)
        padded = _PADDED.remember((layout.packed, margins), _placed(layout, margins))
    whole, target, source = padded
    number = value if value.__class__ is int or value.__class__ is float else as_number("constant_pad", value)
    kernels = x.flat.kernels
    number = fitted("constant_pad", number, kernels.dtype)
    result = empty_of(kernels, whole)
    kernels["fill"](result, value=number)
    kernels["copy"](view_of(result, target), view_of(x, source))
    return result


def _placed(source: Layout, pad: tuple[int, ...]) -> tuple[Layout, Layout, Layout]:
    """The layouts of the result, of the part of it that is copied, and of where that is copied from."""
    shape = list(source.shape)
    for i in range(len(pad) // 2):
        a, b = pad[2 * i], pad[2 * i + 1]
        if shape[-1 - i] + min(a, 0) + min(b, 0) < 0:
            raise ShapeError(f"constant_pad: pad {list(pad)} cuts off more than there is in shape {source.shape}")
        shape[-1 - i] += a + b
    whole = target = image_layout(tuple(shape), source)
    for i in range(len(pad) // 2):
        axis, a, b = len(shape) - 1 - i, pad[2 * i], pad[2 * i + 1]
        source = source.slice(axis, max(-a, 0), max(source.shape[axis] - max(-b, 0), 0))
        target = target.slice(axis, max(a, 0), max(a, 0) + source.shape[axis])
    return whole, target, source


def _check_pairs(op: str, x: Array, pad: Sequence[int]) -> None:
    if len(pad) % 2 or len(pad) > 2 * x.ndim:
        raise ShapeError(f"{op}: pad of length {len(pad)} given; it wants pairs, at most {x.ndim} of them")


def _pairs(op: str, x: Array, pad: Sequence[int]) -> list[tuple[int, int, int]]:
    """(axis, before, after) for each axis that changes, from the last backwards."""
    _check_pairs(op, x, pad)
    pairs = [(x.ndim - 1 - i, pad[2 * i], pad[2 * i + 1]) for i in range(len(pad) // 2)]
    for axis, a, b in pairs:
        if x.shape[axis] + a + b < 0 or -a > x.shape[axis] or -b > x.shape[axis]:
            raise ShapeError(f"{op}: pad {list(pad)} cuts off more than there is in shape {tuple(x.shape)}")
    return [(axis, a, b) for axis, a, b in pairs if a or b]


def _part(x: Array, axis: int, start: int | None, stop: int | None) -> Array:
    return x[(*(slice(None),) * axis, slice(start, stop))]


def _kept(x: Array, axis: int, before: int, after: int) -> Array:
    """What negative numbers leave of an axis."""
    return _part(x, axis, max(-before, 0), x.shape[axis] - max(-after, 0))


def _between(before: Any, kept: Any, after: Any, axis: int) -> Any:
    """What is kept of an axis, between what comes before and after it, if anything does."""
    return namespace(kept).concat([part for part in (before, kept, after) if part is not None], axis)


@generic
def reflect_pad(x: Array, pad: Sequence[int]) -> Array:
    """Pad an array with its mirror image on both sides, in which the first and the last item are not repeated.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.

    Returns:
        An array of x's dtype, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or one is not less than the axis' length.

    >>> nd.reflect_pad(nd.asarray([1, 2, 3]), (2, 1))
    NDArray([3, 2, 1, 2, 3, 2])
    """
    xp = namespace(x)
    for axis, a, b in _pairs("reflect_pad", x, pad):
        n = x.shape[axis]
        if max(a, b) >= n:
            raise ShapeError(
                "reflect_pad: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({a}, {b}) at dimension {axis} of input {list(x.shape)}"
            )
        before = xp.flip(_part(x, axis, 1, a + 1), axis) if a > 0 else None
        after = xp.flip(_part(x, axis, n - 1 - b, n - 1), axis) if b > 0 else None
        x = _between(before, _kept(x, axis, a, b), after, axis)
    return x


@generic
def replicate_pad(x: Array, pad: Sequence[int]) -> Array:
    """Pad an array by repeating its first and its last item.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.

    Returns:
        An array of x's dtype, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or there is no item to repeat.

    >>> nd.replicate_pad(nd.asarray([1, 2, 3]), (2, 1))
    NDArray([1, 1, 1, 2, 3, 3])
    """
    xp = namespace(x)
    for axis, a, b in _pairs("replicate_pad", x, pad):
        n = x.shape[axis]
        if not n:
            raise ShapeError(f"replicate_pad: shape {tuple(x.shape)} has no items to repeat along axis {axis}")
        lead, rest = x.shape[:axis], x.shape[axis + 1 :]
        before = xp.broadcast_to(_part(x, axis, 0, 1), (*lead, a, *rest)) if a > 0 else None
        after = xp.broadcast_to(_part(x, axis, n - 1, n), (*lead, b, *rest)) if b > 0 else None
        x = _between(before, _kept(x, axis, a, b), after, axis)
    return x


@generic
def circular_pad(x: Array, pad: Sequence[int]) -> Array:
    """Pad each end of an array with the items of the other end, as if its axes, or what is kept of them, were rings.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.

    Returns:
        An array of x's dtype, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or one is greater than the axis' length.

    >>> nd.circular_pad(nd.asarray([1, 2, 3]), (2, 1))
    NDArray([2, 3, 1, 2, 3, 1])
    """
    x = namespace(x).contiguous(x)  # PyTorch's result is row-major whatever order x lies in
    for axis, a, b in _pairs("circular_pad", x, pad):
        n = x.shape[axis]
        if max(a, b) > n:
            raise ShapeError(
                f"circular_pad: Padding value causes wrapping around more than once: ({a}, {b}) at dimension {axis} of input "
                f"{list(x.shape)}"
            )
        ring = _kept(x, axis, a, b)
        before = _part(ring, axis, ring.shape[axis] - a, None) if a > 0 else None
        x = _between(before, ring, _part(ring, axis, 0, b) if b > 0 else None, axis)
    return x
