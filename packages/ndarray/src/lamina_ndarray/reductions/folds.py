"""The reduce ops as functions of arrays: over any set of axes, with or without keeping them."""

from __future__ import annotations

import builtins
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, EmptyAxis, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import empty_of, view_of
from ..dispatch.namespace import Array, generic, namespace, no_array
from ..dispatch.operands import cast, destination, finish
from ..dispatch.results import ValuesIndices
from ..layouts.broadcast import normalize_axes, reduced_shape
from ..layouts.layout import Layout
from ..shapes.views import view

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "extremes",
    "logsumexp",
    "max",
    "mean",
    "min",
    "nanmean",
    "nansum",
    "prod",
    "std",
    "sum",
    "sum_to_shape",
    "two_norm",
    "var",
]

Axes = int | tuple[int, ...] | list[int] | None

_NO_IDENTITY = frozenset({"max", "min", "argmax", "argmin"})


@lru_cache(1024)
def layouts_over(shape: tuple[int, ...], axis: Axes, op: str) -> tuple[tuple[int, ...], Layout, Layout]:
    """Return the axes of a reduction in order, and the layouts of its result.

    Args:
        shape: of the input.
        axis: an axis or several; None for all.
        op: whom an error names.

    Returns:
        The axes, from 0 and ascending, and the layouts of the result without and with them.
    """
    axes = normalize_axes(axis, len(shape), op)
    dense = Layout.dense
    return axes, dense(reduced_shape(shape, axes, False)), dense(reduced_shape(shape, axes, True))


@lru_cache(1024)
def _plain_table(op: str, kernels: KernelTable) -> KernelTable | None:
    """The table of the result where the op needs no cast for inputs of this dtype, else None."""
    compute, result = result_dtypes(op, kernels.dtype)
    return kernels.sibling(result) if compute is kernels.dtype else None


@lru_cache(1024)
def _plan(
    op: str, kernels: KernelTable, shape: tuple[int, ...], axis: int | tuple[int, ...] | None
) -> tuple[KernelTable, tuple[int, ...], Layout, Layout] | None:
    """The table of the result, and what `layouts_over` gives, where the op needs no cast for inputs of this dtype, else None."""
    table = _plain_table(op, kernels)
    return None if table is None else (table, *layouts_over(shape, axis, op))


def reduced(
    op: str, x: NDArray, axis: Axes, keepdims: bool, out: NDArray | None, dtype: Any = None, **params: Any
) -> NDArray:
    """Run a kernel of the family "reduce" on an array.

    Args:
        op: its name.
        x: the array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.
        dtype: to compute in, and of the result; None for what the op's record says.
        params: the kernel's other parameters.

    Returns:
        The result: a new array, or `out`.

    Raises:
        DTypeError: x is not an array, or the op is not defined for its dtype.
        EmptyAxis: the op has no result for a reduced axis without items.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.
    """
    try:
        layout = x.layout
    except AttributeError:
        raise no_array(op, x) from None
    if out is None and dtype is None and layout.size and not isinstance(axis, list):
        kernels = x.flat.kernels
        plan = _plan(op, kernels, layout.shape, axis)
        if plan is not None:
            table, axes, without, kept_layout = plan
            target = empty_of(table, without)
            if params:
                kernels[op](target, x, axes=axes, **params)
            else:  # to unpack what is empty costs as much as to reduce a small array
                kernels[op](target, x, axes=axes)
            return view_of(target, kept_layout) if keepdims else target
    axes = normalize_axes(axis, layout.ndim, op)
    if dtype is not None:
        x = cast(x, x.flat.kernels.sibling(dtype_of(dtype)))
    compute, result = result_dtypes(op, x.dtype)
    kernels = x.flat.kernels.sibling(compute)
    x = cast(x, kernels)
    if op in _NO_IDENTITY and layout.size == 0:
        _refuse_empty(op, layout.shape, axes)
    shape = reduced_shape(layout.shape, axes, False)
    result_shape = reduced_shape(layout.shape, axes, True) if keepdims else shape
    if out is None:
        target = empty_of(kernels.sibling(result), Layout.dense(shape))
        kernels[op](target, x, axes=axes, **params)
        if dtype is not None:
            target = cast(target, kernels.sibling(dtype_of(dtype)))
        return view_of(target, Layout.dense(result_shape)) if keepdims else target
    written = destination(op, out, result_shape, result, (x,))
    kernels[op](_without_axes(written, axes) if keepdims else written, x, axes=axes, **params)
    return finish(out, written)


def _without_axes(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    layout = x.layout
    for axis in reversed(axes):
        layout = layout.select(axis, 0)
    return view_of(x, layout)


def _refuse_empty(op: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    for axis in axes:
        if shape[axis] == 0:
            raise EmptyAxis(
                f"{op}: axis {axis} of shape {shape} has no items, and {op} has no identity; "
                "it wants at least one item along each reduced axis"
            )


def extremes(op: str, x: NDArray, axis: int, keepdims: bool = False) -> ValuesIndices[NDArray]:
    """Return the greatest or smallest items along an axis, and the index of the first of each; NaN wins.

    Args:
        op: "max" or "min".
        x: a real array.
        axis: along which.
        keepdims: whether the axis stays, with length 1.

    Returns:
        `values` in x's dtype and int64 `indices`, both without the axis.

    Raises:
        DTypeError: x is complex.
        EmptyAxis: there are no items along the axis.
        IndexOutOfRange: the axis does not exist.
    """
    layout, kernels = x.layout, x.flat.kernels
    axes, without, kept = layouts_over(layout.shape, axis, op)
    if not layout.size:
        _refuse_empty(op, layout.shape, axes)
    table = _plain_table("argmax" if op == "max" else "argmin", kernels)
    assert table is not None  # positions are found in any dtype
    positions, values = empty_of(table, without), empty_of(kernels, without)
    if layout.size:
        kernels["argmax" if op == "max" else "argmin"](positions, x, axes=axes)
        kernels["gather"](view_of(values, kept), x, view_of(positions, kept), axis=axes[0])
    return ValuesIndices(view_of(values, kept), view_of(positions, kept)) if keepdims else ValuesIndices(values, positions)


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


def max(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Compute the greatest item over axes; NaN where there is one.

    Args:
        x: a real array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype.

    Raises:
        EmptyAxis: a reduced axis has no items.
        DTypeError: x is complex.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.max(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 1)
    NDArray([2., 4.])
    """
    return reduced("max", x, axis, keepdims, out)


def min(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Compute the smallest item over axes; NaN where there is one.

    Args:
        x: a real array.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in x's dtype.

    Raises:
        EmptyAxis: a reduced axis has no items.
        DTypeError: x is complex.
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.min(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), 1)
    NDArray([1., 3.])
    """
    return reduced("min", x, axis, keepdims, out)


def any(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Tell whether any item over axes is nonzero.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, of booleans; False where there are no items.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.any(nd.asarray([[True, False], [False, False]]), 1)
    NDArray([ True, False])
    """
    return reduced("any", x, axis, keepdims, out)


def all(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Tell whether all items over axes are nonzero.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, of booleans; True where there are no items.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.all(nd.asarray([[True, False], [True, True]]), 1)
    NDArray([False,  True])
    """
    return reduced("all", x, axis, keepdims, out)


def count_nonzero(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Count the items over axes that are not zero.

    Args:
        x: an array of any dtype.
        axis: an axis or several to reduce; None for all.
        keepdims: whether reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An array without the reduced axes, in int64.

    Raises:
        IndexOutOfRange: an axis does not exist.
        ShapeError: an axis is named twice, or `out` has another shape.

    >>> nd.count_nonzero(nd.asarray([0, 3, -1]))
    NDArray(2)
    """
    return reduced("count_nonzero", x, axis, keepdims, out)


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


def argmax(x: NDArray, axis: int | None = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Return the index of the greatest item along an axis; the first of equals, and that of a NaN where there is one.

    Args:
        x: a real array.
        axis: along which; None for the index in row-major order of all items.
        keepdims: whether the reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An int64 array without the axis.

    Raises:
        EmptyAxis: there are no items to choose from.
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.argmax(nd.asarray([[1.0, 5.0], [3.0, 2.0]]), 1)
    NDArray([1, 0])
    >>> nd.argmax(nd.asarray([[1.0, 5.0], [3.0, 2.0]]))
    NDArray(1)
    """
    return reduced("argmax", x, None if axis is None else (axis,), keepdims, out)


def argmin(x: NDArray, axis: int | None = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Return the index of the smallest item along an axis; the first of equals, and that of a NaN where there is one.

    Args:
        x: a real array.
        axis: along which; None for the index in row-major order of all items.
        keepdims: whether the reduced axes stay, with length 1.
        out: where the result goes, if not to a new array.

    Returns:
        An int64 array without the axis.

    Raises:
        EmptyAxis: there are no items to choose from.
        DTypeError: x is complex.
        IndexOutOfRange: the axis does not exist.
        ShapeError: `out` has another shape.

    >>> nd.argmin(nd.asarray([[1.0, 5.0], [3.0, 2.0]]), 1)
    NDArray([0, 1])
    >>> nd.argmin(nd.asarray([[1.0, 5.0], [3.0, 2.0]]))
    NDArray(0)
    """
    return reduced("argmin", x, None if axis is None else (axis,), keepdims, out)


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
    if lead < 0 or builtins.any(n not in (1, m) for n, m in zip(shape, x_shape[lead:], strict=True)):
        raise ShapeError(f"sum_to_size: size {shape} is not expandable to size {x_shape}")
    axes = (*range(lead), *(lead + i for i, n in enumerate(shape) if n == 1 and x_shape[lead + i] != 1))
    total = sum(x, axes) if axes else x
    return total if total.layout.shape == shape else view(total, shape)
