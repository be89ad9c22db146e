"""Normalisations: mean 0 and deviation 1 over a batch, a layer, groups of channels or an instance, then scale and shift."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, AutogradError, ShapeError, UsageError, finfo, float32
from lamina_ndarray import NDArray
from lamina_ndarray.batching import levels_of
from lamina_ndarray.dispatch.operands import same_device
from lamina_ndarray.layers.normalizations import channel_moments
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from .checking import check_floating

__all__ = [
    "batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "normalize", "rms_norm",
]  # fmt: skip


def _wide(x: Tensor) -> Tensor:
    """In float32 where it is in half precision: statistics of many items want it."""
    return x.float() if x.dtype.is_floating_point and x.dtype.itemsize < 4 else x


def _normalised(x: Tensor, mean: Tensor, variance: Tensor, eps: float) -> Tensor:
    result: Tensor = (x - mean) * af.rsqrt(variance + eps)
    return result


def _moments(x: Tensor, dims: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Mean and mean squared distance from it over dims, which stay with length 1."""
    mean = lt.mean(x, dims, True)
    centred = x - mean
    return mean, lt.mean(centred * centred, dims, True)


def _affine(x: Tensor, weight: Tensor | None, bias: Tensor | None, shape: Sequence[int]) -> Tensor:
    """x times a weight plus a bias, each reshaped to `shape`."""
    if weight is not None:
        x = x * _wide(weight).reshape(shape)
    if bias is not None:
        x = x + _wide(bias).reshape(shape)
    return x


def _check_channels(op: str, count: int, *vectors: Tensor | None) -> None:
    """Refuse a running mean, a running variance, a weight or a bias that has not one item for each channel; gradients of the first two."""
    for place, v in enumerate(vectors):
        if v is not None and place < 2 and v.requires_grad and lt.is_grad_enabled():
            name = ("running_mean", "running_var")[place]
            raise AutogradError(
                f"The function '{op}' is not differentiable with respect to argument '{name}'. This input cannot have requires_grad True."
            )
        if v is not None and v.array.layout.shape != (count,):
            name, layout = ("running_mean", "running_var", "weight", "bias")[place], v.array.layout
            if layout.size != count:
                raise ShapeError(f"{op}: {name} should contain {count} elements not {layout.size}")
            raise ShapeError(f"{op}: {name} should have 1 dim, not {layout.ndim}")


def _update(running: Any, value: NDArray, share: float, momentum: float) -> None:
    """Move a running statistic, of which `1 - momentum` is left, towards a new value, of which it takes a share."""
    if running is not None:
        array = running.array
        if value.layout.shape != array.layout.shape:
            value = nd.reshape(value, array.layout.shape)
        if value.flat.dtype is not array.flat.dtype:
            value = nd.astype(value, array.flat.dtype)
        nd.multiply(array, 1 - momentum, out=array)
        nd.addcmul(array, value, share, value=1, out=array)


@torch_function
def batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Normalise each channel over the batch and all spatial dims (Ioffe & Szegedy 2015).

    Args:
        input: (N, C, ...).
        running_mean, running_var: (C,); used where not in training, in training moved towards the batch's.
        weight, bias: (C,).
        training: whether the batch's statistics are used.
        momentum: how far the running ones move.
        eps: added to the variance.

    Returns:
        A tensor of the input's shape.

    Raises:
        ArgumentValueError: eps is negative, or 0 in training.
        ShapeError: in training, a channel has one value only; or the number of channels differs.
        UsageError: there are no running statistics to use.
        AutogradError: running statistics require gradients.

    >>> torch.nn.functional.batch_norm(torch.tensor([[1.0], [3.0]]), None, None, training=True, eps=1e-12)
    tensor([[-1.],
            [ 1.]])
    """
    check_floating("batch_norm", input)
    if eps < 0 or (training and eps == 0):
        raise ArgumentValueError(f"batch_norm eps must be {'positive during training' if training else 'non-negative'}, but got {eps}")
    layout = input.array.layout
    shape = layout.shape
    if training and shape:
        _check_several(shape)
    if len(shape) < 2:
        if not layout.size:
            same_device("batch_norm", input, *(v for v in (running_mean, running_var, weight, bias) if v is not None))
            return input.clone()
        raise ShapeError(f"batch_norm: expected (N, C, ...), got {shape}")
    channels = shape[1]
    if not training and (running_mean is None or running_var is None):
        raise UsageError("batch_norm: Expected running_mean and running_var to be defined when training=False")
    _check_channels("batch_norm", channels, running_mean, running_var, weight, bias)
    if not training:
        return fused.batch_norm(input, running_mean.array, running_var.array, weight, bias, eps, False)  # type: ignore[union-attr]
    _check_running("batch_norm", input, running_mean, running_var)
    mean, variance = channel_moments(input.array)
    count = layout.size // (channels or 1)
    if count:
        _update(running_mean, mean, momentum, momentum)
        _update(running_var, variance, momentum * count / max(1, count - 1), momentum)
    return fused.batch_norm(input, mean, variance, weight, bias, eps, True)


def _check_several(shape: Sequence[int]) -> None:
    """Refuse to take a variance of one value per channel."""
    if shape[0] == 1 and math.prod(shape[2:]) == 1:
        raise ArgumentValueError(f"Expected more than 1 value per channel when training, got input size torch.Size({list(shape)})")


@torch_function
def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Normalise each channel of each instance over its spatial dims (Ulyanov et al. 2016).

    Args:
        input: (N, C, L...).
        running_mean, running_var: (C,), or None; moved towards the mean over the batch of the instances' statistics.
        weight, bias: (C,).
        use_input_stats: whether the instances' own statistics are used, rather than the running ones.
        momentum: how far the running ones move.
        eps: added to the variance.

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: there is one item only, or the number of channels differs.
        UsageError: there are no running statistics to use.
        AutogradError: running statistics require gradients.

    >>> torch.nn.functional.instance_norm(torch.tensor([[[1.0, 3.0]]]), eps=1e-12)
    tensor([[[-1.,  1.]]])
    """
    check_floating("instance_norm", input)
    if input.ndim < 2:
        raise ShapeError(f"instance_norm: expected (N, C, ...), got {tuple(input.shape)}")
    if use_input_stats and math.prod(input.shape[2:]) == 1:
        raise ShapeError(f"Expected more than 1 spatial element when training, got input size torch.Size({list(input.shape)})")
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise UsageError("Expected running_mean and running_var to be defined when use_input_stats is false")
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    input = af.contiguous(input)  # PyTorch reads it in another shape, and its result is row-major
    channels = input.shape[1]
    _check_channels("instance_norm", channels, running_mean, running_var, weight, bias)
    _check_running("instance_norm", input, running_mean, running_var)
    if running_mean is None and running_var is None and channels:
        return fused.group_norm(input, weight, bias, channels, eps)
    shape = [1, channels, *(1,) * (input.ndim - 2)]
    x = _wide(input)
    mean, variance = _moments(x, list(range(2, input.ndim)))
    count = math.prod(input.shape[2:])
    _update(running_mean, nd.mean(mean.array, 0), momentum, momentum)
    _update(running_var, nd.mean(variance.array, 0), momentum * count / max(1, count - 1), momentum)
    return _affine(_normalised(x, mean, variance, eps), weight, bias, shape).to(input.dtype)


@torch_function
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Normalise each instance over groups of channels and all spatial dims (Wu & He 2018).

    Args:
        input: (N, C, ...).
        num_groups: into how many the channels are split.
        weight, bias: (C,).
        eps: added to the variance.

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: the channels cannot be split so, a group has one value only, or a parameter's length differs.
        UsageError: num_groups is not positive.

    >>> torch.nn.functional.group_norm(torch.tensor([[1.0, 3.0, 5.0, 9.0]]), 2, eps=1e-12)
    tensor([[-1.,  1., -1.,  1.]])
    """
    check_floating("group_norm", input)
    shape = input.array.layout.shape
    if len(shape) < 2:
        raise ShapeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
    channels = shape[1]
    if num_groups <= 0:
        raise UsageError(f"group_norm: Expected num groups to be greater than 0, got {num_groups}")
    _check_several((shape[0] * channels // num_groups, num_groups, *shape[2:]))
    if channels % num_groups:
        raise ShapeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(shape)} and num_groups={num_groups}"
        )
    for name, v in (("weight", weight), ("bias", bias)):
        if v is not None and v.array.layout.shape != (channels,):
            raise ShapeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
                f"{list(v.shape)} and input of shape {list(shape)}"
            )
    return fused.group_norm(input, weight, bias, num_groups, eps)


def _normalized_dims(op: str, input: Tensor, normalized_shape: Any, weight: Tensor | None, bias: Tensor | None) -> int:
    """How many of the last dims are normalised over.

    Raises:
        RuntimeError: they are not the input's last, or a parameter's shape differs.
    """
    lengths = tuple(normalized_shape)
    fits = lengths and input.array.layout.shape[-len(lengths) :] == lengths
    if fits and (weight is None or weight.array.layout.shape == lengths) and (bias is None or bias.array.layout.shape == lengths):
        return len(lengths)
    shape = [int(n) for n in lengths]
    if not shape:
        raise ShapeError(f"{op}: Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element")
    for name, v in (("weight", weight), ("bias", bias)):
        if v is not None and list(v.shape) != shape:
            raise ShapeError(
                f"{op}: Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(v.shape)} and "
                f"normalized_shape = {shape}"
            )
    if list(input.shape[-len(shape) :]) != shape or input.ndim < len(shape):
        raise ShapeError(
            f"Given normalized_shape={shape}, expected input with shape [*, {', '.join(map(str, shape))}], but got input of "
            f"size{list(input.shape)}"
        )
    return len(shape)


@torch_function
def layer_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Normalise over the last dims (Ba et al. 2016).

    Args:
        input: (..., *normalized_shape).
        normalized_shape: the lengths of these dims.
        weight, bias: of this shape.
        eps: added to the variance.

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: a shape does not fit.

    >>> torch.nn.functional.layer_norm(torch.tensor([[1.0, 3.0]]), (2,), eps=1e-12)
    tensor([[-1.,  1.]])
    """
    if not isinstance(input, Tensor) or not input.array.flat.dtype.is_floating_point:
        check_floating("layer_norm", input)
    ndim = _normalized_dims("layer_norm", input, normalized_shape, weight, bias)
    return fused.layer_norm(input, weight, bias, ndim, eps)


@torch_function
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    """Divide by the root of the mean square over the last dims (Zhang & Sennrich 2019).

    Args:
        input: (..., *normalized_shape).
        normalized_shape: the lengths of these dims.
        weight: of this shape.
        eps: added to the mean square; by default the dtype's.

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: a shape does not fit.

    >>> torch.nn.functional.rms_norm(torch.tensor([[1.0, 7.0]]), (2,))
    tensor([[0.2000, 1.4000]])
    """
    check_floating("rms_norm", input, complex=True)
    ndim = _normalized_dims("rms_norm", input, normalized_shape, weight, None)
    if eps is None:
        eps = finfo(input.dtype if input.dtype.itemsize >= 4 else float32).eps
    if not input.dtype.is_complex:
        return fused.rms_norm(input, weight, ndim, eps)
    scaled = input * af.rsqrt(lt.mean(input * input, list(range(-ndim, 0)), True) + eps)
    return _affine(scaled, weight, None, list(normalized_shape)).to(input.dtype)


@torch_function
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Divide by the p-norm along a dim.

    Args:
        input: a tensor of any shape.
        p: the norm's exponent.
        dim: the dim of the vectors.
        eps: the least divisor.
        out: a tensor to write the result to.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    length = lt.clamp_min(lt.norm(input, p, dim, keepdim=True), eps)
    return lt.div(input, length) if out is None else lt.div(input, length, out=out)


def _check_running(op: str, input: Tensor, mean: Tensor | None, variance: Tensor | None) -> None:
    """Running statistics to be moved come together; where a function is mapped over batches of the input, they are mapped, too.

    Raises:
        ValueError: there is one without the other.
        RuntimeError: they are not mapped.
    """
    if (mean is None) != (variance is None):
        raise ShapeError(f"{op}: running_mean and running_var must either both be None or neither be None")
    kernels = input.array.flat.kernels
    for statistic in (mean, variance):
        if statistic is None or statistic.array.flat.kernels is kernels:
            continue
        if set(levels_of(kernels)) - set(levels_of(statistic.array.flat.kernels)):
            raise UsageError(
                "Batch norm got a batched tensor as input while the running_mean or running_var, which will be updated in "
                "place, were not batched. Use track_running_stats=False, or patch the model "
                "(https://docs.pytorch.org/docs/stable/func.batch_norm.html)"
            )


@torch_function
def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """Divide items by (k + alpha * mean of squares over neighbouring channels) ** beta (Krizhevsky et al. 2012).

    Args:
        input: (N, C, *spatial).
        size: over how many channels.
        alpha, beta, k: as in the formula.

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: there are fewer than three dims, or no view reads those behind the third as one.

    >>> torch.nn.functional.local_response_norm(torch.ones(1, 2, 1), 2, alpha=2.0)
    tensor([[[0.5946],
             [0.4387]]])
    """
    if input.ndim < 3:
        raise ShapeError(f"Expected 3D or higher dimensionality input (got {input.ndim} dimensions)")
    if not input.array.layout.size:
        return input
    n, channels = input.shape[:2]
    squares = input * input
    if input.ndim > 4:  # PyTorch's is a view of these dims
        squares = squares.view(*input.shape[:3], -1)
    squares = af.reshape(squares, (n, 1, channels, math.prod(input.shape[2:])))
    around = af.constant_pad(squares, [0, 0, size // 2, (size - 1) // 2])
    whole = not around.dtype.is_inexact  # means of whole numbers are whole, as PyTorch has them
    means = af.average_pool(around.double() if whole else around, (size, 1), (1, 1), (0, 0))
    means = af.reshape(means.long() if whole else means, tuple(input.shape))
    return input / (means * alpha + k) ** beta
