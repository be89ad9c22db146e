"""Sizes of vectors and matrices: norms, condition numbers, rank."""

from __future__ import annotations

import math
from typing import Any

from lamina_flatarray import DTypeError, EmptyAxis, ShapeError, UsageError
from lamina_flatarray.dtypes import dtype_of

from ..dispatch.namespace import Array, Functions, generic, namespace
from ..layouts.broadcast import normalize_axes, reduced_shape
from .stacks import check_factorable, check_inexact, check_matrices, check_square, eps_of

__all__ = ["cond", "matrix_norm", "matrix_rank", "norm", "vector_norm"]

Axes = int | tuple[int, ...] | list[int] | None


def _in_dtype(op: str, x: Array, dtype: Any) -> Array:
    """x in the dtype that a norm is asked for in."""
    check_inexact(op, x)
    if dtype is None:
        return x
    result_dtype = dtype_of(dtype)
    if not result_dtype.is_inexact or result_dtype.is_complex is not x.dtype.is_complex:
        raise DTypeError(f"{op}: dtype {result_dtype.name} given for {x.dtype.name}; it wants one of the same kind")
    if result_dtype.itemsize < x.dtype.itemsize:
        raise DTypeError(f"{op}: the dtype of the input ({x.dtype.name}) should be convertible without narrowing to "
                         f"{result_dtype.name}")  # fmt: skip
    return namespace(x).astype(x, result_dtype)


@generic
def vector_norm(x: Array, /, ord: float = 2, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Array:
    """Compute a norm of vectors, `sum(abs(x)**ord) ** (1 / ord)`, over any axes.

    Args:
        x: a floating-point or complex array.
        ord: the order: a number, inf for the greatest absolute value, -inf for the smallest, 0 for the count of
            nonzeros.
        axis: an axis or several; None for all, () for each item by itself.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, of x's kind and no narrower; None for x's.

    Returns:
        A real array without the axes. Its gradient at zero is zero.

    Raises:
        DTypeError: x is boolean or integer, `dtype` narrows it, or the order is not a real number.
        ShapeError: an axis without items has no negative or infinite norm.
        IndexOutOfRange: an axis does not exist.

    >>> nd.linalg.vector_norm(nd.asarray([3.0, 4.0]))
    NDArray(5.)
    >>> nd.linalg.vector_norm(nd.asarray([3.0, -4.0]), 1)
    NDArray(7.)
    """
    op = "linalg.vector_norm"
    axes = normalize_axes(axis, x.ndim, op)
    if ord == 2 and dtype is None and x.dtype.is_inexact and axes:
        return namespace(x).two_norm(x, axes, keepdims)
    if isinstance(ord, (str, complex)):
        raise DTypeError(f"{op}: expected a number as order, got {ord!r}")
    x = _in_dtype(op, x, dtype)
    xp = namespace(x)
    if ord == 2 and axes:
        return xp.two_norm(x, axes, keepdims)
    narrow = x.dtype if x.dtype.itemsize < 4 else None
    if narrow is not None:
        x = xp.astype(x, xp.float32)
    if (ord < 0 or ord == math.inf) and any(x.shape[a] == 0 for a in axes):
        raise ShapeError(
            f"{op} cannot compute the {ord} norm on an empty tensor because the operation does not have an identity; "
            f"got shape {tuple(x.shape)}"
        )
    norms = _folded(xp, x, ord, axes, keepdims)
    return norms if narrow is None else xp.astype(norms, narrow)


def _folded(xp: Functions[Array], x: Array, ord: float, axes: tuple[int, ...], keepdims: bool) -> Array:
    size = xp.abs(x)
    if not axes:  # of single numbers
        return _counted(xp, size) if ord == 0 else size
    if ord == math.inf:
        return xp.max(size, axes, keepdims)
    if ord == -math.inf:
        return xp.min(size, axes, keepdims)
    if ord == 0:
        return xp.sum(_counted(xp, size), axes, keepdims)
    if ord == 1:
        return xp.sum(size, axes, keepdims)
    if ord < 1:  # where the power of a zero has no finite slope, either
        zero = xp.equal(size, 0)
        at_zero = xp.full_like(size, 0.0 if ord > 0 else math.inf)
        powers = xp.where(zero, at_zero, xp.where(zero, xp.ones_like(size), size) ** ord)
    else:
        powers = size**ord
    total = xp.sum(powers, axes, keepdims)
    none = xp.equal(total, 0)  # where a root has no finite slope
    root = xp.where(none, xp.ones_like(total), total)
    if ord < 0:
        return total ** (1 / ord)
    return xp.where(none, xp.zeros_like(total), root ** (1 / ord))


def _counted(xp: Any, size: Any) -> Any:
    """1 where an item is not 0; with a gradient, which is 0."""
    return xp.where(size == size, xp.sign(size), xp.ones_like(size))


_ORDERS = ("fro", "nuc", math.inf, -math.inf, 1, -1, 2, -2)


@generic
def matrix_norm(
    x: Array,
    /,
    ord: Any = "fro",
    axis: tuple[int, int] | list[int] = (-2, -1),
    keepdims: bool = False,
    *,
    dtype: Any = None,
) -> Array:
    """Compute a norm of matrices that lie along two axes.

    Args:
        x: a floating-point or complex array with two axes at least.
        ord: "fro", the root of the sum of squares; "nuc", the sum of the singular values; 2 and -2, the greatest and
            the
            smallest singular value; 1 and -1, the greatest and the smallest sum of a column; inf and -inf, of a row.
        axis: the axes of the rows and of the columns.
        keepdims: whether the two axes stay, with length 1.
        dtype: to compute in, of x's kind and no narrower; None for x's.

    Returns:
        A real array without the two axes.

    Raises:
        DTypeError: x is boolean or integer, or `dtype` narrows it.
        UsageError: the order is another one, or `axis` is not a pair.
        ShapeError: x has fewer than two axes, both are the same, or an axis without items has no smallest sum.
        IndexOutOfRange: an axis does not exist.

    >>> nd.linalg.matrix_norm(nd.asarray([[3.0, 0.0], [0.0, 4.0]]))
    NDArray(5.)
    >>> nd.linalg.matrix_norm(nd.asarray([[3.0, 1.0], [0.0, 4.0]]), 1)
    NDArray(5.)
    """
    op = "linalg.matrix_norm"
    if x.ndim < 2:
        raise ShapeError(f"{op}: The input tensor A must have at least 2 dimensions; got shape {tuple(x.shape)}")
    if isinstance(axis, int) or len(axis) != 2:
        raise UsageError(f"{op}: dim must be a 2-tuple. Got {axis!r}")
    if ord not in _ORDERS:
        raise UsageError(f"{op}: Order {ord!r} not supported; it wants one of {', '.join(map(repr, _ORDERS))}")
    normalize_axes(tuple(axis), x.ndim, op)
    if ord == "fro" and dtype is None and x.dtype.is_inexact:
        return namespace(x).two_norm(x, tuple(axis), keepdims)
    rows, columns = (a + x.ndim if a < 0 else a for a in axis)
    if ord == "fro":
        return namespace(x).linalg.vector_norm(x, 2, (rows, columns), keepdims, dtype=dtype)
    x = _in_dtype(op, x, dtype)
    xp = namespace(x)
    if ord in ("nuc", 2, -2):
        others = [a for a in range(x.ndim) if a not in (rows, columns)]
        values = xp.linalg.svdvals(xp.permute(x, (*others, rows, columns)))
        norms = xp.sum(values, -1) if ord == "nuc" else _extreme(xp, op, values, -1, ord > 0, False)
        return xp.reshape(norms, _kept(x.shape, (rows, columns))) if keepdims else norms
    along, over = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = xp.linalg.vector_norm(x, 1, along, True)
    norms = _extreme(xp, op, sums, over, ord > 0, True)
    return norms if keepdims else xp.squeeze(norms, (rows, columns))


def _extreme(xp: Functions[Array], op: str, x: Array, axis: int, greatest: bool, keepdims: bool) -> Array:
    if x.shape[axis]:
        return (xp.max if greatest else xp.min)(x, axis, keepdims)
    if not greatest:
        raise EmptyAxis(f"{op}: the smallest of nothing is asked for; got an axis of length 0")
    return xp.zeros(reduced_shape(x.shape, (axis % x.ndim,), keepdims), dtype=x.dtype, device=x.device)  # no size is below 0


def _kept(shape: tuple[int, ...], axes: tuple[int, int]) -> tuple[int, ...]:
    return tuple([1 if a in axes else n for a, n in enumerate(shape)])


@generic
def norm(x: Array, /, ord: Any = None, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None) -> Array:
    """Compute a vector norm along one axis, or a matrix norm along two.

    Args:
        x: a floating-point or complex array.
        ord: the order, as for `vector_norm` or `matrix_norm`; None for the root of the sum of squares over any axes.
        axis: one axis or two; None for all of x, which then has one or two where there is an order.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, of x's kind and no narrower; None for x's.

    Returns:
        A real array without the axes.

    Raises:
        DTypeError: x is boolean or integer, or `dtype` narrows it.
        UsageError: an order is given, but neither one nor two axes, or it is not one of such.
        ShapeError: an order is given, but no axis, and x has neither one nor two.
        IndexOutOfRange: an axis does not exist.

    >>> nd.linalg.norm(nd.asarray([[3.0, 0.0], [0.0, 4.0]]))
    NDArray(5.)
    >>> nd.linalg.norm(nd.asarray([[3.0, 1.0], [0.0, 4.0]]), 1, 0)
    NDArray([3., 5.])
    """
    linalg = namespace(x).linalg
    if ord is None:
        return linalg.vector_norm(x, 2, axis, keepdims, dtype=dtype)
    axes = (axis,) if isinstance(axis, int) else axis
    if axes is None and x.ndim not in (1, 2):
        raise ShapeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {x.ndim}D."
        )
    if axes is not None and len(axes) not in (1, 2):
        raise UsageError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {axis!r}")
    if axes is None:
        axes = (0,) if x.ndim == 1 else (0, 1)
    if len(axes) == 2:
        return linalg.matrix_norm(x, ord, tuple(axes), keepdims, dtype=dtype)
    if isinstance(ord, str):
        raise UsageError(f"linalg.norm: order {ord!r} is of matrices, but one axis is given, or a vector")
    return linalg.vector_norm(x, ord, axes[0], keepdims, dtype=dtype)


@generic
def cond(x: Array, /, p: Any = None) -> Array:
    """Compute the condition numbers of matrices: how much they magnify relative errors.

    Args:
        x: (..., m, n), floating-point or complex; square where p needs the inverse.
        p: the order of `matrix_norm` in `norm(x) * norm(inv(x))`; None or 2 for the greatest over the smallest singular
            value, -2 for its inverse.

    Returns:
        (...), real; infinite where there is no inverse.

    Raises:
        ShapeError: there are fewer than two axes, or the matrices are not square though p needs their inverse.
        UsageError: p is not an order of matrices.
        DTypeError: x is of integers, or of 16 bits.

    >>> nd.linalg.cond(nd.asarray([[4.0, 0.0], [0.0, 2.0]]))
    NDArray(2.)
    """
    xp = namespace(x)
    check_matrices("linalg.cond", x)
    check_factorable("linalg.cond", x)
    if p in (None, 2, -2):
        values = xp.linalg.svdvals(x)
        if not values.shape[-1]:
            return xp.sum(values, -1)
        ratio = values[..., 0] / values[..., -1] if p != -2 else values[..., -1] / values[..., 0]
        return xp.where(xp.isnan(ratio) & ~xp.any(xp.isnan(values), -1), xp.full_like(ratio, math.inf), ratio)
    if p not in _ORDERS:
        raise UsageError(f"linalg.cond got an invalid norm type: {p!r}; it wants one of {', '.join(map(repr, _ORDERS))}")
    check_square("linalg.cond", x)
    if not x.shape[-1]:
        return xp.sum(xp.abs(x), (-2, -1))
    inverse, info = xp.linalg.inv_ex(x)
    result = xp.linalg.matrix_norm(x, p) * xp.linalg.matrix_norm(
        xp.where(xp.not_equal(xp.unsqueeze(xp.unsqueeze(info, -1), -1), 0), xp.zeros_like(inverse), inverse), p
    )
    return xp.where(xp.not_equal(info, 0), xp.full_like(result, math.inf), result)


def tolerance(x: Any, values: Array, atol: Any, rtol: Any) -> Array:
    """Return the singular values up to which they count as 0: `max(atol, rtol * the greatest)`, per matrix.

    Args:
        x: (..., m, n), the matrices.
        values: (..., k), their singular values.
        atol: a number, or (...); None for 0.
        rtol: a number, or (...); None for max(m, n) * eps, or for 0 where atol is given and not 0.

    Returns:
        (..., 1), in the dtype of the values.
    """
    xp = namespace(values)
    if rtol is None:
        has_atol = atol is not None and (not isinstance(atol, (int, float)) or atol > 0)
        default = eps_of(x) * max(x.shape[-2:])
        rtol = 0.0 if has_atol and isinstance(atol, (int, float)) else default
        if has_atol and not isinstance(atol, (int, float)):  # per matrix: the default where atol is 0
            rtol = xp.where(atol > 0, xp.zeros_like(atol), xp.full_like(atol, default))
    greatest = xp.max(values, -1, True)
    relative = greatest * (rtol if isinstance(rtol, (int, float)) else xp.unsqueeze(rtol, -1))
    if atol is None:
        return relative
    absolute = atol if isinstance(atol, (int, float)) else xp.unsqueeze(atol, -1)
    return xp.maximum(relative, absolute)


@generic
def matrix_rank(
    x: Array, /, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Array:
    """Count the singular values of matrices that are greater than `max(atol, rtol * the greatest)`.

    Args:
        x: (..., m, n), floating-point or complex.
        tol: PyTorch's older name of `atol`, with an rtol of 0.
        hermitian: whether the matrices are Hermitian, so that absolute eigenvalues serve.
        atol: a number, or one per matrix; None for 0.
        rtol: a number, or one per matrix; None for max(m, n) * eps, or for 0 where atol is given.

    Returns:
        int64 (...).

    Raises:
        ShapeError: there are fewer than two axes, or Hermitian matrices that are not square.
        DTypeError: x is of integers, or of 16 bits.

    >>> nd.linalg.matrix_rank(nd.asarray([[1.0, 2.0], [2.0, 4.0]]))
    NDArray(1)
    """
    xp = namespace(x)
    (check_square if hermitian else check_matrices)("linalg.matrix_rank", x)
    check_factorable("linalg.matrix_rank", x)
    if tol is not None:
        atol, rtol = tol, 0.0
    values = xp.abs(xp.linalg.eigvalsh(x)) if hermitian else xp.linalg.svdvals(x)
    if not values.shape[-1]:
        return xp.sum(xp.astype(values, xp.int64), -1)
    return xp.sum(values > tolerance(x, values, atol, rtol), -1)
