"""Arrays with a margin of one value around them, or with a margin cut off."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_int
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ShapeError

from ..array_fields import empty_of, view_of
from ..creation.scalars import as_number
from ..indexing.writable import fitted
from ..layouts.bounded_cache import BoundedCache
from ..layouts.image_order import image_layout
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["check_pairs", "constant_pad"]

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
        check_pairs("constant_pad", x, pad)
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


def check_pairs(op: str, x: NDArray, pad: Sequence[int]) -> None:
    """Refuse numbers that are not pairs, or too many.

    Raises:
        ShapeError: they are.
    """
    if len(pad) % 2 or len(pad) > 2 * x.ndim:
        raise ShapeError(f"{op}: pad of length {len(pad)} given; it wants pairs, at most {x.ndim} of them")
