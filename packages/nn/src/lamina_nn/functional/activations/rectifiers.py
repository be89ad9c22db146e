"""Rectifiers: items below a bound are cut off, or scaled."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.random.generator import Generator
from lamina_ndarray.creation.scalars import fitting, fitting_factor
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..checking import check_floating, check_tensor
from .overwriting import written_over

__all__ = [
    "hardtanh", "hardtanh_", "leaky_relu", "leaky_relu_", "prelu", "relu", "relu6", "relu_", "rrelu", "rrelu_",
    "threshold", "threshold_",
]  # fmt: skip


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
        return written_over(hardtanh, input, min_val, max_val)
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
        return written_over(leaky_relu, input, negative_slope)
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
        return written_over(_leaky_at_random, input, lower, upper, True, False, generator)
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
        return written_over(_thresholded, input, threshold, value)
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
    return written_over(_thresholded, input, threshold, value)


def _thresholded(input: Tensor, threshold: float, value: float) -> Tensor:
    """The items above a threshold, and a value in the place of the others."""
    dtype = input.dtype
    fill, bound = fitting("threshold", value, dtype), fitting_factor("threshold", threshold, dtype)
    result: Tensor = af.where(input <= bound, fill if dtype.is_inexact else int(fill.real), input)
    return result
