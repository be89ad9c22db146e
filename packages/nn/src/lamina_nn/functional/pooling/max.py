"""Max pooling over sliding windows as functions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, overload

from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused
from lamina_tensor.methods.shapes.memory_order import formatted

from ..checking import check_tensor
from ..spatial_dims import Lengths, Numbers, per_dim

__all__ = [
    "max_pool1d", "max_pool1d_with_indices", "max_pool2d", "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices",
    "settings",
]  # fmt: skip


@lru_cache(1024, typed=True)
def settings(
    op: str, rank: int, shape: Lengths, kernel_size: Any, stride: Any, padding: Any, dilation: Any
) -> tuple[Lengths, ...]:
    """Return kernel_size, stride, padding and dilation for each spatial dim.

    Args:
        op: the function's name, for messages.
        rank: the number of spatial dims.
        shape: of the input.
        kernel_size, stride, padding, dilation: a number, or one for each spatial dim; a stride of None is the kernel's
            size.

    Returns:
        Four tuples.

    Raises:
        ShapeError: the input has another number of dims.
        UsageError: a number is out of range.
    """
    kernel = per_dim(op, "kernel_size", kernel_size, rank)
    steps = kernel if stride is None or stride in ([], ()) else per_dim(op, "stride", stride, rank)
    margins, dilations = per_dim(op, "padding", padding, rank), per_dim(op, "dilation", dilation, rank)
    for name, numbers in (("kernel_size", kernel), ("stride", steps), ("dilation", dilations)):
        if min(numbers) <= 0:
            raise UsageError(f"{op}: {name} must be greater than zero, but got {min(numbers)}")
    for k, p, d in zip(kernel, margins, dilations, strict=True):
        if p < 0:
            raise UsageError(f"{op}: pad must be non-negative, but got pad: {p}")
        if p > ((k - 1) * d + 1) // 2:
            raise UsageError(
                f"{op}: pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[-rank - 1 :]:
        raise ShapeError(
            f"{op}: Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size for input (non-empty "
            f"{rank + 1}D or {rank + 2}D). Expected input's non-batch dimensions to have positive length, but got {list(shape)}"
        )
    return kernel, steps, margins, dilations


def _greatest(
    op: str, rank: int, input: Tensor, kernel_size: Numbers, stride: Numbers | None, padding: Numbers, dilation: Numbers,
    ceil_mode: bool,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    if not isinstance(input, Tensor):
        check_tensor(op, input)
    shape = input.array.layout.shape
    try:
        kernel, steps, margins, dilations = settings(op, rank, shape, kernel_size, stride, padding, dilation)
    except TypeError:  # a list among them
        kernel, steps, margins, dilations = settings.__wrapped__(op, rank, shape, kernel_size, stride, padding, dilation)
    x = input if len(shape) == rank + 2 else af.unsqueeze(input, 0)
    values, indices = fused.max_pool(x, kernel, steps, margins, dilations, ceil_mode)
    if x is input:
        return values, indices
    return af.squeeze(values, 0), af.squeeze(indices, 0)


@overload
def max_pool1d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: Literal[False] = False,
) -> Tensor: ...  # fmt: skip
@overload
def max_pool1d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, *, return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def max_pool1d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function
def max_pool1d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of every window.

    Args:
        input: (N, C, L) or (C, L).
        kernel_size: the shape of a window; a number, like the next three.
        stride: the distance between neighbouring windows; by default the kernel's size.
        padding: how far windows reach over each border, at most half a kernel.
        dilation: the distance between neighbouring items of a window.
        ceil_mode: whether a last window may reach over the end.
        return_indices: whether the indices within the flattened spatial dims are returned, too.

    Returns:
        (N, C, L'), without N where the input has none; with `return_indices`, a pair with int64 indices of that shape.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    tensor([[3., 5.]])
    """
    values, indices = _greatest("max_pool1d", 1, input, kernel_size, stride, padding, dilation, ceil_mode)
    if return_indices:
        return values, indices
    if values.requires_grad:
        return values
    return formatted(values, "contiguous", "max_pool1d")  # where nothing is recorded, PyTorch's results are row-major


@torch_function
def max_pool1d_with_indices(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of every window and its index: `max_pool1d` with `return_indices=True`.

    Args:
        input, kernel_size, stride, padding, dilation, ceil_mode: as of `max_pool1d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, L').

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.max_pool1d_with_indices(torch.tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    (tensor([[3., 5.]]), tensor([[1, 3]]))
    """
    return _greatest("max_pool1d_with_indices", 1, input, kernel_size, stride, padding, dilation, ceil_mode)


@overload
def max_pool2d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: Literal[False] = False,
) -> Tensor: ...  # fmt: skip
@overload
def max_pool2d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, *, return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def max_pool2d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function
def max_pool2d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of every window.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the shape of a window; one number, or one for each of the two spatial dims, like the next three.
        stride: the distance between neighbouring windows; by default the kernel's size.
        padding: how far windows reach over each border, at most half a kernel.
        dilation: the distance between neighbouring items of a window.
        ceil_mode: whether a last window may reach over the end.
        return_indices: whether the indices within the flattened spatial dims are returned, too.

    Returns:
        (N, C, H', W'), without N where the input has none; with `return_indices`, a pair with int64 indices of that shape.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.max_pool2d(torch.arange(16.0).reshape(1, 4, 4), 2)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    pair = _greatest("max_pool2d", 2, input, kernel_size, stride, padding, dilation, ceil_mode)
    return pair if return_indices else pair[0]


@torch_function
def max_pool2d_with_indices(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of every window and its index: `max_pool2d` with `return_indices=True`.

    Args:
        input, kernel_size, stride, padding, dilation, ceil_mode: as of `max_pool2d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, H', W').

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> values, indices = torch.nn.functional.max_pool2d_with_indices(torch.arange(16.0).reshape(1, 4, 4), 2)
    >>> indices
    tensor([[[ 5,  7],
             [13, 15]]])
    """
    return _greatest("max_pool2d_with_indices", 2, input, kernel_size, stride, padding, dilation, ceil_mode)


@overload
def max_pool3d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: Literal[False] = False,
) -> Tensor: ...  # fmt: skip
@overload
def max_pool3d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, *, return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def max_pool3d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function(autocast="float32")
def max_pool3d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of every window.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        kernel_size: the shape of a window; one number, or one for each of the three spatial dims, like the next three.
        stride: the distance between neighbouring windows; by default the kernel's size.
        padding: how far windows reach over each border, at most half a kernel.
        dilation: the distance between neighbouring items of a window.
        ceil_mode: whether a last window may reach over the end.
        return_indices: whether the indices within the flattened spatial dims are returned, too.

    Returns:
        (N, C, D', H', W'), without N where the input has none; with `return_indices`, a pair with int64 indices of that shape.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.max_pool3d(torch.ones(1, 3, 8, 8, 8), 2).shape
    lamina.Size([1, 3, 4, 4, 4])
    """
    pair = _greatest("max_pool3d", 3, input, kernel_size, stride, padding, dilation, ceil_mode)
    return pair if return_indices else pair[0]


@torch_function(autocast="float32")
def max_pool3d_with_indices(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, dilation: Numbers = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of every window and its index: `max_pool3d` with `return_indices=True`.

    Args:
        input, kernel_size, stride, padding, dilation, ceil_mode: as of `max_pool3d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, D', H', W').

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> values, indices = torch.nn.functional.max_pool3d_with_indices(torch.arange(8.0).reshape(1, 2, 2, 2), 2)
    >>> indices
    tensor([[[[7]]]])
    """
    return _greatest("max_pool3d_with_indices", 3, input, kernel_size, stride, padding, dilation, ceil_mode)
