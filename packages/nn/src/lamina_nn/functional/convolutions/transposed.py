"""Transposed convolutions as functions."""

from __future__ import annotations

from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..checking import check_tensor
from ..spatial_dims import Numbers, like, per_dim
from .convolution import checked, settings

__all__ = ["conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]


def _transposed(
    op: str, rank: int, input: Tensor, weight: Tensor, bias: Tensor | None, stride: Numbers, padding: Numbers,
    output_padding: Numbers, groups: int, dilation: Numbers,
) -> Tensor:  # fmt: skip
    if not (isinstance(input, Tensor) and isinstance(weight, Tensor)):
        check_tensor(op, input, weight)
    steps, margins, dilations = settings(op, rank, weight.array.layout.ndim, stride, padding, dilation, groups)
    extras = per_dim(op, "output_padding", output_padding, rank)
    x = checked(op, rank, input, weight)
    for extra, s, d in zip(extras, steps, dilations, strict=True):
        if not 0 <= extra < max(s, d):
            raise UsageError(
                f"{op}: output padding must be smaller than either stride or dilation, and not negative, but got "
                f"output_padding: {extras}, stride: {steps} and dilation: {dilations}"
            )
    if x.shape[1] != weight.shape[0] or x.shape[1] % groups:
        raise ShapeError(
            f"{op}: Given transposed=1, weight of size {list(weight.shape)}, expected input{list(x.shape)} to have "
            f"{weight.shape[0]} channels, but got {x.shape[1]} channels instead"
        )
    if bias is not None:
        outputs = weight.shape[1] * groups
        if tuple(bias.shape) != (outputs,):
            raise ShapeError(f"{op}: expected bias to be 1-dimensional with {outputs} elements, got {list(bias.shape)}")
        if bias.dtype is not x.dtype:
            raise DTypeError(f"{op}: Input type ({x.dtype}) and bias type ({bias.dtype}) should be the same")
    lengths = tuple(
        (n - 1) * s - 2 * p + d * (k - 1) + extra + 1
        for n, k, s, p, d, extra in zip(x.shape[2:], weight.shape[2:], steps, margins, dilations, extras, strict=True)
    )
    if min(lengths) < 1:
        raise ShapeError(f"{op}: Given input size per channel: {list(x.shape[2:])}. Calculated output size: {lengths}, too small")
    if any(extra >= s for extra, s in zip(extras, steps, strict=True)):  # room for more inputs, which are 0
        room = [extra // s for extra, s in zip(extras, steps, strict=True)]
        x = af.constant_pad(x, [n for extra in reversed(room) for n in (0, extra)])
    result: Tensor = af.convolution_input_gradient(x, weight, bias, lengths, steps, margins, dilations, groups)
    return like(result, input)


@torch_function(autocast="lower")
def conv_transpose1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1, padding: Numbers = 0,
    output_padding: Numbers = 0, groups: int = 1, dilation: Numbers = 1,
) -> Tensor:  # fmt: skip
    """Apply the transpose of a convolution of sequences: add each item of the input times the weight to its window.

    Args:
        input: (N, C, L) or (C, L).
        weight: (C, outputs / groups, kL).
        bias: (outputs,), or None.
        stride: the distance between neighbouring windows; a number, like the two paddings and dilation.
        padding: how much of the result is cut off on each side.
        output_padding: how much longer the result is at the end.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.
        dilation: the distance between neighbouring items of a window.

    Returns:
        (N, outputs, L'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.conv_transpose1d(torch.tensor([[1.0, 2.0]]), torch.tensor([[[1.0, 1.0]]]), stride=2)
    tensor([[1., 1., 2., 2.]])
    """
    return _transposed("conv_transpose1d", 1, input, weight, bias, stride, padding, output_padding, groups, dilation)


@torch_function(autocast="lower")
def conv_transpose2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1, padding: Numbers = 0,
    output_padding: Numbers = 0, groups: int = 1, dilation: Numbers = 1,
) -> Tensor:  # fmt: skip
    """Apply the transpose of a convolution of images: add each item of the input times the weight to its window.

    Args:
        input: (N, C, H, W) or (C, H, W).
        weight: (C, outputs / groups, kH, kW).
        bias: (outputs,), or None.
        stride: the distance between neighbouring windows; one number, or one for each of the two spatial dims, like the paddings
            and dilation.
        padding: how much of the result is cut off on each side.
        output_padding: how much longer the result is at the end.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.
        dilation: the distance between neighbouring items of a window.

    Returns:
        (N, outputs, H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.conv_transpose2d(torch.ones(1, 2, 2), torch.ones(1, 1, 2, 2))
    tensor([[[1., 2., 1.],
             [2., 4., 2.],
             [1., 2., 1.]]])
    """
    return _transposed("conv_transpose2d", 2, input, weight, bias, stride, padding, output_padding, groups, dilation)


@torch_function(autocast="lower")
def conv_transpose3d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Numbers = 1, padding: Numbers = 0,
    output_padding: Numbers = 0, groups: int = 1, dilation: Numbers = 1,
) -> Tensor:  # fmt: skip
    """Apply the transpose of a convolution of volumes: add each item of the input times the weight to its window.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        weight: (C, outputs / groups, kD, kH, kW).
        bias: (outputs,), or None.
        stride: the distance between neighbouring windows; one number, or one for each of the three spatial dims, like the paddings
            and dilation.
        padding: how much of the result is cut off on each side.
        output_padding: how much longer the result is at the end.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.
        dilation: the distance between neighbouring items of a window.

    Returns:
        (N, outputs, D', H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.

    >>> torch.nn.functional.conv_transpose3d(torch.ones(1, 4, 3, 3, 3), torch.ones(4, 2, 2, 2, 2), stride=2).shape
    lamina.Size([1, 2, 6, 6, 6])
    """
    return _transposed("conv_transpose3d", 3, input, weight, bias, stride, padding, output_padding, groups, dilation)
