"""Running results along an axis: sums, products, extremes, and logarithms of sums of exponentials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentValueError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import empty_of
from ..creation.constructors import zeros_like
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import cast, destination, finish
from ..dispatch.results import ValuesIndices
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout
from ..shapes.views import copy
from ..sorting.order import paired

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "cummax", "cummin", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "logcumsumexp",
    "products_of_others", "running_max", "running_min",
]  # fmt: skip


def _scan(op: str, x: NDArray, axis: int, dtype: Any, out: NDArray | None) -> NDArray:
    at = normalize_axis(axis, x.layout.ndim, op)
    result = result_dtypes(op, x.dtype)[1] if dtype is None else dtype_of(dtype)
    kernels = x.flat.kernels.sibling(result)
    if kernels is not x.flat.kernels:
        x = cast(x, kernels)
    shape = x.layout.shape
    target = (
        empty_of(kernels, Layout.dense(shape)) if out is None else destination(op, out, shape, result, (x,))
    )
    if x.layout.ndim == 0:
        kernels["copy"](target, x)
    else:
        kernels[op](target, x, axis=at)
    return target if out is None else finish(out, target)


def cumsum(x: NDArray, axis: int = -1, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the running sum along an axis.

    Args:
        x: an array of any dtype.
        axis: along which.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array of x's shape, in x's dtype; int64 for booleans and integers.

    Raises:
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.cumsum(nd.asarray([1, 2, 3]))
    NDArray([1, 3, 6])
    """
    return _scan("cumsum", x, axis, dtype, out)


def cumprod(x: NDArray, axis: int = -1, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the running product along an axis.

    Args:
        x: an array of any dtype.
        axis: along which.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array of x's shape, in x's dtype; int64 for booleans and integers.

    Raises:
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.cumprod(nd.asarray([1, 2, 3, 4]))
    NDArray([ 1,  2,  6, 24])
    """
    return _scan("cumprod", x, axis, dtype, out)


def products_of_others(x: NDArray, axis: int = -1) -> NDArray:
    """Compute, per item, the product of all others along an axis: what the product of all changes by with the item.

    Args:
        x: an array of floats or complex numbers.
        axis: along which.

    Returns:
        An array of x's shape and dtype; 1 for an item that is alone.

    Raises:
        DTypeError: x holds integers.
        IndexOutOfRange: the axis does not exist.

    >>> nd.products_of_others(nd.asarray([2.0, 0.0, 5.0]))
    NDArray([ 0., 10.,  0.])
    """
    return _scan("products_of_others", x, axis, None, None)


def running_max(x: NDArray, axis: int = -1) -> NDArray:
    """Compute the running maximum along an axis; NaN from the first one on.

    Args:
        x: a real array.
        axis: along which.

    Returns:
        An array of x's shape and dtype.

    Raises:
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.

    >>> nd.running_max(nd.asarray([1.0, 3.0, 2.0]))
    NDArray([1., 3., 3.])
    """
    return _scan("running_max", x, axis, None, None)


def running_min(x: NDArray, axis: int = -1) -> NDArray:
    """Compute the running minimum along an axis; NaN from the first one on.

    Args:
        x: a real array.
        axis: along which.

    Returns:
        An array of x's shape and dtype.

    Raises:
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.

    >>> nd.running_min(nd.asarray([2.0, 3.0, 1.0]))
    NDArray([2., 2., 1.])
    """
    return _scan("running_min", x, axis, None, None)


def logcumsumexp(x: NDArray, axis: int = -1, *, out: Any = None) -> NDArray:
    """Compute the logarithm of the running sum of exponentials along an axis, without overflow.

    Args:
        x: a floating-point or complex array.
        axis: along which.
        out: where the result goes, if not to a new array.

    Returns:
        An array of x's shape and dtype.

    Raises:
        DTypeError: x is boolean or integer.
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.logcumsumexp(nd.asarray([-1000.0, 1000.0]))
    NDArray([-1000.,  1000.])
    """
    return _scan("logcumsumexp", x, axis, None, out)


def _extremes_so_far(op: str, x: NDArray, axis: int) -> ValuesIndices[NDArray]:
    at, several = normalize_axis(axis, x.layout.ndim, op), x.layout.ndim and x.layout.size
    if x.flat.dtype.is_complex and not several:  # where nothing is compared, items need no order
        return ValuesIndices(copy(x), zeros_like(x, dtype=dt.int64))
    pair = paired(op, x, x.layout.shape)
    if x.layout.ndim:
        x.flat.kernels[op](pair, x, axis=at)
    return ValuesIndices._make(pair)


def cummax(x: NDArray, axis: int = -1) -> ValuesIndices[NDArray]:
    """Compute the running maximum along an axis and its indices; NaN counts as the greatest.

    Args:
        x: a real array, or a complex one without axes or items.
        axis: along which.

    Returns:
        `values` of x's shape and dtype, and int64 `indices`: where the maximum is, the last of equals.

    Raises:
        DTypeError: x is complex, and has axes and items.
        IndexOutOfRange: the axis does not exist.

    >>> nd.cummax(nd.asarray([1.0, 3.0, 2.0]))
    ValuesIndices(values=NDArray([1., 3., 3.]), indices=NDArray([0, 1, 1]))
    """
    return _extremes_so_far("cummax", x, axis)


def cummin(x: NDArray, axis: int = -1) -> ValuesIndices[NDArray]:
    """Compute the running minimum along an axis and its indices; NaN counts as the smallest.

    Args:
        x: a real array, or a complex one without axes or items.
        axis: along which.

    Returns:
        `values` of x's shape and dtype, and int64 `indices`: where the minimum is, the last of equals.

    Raises:
        DTypeError: x is complex, and has axes and items.
        IndexOutOfRange: the axis does not exist.

    >>> nd.cummin(nd.asarray([2.0, 3.0, 1.0]))
    ValuesIndices(values=NDArray([2., 2., 1.]), indices=NDArray([0, 0, 2]))
    """
    return _extremes_so_far("cummin", x, axis)


def _cumulative(name: str, x: Array, axis: int | None, dtype: Any, include_initial: bool, initial: int) -> Array:
    xp = namespace(x)
    if axis is None:
        if x.ndim != 1:
            raise ArgumentValueError(f"{name}: an axis is needed for an array of {x.ndim} dims, since only one of 1 dim has no choice")
        axis = 0
    at = normalize_axis(axis, x.ndim, name)
    if dtype is None and x.dtype.kind == "u":
        dtype = xp.uint64  # the standard keeps the kind, where PyTorch goes to int64
    result = (xp.cumsum if initial == 0 else xp.cumprod)(x, at, dtype=dtype)
    if not include_initial:
        return result
    first = tuple(1 if i == at else n for i, n in enumerate(x.shape))
    return xp.concat([xp.full(first, initial, dtype=result.dtype, device=x.device), result], at)


@generic
def cumulative_sum(x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Compute the running sum along an axis, as the Array API has it.

    Args:
        x: an array of any dtype.
        axis: along which; it may be left out where there is only one.
        dtype: to compute in, and of the result; None for the default one.
        include_initial: whether the result begins with 0, and is one longer.

    Returns:
        An array of x's shape, or one longer along the axis, in x's dtype; int64 for booleans and integers, uint64 for
        unsigned ones.

    Raises:
        ArgumentValueError: no axis is given, and there is not exactly one.
        IndexOutOfRange: the axis does not exist.

    >>> nd.cumulative_sum(nd.asarray([1, 2, 3]), include_initial=True)
    NDArray([0, 1, 3, 6])
    """
    return _cumulative("cumulative_sum", x, axis, dtype, include_initial, 0)


@generic
def cumulative_prod(x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Compute the running product along an axis, as the Array API has it.

    Args:
        x: an array of any dtype.
        axis: along which; it may be left out where there is only one.
        dtype: to compute in, and of the result; None for the default one.
        include_initial: whether the result begins with 1, and is one longer.

    Returns:
        An array of x's shape, or one longer along the axis, in x's dtype; int64 for booleans and integers, uint64 for
        unsigned ones.

    Raises:
        ArgumentValueError: no axis is given, and there is not exactly one.
        IndexOutOfRange: the axis does not exist.

    >>> nd.cumulative_prod(nd.asarray([1, 2, 3]), include_initial=True)
    NDArray([1, 1, 2, 6])
    """
    return _cumulative("cumulative_prod", x, axis, dtype, include_initial, 1)
