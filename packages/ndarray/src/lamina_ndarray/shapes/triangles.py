"""Diagonals and triangles of matrices: cut out, put in, and where they lie."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import Device, IndexOutOfRange, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.devices import get_default_device

from ..array_fields import empty_of, view_of
from ..creation.constructors import ones
from ..creation.conversion import astype, to_device
from ..dispatch.namespace import Array, generic, namespace
from ..indexing.nonzero import positions
from ..indexing.selection import new_zeros
from ..layouts.broadcast import normalize_axis

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["diag", "diag_embed", "diagflat", "put_diagonal", "tril", "tril_indices", "triu", "triu_indices"]

_FAR: Final = 1 << 40
"""A diagonal beyond every matrix."""


def _kept(op: str, x: NDArray, k: int) -> NDArray:
    if x.layout.ndim < 2:
        raise ShapeError(f"{op}: input tensor must have at least 2 dimensions, got shape {x.layout.shape}")
    result = empty_of(x.flat.kernels, x.layout.compact)
    if not -_FAR < k < _FAR:  # beyond the matrix, as any number of that sign
        k = _FAR if k > 0 else -_FAR
    x.flat.kernels[op](result, x, diagonal=k)
    return result


def tril(x: NDArray, k: int = 0) -> NDArray:
    """Keep the lower triangles of matrices: the items up to the k-th diagonal.

    Args:
        x: (..., m, n), of any dtype.
        k: the last diagonal that is kept: 0 the main one, above it where positive.

    Returns:
        A new array of x's shape, with zeros above.

    Raises:
        ShapeError: there are fewer than two axes.

    >>> nd.tril(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[1, 0],
             [3, 4]])
    """
    return _kept("tril", x, k)


def triu(x: NDArray, k: int = 0) -> NDArray:
    """Keep the upper triangles of matrices: the items from the k-th diagonal on.

    Args:
        x: (..., m, n), of any dtype.
        k: the first diagonal that is kept: 0 the main one, above it where positive.

    Returns:
        A new array of x's shape, with zeros below.

    Raises:
        ShapeError: there are fewer than two axes.

    >>> nd.triu(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[1, 2],
             [0, 4]])
    """
    return _kept("triu", x, k)


def _places(op: str, rows: int, columns: int, offset: int, dtype: Any, device: Any) -> NDArray:
    if rows < 0 or columns < 0:
        raise ShapeError(f"{op}_indices: row and column must be non-negative, got {rows} and {columns}")
    place = get_default_device() if device is None else Device(device)
    # Found on the host: how many there are is known of items alone, which a device would be waited for.
    indices = to_device(positions(_kept(op, ones((rows, columns), dtype=dt.bool, device="cpu"), offset)), place)
    return indices if dtype is None else astype(indices, dtype, copy=False)


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Return the indices of the items of a lower triangle, in row-major order.

    Args:
        row: how many rows the matrix has.
        col: how many columns it has.
        offset: the last diagonal of the triangle: 0 the main one, above it where positive.
        dtype: of the result; None for int64.
        device: of the result; None for the default one.

    Returns:
        An array (2, count): the rows, and the columns.

    Raises:
        ShapeError: a length is negative.

    >>> nd.tril_indices(2, 2)
    NDArray([[0, 1, 1],
             [0, 0, 1]])
    """
    return _places("tril", row, col, offset, dtype, device)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Return the indices of the items of an upper triangle, in row-major order.

    Args:
        row: how many rows the matrix has.
        col: how many columns it has.
        offset: the first diagonal of the triangle: 0 the main one, above it where positive.
        dtype: of the result; None for int64.
        device: of the result; None for the default one.

    Returns:
        An array (2, count): the rows, and the columns.

    Raises:
        ShapeError: a length is negative.

    >>> nd.triu_indices(2, 2)
    NDArray([[0, 0, 1],
             [0, 1, 1]])
    """
    return _places("triu", row, col, offset, dtype, device)


def diag_embed(x: NDArray, offset: int = 0, axis1: int = -2, axis2: int = -1) -> NDArray:
    """Put the last axis of an array on the diagonals of matrices, with zeros elsewhere.

    Args:
        x: (..., n), of any dtype.
        offset: which diagonal: 0 the main one, above it where positive, below it where negative.
        axis1: the axis of the rows, in the result.
        axis2: the axis of the columns, in the result.

    Returns:
        A new array with one axis more; the matrices are n + abs(offset) long in both directions.

    Raises:
        UsageError: the two axes are the same.
        IndexOutOfRange: an axis does not exist, or x has none.

    >>> nd.diag_embed(nd.asarray([1, 2]))
    NDArray([[1, 0],
             [0, 2]])
    """
    layout = x.layout
    if not layout.ndim:
        raise IndexOutOfRange("diag_embed: shape () given; it wants at least one axis")
    a, b = normalize_axis(axis1, layout.ndim + 1, "diag_embed"), normalize_axis(axis2, layout.ndim + 1, "diag_embed")
    if a == b:
        raise UsageError(f"diag_embed: diagonal dimensions cannot be identical {axis1}, {axis2}")
    shape, side = list(layout.shape[:-1]), layout.shape[-1] + abs(offset)
    for axis in sorted((a, b)):
        shape.insert(axis, side)
    return put_diagonal(x, tuple(shape), offset, a, b)


def put_diagonal(values: NDArray, shape: tuple[int, ...], offset: int, axis1: int, axis2: int) -> NDArray:
    """Return zeros of a shape, with values on the diagonal of two axes: the transpose of reading that diagonal.

    Args:
        values: of the shape that `diagonal` gives for the result.
        shape: of the result.
        offset: which diagonal, as for `diagonal`.
        axis1: the axis of the rows.
        axis2: the axis of the columns.

    Returns:
        A new array of the shape, in the dtype of the values.
    """
    result = new_zeros(values, shape)
    values.flat.kernels["copy"](view_of(result, result.layout.diagonal(offset, axis1, axis2)), values)
    return result


@generic
def diag(x: Array, diagonal: int = 0) -> Array:
    """Return the matrix with a vector on its diagonal, or the diagonal of a matrix.

    Args:
        x: a vector, or a matrix.
        diagonal: which diagonal: 0 the main one, above it where positive, below it where negative.

    Returns:
        A new matrix for a vector, a new vector for a matrix.

    Raises:
        ShapeError: x is neither a vector nor a matrix.

    >>> nd.diag(nd.asarray([1, 2]))
    NDArray([[1, 0],
             [0, 2]])
    >>> nd.diag(nd.asarray([[1, 2], [3, 4]]))
    NDArray([1, 4])
    """
    if x.ndim not in (1, 2):
        raise ShapeError(f"diag: Supports 1D or 2D tensors. Got {x.ndim}D")
    xp = namespace(x)
    return xp.diag_embed(x, diagonal) if x.ndim == 1 else xp.copy(xp.diagonal(x, diagonal))


@generic
def diagflat(x: Array, offset: int = 0) -> Array:
    """Put all items of an array on the diagonal of a matrix.

    Args:
        x: an array of any shape, which is flattened.
        offset: which diagonal: 0 the main one, above it where positive, below it where negative.

    Returns:
        A new matrix with zeros beside the diagonal.

    >>> nd.diagflat(nd.asarray([[1], [2]]), 1)
    NDArray([[0, 1, 0],
             [0, 0, 2],
             [0, 0, 0]])
    """
    xp = namespace(x)
    return xp.diag_embed(xp.reshape(x, (math.prod(x.shape),)), offset)
