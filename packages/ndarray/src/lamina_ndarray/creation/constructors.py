"""Arrays of a shape: uninitialised, or filled with a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DType, ShapeError
from lamina_flatarray import backends as registry
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype, scalar_dtype

from ..array_fields import ArrayFields, array_of, empty_of, view_of
from ..layouts.broadcast import integers
from ..layouts.layout import Layout
from .scalars import HELD_BY_ALL, as_number, fitting

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "empty",
    "empty_like",
    "empty_permuted",
    "empty_strided",
    "eye",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "scalar_tensor",
    "zeros",
    "zeros_like",
]

Shape = int | Sequence[int]


def _shape(op: str, shape: Shape) -> tuple[int, ...]:
    lengths = integers(shape, op)
    if any(n < 0 for n in lengths):
        raise ShapeError(f"{op}: shape {lengths} given; lengths must be 0 or more")
    return lengths


def empty(shape: Shape, *, dtype: Any = None, device: Any = None, memory_format: str = "contiguous") -> NDArray:
    """Allocate an array without initialising its items.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.
        memory_format: the order of axes in memory: "contiguous" (row-major), "fortran", "channels_last" or
            "channels_last_3d".

    Returns:
        An array whose items are whatever the memory holds.

    Raises:
        ShapeError: a length is negative, or the format wants another number of axes.
        BackendError: nobody serves the device.

    >>> nd.empty((2, 3), memory_format="fortran").strides
    (1, 2)
    """
    if memory_format == "contiguous":
        return dense("empty", shape, dtype, device)
    result_dtype = get_default_dtype() if dtype is None else dtype_of(dtype)
    try:
        layout = Layout.formatted(integers(shape, "empty"), memory_format)
    except ShapeError as error:
        raise ShapeError(f"empty: {str(error).removeprefix('Layout: ')}") from None
    return empty_of(registry.kernels(device, result_dtype), layout)


def dense(op: str, shape: Shape, dtype: Any, device: Any) -> NDArray:
    """An uninitialised row-major array, for the function `op`."""
    if dtype.__class__ is not DType:
        dtype = dt.default if dtype is None else dtype_of(dtype)
    kernels = registry.kernels(device, dtype)
    try:
        return empty_of(kernels, Layout.dense(shape if shape.__class__ is tuple else integers(shape, op)))
    except TypeError:  # within the tuple
        return empty_of(kernels, Layout.dense(integers(shape, op)))
    except ShapeError as error:
        raise ShapeError(f"{op}: {str(error).removeprefix('Layout: ')}") from None


def empty_strided(shape: Sequence[int], strides: Sequence[int], *, dtype: Any = None, device: Any = None) -> NDArray:
    """Allocate an array with these strides, without initialising it, in as much memory as they reach.

    Args:
        shape: the lengths of the axes.
        strides: one per axis, in items: 0 repeats an item, and gaps stay unused.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape and the strides.

    Raises:
        ShapeError: there are not as many strides as lengths, or one of either is negative.

    >>> x = nd.empty_strided((2, 3), (1, 4))
    >>> x.shape, x.strides, x.flat.size
    ((2, 3), (1, 4), 10)
    """
    lengths, steps = _shape("empty_strided", shape), tuple(strides)
    if len(lengths) != len(steps):
        raise ShapeError(
            f"empty_strided: dimensionality of sizes ({len(lengths)}) must match dimensionality of strides ({len(steps)})"
        )
    if any(step < 0 for step in steps):
        raise ShapeError(f"empty_strided: strides {steps} given; they must be 0 or more")
    layout = Layout.of(lengths, steps)
    memory = empty((layout.extent()[1] + 1,), dtype=dtype, device=device)
    return array_of(memory.flat, layout)


def empty_permuted(
    shape: Sequence[int], physical_layout: Sequence[int], *, dtype: Any = None, device: Any = None
) -> NDArray:
    """Allocate a dense array whose axes lie in memory in another order, without initialising it.

    Args:
        shape: the lengths of the axes.
        physical_layout: the axes in the order in which they lie in memory, the outermost first, each once.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape, without gaps.

    Raises:
        ShapeError: not every axis is named once, or one is named from the end.

    >>> nd.empty_permuted((2, 3, 4), (0, 2, 1)).strides
    (12, 1, 3)
    """
    lengths, order = _shape("empty_permuted", shape), tuple(physical_layout)
    if sorted(order) != list(range(len(lengths))):
        raise ShapeError(
            f"empty_permuted: physical_layout {order} for shape {lengths}; it wants each of 0 to {len(lengths) - 1} once"
        )
    physical = empty([lengths[axis] for axis in order], dtype=dtype, device=device)
    return array_of(physical.flat, physical.layout.permute([order.index(axis) for axis in range(len(order))]))


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array that holds one value everywhere.

    Args:
        shape: a length or several.
        fill_value: a number, or an array without axes.
        dtype: by default that of the value.
        device: by default, the default device.

    Returns:
        An array of the shape.

    Raises:
        ShapeError: a length is negative.
        DTypeError: the value does not fit into the dtype.

    >>> nd.full((2, 3), 7)
    NDArray([[7, 7, 7],
             [7, 7, 7]])
    """
    if dtype is None and fill_value.__class__ is not float:
        dtype = fill_value.dtype if isinstance(fill_value, ArrayFields) else scalar_dtype(as_number("full", fill_value))
    return _filled("full", dense("full", shape, dtype, device), fill_value)


def _filled(op: str, x: NDArray, value: Any) -> NDArray:
    kernels = x.flat.kernels
    if value.__class__ is not float or not kernels.dtype.is_inexact or not -HELD_BY_ALL <= value <= HELD_BY_ALL:
        value = fitting(op, as_number(op, value), kernels.dtype)
    kernels["fill"](x, value=value)
    return x


def scalar_tensor(value: Any, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array without axes from one number; unlike `asarray`, in the default dtype whatever the number's kind is.

    Args:
        value: the number.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of shape `()`.

    Raises:
        DTypeError: the value does not fit into the dtype.

    >>> nd.scalar_tensor(3).dtype, nd.asarray(3).dtype
    (lamina.float32, lamina.int64)
    """
    return full((), value, dtype=get_default_dtype() if dtype is None else dtype, device=device)


def zeros(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array of zeros.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape.

    >>> nd.zeros((2, 2), dtype=nd.int32)
    NDArray([[0, 0],
             [0, 0]], dtype=lamina.int32)
    """
    result = dense("zeros", shape, dtype, device)
    result.flat.kernels["fill"](result, value=0)
    return result


def ones(shape: Shape, *, dtype: Any = None, device: Any = None) -> NDArray:
    """Create an array of ones.

    Args:
        shape: a length or several.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of the shape.

    >>> nd.ones((2, 3))
    NDArray([[1., 1., 1.],
             [1., 1., 1.]])
    """
    result = dense("ones", shape, dtype, device)
    result.flat.kernels["fill"](result, value=1)
    return result


def empty_like(x: NDArray, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve") -> NDArray:
    """Allocate an array like another one, without initialising it.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    >>> x = nd.empty_like(nd.zeros((2, 3)).T, dtype=nd.int8)
    >>> x.shape, x.strides, x.dtype
    ((3, 2), (1, 3), lamina.int8)
    """
    result_dtype = x.dtype if dtype is None else dtype if dtype.__class__ is DType else dtype_of(dtype)
    kernels = x.flat.kernels.sibling(result_dtype) if device is None else registry.kernels(device, result_dtype)
    if memory_format == "preserve":
        return empty_of(kernels, x.layout.like)
    return empty_of(kernels, Layout.formatted(x.layout.shape, memory_format))


def full_like(
    x: NDArray, fill_value: Any, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve"
) -> NDArray:
    """Create an array like another one that holds one value everywhere.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        fill_value: a number, or an array without axes.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    Raises:
        DTypeError: the value does not fit into the dtype.

    >>> nd.full_like(nd.zeros((2, 2)), 0.5)
    NDArray([[0.5000, 0.5000],
             [0.5000, 0.5000]])
    """
    result = empty_like(x, dtype=dtype, device=device, memory_format=memory_format)
    return _filled("full_like", result, fill_value)


def zeros_like(
    x: NDArray, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve"
) -> NDArray:
    """Create an array of zeros like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    >>> nd.zeros_like(nd.asarray([[1, 2], [3, 4]]))
    NDArray([[0, 0],
             [0, 0]])
    """
    result = empty_like(x, dtype=dtype, device=device, memory_format=memory_format)
    result.flat.kernels["fill"](result, value=0)
    return result


def ones_like(
    x: NDArray, *, dtype: Any = None, device: Any = None, memory_format: str = "preserve"
) -> NDArray:
    """Create an array of ones like another one.

    Args:
        x: whose shape, dtype, device and order of axes to take, unless others are given.
        dtype: x's own where None.
        device: x's own where None.
        memory_format: "preserve" for x's order of axes where x is dense, else row-major; or one of `empty`'s.

    Returns:
        An array of x's shape.

    >>> nd.ones_like(nd.zeros((2, 2)), dtype=nd.bool)
    NDArray([[True, True],
             [True, True]])
    """
    result = empty_like(x, dtype=dtype, device=device, memory_format=memory_format)
    result.flat.kernels["fill"](result, value=1)
    return result


def eye(n_rows: int, n_cols: int | None = None, *, k: int = 0, dtype: Any = None, device: Any = None) -> NDArray:
    """Create a matrix with ones on one diagonal and zeros elsewhere.

    Args:
        n_rows: the number of rows.
        n_cols: the number of columns; as many as rows where None.
        k: which diagonal: 0 for the main one, positive ones above it, negative ones below.
        dtype: by default, the default dtype.
        device: by default, the default device.

    Returns:
        An array of shape `(n_rows, n_cols)`.

    Raises:
        ShapeError: a length is negative.

    >>> nd.eye(2, 3, k=1)
    NDArray([[0., 1., 0.],
             [0., 0., 1.]])
    """
    result = zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype, device=device)
    ones_there = view_of(result, result.layout.diagonal(k))
    result.flat.kernels["fill"](ones_there, value=1)
    return result
