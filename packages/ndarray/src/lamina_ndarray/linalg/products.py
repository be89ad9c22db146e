"""Products and parts of matrices: cross, multi_dot, diagonal, trace, vander; and the products that stand at the top, too."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..array_fields import ArrayFields, empty_of, view_of
from ..dispatch.namespace import composite, namespace, no_array
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


@composite
def matrix_transpose(x: Any, /) -> Any:
    """The last two axes exchanged.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    if x.ndim < 2:
        raise ShapeError(f"linalg.matrix_transpose: shape {x.shape} given; it wants at least two axes")
    return namespace(x).transpose(x, -2, -1)


def cross(a: NDArray, b: NDArray, /, axis: int = -1) -> NDArray:
    """The vector product along an axis of length 3, counted from the last where the numbers of axes differ; other axes
    broadcast.

    Raises:
        ShapeError: the axis has not length 3, or the shapes do not broadcast.
        IndexOutOfRange: the axis does not exist.
        DTypeError: they are boolean.
    """
    for given in (a, b):
        if not isinstance(given, ArrayFields):
            raise no_array("cross", given)
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
    made = empty_of(kernels, Layout.dense(shape))
    kernels["cross"](made, *vectors, axis=at + len(shape))
    return made


@composite
def diagonal(x: Any, /, *, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Any:
    """The diagonal of two axes, as a last axis.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: both axes are one.
    """
    return namespace(x).diagonal(x, offset, axis1, axis2)


@composite
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum along a diagonal of the last two axes; of booleans and integers in int64.

    Raises:
        ShapeError: there are fewer than two axes.
    """
    if x.ndim < 2:
        raise ShapeError(f"linalg.trace: shape {tuple(x.shape)} given; it wants at least two axes")
    xp = namespace(x)
    return xp.sum(xp.diagonal(x, offset, -2, -1), -1, dtype=dtype)


@composite
def vander(x: Any, /, *, N: int | None = None) -> Any:
    """The powers 0 .. N - 1 (by default as many as there are items) of the items of (..., n), as (..., n, N). A number counts as one item.

    Raises:
        ShapeError: N is less than 2.
        DTypeError: x is boolean.
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


@composite
def multi_dot(matrices: Sequence[Any], /) -> Any:
    """The product of two or more matrices, multiplied in the cheapest order (Cormen, Leiserson, Rivest and Stein,
    Introduction to Algorithms, section 14.2). The first may be a row, the last a column, given as vectors.

    Raises:
        ShapeError: fewer than two matrices, one that is none, or lengths that do not fit.
        DTypeError: the dtypes differ.
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
    product = _multiplied(parts, _cheapest(lengths))
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
    done = {(i, i): x for i, x in enumerate(parts)}
    waiting = [(0, len(parts) - 1)]
    while waiting:
        first, last = waiting[-1]
        if (first, last) not in done:
            k = parting[first, last]
            missing = [run for run in ((first, k), (k + 1, last)) if run not in done]
            if missing:
                waiting += missing
                continue
            done[first, last] = done[first, k] @ done[k + 1, last]
        waiting.pop()
    return done[0, len(parts) - 1]
