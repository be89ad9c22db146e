"""In which order the axes of an array lie in memory, and results whose axes lie in an order that an op wants."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..dispatch.namespace import Array, Functions, generic, namespace
from .bounded_cache import BoundedCache
from .broadcast import normalize_axes
from .layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["in_order_of", "innermost", "laid_in_order", "laid_like", "outermost_first"]

_ORDERS: Final[BoundedCache[tuple[bytes, tuple[int, ...] | None], tuple[int, ...]]] = BoundedCache("orders in memory", 1024)
"""From packed layouts, and axes, to these in their order."""


def outermost_first(x: NDArray, axes: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return axes of an array in their order in memory, the one with the longest steps first.

    Args:
        x: an array.
        axes: which axes; None for all. Of steps of one length, the axis that is named first comes first.

    Returns:
        The axes, from 0.

    Raises:
        IndexOutOfRange: an axis does not exist.

    >>> nd.outermost_first(nd.permute(nd.zeros((2, 3, 4)), (2, 1, 0)))
    (2, 1, 0)
    """
    layout = x.layout
    key = layout.packed, axes if axes is None else tuple(axes)
    known = _ORDERS.get(key)
    if known is not None:
        return known
    chosen = range(layout.ndim) if axes is None else normalize_axes(axes, layout.ndim, "outermost_first")
    return _ORDERS.remember(key, tuple(sorted(chosen, key=lambda axis: -layout.strides[axis])))


def in_order_of(shape: tuple[int, ...], order: Sequence[int]) -> Layout:
    """Return the dense layout of a shape whose axes lie in this order, the outermost first.

    Args:
        shape: the lengths.
        order: all axes.

    >>> from lamina_ndarray.layouts.memory_order import in_order_of
    >>> in_order_of((2, 3, 4), (2, 0, 1)).strides
    (3, 1, 6)
    """
    places = [0] * len(order)
    for place, axis in enumerate(order):
        places[axis] = place
    return Layout.dense(tuple([shape[axis] for axis in order])).permute(places)


@lru_cache(4096)
def innermost(operand: Layout, shape: tuple[int, ...], at: int) -> Layout:
    """Return the dense layout of a shape in which one axis lies innermost, and the others as they do in an operand.

    Args:
        operand: a layout of as many axes.
        shape: the lengths.
        at: the axis.
    """
    others = [axis for axis in range(operand.ndim) if axis != at]
    return in_order_of(shape, (*sorted(others, key=lambda axis: -operand.strides[axis]), at))


@generic
def laid_like(result: Array, x: Array) -> Array:
    """Return a row-major result with its axes in the order in which those of a copy of x lie in memory.

    Args:
        result: an array that nobody else has.
        x: an array of as many axes.

    >>> from lamina_ndarray.layouts.memory_order import laid_like
    >>> laid_like(nd.zeros((2, 3)), nd.transpose(nd.zeros((3, 2)))).layout.strides
    (1, 2)
    """
    xp = namespace(x)
    rows = tuple(range(x.ndim))
    if xp.outermost_first(x) == rows:
        return result
    order = xp.outermost_first(xp.copy(x))  # where x repeats items along an axis, that says nothing
    if order == rows:
        return result
    return laid_in_order(xp, result, order)


def laid_in_order(xp: Functions[Array], result: Array, order: tuple[int, ...]) -> Array:
    """Return a result with its axes in this order in memory, the outermost first.

    Args:
        xp: the functions that suit it.
        result: an array that nobody else has.
        order: all axes.
    """
    return xp.permute(xp.contiguous(xp.permute(result, order)), sorted(range(len(order)), key=order.__getitem__))
