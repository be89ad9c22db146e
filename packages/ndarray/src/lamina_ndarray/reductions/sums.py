"""Sums, products, means and spreads of items, over any set of axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of

from ..dispatch.namespace import Array, generic, namespace
from ..shapes.views import view
from .folds import Axes, reduced

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["logsumexp", "mean", "nanmean", "nansum", "prod", "std", "sum", "sum_to_shape", "two_norm", "var"]


def sum(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the sum of the items over axes.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype; int64 for booleans and integers, uint64 for unsigned ones.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.sum(nd.asarray([[1.0, 2.0], [3.0, 4.0]]))
    NDArray(10.)
    >>> nd.sum(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 0)
    NDArray([4., 6.])
    """
    if dtype is None and x.flat.dtype.kind == "u":
        dtype = dt.uint64
    return reduced("sum", x, axis, keepdims, out, dtype)


def prod(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the product of the items over axes.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype; int64 for booleans and integers, uint64 for unsigned ones.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.prod(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 1)
    NDArray([ 2., 12.])
    """
    if dtype is None and x.flat.dtype.kind == "u":
        dtype = dt.uint64
    return reduced("prod", x, axis, keepdims, out, dtype)


def mean(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the arithmetic mean of the items over axes.

    Args:
        x: an array, floating-point or complex unless `dtype` is.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype or `dtype`; NaN where there are no items.

    Raises:
        DTypeError: x is boolean or integer, and no `dtype` is given.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.mean(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 0)
    NDArray([2., 3.])
    """
    if dtype is None and not x.dtype.is_inexact:
        raise DTypeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {x.dtype.name}"
        )
    return reduced("mean", x, axis, keepdims, out, dtype)


def nansum(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the sum over axes of the items that are not NaN; 0 where there are none.

    Args:
        x: a real array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype; int64 for booleans and integers, uint64 for unsigned ones.

    Raises:
        DTypeError: x is complex.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.nansum(nd.asarray([1.0, nd.nan, 2.0]))
    NDArray(3.)
    """
    if x.dtype.is_complex:
        raise DTypeError(f"nansum does not support complex inputs, but got {x.dtype!r}")
    if dtype is None and x.dtype.kind == "u":
        dtype = dt.uint64
    return reduced("nansum", x, axis, keepdims, out, dtype)


def nanmean(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """Compute the mean over axes of the items that are not NaN.

    Args:
        x: a floating-point or complex array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        dtype: to compute in, and of the result; None for the default one.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype or `dtype`; NaN where there are none.

    Raises:
        DTypeError: x is boolean or integer, or `dtype` is.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.nanmean(nd.asarray([1.0, nd.nan, 3.0]))
    NDArray(2.)
    """
    if dtype is not None and not dtype_of(dtype).is_inexact:
        raise DTypeError(
            f"nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            f"Got: {dtype_of(dtype).name}"
        )
    if not x.dtype.is_inexact:
        raise DTypeError(f"nanmean(): expected input to have floating point or complex dtype but got {x.dtype!r}")
    return reduced("nanmean", x, axis, keepdims, out, dtype)


def var(x: NDArray, axis: Axes = None, keepdims: bool = False, *, correction: float = 0, out: Any = None) -> NDArray:
    """Compute the variance over axes: the sum of squared distances from the mean, divided by n - correction.

    Args:
        x: a floating-point or complex array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        correction: what is subtracted from the number of items n; 1 is Bessel's correction, PyTorch's default.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's real dtype; NaN where there are no items.

    Raises:
        DTypeError: x is boolean or integer.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.var(nd.asarray([1.0, 2.0, 3.0, 4.0]))
    NDArray(1.2500)
    >>> nd.var(nd.asarray([1.0, 2.0, 3.0]), correction=1)
    NDArray(1.)
    """
    return reduced("var", x, axis, keepdims, out, correction=correction)


@generic
def std(x: Array, axis: Axes = None, keepdims: bool = False, *, correction: float = 0, out: Array | None = None) -> Array:
    """Compute the standard deviation over axes: the square root of `var`.

    Args:
        x: a floating-point or complex array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        correction: what is subtracted from the number of items n; 1 is Bessel's correction, PyTorch's default.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's real dtype; NaN where there are no items.

    Raises:
        DTypeError: x is boolean or integer.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.std(nd.asarray([1.0, 3.0]))
    NDArray(1.)
    """
    xp = namespace(x)
    return xp.sqrt(xp.var(x, axis, keepdims, correction=correction), out=out)


def logsumexp(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Compute the logarithm of the sum of exponentials over axes, without overflow.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype, or the default one for integers.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.logsumexp(nd.asarray([1000.0, -1000.0]))
    NDArray(1000.)
    """
    return reduced("logsumexp", x, axis, keepdims, out)


def two_norm(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Compute the Euclidean norm over axes: the square root of the sum of squared absolute values.

    Args:
        x: a floating-point or complex array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's real dtype.

    Raises:
        DTypeError: x is boolean or integer.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.two_norm(nd.asarray([[3.0, 4.0], [0.0, 2.0]]), 1)
    NDArray([5., 2.])
    """
    return reduced("two_norm", x, axis, keepdims, out)


def sum_to_shape(x: NDArray, shape: tuple[int, ...]) -> NDArray:
    """Sum an array over all that broadcasting to its shape has repeated.

    Args:
        x: an array of any dtype.
        shape: a shape that broadcasts to x's.

    Returns:
        An array of the given shape; x itself where it is x's.

    Raises:
        ShapeError: `shape` does not broadcast to x's.
    """
    x_shape = x.layout.shape
    if x_shape == shape:
        return x
    lead = len(x_shape) - len(shape)
    if lead < 0 or any(n not in (1, m) for n, m in zip(shape, x_shape[lead:], strict=True)):
        raise ShapeError(f"sum_to_size: size {shape} is not expandable to size {x_shape}")
    axes = (*range(lead), *(lead + i for i, n in enumerate(shape) if n == 1 and x_shape[lead + i] != 1))
    total = sum(x, axes) if axes else x
    return total if total.layout.shape == shape else view(total, shape)
