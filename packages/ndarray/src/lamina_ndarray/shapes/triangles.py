"""Diagonals and triangles of matrices: cut out, put in, and where they lie."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of, view_of
from ..creation.constructors import ones
from ..creation.conversion import astype
from ..dispatch.namespace import composite, namespace
from ..indexing.nonzero import positions
from ..indexing.selection import new_zeros
from ..layouts.broadcast import normalize_axis

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["diag", "diag_embed", "diagflat", "put_diagonal", "tril", "tril_indices", "triu", "triu_indices"]


def _kept(op: str, x: NDArray, k: int) -> NDArray:
    if x.layout.ndim < 2:
        raise ShapeError(f"{op}: input tensor must have at least 2 dimensions, got shape {x.layout.shape}")
    made = empty_of(x.flat.kernels, x.layout.result)
    x.flat.kernels[op](made, x, diagonal=k)
    return made


def tril(x: NDArray, k: int = 0) -> NDArray:
    """The lower triangles of the last two axes, up to the k-th diagonal; zeros above.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    return _kept("tril", x, k)


def triu(x: NDArray, k: int = 0) -> NDArray:
    """The upper triangles of the last two axes, from the k-th diagonal on; zeros below.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    return _kept("triu", x, k)


def _places(op: str, rows: int, columns: int, offset: int, dtype: Any, device: Any) -> NDArray:
    if rows < 0 or columns < 0:
        raise ShapeError(f"{op}_indices: row and column must be non-negative, got {rows} and {columns}")
    found = positions(_kept(op, ones((rows, columns), dtype=dt.bool, device=device), offset))
    return found if dtype is None else astype(found, dtype, copy=False)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """The rows and columns of a lower triangle's items in row-major order, as an array of shape (2, count).

    Raises:
        ShapeError: a length is negative.
    """
    return _places("tril", row, col, offset, dtype, device)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """The rows and columns of an upper triangle's items in row-major order, as an array of shape (2, count).

    Raises:
        ShapeError: a length is negative.
    """
    return _places("triu", row, col, offset, dtype, device)


def diag_embed(x: NDArray, offset: int = 0, axis1: int = -2, axis2: int = -1) -> NDArray:
    """Matrices whose diagonals are the last axis of x, and zero elsewhere; `axis1` and `axis2` are the result's.

    Raises:
        ShapeError: the two axes are the same.
        IndexOutOfRange: there is no such axis, or x has none.
    """
    layout = x.layout
    if not layout.ndim:
        raise IndexOutOfRange("diag_embed: shape () given; it wants at least one axis")
    a, b = normalize_axis(axis1, layout.ndim + 1, "diag_embed"), normalize_axis(axis2, layout.ndim + 1, "diag_embed")
    if a == b:
        raise ShapeError(f"diag_embed: diagonal dimensions cannot be identical {axis1}, {axis2}")
    shape, side = list(layout.shape[:-1]), layout.shape[-1] + abs(offset)
    for axis in sorted((a, b)):
        shape.insert(axis, side)
    return put_diagonal(x, tuple(shape), offset, a, b)


def put_diagonal(values: NDArray, shape: tuple[int, ...], offset: int, axis1: int, axis2: int) -> NDArray:
    """Zeros of a shape with `values` on the diagonal of two axes: what reading that undoes to."""
    made = new_zeros(values, shape)
    values.flat.kernels["copy"](view_of(made, made.layout.diagonal(offset, axis1, axis2)), values)
    return made


@composite
def diag(x: Any, diagonal: int = 0) -> Any:
    """The matrix with a vector on its diagonal, or a copy of a matrix's diagonal.

    Raises:
        ShapeError: x is neither a vector nor a matrix.
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"diag: Supports 1D or 2D tensors. Got {x.ndim}D")
    xp = namespace(x)
    return xp.diag_embed(x, diagonal) if x.ndim == 1 else xp.copy(xp.diagonal(x, diagonal))


@composite
def diagflat(x: Any, offset: int = 0) -> Any:
    """The matrix with all items of x on its diagonal."""
    xp = namespace(x)
    return xp.diag_embed(xp.reshape(x, (math.prod(x.shape),)), offset)
