"""Activations: functions item by item between the layers of a network, and the softmax family along a dim."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.random.generator import Generator
from lamina_ndarray.creation.scalars import fitting, fitting_factor
from lamina_ndarray.layouts.broadcast import normalize_axis
from lamina_tensor import Tensor, is_grad_enabled
from lamina_tensor.dispatch.out import written
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

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
    original = input.clone() if is_grad_enabled() and input.requires_grad else input
    return input.copy_(function(original, *args, **params))


# -- rectifiers ---------------------------------------------------------------------------------------------------------


@torch_function
def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Rectify: max(x, 0) item by item.

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    >>> torch.nn.functional.relu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0., 0., 3.])
    """
    return input.relu_() if inplace else af.relu(input)


@torch_function
def relu_(input: Tensor) -> Tensor:
    """Rectify in place: `relu`, written over the input.

    Args:
        input: the tensor to overwrite.

    Returns:
        The input.

    >>> torch.nn.functional.relu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0., 0., 3.])
    """
    return input.relu_()


@torch_function
def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Clamp to an interval; at a bound and beyond it the gradient is 0.

    Args:
        input: floating-point numbers of any shape.
        min_val, max_val: the bounds.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        ArgumentValueError: min_val is greater than max_val.
        DTypeError: the input is boolean, or unsigned and a bound negative.

    >>> torch.nn.functional.hardtanh(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.,  0.,  1.])
    """
    check_tensor("hardtanh", input)
    if input.array.flat.dtype.kind == "b":
        raise DTypeError("hardtanh: Bool inputs not supported; cast them to numbers first")
    if min_val > max_val:
        raise ArgumentValueError("min_val cannot be greater than max_val")
    if inplace:
        return _written(hardtanh, input, min_val, max_val)
    if not input.array.flat.dtype.is_inexact:
        min_val, max_val = [int(fitting("hardtanh", bound, dt.int64).real) for bound in (min_val, max_val)]
        if input.array.flat.dtype.kind == "u" and (min_val < 0 or max_val < 0):
            raise DTypeError("hardtanh: cannot do hardtanh on an unsigned type with negative limits")
    return fused.hardtanh(input, min_val, max_val)


@torch_function
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Apply `hardtanh` in place.

    Args:
        input: the tensor to overwrite.
        min_val, max_val: the bounds.

    Returns:
        The input.

    >>> torch.nn.functional.hardtanh_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.,  0.,  1.])
    """
    return hardtanh(input, min_val, max_val, inplace=True)


@torch_function
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Clamp to [0, 6]: min(max(x, 0), 6) item by item.

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    >>> torch.nn.functional.relu6(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0., 0., 3.])
    """
    return hardtanh(input, 0.0, 6.0, inplace)


@torch_function
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Scale negative items: x where it is positive, else x * negative_slope.

    Args:
        input: floating-point numbers of any shape.
        negative_slope: the factor.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.leaky_relu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.0200,  0.0000,  3.0000])
    """
    check_floating("leaky_relu", input)
    if inplace:
        return _written(leaky_relu, input, negative_slope)
    return af.leaky_relu(input, negative_slope)


@torch_function
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Apply `leaky_relu` in place.

    Args:
        input: the tensor to overwrite.
        negative_slope: the factor of negative items.

    Returns:
        The input.

    >>> torch.nn.functional.leaky_relu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.0200,  0.0000,  3.0000])
    """
    return leaky_relu(input, negative_slope, inplace=True)


@torch_function(autocast="lower")
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Scale negative items by learned slopes: x where it is positive, else x * weight.

    Args:
        input: (N, C, ...), or any shape for a single slope.
        weight: one slope, or one for each channel, (C,).

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: the number of slopes is neither 1 nor that of channels.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.prelu(torch.tensor([-2.0, 3.0]), torch.tensor([0.25]))
    tensor([-0.5000,  3.0000])
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
    """Scale negative items by random slopes in training, and by the middle of the bounds otherwise (Xu et al. 2015).

    Args:
        input: floating-point numbers of any shape.
        lower, upper: the bounds of the uniform distribution of slopes.
        training: whether slopes are random.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        UsageError: lower is greater than upper.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.rrelu(torch.tensor([-2.0, 3.0]), 0.25, 0.75)
    tensor([-1.,  3.])
    """
    return _leaky_at_random(input, lower, upper, training, inplace, None)


def _leaky_at_random(
    input: Tensor, lower: float, upper: float, training: bool, inplace: bool, generator: Generator | None
) -> Tensor:
    """`rrelu`, whose slopes come from a generator."""
    check_floating("rrelu", input)
    if lower > upper:
        raise UsageError(f"Lower bound should be less than or equal to the upper bound, but got {lower} and {upper}")
    if not training:
        return leaky_relu(input if inplace else af.contiguous(input), (lower + upper) / 2, inplace)
    if inplace:
        return _written(_leaky_at_random, input, lower, upper, True, False, generator)
    input = af.contiguous(input)  # PyTorch's result is row-major, and so are the draws
    falls = input.detach() <= 0
    if not input.array.flat.backend.host:  # drawn for all items, as nobody waits to know how many fall
        drawn = lt.empty_like(input.detach(), dtype=dt.float32).uniform_(lower, upper, generator=generator)
        return input * af.where(falls, drawn.to(input.dtype), 1.0)
    slopes = lt.ones_like(input.detach())
    samples = lt.empty(int(falls.sum().item()), dtype=dt.float64, device=input.device).uniform_(lower, upper, generator=generator)
    slopes[falls] = samples.to(input.dtype)  # drawn for these items only, in double precision
    return input * slopes


@torch_function
def rrelu_(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False, generator: Generator | None = None
) -> Tensor:
    """Apply `rrelu` in place.

    Args:
        input: the tensor to overwrite.
        lower, upper, training: as of `rrelu`.
        generator: where the slopes come from; by default, the default generator.

    Returns:
        The input.

    Raises:
        UsageError: lower is greater than upper.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.rrelu_(torch.tensor([-2.0, 3.0]), 0.25, 0.75)
    tensor([-1.,  3.])
    """
    return _leaky_at_random(input, lower, upper, training, True, generator)


@torch_function
def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Replace items that are not above a threshold.

    Args:
        input: floating-point numbers of any shape.
        threshold: the threshold.
        value: what replaces them.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    >>> torch.nn.functional.threshold(torch.tensor([-2.0, 0.0, 3.0]), 1.0, 20.0)
    tensor([20., 20.,  3.])
    """
    check_tensor("threshold", input)
    if inplace:
        return _written(_thresholded, input, threshold, value)
    return _thresholded(input, threshold, value)


@torch_function
def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """Apply `threshold` in place.

    Args:
        input: the tensor to overwrite.
        threshold, value: as of `threshold`.

    Returns:
        The input.

    >>> torch.nn.functional.threshold_(torch.tensor([-2.0, 0.0, 3.0]), 1.0, 20.0)
    tensor([20., 20.,  3.])
    """
    return _written(_thresholded, input, threshold, value)


def _thresholded(input: Tensor, threshold: float, value: float) -> Tensor:
    """The items above a threshold, and a value in the place of the others."""
    dtype = input.dtype
    fill, bound = fitting("threshold", value, dtype), fitting_factor("threshold", threshold, dtype)
    result: Tensor = af.where(input <= bound, fill if dtype.is_inexact else int(fill.real), input)
    return result


# -- exponential units --------------------------------------------------------------------------------------------------


@torch_function
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Apply the exponential linear unit: x where it is positive, else alpha * (exp(x) - 1) (Clevert et al. 2016).

    Args:
        input: floating-point numbers of any shape.
        alpha: the negative limit.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.elu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    check_floating("elu", input)
    return _written(elu, input, alpha) if inplace else af.elu(input, 1.0, alpha, 1.0)


@torch_function
def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Apply `elu` in place.

    Args:
        input: the tensor to overwrite.
        alpha: the negative limit.

    Returns:
        The input.

    >>> torch.nn.functional.elu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    return elu(input, alpha, inplace=True)


@torch_function
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Apply `elu` with the constants that keep mean 0 and variance 1 from layer to layer (Klambauer et al. 2017).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.selu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.5202,  0.0000,  3.1521])
    """
    check_floating("selu", input)
    return _written(selu, input) if inplace else af.elu(input, _SELU_SCALE, _SELU_ALPHA * _SELU_SCALE, 1.0)


@torch_function
def selu_(input: Tensor) -> Tensor:
    """Apply `selu` in place.

    Args:
        input: the tensor to overwrite.

    Returns:
        The input.

    >>> torch.nn.functional.selu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.5202,  0.0000,  3.1521])
    """
    return selu(input, inplace=True)


@torch_function
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Apply the continuously differentiable `elu`: x where it is positive, else alpha * (exp(x / alpha) - 1) (Barron 2017).

    Args:
        input: floating-point numbers of any shape.
        alpha: the negative limit.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        UsageError: alpha is 0.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.celu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    if alpha == 0:
        raise UsageError("ZeroDivisionError: alpha cannot be 0 for CELU")
    check_floating("celu", input)
    return _written(celu, input, alpha) if inplace else af.elu(input, 1.0, alpha, 1.0 / alpha)


@torch_function
def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Apply `celu` in place.

    Args:
        input: the tensor to overwrite.
        alpha: the negative limit.

    Returns:
        The input.

    >>> torch.nn.functional.celu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    return celu(input, alpha, inplace=True)


# -- smooth units -------------------------------------------------------------------------------------------------------


@torch_function
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Multiply by the standard normal distribution function: x * Phi(x) (Hendrycks & Gimpel 2016).

    Args:
        input: floating-point numbers of any shape.
        approximate: "none", or "tanh" for the approximation by a hyperbolic tangent.

    Returns:
        A tensor of the input's shape.

    Raises:
        UsageError: approximate is neither "none" nor "tanh".
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.gelu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.0455,  0.0000,  2.9960])
    """
    check_floating("gelu", input)
    if approximate == "none":
        result: Tensor = af.gelu(input)
        return result
    if approximate != "tanh":
        raise UsageError("approximate argument must be either none or tanh.")
    return af.gelu_tanh(input)


@torch_function
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply by the sigmoid: x * sigmoid(x).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.silu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.2384,  0.0000,  2.8577])
    """
    check_floating("silu", input, complex=True)
    return _written(silu, input) if inplace else af.silu(input)


@torch_function
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply by tanh(softplus(x)) (Misra 2019).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.mish(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.2525,  0.0000,  2.9865])
    """
    check_floating("mish", input)
    return _written(mish, input) if inplace else af.mish(input)


@torch_function
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Smooth `relu`: log(1 + exp(beta * x)) / beta, and x where beta * x is above the threshold.

    Args:
        input: floating-point numbers of any shape.
        beta: how sharp the bend is.
        threshold: where it becomes linear.

    Returns:
        A tensor of the input's shape.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.softplus(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1269, 0.6931, 3.0486])
    """
    check_floating("softplus", input)
    if beta == 1 and threshold >= 20 and input.array.flat.dtype.itemsize <= 4:
        result: Tensor = af.softplus(input)  # which is x there, to float32's last digit
        return result
    return af.scaled_softplus(input, beta, threshold)


@torch_function
def logsigmoid(input: Tensor) -> Tensor:
    """Take the logarithm of the sigmoid, without overflow.

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.logsigmoid(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-2.1269, -0.6931, -0.0486])
    """
    check_floating("logsigmoid", input)
    return af.logsigmoid(af.contiguous(input))  # PyTorch's result is row-major whatever order the input lies in


@torch_function
def softsign(input: Tensor) -> Tensor:
    """Divide by 1 + |x|.

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.softsign(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.6667,  0.0000,  0.7500])
    """
    check_tensor("softsign", input)
    result: Tensor = input / (af.abs(input) + 1)
    return result


@torch_function
def tanhshrink(input: Tensor) -> Tensor:
    """Subtract the hyperbolic tangent: x - tanh(x).

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.tanhshrink(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.0360,  0.0000,  2.0049])
    """
    check_tensor("tanhshrink", input)
    result: Tensor = input - af.tanh(input)
    return result


@torch_function
def sigmoid(input: Tensor) -> Tensor:
    """Apply the logistic function: 1 / (1 + exp(-x)).

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.sigmoid(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1192, 0.5000, 0.9526])
    """
    result: Tensor = af.sigmoid(input)
    return result


@torch_function
def tanh(input: Tensor) -> Tensor:
    """Apply the hyperbolic tangent.

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.tanh(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.9640,  0.0000,  0.9951])
    """
    result: Tensor = af.tanh(input)
    return result


# -- piecewise units ----------------------------------------------------------------------------------------------------


@torch_function
def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """Apply the piecewise linear sigmoid: relu6(x + 3) / 6.

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.hardsigmoid(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1667, 0.5000, 1.0000])
    """
    check_floating("hardsigmoid", input)
    if inplace:
        return _written(hardsigmoid, input)
    return af.hardsigmoid(input)


@torch_function
def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply by `hardsigmoid`: x * relu6(x + 3) / 6 (Howard et al. 2019).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.hardswish(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.3333,  0.0000,  3.0000])
    """
    check_floating("hardswish", input)
    if inplace:
        return _written(hardswish, input)
    return af.hardswish(input)


@torch_function
def hardshrink(input: Tensor, lambd: float = 0.5, *, out: Tensor | None = None) -> Tensor:
    """Set items in [-lambd, lambd] to 0.

    Args:
        input: floating-point numbers of any shape.
        lambd: the bound.
        out: where to write the result.

    Returns:
        A tensor of the input's shape; `out` where it is given.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.hardshrink(torch.tensor([-2.0, 0.25, 3.0]))
    tensor([-2.,  0.,  3.])
    """
    check_floating("hardshrink", input)
    result = af.hardshrink(input, lambd)
    return result if out is None else written("hardshrink", out, result)


@torch_function
def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Move items towards 0 by lambd, and those in [-lambd, lambd] to 0.

    Args:
        input: floating-point numbers of any shape.
        lambd: the distance.

    Returns:
        A tensor of the input's shape.

    Raises:
        UsageError: lambd is negative.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.softshrink(torch.tensor([-2.0, 0.25, 3.0]))
    tensor([-1.5000,  0.0000,  2.5000])
    """
    check_floating("softshrink", input)
    if lambd < 0:
        raise UsageError(f"lambda must be greater or equal to 0, but found to be {lambd}.")
    return af.softshrink(input, lambd)


@torch_function
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Gate: multiply the first half along a dim by the sigmoid of the second (Dauphin et al. 2017).

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to halve.

    Returns:
        The input's shape with half the length at `dim`.

    Raises:
        ShapeError: input has no dims, or the length is odd.
        IndexOutOfRange: there is no such dim.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.glu(torch.tensor([1.0, 2.0, 0.0, 0.0]))
    tensor([0.5000, 1.0000])
    """
    check_floating("glu", input)
    if not input.ndim:
        raise ShapeError("glu does not support scalars because halving size must be even")
    size = input.shape[normalize_axis(dim, input.ndim, "glu")]
    if size % 2:
        raise ShapeError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    half = size // 2
    result: Tensor = lt.narrow(input, dim, 0, half) * af.sigmoid(lt.narrow(input, dim, half, half))
    return result


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
    """Normalise exponentials along a dim: exp(x) / sum(exp(x)).

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to normalise along; None is deprecated.
        _stacklevel: without effect but on the warning's place where dim is None.
        dtype: what input is cast to first; by default its own dtype.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return lt.softmax(input, _dim_of("softmax", input, dim, _stacklevel), dtype=dtype)


@torch_function
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Take the logarithm of `softmax` along a dim, without overflow.

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to normalise along; None is deprecated.
        _stacklevel: without effect but on the warning's place where dim is None.
        dtype: what input is cast to first; by default its own dtype.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.log_softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    return lt.log_softmax(input, _dim_of("log_softmax", input, dim, _stacklevel), dtype=dtype)


@torch_function
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Apply `softmax` to -x along a dim.

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to normalise along; None is deprecated.
        _stacklevel: without effect but on the warning's place where dim is None.
        dtype: what input is cast to first; by default its own dtype.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.softmin(torch.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return lt.softmax(-input, _dim_of("softmin", input, dim, _stacklevel), dtype=dtype)


@torch_function
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """Sample a categorical distribution so that gradients flow: softmax of logits with Gumbel noise (Jang et al. 2017).

    Args:
        logits: unnormalised log-probabilities, (..., classes).
        tau: the temperature.
        hard: whether the sample is one-hot; its gradient is that of the soft one.
        eps: without effect, deprecated.
        dim: the dim of the classes.

    Returns:
        A tensor of the logits' shape that sums to 1 along `dim`.

    >>> torch.nn.functional.gumbel_softmax(torch.zeros(2, 3), hard=True).sum(-1)
    tensor([1., 1.])
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -lt.empty_like(logits.detach(), memory_format=lt.contiguous_format).exponential_().log()  # row by row, as PyTorch draws
    soft = lt.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    place = soft.detach().argmax(dim, keepdim=True)
    return lt.zeros_like(soft.detach()).scatter(dim, place, 1.0) - soft.detach() + soft
