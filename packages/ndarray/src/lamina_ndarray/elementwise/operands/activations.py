"""From an activation of floating-point items, or its gradient, to its kernel; the numbers that it takes may be arrays as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes

from ...array_fields import ArrayFields, empty_of, view_of
from ...dispatch.operands import cast, common_kernels
from ...layouts.layout import Layout

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["activation", "activation_gradient"]


def activation(op: str, x: NDArray, numbers: tuple[Any, ...]) -> NDArray:
    """Run an activation on an array and its numbers.

    Raises:
        DTypeError: x is not floating-point.
        DeviceError: an array among the numbers is on another device.
        ShapeError: it does not broadcast to x's shape.
    """
    kernels = x.flat.kernels
    if not kernels.dtype.is_floating_point:
        result_dtypes(op, kernels.dtype)
    for value in numbers:
        if isinstance(value, ArrayFields):
            kernels, numbers = _with_arrays(op, x, numbers)
            break
    result = empty_of(kernels, x.layout.result)
    kernels[op](result, x, *numbers)
    return result


def activation_gradient(op: str, gradient: NDArray, at: NDArray, numbers: tuple[Any, ...]) -> NDArray:
    """Run the gradient of an activation.

    Args:
        op: its name.
        gradient: of the activation's result.
        at: the activation's argument or its result, as the op's record says; of the same shape.
        numbers: the activation's own.

    Raises:
        DeviceError: the arrays are on different devices.
        ShapeError: the shapes differ, or an array among the numbers does not broadcast to them.
    """
    kernels = at.flat.kernels
    for value in numbers:
        if isinstance(value, ArrayFields):
            kernels, numbers = _with_arrays(op, at, numbers)
            break
    if gradient.flat.kernels is not kernels:
        kernels = common_kernels(op, (gradient, at, *numbers)).sibling(at.dtype)
        gradient = cast(gradient, kernels)
    layout = at.layout
    if gradient.layout.shape != layout.shape:
        raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit {list(layout.shape)}")
    result = empty_of(kernels, Layout.dense(layout.shape))
    kernels[op](result, gradient, at, *numbers)
    return result


def _with_arrays(op: str, x: NDArray, numbers: tuple[Any, ...]) -> tuple[KernelTable, tuple[Any, ...]]:
    """The kernels for x and numbers, and these; arrays among them in x's dtype and broadcast to its shape."""
    kernels, shape = common_kernels(op, (x, *numbers)).sibling(x.dtype), x.layout.shape
    alike = [cast(v, kernels) for v in numbers]
    return kernels, tuple([view_of(v, v.layout.broadcast_to(shape)) if isinstance(v, ArrayFields) else v for v in alike])
