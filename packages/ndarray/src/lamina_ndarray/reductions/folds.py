"""What the reduce ops have in common: any set of axes, with or without keeping them, dtypes, and a place for the result."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lamina_flatarray import EmptyAxis
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import empty_of, view_of
from ..dispatch.namespace import no_array
from ..dispatch.operands import cast, destination, finish
from ..layouts.broadcast import normalize_axes, reduced_shape
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []

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
def plain_table(op: str, kernels: KernelTable) -> KernelTable | None:
    """The table of the result where the op needs no cast for inputs of this dtype, else None."""
    compute, result = result_dtypes(op, kernels.dtype)
    return kernels.sibling(result) if compute is kernels.dtype else None


@lru_cache(1024)
def _plan(
    op: str, kernels: KernelTable, shape: tuple[int, ...], axis: int | tuple[int, ...] | None
) -> tuple[KernelTable, tuple[int, ...], Layout, Layout] | None:
    """The table of the result, and what `layouts_over` gives, where the op needs no cast for inputs of this dtype, else None."""
    table = plain_table(op, kernels)
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
        refuse_empty(op, layout.shape, axes)
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


def refuse_empty(op: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    """Raise EmptyAxis if one of those axes has no items, for an op that has no result then."""
    for axis in axes:
        if shape[axis] == 0:
            raise EmptyAxis(
                f"{op}: axis {axis} of shape {shape} has no items, and {op} has no identity; "
                "it wants at least one item along each reduced axis"
            )
