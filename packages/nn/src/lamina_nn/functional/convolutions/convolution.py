"""Convolutions as functions."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..checking import check_tensor
from ..spatial_dims import Numbers, per_dim, settled

__all__ = ["checked", "conv1d", "conv2d", "conv3d", "settings"]


@settled
def settings(op: str, rank: int, dims: int, stride: Any, padding: Any, dilation: Any, groups: int) -> tuple[tuple[int, ...], ...]:
    """Return stride, padding and dilation for each spatial dim.

    Args:
        op: the function's name, for messages.
        rank: the number of spatial dims.
        dims: the number of dims of the weight.
        stride, padding, dilation: a number, or one for each spatial dim.
        groups: the number of groups.

    Returns:
        Three tuples.

    Raises:
        ShapeError: the weight has too few dims.
        UsageError: a number is out of range.
    """
    if dims < 3:
        raise ShapeError(f"{op}: weight should have at least three dimensions, got {dims}")
    if groups <= 0:
        raise UsageError(f"{op}: non-positive groups is not supported, got {groups}")
    steps, margins = per_dim(op, "stride", stride, rank), per_dim(op, "padding", padding, rank)
    dilations = per_dim(op, "dilation", dilation, rank)
    if min(steps) <= 0:
        raise UsageError(f"{op}: non-positive stride is not supported, got {list(steps)}")
    if min(margins) < 0:
        raise UsageError(f"{op}: negative padding is not supported, got {list(margins)}")
    if min(dilations) <= 0:
        raise UsageError(f"{op}: dilation should be greater than zero, got {list(dilations)}")
    return steps, margins, dilations


def checked(op: str, rank: int, input: Tensor, weight: Tensor) -> Tensor:
    """Return the input with a batch dim.

    Args:
        op: the function's name, for messages.
        rank: the number of spatial dims.
        input, weight: of the convolution.

    Returns:
        A tensor of rank + 2 dims.

    Raises:
        ShapeError: the input or the weight has another number of dims.
    """
    if weight.ndim != rank + 2:
        raise ShapeError(f"{op}: Expected a weight of {rank + 2} dims, but got size: {list(weight.shape)}")
    if input.ndim not in (rank + 1, rank + 2):
        raise ShapeError(
            f"{op}: Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {op}, but got input of size: {list(input.shape)}"
        )
    return input if input.ndim == rank + 2 else af.unsqueeze(input, 0)


def _convolved(
    op: str, rank: int, input: Tensor, weight: Tensor, bias: Tensor | None, stride: Numbers, padding: str | Numbers,
    dilation: Numbers, groups: int,
) -> Tensor:  # fmt: skip
    if not (isinstance(input, Tensor) and isinstance(weight, Tensor)):
        check_tensor(op, input, weight)
    around = 0 if isinstance(padding, str) else padding
    steps, margins, dilations = settings(op, rank, weight.array.layout.ndim, stride, around, dilation, groups)
    x = checked(op, rank, input, weight)
    if isinstance(padding, str):
        x, margins = _same(op, x, weight, padding, steps, dilations)
    result = fused.convolution(x, weight, bias, steps, margins, dilations, groups)
    return result if x.ndim == input.ndim else af.squeeze(result, 0)


def _same(
    op: str, x: Tensor, weight: Tensor, padding: str, stride: tuple[int, ...], dilation: tuple[int, ...]
) -> tuple[Tensor, tuple[int, ...]]:
    """The input, and the number of zeros on each side; the odd one of an odd number is padded at the end."""
    if padding not in ("same", "valid"):
        raise UsageError(f"{op}: Invalid padding string: '{padding}'")
    if padding == "valid":
        return x, (0,) * len(stride)
    if any(s != 1 for s in stride):
        raise UsageError(f"{op}: padding='same' is not supported for strided convolutions")
    around = [d * (k - 1) for k, d in zip(weight.shape[2:], dilation, strict=True)]
    if any(n % 2 for n in around):
        x = af.constant_pad(x, [n for total in reversed(around) for n in (0, total % 2)])
    return x, tuple(n // 2 for n in around)


@torch_function(autocast="lower")
def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1, padding: str | Numbers = 0,
    dilation: Numbers = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Convolve sequences: slide each output channel's weight over the input and take dot products.

    Args:
        input: (N, C, L) or (C, L).
        weight: (outputs, C / groups, kL).
        bias: (outputs,), or None.
        stride: the distance between neighbouring windows; a number, like padding and dilation.
        padding: the number of zeros on each side; "valid" for none, "same" for as many as keep the spatial shape.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (N, outputs, L'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range, or "same" is used with a stride.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.conv1d(torch.tensor([[1.0, 2.0, 4.0, 7.0]]), torch.tensor([[[-1.0, 1.0]]]))
    tensor([[1., 2., 3.]])
    """
    return _convolved("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


@torch_function(autocast="lower")
def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1, padding: str | Numbers = 0,
    dilation: Numbers = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Convolve images: slide each output channel's weight over the input and take dot products.

    Args:
        input: (N, C, H, W) or (C, H, W).
        weight: (outputs, C / groups, kH, kW).
        bias: (outputs,), or None.
        stride: the distance between neighbouring windows; one number, or one for each of the two spatial dims, like padding and dilation.
        padding: the number of zeros on each side; "valid" for none, "same" for as many as keep the spatial shape.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (N, outputs, H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range, or "same" is used with a stride.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.conv2d(torch.ones(1, 3, 3), torch.ones(1, 1, 2, 2), padding="same")
    tensor([[[4., 4., 2.],
             [4., 4., 2.],
             [2., 2., 1.]]])
    """
    return _convolved("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


@torch_function(autocast="lower")
def conv3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1, padding: str | Numbers = 0,
    dilation: Numbers = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """Convolve volumes: slide each output channel's weight over the input and take dot products.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        weight: (outputs, C / groups, kD, kH, kW).
        bias: (outputs,), or None.
        stride: the distance between neighbouring windows; one number, or one for each of the three spatial dims, like padding and dilation.
        padding: the number of zeros on each side; "valid" for none, "same" for as many as keep the spatial shape.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (N, outputs, D', H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range, or "same" is used with a stride.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.conv3d(torch.ones(1, 3, 8, 8, 8), torch.ones(4, 3, 3, 3, 3), stride=2).shape
    lamina.Size([1, 4, 3, 3, 3])
    """
    return _convolved("conv3d", 3, input, weight, bias, stride, padding, dilation, groups)
