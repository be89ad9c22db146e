"""Where the items are that are not zero: these are counted first, so that there is room for their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lamina_flatarray import NoItems, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of, view_of
from ..creation.conversion import item
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["argwhere", "nonzero"]

_ALONE: Final = Layout.dense(())
_EVERY: Final = tuple(tuple(range(ndim)) for ndim in range(65))
"""All axes, by their number."""


def _room(x: NDArray) -> NDArray:
    """An uninitialised array for the positions of items that are not zero, one row for each axis."""
    kernels, ndim = x.flat.kernels, x.layout.ndim
    if not kernels.backend.holds_items:
        raise NoItems(f"nonzero: how many there are depends on the items, and {kernels.device} holds none")
    of_integers = kernels.sibling(dt.int64)
    count = empty_of(of_integers, _ALONE)
    kernels["count_nonzero"](count, x, axes=_EVERY[ndim])
    return empty_of(of_integers, Layout.dense((ndim, item(count))))


def positions(x: NDArray) -> NDArray:
    """The int64 positions of items that are not zero in row-major order, one row for each axis.

    Raises:
        ShapeError: x has no axes.
    """
    if not x.layout.ndim:
        raise ShapeError("nonzero: an array without axes has no positions; make it one of one item by atleast_1d")
    result = _room(x)
    x.flat.kernels["nonzero"](result, x)
    return result


def nonzero(x: NDArray) -> tuple[NDArray, ...]:
    """Find the positions of items that are not zero, in row-major order.

    Args:
        x: an array with at least one axis.

    Returns:
        One int64 vector per axis, as long as there are such items; together they are an index of x.

    Raises:
        ShapeError: x has no axes.

    >>> x = nd.asarray([[0, 7], [8, 0]])
    >>> nd.nonzero(x)
    (NDArray([0, 1]), NDArray([1, 0]))
    >>> x[nd.nonzero(x)]
    NDArray([7, 8])
    """
    coordinates = positions(x)
    layout = coordinates.layout
    if layout.shape[0] == 1:
        return (view_of(coordinates, Layout.dense(layout.shape[1:])),)
    return tuple([view_of(coordinates, layout.select(0, axis)) for axis in range(x.layout.ndim)])


def argwhere(x: NDArray) -> NDArray:
    """Find the positions of items that are not zero, one row each, in row-major order.

    Args:
        x: an array.

    Returns:
        int64, of shape `(number of such items, x.ndim)`; in memory, column after column, as PyTorch has it.

    >>> nd.argwhere(nd.asarray([[0, 7], [8, 0]]))
    NDArray([[0, 1],
             [1, 0]])
    """
    columns = _room(x)
    if x.layout.ndim:
        x.flat.kernels["nonzero"](columns, x)
    return view_of(columns, columns.layout.transpose(0, 1))
