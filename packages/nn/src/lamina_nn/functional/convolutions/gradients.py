"""The gradients of convolutions as functions: what one operand gets, from the other and from the gradient of the result."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_ndarray import Layout
from lamina_ndarray.layers.convolutions.correlation import convolved_layout
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused
from lamina_tensor.methods.shapes.memory_order import lying

from ..checking import check_floating
from ..spatial_dims import Lengths, Numbers
from .convolution import settings

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]


def _settled(
    op: str, rank: int, input_size: Sequence[int], weight_size: Sequence[int], gradient: Tensor, stride: Numbers, padding: Numbers,
    dilation: Numbers, groups: int,
) -> tuple[Lengths, Lengths, Lengths]:  # fmt: skip
    """Stride, padding and dilation for each spatial dim, of a convolution whose result has the gradient's shape."""
    check_floating(op, gradient, complex=True)
    if len(weight_size) != rank + 2:
        raise ShapeError(f"{op}: Expected a weight of {rank + 2} dims, but got size: {list(weight_size)}")
    steps, margins, dilations = settings(op, rank, rank + 2, stride, padding, dilation, groups)
    # On the meta device nothing is computed: a convolution of such sizes is checked as every other.
    input, weight = (lt.empty(tuple(size), dtype=gradient.dtype, device="meta") for size in (input_size, weight_size))
    expected = fused.convolution(input, weight, None, steps, margins, dilations, groups).shape
    if gradient.shape != expected:
        raise ShapeError(
            f"{op}: an input of size {list(input_size)} and a weight of size {list(weight_size)} give a result of size "
            f"{list(expected)}, but its gradient has size {list(gradient.shape)}"
        )
    return steps, margins, dilations


def _of_input(
    op: str, rank: int, input_size: Sequence[int], weight: Tensor, gradient: Tensor, stride: Numbers, padding: Numbers,
    dilation: Numbers, groups: int,
) -> Tensor:  # fmt: skip
    numbers = _settled(op, rank, input_size, weight.shape, gradient, stride, padding, dilation, groups)
    result: Tensor = af.convolution_input_gradient(gradient, af.conj(weight), None, tuple(input_size[2:]), *numbers, groups)
    return lying(result, convolved_layout(tuple(result.shape), Layout.dense(tuple(result.shape)), weight.array.layout))


def _of_weight(
    op: str, rank: int, input: Tensor, weight_size: Sequence[int], gradient: Tensor, stride: Numbers, padding: Numbers,
    dilation: Numbers, groups: int,
) -> Tensor:  # fmt: skip
    numbers = _settled(op, rank, input.shape, weight_size, gradient, stride, padding, dilation, groups)
    result: Tensor = af.convolution_weight_gradient(gradient, af.conj(input), tuple(weight_size[2:]), *numbers, groups)
    return lying(result, convolved_layout(tuple(result.shape), input.array.layout, Layout.dense(tuple(result.shape))))


@torch_function
def conv1d_input(
    input_size: Sequence[int], weight: Tensor, grad_output: Tensor, stride: Numbers = 1, padding: Numbers = 0, dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Compute the gradient that a convolution of sequences gives to its input.

    Args:
        input_size: the input's size, (N, C, L).
        weight: (outputs, C / groups, kL).
        grad_output: the gradient of the result, (N, outputs, L').
        stride: the distance between neighbouring windows; a number, like padding and dilation.
        padding: the number of zeros on each side.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (N, C, L).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.
        OpNotImplemented: the dtype is neither floating-point nor complex.

    >>> torch.nn.grad.conv1d_input((1, 1, 4), torch.tensor([[[-1.0, 1.0]]]), torch.tensor([[[1.0, 2.0, 4.0]]]))
    tensor([[[-1., -1., -2.,  4.]]])
    """
    return _of_input("conv1d_input", 1, input_size, weight, grad_output, stride, padding, dilation, groups)


@torch_function
def conv1d_weight(
    input: Tensor, weight_size: Sequence[int], grad_output: Tensor, stride: Numbers = 1, padding: Numbers = 0, dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Compute the gradient that a convolution of sequences gives to its weight.

    Args:
        input: (N, C, L).
        weight_size: the weight's size, (outputs, C / groups, kL).
        grad_output: the gradient of the result, (N, outputs, L').
        stride: the distance between neighbouring windows; a number, like padding and dilation.
        padding: the number of zeros on each side.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (outputs, C / groups, kL).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.
        OpNotImplemented: the dtype is neither floating-point nor complex.

    >>> x = torch.tensor([[[1.0, 2.0, 4.0, 7.0]]])
    >>> torch.nn.grad.conv1d_weight(x, (1, 1, 2), torch.tensor([[[1.0, 0.0, 0.0]]]))
    tensor([[[1., 2.]]])
    """
    return _of_weight("conv1d_weight", 1, input, weight_size, grad_output, stride, padding, dilation, groups)


@torch_function
def conv2d_input(
    input_size: Sequence[int], weight: Tensor, grad_output: Tensor, stride: Numbers = 1, padding: Numbers = 0, dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Compute the gradient that a convolution of images gives to its input.

    Args:
        input_size: the input's size, (N, C, H, W).
        weight: (outputs, C / groups, kH, kW).
        grad_output: the gradient of the result, (N, outputs, H', W').
        stride: the distance between neighbouring windows; one number, or one for each of the two spatial dims, like padding and dilation.
        padding: the number of zeros on each side.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (N, C, H, W).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.
        OpNotImplemented: the dtype is neither floating-point nor complex.

    >>> torch.nn.grad.conv2d_input((1, 1, 3, 3), torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    tensor([[[[1., 2., 1.],
              [2., 4., 2.],
              [1., 2., 1.]]]])
    """
    return _of_input("conv2d_input", 2, input_size, weight, grad_output, stride, padding, dilation, groups)


@torch_function
def conv2d_weight(
    input: Tensor, weight_size: Sequence[int], grad_output: Tensor, stride: Numbers = 1, padding: Numbers = 0, dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Compute the gradient that a convolution of images gives to its weight.

    Args:
        input: (N, C, H, W).
        weight_size: the weight's size, (outputs, C / groups, kH, kW).
        grad_output: the gradient of the result, (N, outputs, H', W').
        stride: the distance between neighbouring windows; one number, or one for each of the two spatial dims, like padding and dilation.
        padding: the number of zeros on each side.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (outputs, C / groups, kH, kW).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.
        OpNotImplemented: the dtype is neither floating-point nor complex.

    >>> torch.nn.grad.conv2d_weight(torch.ones(1, 1, 3, 3), (1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    tensor([[[[4., 4.],
              [4., 4.]]]])
    """
    return _of_weight("conv2d_weight", 2, input, weight_size, grad_output, stride, padding, dilation, groups)


@torch_function
def conv3d_input(
    input_size: Sequence[int], weight: Tensor, grad_output: Tensor, stride: Numbers = 1, padding: Numbers = 0, dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Compute the gradient that a convolution of volumes gives to its input.

    Args:
        input_size: the input's size, (N, C, D, H, W).
        weight: (outputs, C / groups, kD, kH, kW).
        grad_output: the gradient of the result, (N, outputs, D', H', W').
        stride: the distance between neighbouring windows; one number, or one for each of the three spatial dims, like padding and dilation.
        padding: the number of zeros on each side.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (N, C, D, H, W).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.
        OpNotImplemented: the dtype is neither floating-point nor complex.

    >>> torch.nn.grad.conv3d_input((1, 3, 8, 8, 8), torch.ones(4, 3, 3, 3, 3), torch.ones(1, 4, 3, 3, 3), stride=2).shape
    lamina.Size([1, 3, 8, 8, 8])
    """
    return _of_input("conv3d_input", 3, input_size, weight, grad_output, stride, padding, dilation, groups)


@torch_function
def conv3d_weight(
    input: Tensor, weight_size: Sequence[int], grad_output: Tensor, stride: Numbers = 1, padding: Numbers = 0, dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:  # fmt: skip
    """Compute the gradient that a convolution of volumes gives to its weight.

    Args:
        input: (N, C, D, H, W).
        weight_size: the weight's size, (outputs, C / groups, kD, kH, kW).
        grad_output: the gradient of the result, (N, outputs, D', H', W').
        stride: the distance between neighbouring windows; one number, or one for each of the three spatial dims, like padding and dilation.
        padding: the number of zeros on each side.
        dilation: the distance between neighbouring items of a window.
        groups: how many parts channels and outputs are split into; each part sees its own channels only.

    Returns:
        (outputs, C / groups, kD, kH, kW).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.
        DTypeError: the dtypes differ.
        OpNotImplemented: the dtype is neither floating-point nor complex.

    >>> torch.nn.grad.conv3d_weight(torch.ones(1, 3, 8, 8, 8), (4, 3, 3, 3, 3), torch.ones(1, 4, 3, 3, 3), stride=2).shape
    lamina.Size([4, 3, 3, 3, 3])
    """
    return _of_weight("conv3d_weight", 3, input, weight_size, grad_output, stride, padding, dilation, groups)
