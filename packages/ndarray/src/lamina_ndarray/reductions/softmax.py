"""Softmax and its logarithm along an axis, and the gradients of both."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from lamina_flatarray import DType, ShapeError
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import empty_of
from ..dispatch.operands import cast, common_kernels
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["log_softmax", "log_softmax_gradient", "softmax", "softmax_gradient"]


@cache
def _needs_no_cast(op: str, dtype: DType) -> bool:
    """Whether the op runs in this dtype itself."""
    return result_dtypes(op, dtype)[0] is dtype


def _along(op: str, x: NDArray, axis: int, dtype: Any) -> NDArray:
    layout = x.layout
    at = axis + layout.ndim if axis.__class__ is int and -layout.ndim <= axis < 0 else normalize_axis(axis, layout.ndim, op)
    kernels = x.flat.kernels
    if dtype is not None or not _needs_no_cast(op, kernels.dtype):
        kernels = kernels.sibling(result_dtypes(op, kernels.dtype if dtype is None else dtype_of(dtype))[0])
        x = cast(x, kernels)
    result = empty_of(kernels, layout.compact)
    if layout.ndim == 0:
        kernels["fill"](result, value=1 if op == "softmax" else 0)
    else:
        kernels[op](result, x, axis=at)
    return result


def softmax(x: NDArray, axis: int = -1, *, dtype: Any = None) -> NDArray:
    """Compute `exp(x) / sum(exp(x))` along an axis, after subtracting the greatest item.

    Args:
        x: a floating-point array; integers are taken in the default dtype.
        axis: along which.
        dtype: to compute in, and of the result; None for x's.

    Returns:
        A new array of x's shape, whose items along the axis sum to 1.

    Raises:
        IndexOutOfRange: the axis does not exist.
        DTypeError: x is complex.

    >>> nd.softmax(nd.asarray([[0.0, 0.0], [1.0, 1.0]]))
    NDArray([[0.5000, 0.5000],
             [0.5000, 0.5000]])
    """
    return _along("softmax", x, axis, dtype)


def log_softmax(x: NDArray, axis: int = -1, *, dtype: Any = None) -> NDArray:
    """Compute the logarithm of the softmax along an axis, without its rounding.

    Args:
        x: a floating-point array; integers are taken in the default dtype.
        axis: along which.
        dtype: to compute in, and of the result; None for x's.

    Returns:
        A new array of x's shape.

    Raises:
        IndexOutOfRange: the axis does not exist.
        DTypeError: x is complex.

    >>> nd.log_softmax(nd.asarray([0.0, 1000.0]))
    NDArray([-1000.,     0.])
    """
    return _along("log_softmax", x, axis, dtype)


def _gradient(op: str, gradient: NDArray, result: NDArray, axis: int) -> NDArray:
    result_dtypes(op, result.dtype)
    if gradient.layout.shape != result.layout.shape:
        raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit a result {list(result.layout.shape)}")
    kernels = common_kernels(op, (gradient, result)).sibling(result.dtype)
    output = empty_of(kernels, Layout.dense(result.layout.shape))
    if result.layout.ndim == 0:
        kernels["fill"](output, value=0)
    else:
        kernels[op](output, cast(gradient, kernels), result, axis=axis)
    return output


def softmax_gradient(gradient: NDArray, result: NDArray, axis: int) -> NDArray:
    """Compute the gradient of a softmax: `result * (gradient - sum(gradient * result))`.

    Args:
        gradient: of the softmax's result, of its shape.
        result: the softmax, of any shape.
        axis: along which, from 0 on.

    Returns:
        The gradient of the softmax's argument, of the result's shape and dtype.

    Raises:
        ShapeError: the shapes differ.
        DTypeError: the result is not floating-point.

    >>> nd.softmax_gradient(nd.asarray([1.0, 0.0]), nd.asarray([0.5, 0.5]), 0)
    NDArray([ 0.2500, -0.2500])
    """
    return _gradient("softmax_gradient", gradient, result, axis)


def log_softmax_gradient(gradient: NDArray, result: NDArray, axis: int) -> NDArray:
    """Compute the gradient of a log-softmax: `gradient - exp(result) * sum(gradient)`.

    Args:
        gradient: of the log-softmax's result, of its shape.
        result: the log-softmax, of any shape.
        axis: along which, from 0 on.

    Returns:
        The gradient of the log-softmax's argument, of the result's shape and dtype.

    Raises:
        ShapeError: the shapes differ.
        DTypeError: the result is not floating-point.

    >>> nd.log_softmax_gradient(nd.asarray([1.0, 0.0]), nd.log(nd.asarray([0.5, 0.5])), 0)
    NDArray([ 0.5000, -0.5000])
    """
    return _gradient("log_softmax_gradient", gradient, result, axis)
