"""Activations: functions item by item between the layers of a network, and the softmax family along a dim."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, UsageError
from lamina_tensor import Tensor, is_grad_enabled
from lamina_tensor.dispatch import array_functions as af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions import fused

from .checking import check_floating, check_tensor

__all__ = [
    "celu", "celu_", "elu", "elu_", "gelu", "glu", "gumbel_softmax", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "leaky_relu", "leaky_relu_", "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6", "relu_",
    "rrelu", "rrelu_", "selu", "selu_", "sigmoid", "silu", "softmax", "softmin", "softplus", "softshrink", "softsign",
    "tanh", "tanhshrink", "threshold", "threshold_",
]  # fmt: skip

_SELU_ALPHA = 1.6732632423543772848170429916717  # Klambauer et al. 2017, arXiv:1706.02515
_SELU_SCALE = 1.0507009873554804934193349852946


def _written(function: Callable[..., Tensor], input: Tensor, *args: Any, **params: Any) -> Tensor:
    """The function's result in the place of its input, of which its gradient sees a copy."""
    kept = input.clone() if is_grad_enabled() and input.requires_grad else input
    return input.copy_(function(kept, *args, **params))


# -- rectifiers ---------------------------------------------------------------------------------------------------------


@torch_function
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(x, 0)."""
    return input.relu_() if inplace else af.relu(input)


@torch_function
def relu_(input: Tensor) -> Tensor:
    """`relu`, written over the input."""
    return input.relu_()


@torch_function
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """x held between two bounds; at a bound the gradient is 0.

    Raises:
        ValueError: the lower bound is the greater.
    """
    check_tensor("hardtanh", input)
    if min_val > max_val:
        raise ArgumentValueError("min_val cannot be greater than max_val")
    if inplace:
        return _written(hardtanh, input, min_val, max_val)
    if not input.array.flat.dtype.is_inexact:
        min_val, max_val = int(min_val), int(max_val)
    return fused.hardtanh(input, min_val, max_val)


@torch_function
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """`hardtanh`, written over the input."""
    return hardtanh(input, min_val, max_val, inplace=True)


@torch_function
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(x, 0), 6)."""
    return hardtanh(input, 0.0, 6.0, inplace)


@torch_function
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where it is positive, else x times `negative_slope`."""
    check_floating("leaky_relu", input)
    if inplace:
        return _written(leaky_relu, input, negative_slope)
    return fused.leaky_relu(input, negative_slope)


@torch_function
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """`leaky_relu`, written over the input."""
    return leaky_relu(input, negative_slope, inplace=True)


@torch_function(autocast="lower")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """x where it is positive, else x times a weight: one for all, or one per channel (dim 1).

    Raises:
        RuntimeError: the number of weights is neither 1 nor that of channels, or the dtypes differ.
    """
    check_tensor("prelu", input, weight)
    dtype, shape, slopes = input.array.flat.dtype, input.array.layout.shape, weight.array.layout
    if dtype is not weight.array.flat.dtype:
        raise DTypeError(f"prelu: Type promoting not supported. Got {input.dtype.name} and {weight.dtype.name}")
    if slopes.size != 1:
        if not shape:
            raise ShapeError("prelu: Not allow zero-dim input tensor.")
        channels = shape[1] if len(shape) > 1 else 1
        if channels != slopes.size:
            raise ShapeError(
                "prelu: Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{slopes.size} and channel size = {channels}."
            )
    if slopes.ndim > 1:
        raise ShapeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {slopes.ndim}")
    if slopes.size != 1 and len(shape) > 2:
        weight = weight.reshape([-1, *(1,) * (len(shape) - 2)])
    elif not shape:
        weight = weight.reshape([])
    return fused.prelu(input, weight)


@torch_function
def rrelu(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """x where it is positive, else x times a slope: in training one drawn for each item, else the middle of both bounds.

    Raises:
        RuntimeError: the lower bound is the greater.
    """
    check_floating("rrelu", input)
    if lower > upper:
        raise UsageError(f"Lower bound should be less than or equal to the upper bound, but got {lower} and {upper}")
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace)
    if inplace:
        return _written(rrelu, input, lower, upper, True)
    falls = input.detach() <= 0
    slopes = lt.ones_like(input.detach())
    drawn = lt.empty(int(falls.sum().item()), dtype="float64", device=input.device).uniform_(lower, upper)
    slopes[falls] = drawn.to(input.dtype)  # drawn for these items only, in double precision
    return input * slopes


@torch_function
def rrelu_(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Tensor:
    """`rrelu`, written over the input."""
    return rrelu(input, lower, upper, training, inplace=True)


@torch_function
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """x where it is above a threshold, else a value."""
    check_tensor("threshold", input)
    if inplace:
        return _written(_thresholded, input, threshold, value)
    return _thresholded(input, threshold, value)


@torch_function
def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """`threshold`, written over the input."""
    return _written(_thresholded, input, threshold, value)


def _thresholded(input: Tensor, threshold: float, value: float) -> Tensor:
    exact = not input.dtype.is_inexact
    return af.where(input <= threshold, int(value) if exact else value, input)


# -- exponential units --------------------------------------------------------------------------------------------------


@torch_function
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where it is positive, else alpha * (exp(x) - 1)."""
    check_floating("elu", input)
    return _written(elu, input, alpha) if inplace else fused.elu(input, 1.0, alpha, 1.0)


@torch_function
def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`elu`, written over the input."""
    return elu(input, alpha, inplace=True)


@torch_function
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` scaled so that activations normalise themselves (Klambauer et al. 2017)."""
    check_floating("selu", input)
    return _written(selu, input) if inplace else fused.elu(input, _SELU_SCALE, _SELU_ALPHA * _SELU_SCALE, 1.0)


@torch_function
def selu_(input: Tensor) -> Tensor:
    """`selu`, written over the input."""
    return selu(input, inplace=True)


@torch_function
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where it is positive, else alpha * (exp(x / alpha) - 1).

    Raises:
        RuntimeError: alpha is 0.
    """
    if alpha == 0:
        raise UsageError("ZeroDivisionError: alpha cannot be 0 for CELU")
    check_floating("celu", input)
    return _written(celu, input, alpha) if inplace else fused.elu(input, 1.0, alpha, 1.0 / alpha)


@torch_function
def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """`celu`, written over the input."""
    return celu(input, alpha, inplace=True)


# -- smooth units -------------------------------------------------------------------------------------------------------


@torch_function
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the standard normal's cumulative distribution; with `approximate="tanh"`, by a hyperbolic tangent.

    Raises:
        RuntimeError: `approximate` is neither "none" nor "tanh".
    """
    check_floating("gelu", input)
    if approximate == "none":
        return af.gelu(input)
    if approximate != "tanh":
        raise UsageError("approximate argument must be either none or tanh.")
    return fused.gelu_tanh(input)


@torch_function
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x * sigmoid(x)."""
    check_floating("silu", input, complex=True)
    return _written(silu, input) if inplace else af.silu(input)


@torch_function
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * tanh(softplus(x))."""
    check_floating("mish", input)
    return _written(mish, input) if inplace else fused.mish(input)


@torch_function
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """log(1 + exp(beta * x)) / beta, and x where beta * x is above a threshold."""
    check_floating("softplus", input)
    if beta == 1 and threshold >= 20 and input.array.flat.dtype.itemsize <= 4:
        return af.softplus(input)  # which is x there, to float32's last digit
    return fused.scaled_softplus(input, beta, threshold)


@torch_function
def logsigmoid(input: Tensor) -> Tensor:
    """log(1 / (1 + exp(-x))), without overflow."""
    check_floating("logsigmoid", input)
    return fused.logsigmoid(input)


@torch_function
def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    check_tensor("softsign", input)
    return input / (af.abs(input) + 1)


@torch_function
def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    check_tensor("tanhshrink", input)
    return input - af.tanh(input)


@torch_function
def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x)).
    """
    return af.sigmoid(input)


@torch_function
def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent.
    """
    return af.tanh(input)


# -- piecewise units ----------------------------------------------------------------------------------------------------


@torch_function
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """relu6(x + 3) / 6."""
    check_floating("hardsigmoid", input)
    if inplace:
        return _written(hardsigmoid, input)
    return fused.hardsigmoid(input)


@torch_function
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """x * relu6(x + 3) / 6."""
    check_floating("hardswish", input)
    if inplace:
        return _written(hardswish, input)
    return fused.hardswish(input)


@torch_function
def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """x where it is outside of [-lambd, lambd], else 0."""
    check_floating("hardshrink", input)
    return fused.hardshrink(input, lambd)


@torch_function
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """x moved towards 0 by `lambd`, and 0 where it would cross it.

    Raises:
        RuntimeError: `lambd` is negative.
    """
    check_floating("softshrink", input)
    if lambd < 0:
        raise UsageError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    return fused.softshrink(input, lambd)


@torch_function
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along a dim times the sigmoid of the second.

    Raises:
        RuntimeError: there is no dim, or its length is odd.
    """
    check_floating("glu", input)
    if not input.ndim:
        raise ShapeError("glu does not support scalars because halving size must be even")
    size = input.shape[dim]
    if size % 2:
        raise ShapeError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    half = size // 2
    return lt.narrow(input, dim, 0, half) * af.sigmoid(lt.narrow(input, dim, half, half))


# -- along a dim --------------------------------------------------------------------------------------------------------


def _dim_of(name: str, input: Tensor, dim: int | None, stacklevel: int) -> int:
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel + 1,
    )
    return 0 if input.ndim in (0, 1, 3) else 1


@torch_function
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """exp(x) / sum(exp(x)) along a dim, in `dtype` if one is given."""
    return lt.softmax(input, _dim_of("softmax", input, dim, _stacklevel), dtype=dtype)


@torch_function
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dim, in `dtype` if one is given."""
    return lt.log_softmax(input, _dim_of("log_softmax", input, dim, _stacklevel), dtype=dtype)


@torch_function
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Softmax of -x along a dim, in `dtype` if one is given."""
    return lt.softmax(-input, _dim_of("softmin", input, dim, _stacklevel), dtype=dtype)


@torch_function
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A sample of a categorical distribution that gradients flow through (Jang et al. 2017): softmax of logits with Gumbel
    noise at temperature `tau`; one-hot, with the gradient of the soft one, if `hard`."""
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -lt.empty_like(logits.detach()).exponential_().log()
    soft = lt.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    place = soft.detach().argmax(dim, keepdim=True)
    return lt.zeros_like(soft.detach()).scatter(dim, place, 1.0) - soft.detach() + soft
