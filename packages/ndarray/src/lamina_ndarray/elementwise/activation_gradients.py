"""Gradients of activations, item by item, each from the gradient of the result.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .operands.activations import activation_gradient

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "binary_cross_entropy_with_logits_gradient", "elu_gradient", "gelu_gradient", "gelu_tanh_gradient",
    "hardsigmoid_gradient", "hardswish_gradient", "hardtanh_gradient", "leaky_relu_gradient", "mish_gradient",
    "relu_gradient", "shrink_gradient", "sigmoid_gradient", "silu_gradient", "softplus_gradient", "tanh_gradient",
]  # fmt: skip


def binary_cross_entropy_with_logits_gradient(gradient: NDArray, x: NDArray, target: NDArray | float) -> NDArray:
    """Compute gradient * (sigmoid(x) - target), item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.
        target: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import binary_cross_entropy_with_logits_gradient
    >>> binary_cross_entropy_with_logits_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), 0.5)
    NDArray([-0.2311,  0.1225,  0.3808])
    """
    return activation_gradient("binary_cross_entropy_with_logits_gradient", gradient, x, (target,))


def elu_gradient(
    gradient: NDArray, x: NDArray, positive: NDArray | float, negative: NDArray | float, rate: NDArray | float
) -> NDArray:
    """Compute gradient * (positive where x is positive, else negative * rate * exp(x * rate)), item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.
        positive: a number, or an array that broadcasts to x's shape.
        negative: a number, or an array that broadcasts to x's shape.
        rate: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import elu_gradient
    >>> elu_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), 1.0, 1.0, 1.0)
    NDArray([0.3679, 1.0000, 1.0000])
    """
    return activation_gradient("elu_gradient", gradient, x, (positive, negative, rate))


def gelu_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute the gradient of gelu, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import gelu_gradient
    >>> gelu_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([-0.0833,  0.8675,  1.0852])
    """
    return activation_gradient("gelu_gradient", gradient, x, ())


def gelu_tanh_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute the gradient of gelu_tanh, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import gelu_tanh_gradient
    >>> gelu_tanh_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([-0.0830,  0.8674,  1.0861])
    """
    return activation_gradient("gelu_tanh_gradient", gradient, x, ())


def hardsigmoid_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute gradient / 6 where -3 < x < 3, else 0, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import hardsigmoid_gradient
    >>> hardsigmoid_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([0.1667, 0.1667, 0.1667])
    """
    return activation_gradient("hardsigmoid_gradient", gradient, x, ())


def hardswish_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute gradient * (x / 3 + 1 / 2), but 0 where x <= -3, and gradient where x >= 3, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import hardswish_gradient
    >>> hardswish_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([0.1667, 0.6667, 1.1667])
    """
    return activation_gradient("hardswish_gradient", gradient, x, ())


def hardtanh_gradient(gradient: NDArray, x: NDArray, low: NDArray | float, high: NDArray | float) -> NDArray:
    """Compute 0 where x <= low or x >= high, else gradient, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.
        low: a number, or an array that broadcasts to x's shape.
        high: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import hardtanh_gradient
    >>> hardtanh_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), -1.0, 1.0)
    NDArray([0., 1., 0.])
    """
    return activation_gradient("hardtanh_gradient", gradient, x, (low, high))


def leaky_relu_gradient(gradient: NDArray, x: NDArray, slope: NDArray | float) -> NDArray:
    """Compute gradient where x is positive, else gradient * slope, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.
        slope: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import leaky_relu_gradient
    >>> leaky_relu_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), 0.5)
    NDArray([0.5000, 1.0000, 1.0000])
    """
    return activation_gradient("leaky_relu_gradient", gradient, x, (slope,))


def mish_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute the gradient of mish, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import mish_gradient
    >>> mish_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([0.0592, 0.8864, 1.0693])
    """
    return activation_gradient("mish_gradient", gradient, x, ())


def relu_gradient(gradient: NDArray, result: NDArray) -> NDArray:
    """Compute 0 where result <= 0, else gradient, item by item.

    Args:
        gradient: of the activation's result.
        result: the activation's result, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import relu_gradient
    >>> relu_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([0., 1., 1.])
    """
    return activation_gradient("relu_gradient", gradient, result, ())


def shrink_gradient(gradient: NDArray, x: NDArray, size: NDArray | float) -> NDArray:
    """Compute 0 where -size <= x <= size, else gradient: of both shrinks, item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.
        size: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import shrink_gradient
    >>> shrink_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]), 0.5)
    NDArray([1., 0., 1.])
    """
    return activation_gradient("shrink_gradient", gradient, x, (size,))


def sigmoid_gradient(gradient: NDArray, result: NDArray) -> NDArray:
    """Compute gradient * (1 - result) * result, item by item.

    Args:
        gradient: of the activation's result.
        result: the activation's result, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import sigmoid_gradient
    >>> sigmoid_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([-2.0000,  0.2500, -2.0000])
    """
    return activation_gradient("sigmoid_gradient", gradient, result, ())


def silu_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute gradient * s * (1 + x * (1 - s)), where s = sigmoid(x), item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import silu_gradient
    >>> silu_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([0.0723, 0.7400, 1.0908])
    """
    return activation_gradient("silu_gradient", gradient, x, ())


def softplus_gradient(gradient: NDArray, x: NDArray) -> NDArray:
    """Compute gradient * sigmoid(x), item by item.

    Args:
        gradient: of the activation's result.
        x: the activation's argument, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import softplus_gradient
    >>> softplus_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([0.2689, 0.6225, 0.8808])
    """
    return activation_gradient("softplus_gradient", gradient, x, ())


def tanh_gradient(gradient: NDArray, result: NDArray) -> NDArray:
    """Compute gradient * (1 - result**2), item by item.

    Args:
        gradient: of the activation's result.
        result: the activation's result, of the same shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activation_gradients import tanh_gradient
    >>> tanh_gradient(nd.asarray([1.0, 1.0, 1.0]), nd.asarray([-1.0, 0.5, 2.0]))
    NDArray([ 0.0000,  0.7500, -3.0000])
    """
    return activation_gradient("tanh_gradient", gradient, result, ())
