"""Products and parts of matrices: cross, multi_dot, diagonal, trace, vander; and the products that stand at the top, too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..array_fields import ArrayFields, empty_of, view_of
from ..dispatch.namespace import Array, generic, namespace, no_array
from ..dispatch.operands import cast, common_kernels, promoted_by_rank, refuse_undefined
from ..layouts.broadcast import broadcast_shapes, normalize_axis
from ..layouts.layout import Layout
from ..products.contractions import outer, vecdot
from ..products.matmul import matmul
from ..products.tensor_products import tensordot

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["cross", "diagonal", "matmul", "matrix_transpose", "multi_dot", "outer", "tensordot", "trace",
           "vander", "vecdot"]


@generic
def matrix_transpose(x: Array, /) -> Array:
    """Exchange the last two axes.

    Args:
        x: (..., m, n), of any dtype.

    Returns:
        A view (..., n, m).

    Raises:
        ShapeError: there are fewer than two axes.

    >>> nd.linalg.matrix_transpose(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[1, 3],
             [2, 4]])
    """
    if x.ndim < 2:
        raise ShapeError(f"linalg.matrix_transpose: shape {x.shape} given; it wants at least two axes")
    return namespace(x).transpose(x, -2, -1)


def cross(a: NDArray, b: NDArray, /, axis: int = -1) -> NDArray:
    """Compute the cross product of vectors of length 3 along an axis; other axes broadcast.

    Args:
        a: an array whose axis has length 3.
        b: an array whose axis has length 3.
        axis: along which the vectors lie; where a and b have different numbers of axes, it is that of the one with
            fewer.

    Returns:
        A new array of the broadcast shape, in the dtype of both together.

    Raises:
        ShapeError: the axis has not length 3, or the shapes do not broadcast.
        IndexOutOfRange: the axis does not exist.
        DTypeError: they are boolean, or not arrays.

    >>> nd.linalg.cross(nd.asarray([1, 0, 0]), nd.asarray([0, 1, 0]))
    NDArray([0, 0, 1])
    """
    for operand in (a, b):
        if not isinstance(operand, ArrayFields):
            raise no_array("cross", operand)
    x, y = a.layout, b.layout
    ndim = min(x.ndim, y.ndim)
    at = normalize_axis(axis, ndim, "linalg.cross") - ndim
    if not ndim or x.shape[at] != 3 or y.shape[at] != 3:
        raise ShapeError(f"linalg.cross: inputs dimension {axis} must have length 3; got shapes {x.shape} and {y.shape}")
    shape = x.shape if x.shape == y.shape else broadcast_shapes(x.shape, y.shape, op="linalg.cross")
    kernels = a.flat.kernels
    if b.flat.kernels is not kernels:
        kernels = common_kernels("cross", (a, b)).sibling(promoted_by_rank("cross", (a, b)))
    refuse_undefined("cross", kernels.dtype)
    vectors = [cast(o, kernels) for o in (a, b)]
    vectors = [o if o.layout.shape == shape else view_of(o, o.layout.broadcast_to(shape)) for o in vectors]
    result = empty_of(kernels, Layout.dense(shape))
    kernels["cross"](result, *vectors, axis=at + len(shape))
    return result


@generic
def diagonal(x: Array, /, *, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Array:
    """Return the diagonal of two axes, by default the last two, as a last axis.

    Args:
        x: an array with two axes at least.
        offset: which diagonal: 0 the main one, above it where positive, below it where negative.
        axis1: the axis of the rows.
        axis2: the axis of the columns.

    Returns:
        A view without the two axes, and with the diagonal's length last.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: the two axes are the same.

    >>> nd.linalg.diagonal(nd.asarray([[1, 2], [3, 4]]))
    NDArray([1, 4])
    """
    return namespace(x).diagonal(x, offset, axis1, axis2)


@generic
def trace(x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Sum the diagonals of matrices.

    Args:
        x: (..., m, n), of any dtype.
        offset: which diagonal: 0 the main one, above it where positive, below it where negative.
        dtype: to compute in, and of the result; None for the default one.

    Returns:
        (...) in x's dtype; int64 for booleans and integers, uint64 for unsigned ones.

    Raises:
        ShapeError: there are fewer than two axes.

    >>> nd.linalg.trace(nd.asarray([[1, 2], [3, 4]]))
    NDArray(5)
    """
    if x.ndim < 2:
        raise ShapeError(f"linalg.trace: shape {tuple(x.shape)} given; it wants at least two axes")
    xp = namespace(x)
    return xp.sum(xp.diagonal(x, offset, -2, -1), -1, dtype=dtype)


@generic
def vander(x: Array, /, *, N: int | None = None) -> Array:
    """Return the Vandermonde matrices of vectors: the powers 0 to N - 1 of each item, as a row.

    Args:
        x: (..., n), numbers; an array without axes counts as one item.
        N: how many powers, 2 or more; None for n.

    Returns:
        (..., n, N), in x's dtype; int64 for integers.

    Raises:
        UsageError: N is less than 2.
        DTypeError: x is boolean.

    >>> nd.linalg.vander(nd.asarray([2, 3]), N=3)
    NDArray([[1, 2, 4],
             [1, 3, 9]])
    """
    xp = namespace(x)
    if x.dtype.kind == "b":
        raise DTypeError("linalg.vander: not defined for bool")
    if not x.ndim:
        x = xp.reshape(x, (1,))
    count = x.shape[-1] if N is None else N
    if N is not None and N <= 1:
        raise UsageError(f"linalg.vander: N must be greater than 1; got {N}")
    column = xp.unsqueeze(x, -1)
    ones = xp.ones_like(column)
    if count <= 1:
        return xp.cumprod(ones[..., :count], -1)
    return xp.cumprod(xp.concat([ones, xp.broadcast_to(column, (*x.shape, count - 1))], -1), -1)


@generic
def multi_dot(matrices: Sequence[Array], /) -> Array:
    """Multiply two or more matrices in the cheapest order.

    Args:
        matrices: a sequence of matrices of one dtype, each with as many rows as the one before has columns. The first
            may be
            a vector, as a row, and the last, as a column.

    Returns:
        The product: a matrix, without the axis that a vector lacks.

    Raises:
        UsageError: there are fewer than two matrices.
        ShapeError: one is not a matrix, or lengths do not fit.
        DTypeError: the dtypes differ.

    The order is found by dynamic programming (Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, section
    14.2).

    >>> nd.linalg.multi_dot([nd.ones((2, 3)), nd.ones((3, 4)), nd.ones(4)])
    NDArray([12., 12.])
    """
    if len(matrices) < 2:
        raise UsageError(f"multi_dot(): expected at least 2 tensors but got {len(matrices)}")
    xp = namespace(*matrices)
    parts = list(matrices)
    for i, x in enumerate(parts):
        if x.ndim != 2 and not (x.ndim == 1 and i in (0, len(parts) - 1)):
            raise ShapeError(f"multi_dot(): tensor {i} must be 2D (the first and the last 1D or 2D), but it is {x.ndim}D")
        if x.dtype is not parts[0].dtype:
            raise DTypeError(
                f"multi_dot(): all tensors must have the same dtype; tensor 0 is {parts[0].dtype.name}, {i} {x.dtype.name}"
            )
    row, column = parts[0].ndim == 1, parts[-1].ndim == 1
    if row:
        parts[0] = xp.unsqueeze(parts[0], 0)
    if column:
        parts[-1] = xp.unsqueeze(parts[-1], 1)
    lengths = [x.shape[0] for x in parts] + [parts[-1].shape[1]]
    for i, x in enumerate(parts):
        if x.shape[1] != lengths[i + 1]:
            raise ShapeError(
                f"multi_dot(): tensors {i} and {i + 1} with shapes {tuple(x.shape)} and {tuple(parts[i + 1].shape)} cannot "
                "be multiplied"
            )
    product = parts[0] @ parts[1] if len(parts) == 2 else _multiplied(parts, _cheapest(lengths))
    shape = product.shape[1 if row else 0 : 1 if column else 2]
    return xp.reshape(product, shape) if row or column else product


def _cheapest(lengths: list[int]) -> dict[tuple[int, int], int]:
    """For every run of matrices first .. last, after which one to part it."""
    count = len(lengths) - 1
    cost = {(i, i): 0 for i in range(count)}
    parting = {}
    for width in range(1, count):
        for first in range(count - width):
            last = first + width
            price = [
                cost[first, k] + cost[k + 1, last] + math.prod((lengths[first], lengths[k + 1], lengths[last + 1]))
                for k in range(first, last)
            ]
            cost[first, last] = min(price)
            parting[first, last] = first + price.index(min(price))
    return parting


def _multiplied(parts: list[Any], parting: dict[tuple[int, int], int]) -> Any:
    """Multiply as told, from the inner runs to the outer, without recursion."""
    products = {(i, i): x for i, x in enumerate(parts)}
    waiting = [(0, len(parts) - 1)]
    while waiting:
        first, last = waiting[-1]
        if (first, last) not in products:
            k = parting[first, last]
            missing = [run for run in ((first, k), (k + 1, last)) if run not in products]
            if missing:
                waiting += missing
                continue
            products[first, last] = products[first, k] @ products[k + 1, last]
        waiting.pop()
    return products[0, len(parts) - 1]
