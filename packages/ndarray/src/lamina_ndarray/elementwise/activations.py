"""Activations, item by item, some of which take numbers beside the array.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, unary
from .operands.activations import activation

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "elu", "gelu", "gelu_tanh", "hardshrink", "hardsigmoid",
    "hardswish", "huber", "leaky_relu", "logsigmoid", "mish", "relu", "scaled_softplus", "sigmoid", "silu", "softplus",
    "softshrink", "where_finite",
]  # fmt: skip


_RELU: Final = MapOp("relu")


def relu(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Replace negative numbers by 0, item by item: max(x, 0); NaN stays.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are bool or complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.relu(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([0., 0., 2.])
    """
    return unary(_RELU, x, out)


_SIGMOID: Final = MapOp("sigmoid")


def sigmoid(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the logistic function 1 / (1 + exp(-x)), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.sigmoid(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([0.2689, 0.5000, 0.8808])
    """
    return unary(_SIGMOID, x, out)


_SILU: Final = MapOp("silu")


def silu(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute x * sigmoid(x), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.silu(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([-0.2689,  0.0000,  1.7616])
    """
    return unary(_SILU, x, out)


_GELU: Final = MapOp("gelu")


def gelu(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute x * (1 + erf(x / sqrt 2)) / 2, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.gelu(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([-0.1587,  0.0000,  1.9545])
    """
    return unary(_GELU, x, out)


_SOFTPLUS: Final = MapOp("softplus")


def softplus(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute log(1 + exp(x)), without overflow, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.softplus(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([0.3133, 0.6931, 2.1269])
    """
    return unary(_SOFTPLUS, x, out)


def binary_cross_entropy(x: NDArray, target: NDArray | float) -> NDArray:
    """Compute the -target log(x) - (1 - target) log(1 - x), no logarithm below -100, item by item.

    Args:
        x: the activation's argument.
        target: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import binary_cross_entropy
    >>> binary_cross_entropy(nd.asarray([-1.0, 0.0, 2.0]), 0.5)
    NDArray([nan, 50., nan])
    """
    return activation("binary_cross_entropy", x, (target,))


def binary_cross_entropy_with_logits(x: NDArray, target: NDArray | float) -> NDArray:
    """Compute softplus(x) - x * target: the cross entropy of sigmoid(x), item by item.

    Args:
        x: the activation's argument.
        target: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import binary_cross_entropy_with_logits
    >>> binary_cross_entropy_with_logits(nd.asarray([-1.0, 0.0, 2.0]), 0.5)
    NDArray([0.8133, 0.6931, 1.1269])
    """
    return activation("binary_cross_entropy_with_logits", x, (target,))


def elu(x: NDArray, positive: NDArray | float, negative: NDArray | float, rate: NDArray | float) -> NDArray:
    """Compute x * positive where x is positive, else negative * (exp(x * rate) - 1), item by item.

    Args:
        x: the activation's argument.
        positive: a number, or an array that broadcasts to x's shape.
        negative: a number, or an array that broadcasts to x's shape.
        rate: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import elu
    >>> elu(nd.asarray([-1.0, 0.0, 2.0]), 1.0, 1.0, 1.0)
    NDArray([-0.6321,  0.0000,  2.0000])
    """
    return activation("elu", x, (positive, negative, rate))


def gelu_tanh(x: NDArray) -> NDArray:
    """Compute x * (1 + tanh((x + 0.044715 x**3) * sqrt(2 / pi))) / 2, item by item.

    Args:
        x: the activation's argument.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not floating-point numbers.

    >>> from lamina_ndarray.elementwise.activations import gelu_tanh
    >>> gelu_tanh(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([-0.1588,  0.0000,  1.9546])
    """
    return activation("gelu_tanh", x, ())


def hardshrink(x: NDArray, size: NDArray | float) -> NDArray:
    """Compute 0 where -size <= x <= size, else x, item by item.

    Args:
        x: the activation's argument.
        size: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import hardshrink
    >>> hardshrink(nd.asarray([-1.0, 0.0, 2.0]), 0.5)
    NDArray([-1.,  0.,  2.])
    """
    return activation("hardshrink", x, (size,))


def hardsigmoid(x: NDArray) -> NDArray:
    """Compute x + 3, held between 0 and 6, over 6, item by item.

    Args:
        x: the activation's argument.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not floating-point numbers.

    >>> from lamina_ndarray.elementwise.activations import hardsigmoid
    >>> hardsigmoid(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([0.3333, 0.5000, 0.8333])
    """
    return activation("hardsigmoid", x, ())


def hardswish(x: NDArray) -> NDArray:
    """Compute x * hardsigmoid(x), item by item.

    Args:
        x: the activation's argument.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not floating-point numbers.

    >>> from lamina_ndarray.elementwise.activations import hardswish
    >>> hardswish(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([-0.3333,  0.0000,  1.6667])
    """
    return activation("hardswish", x, ())


def huber(x: NDArray, corner: NDArray | float) -> NDArray:
    """Compute x**2 / 2 where -corner <= x <= corner, else corner * (|x| - corner / 2), item by item.

    Args:
        x: the activation's argument.
        corner: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import huber
    >>> huber(nd.asarray([-1.0, 0.0, 2.0]), 0.5)
    NDArray([0.3750, 0.0000, 0.8750])
    """
    return activation("huber", x, (corner,))


def leaky_relu(x: NDArray, slope: NDArray | float) -> NDArray:
    """Compute x where it is positive, else x * slope, item by item.

    Args:
        x: the activation's argument.
        slope: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import leaky_relu
    >>> leaky_relu(nd.asarray([-1.0, 0.0, 2.0]), 0.5)
    NDArray([-0.5000,  0.0000,  2.0000])
    """
    return activation("leaky_relu", x, (slope,))


def logsigmoid(x: NDArray) -> NDArray:
    """Compute log(sigmoid(x)), without overflow, item by item.

    Args:
        x: the activation's argument.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not floating-point numbers.

    >>> from lamina_ndarray.elementwise.activations import logsigmoid
    >>> logsigmoid(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([-1.3133, -0.6931, -0.1269])
    """
    return activation("logsigmoid", x, ())


def mish(x: NDArray) -> NDArray:
    """Compute x * tanh(softplus(x)), item by item.

    Args:
        x: the activation's argument.

    Returns:
        An array of the same shape, in x's dtype.

    Raises:
        DTypeError: the operands are not floating-point numbers.

    >>> from lamina_ndarray.elementwise.activations import mish
    >>> mish(nd.asarray([-1.0, 0.0, 2.0]))
    NDArray([-0.3034,  0.0000,  1.9440])
    """
    return activation("mish", x, ())


def scaled_softplus(x: NDArray, rate: NDArray | float, threshold: NDArray | float) -> NDArray:
    """Compute softplus(x * rate) / rate, and x where x * rate is above a threshold, item by item.

    Args:
        x: the activation's argument.
        rate: a number, or an array that broadcasts to x's shape.
        threshold: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import scaled_softplus
    >>> scaled_softplus(nd.asarray([-1.0, 0.0, 2.0]), 1.0, 20.0)
    NDArray([0.3133, 0.6931, 2.1269])
    """
    return activation("scaled_softplus", x, (rate, threshold))


def softshrink(x: NDArray, size: NDArray | float) -> NDArray:
    """Compute x moved by size towards 0, and 0 where it would cross it, item by item; NaN stays.

    Args:
        x: the activation's argument.
        size: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import softshrink
    >>> softshrink(nd.asarray([-1.0, 0.0, 2.0]), 0.5)
    NDArray([-0.5000,  0.0000,  1.5000])
    """
    return activation("softshrink", x, (size,))


def where_finite(x: NDArray, nan: NDArray | float, posinf: NDArray | float, neginf: NDArray | float) -> NDArray:
    """Compute x where it is finite, else what stands for NaN and infinities, item by item.

    Args:
        x: the activation's argument.
        nan: a number, or an array that broadcasts to x's shape.
        posinf: a number, or an array that broadcasts to x's shape.
        neginf: a number, or an array that broadcasts to x's shape.

    Returns:
        An array of the same shape, in the dtype of the operands together.

    Raises:
        DTypeError: the operands are not floating-point numbers.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not fit each other.

    >>> from lamina_ndarray.elementwise.activations import where_finite
    >>> where_finite(nd.asarray([1.0, nd.nan, nd.inf]), 0.0, 9.0, -9.0)
    NDArray([1., 0., 9.])
    """
    return activation("where_finite", x, (nan, posinf, neginf))
