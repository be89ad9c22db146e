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
from ..dispatch.namespace import composite, namespace, no_array
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
    """The axes in order, and the layouts of the result without and with them."""
    axes = normalize_axes(axis, len(shape), op)
    dense = Layout.dense
    return axes, dense(reduced_shape(shape, axes, False)), dense(reduced_shape(shape, axes, True))


@lru_cache(1024)
def _plain_table(op: str, kernels: KernelTable) -> KernelTable | None:
    """The table of the result where the op needs no cast for inputs of this dtype, else None."""
    compute, result = result_dtypes(op, kernels.dtype)
    return kernels.sibling(result) if compute is kernels.dtype else None


def reduced(
    op: str, x: NDArray, axis: Axes, keepdims: bool, out: NDArray | None, dtype: Any = None, **params: Any
) -> NDArray:
    """What a kernel of the family "reduce" makes of an array."""
    try:
        layout = x.layout
    except AttributeError:
        raise no_array(op, x) from None
    if out is None and dtype is None and layout.size and not isinstance(axis, list):
        kernels = x.flat.kernels
        table = _plain_table(op, kernels)
        if table is not None:
            axes, without, kept_layout = layouts_over(layout.shape, axis, op)
            target = empty_of(table, without)
            kernels[op](target, x, axes=axes, **params)
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
    kept = reduced_shape(layout.shape, axes, True) if keepdims else shape
    if out is None:
        target = empty_of(kernels.sibling(result), Layout.dense(shape))
        kernels[op](target, x, axes=axes, **params)
        if dtype is not None:
            target = cast(target, kernels.sibling(dtype_of(dtype)))
        return view_of(target, Layout.dense(kept)) if keepdims else target
    written = destination(op, out, kept, result, (x,))
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


def extremes(op: str, x: NDArray, axis: int, keepdims: bool = False) -> ValuesIndices:
    """The greatest ("max") or smallest ("min") items along one axis, and where each is first; NaN wins.

    Raises:
        DTypeError: `x` is complex.
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
    """The sum over `axis` (an int, several, or None for all). Booleans and integers are summed in int64, unsigned ones in
    uint64.

    Raises:
        IndexOutOfRange: an axis does not exist.
    """
    if dtype is None and x.flat.dtype.kind == "u":
        dtype = dt.uint64
    return reduced("sum", x, axis, keepdims, out, dtype)


def prod(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """The product over `axis`. Booleans and integers are multiplied in int64, unsigned ones in uint64.

    Raises:
        IndexOutOfRange: an axis does not exist.
    """
    if dtype is None and x.flat.dtype.kind == "u":
        dtype = dt.uint64
    return reduced("prod", x, axis, keepdims, out, dtype)


def mean(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """The arithmetic mean over `axis`.

    Raises:
        DTypeError: `x` is boolean or integer, and no `dtype` is given.
    """
    if dtype is None and not x.dtype.is_inexact:
        raise DTypeError(
            f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {x.dtype.name}"
        )
    return reduced("mean", x, axis, keepdims, out, dtype)


def nansum(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """The sum of the items over `axis` that are not NaN; integers as by `sum`.

    Raises:
        DTypeError: `x` is complex.
    """
    if x.dtype.is_complex:
        raise DTypeError(f"nansum does not support complex inputs, but got {x.dtype!r}")
    if dtype is None and x.dtype.kind == "u":
        dtype = dt.uint64
    return reduced("nansum", x, axis, keepdims, out, dtype)


def nanmean(x: NDArray, axis: Axes = None, keepdims: bool = False, *, dtype: Any = None, out: Any = None) -> NDArray:
    """The mean of the items over `axis` that are not NaN; NaN where there are none.

    Raises:
        DTypeError: `x` is neither floating-point nor complex, or `dtype` is not.
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
    """The variance over `axis`: squared distances from the mean, summed, over `n - correction`. A correction
    of 1 is Bessel's, which PyTorch has by default.

    Raises:
        DTypeError: `x` is boolean or integer.
    """
    return reduced("var", x, axis, keepdims, out, correction=correction)


@composite
def std(x: Any, axis: Axes = None, keepdims: bool = False, *, correction: float = 0, out: Any = None) -> Any:
    """The standard deviation over `axis`: the root of `var`."""
    xp = namespace(x)
    return xp.sqrt(xp.var(x, axis, keepdims, correction=correction), out=out)


def max(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """The greatest item over `axis`; NaN if there is one.

    Raises:
        EmptyAxis: a reduced axis has no items.
    """
    return reduced("max", x, axis, keepdims, out)


def min(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """The smallest item over `axis`; NaN if there is one.

    Raises:
        EmptyAxis: a reduced axis has no items.
    """
    return reduced("min", x, axis, keepdims, out)


def any(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Whether an item over `axis` is nonzero; False where there is none."""
    return reduced("any", x, axis, keepdims, out)


def all(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """Whether every item over `axis` is nonzero; True where there is none."""
    return reduced("all", x, axis, keepdims, out)


def count_nonzero(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """How many items over `axis` are not zero, in int64."""
    return reduced("count_nonzero", x, axis, keepdims, out)


def logsumexp(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """The logarithm of the sum of exponentials over `axis`, without overflow."""
    return reduced("logsumexp", x, axis, keepdims, out)


def two_norm(x: NDArray, axis: Axes = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """The root of the sum of squared absolute values over `axis`: the Euclidean length of vectors.

    Raises:
        DTypeError: `x` is boolean or integer.
    """
    return reduced("two_norm", x, axis, keepdims, out)


def argmax(x: NDArray, axis: int | None = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """The int64 position of the greatest item along `axis`, or in row-major order of all; the first of equals.

    Raises:
        EmptyAxis: there are no items to choose from.
    """
    return reduced("argmax", x, None if axis is None else (axis,), keepdims, out)


def argmin(x: NDArray, axis: int | None = None, keepdims: bool = False, *, out: Any = None) -> NDArray:
    """The int64 position of the smallest item along `axis`, or in row-major order of all; the first of equals.

    Raises:
        EmptyAxis: there are no items to choose from.
    """
    return reduced("argmin", x, None if axis is None else (axis,), keepdims, out)


def sum_to_shape(x: NDArray, shape: tuple[int, ...]) -> NDArray:
    """The sum over everything that broadcasting `shape` to x's shape repeated: broadcasting undone.

    Raises:
        ShapeError: `shape` does not broadcast to x's.
    """
    own = x.layout.shape
    if own == shape:
        return x
    lead = len(own) - len(shape)
    if lead < 0 or builtins.any(n not in (1, m) for n, m in zip(shape, own[lead:], strict=True)):
        raise ShapeError(f"sum_to_size: size {shape} is not expandable to size {own}")
    axes = (*range(lead), *(lead + i for i, n in enumerate(shape) if n == 1 and own[lead + i] != 1))
    total = sum(x, axes) if axes else x
    return total if total.layout.shape == shape else view(total, shape)
