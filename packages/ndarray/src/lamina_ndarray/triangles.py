"""Diagonals and triangles of matrices: cut out, put in, and where they lie."""

from __future__ import annotations

import math
from typing import Any

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_flatarray import dtypes as dt

from .array import NDArray
from .broadcast import normalize_axis
from .conversion import astype
from .creation import arange
from .finding import positions
from .namespace import composite, namespace
from .views import reshape

__all__ = ["diag", "diag_embed", "diagflat", "tril", "tril_indices", "triu", "triu_indices"]


def _kept(op: str, x: Any, keep: Any) -> Any:
    """x where `keep` holds of (column - row), else 0."""
    if x.ndim < 2:
        raise ShapeError(f"{op}: input tensor must have at least 2 dimensions, got shape {tuple(x.shape)}")
    xp = namespace(x)
    rows, columns = x.shape[-2:]
    distance = xp.arange(columns, device=x.device) - xp.reshape(xp.arange(rows, device=x.device), (rows, 1))
    return xp.where(keep(distance), x, False if x.dtype.kind == "b" else 0)


@composite
def tril(x: Any, k: int = 0) -> Any:
    """The lower triangles of the last two axes, up to the k-th diagonal; zeros above.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    return _kept("tril", x, lambda distance: distance <= k)


@composite
def triu(x: Any, k: int = 0) -> Any:
    """The upper triangles of the last two axes, from the k-th diagonal on; zeros below.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    return _kept("triu", x, lambda distance: distance >= k)


def _places(op: str, rows: int, columns: int, keep: Any, dtype: Any, device: Any) -> NDArray:
    if rows < 0 or columns < 0:
        raise ShapeError(f"{op}: row and column must be non-negative, got {rows} and {columns}")
    row = reshape(arange(rows, device=device), (rows, 1))
    found = positions(keep(arange(columns, device=device) - row))
    return astype(found, dt.int64 if dtype is None else dtype, copy=False)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """The rows and columns of a lower triangle's items in row-major order, as an array of shape (2, count).

    Raises:
        ShapeError: a length is negative.
    """
    return _places("tril_indices", row, col, lambda distance: distance <= offset, dtype, device)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """The rows and columns of an upper triangle's items in row-major order, as an array of shape (2, count).

    Raises:
        ShapeError: a length is negative.
    """
    return _places("triu_indices", row, col, lambda distance: distance >= offset, dtype, device)


@composite
def diag_embed(x: Any, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Any:
    """Matrices whose diagonals are the last axis of x, and zero elsewhere; `axis1` and `axis2` are the result's.

    Raises:
        ShapeError: the two axes are the same, or x has none.
        IndexOutOfRange: there is no such axis.
    """
    if not x.ndim:
        raise IndexOutOfRange("diag_embed: shape () given; it wants at least one axis")
    a, b = (normalize_axis(d, x.ndim + 1, "diag_embed") for d in (axis1, axis2))
    if a == b:
        raise ShapeError(f"diag_embed: diagonal dimensions cannot be identical {axis1}, {axis2}")
    xp = namespace(x)
    if a > b:  # the diagonal of the transposed matrix
        a, b, offset = b, a, -offset
    n = x.shape[-1]
    side = n + abs(offset)
    along = xp.arange(n, device=x.device)
    made = xp.new_zeros(x, (*x.shape[:-1], side, side))
    made = xp.index_put(made, (..., along + max(-offset, 0), along + max(offset, 0)), x)
    return xp.moveaxis(made, (-2, -1), (a, b))


@composite
def diag(x: Any, diagonal: int = 0) -> Any:
    """The matrix with a vector on its diagonal, or a copy of a matrix's diagonal.

    Raises:
        ShapeError: x is neither a vector nor a matrix.
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"diag: Supports 1D or 2D tensors. Got {x.ndim}D")
    xp = namespace(x)
    return diag_embed(x, diagonal) if x.ndim == 1 else xp.copy(xp.diagonal(x, diagonal))


@composite
def diagflat(x: Any, offset: int = 0) -> Any:
    """The matrix with all items of x on its diagonal."""
    return diag_embed(namespace(x).reshape(x, (math.prod(x.shape),)), offset)
