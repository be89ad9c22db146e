"""Means and p-norms of sliding windows as functions."""

from __future__ import annotations

import math

import lamina_tensor as lt
from lamina_flatarray import UsageError, float64, int64
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..checking import check_tensor
from ..spatial_dims import Lengths, Numbers, per_dim
from .max import settings

__all__ = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "lp_pool3d"]


def _mean(
    op: str, rank: int, input: Tensor, kernel_size: Numbers, stride: Numbers | None, padding: Numbers, ceil_mode: bool,
    count_include_pad: bool, divisor: int | None,
) -> Tensor:  # fmt: skip
    if not isinstance(input, Tensor):
        check_tensor(op, input)
    shape = input.array.layout.shape
    try:
        kernel, steps, margins, _ = settings(op, rank, shape, kernel_size, stride, padding, 1)
    except TypeError:  # a list among them
        kernel, steps, margins, _ = settings.__wrapped__(op, rank, shape, kernel_size, stride, padding, 1)
    if divisor == 0:
        raise UsageError(f"{op}: divisor must be not zero")
    x = input if len(shape) == rank + 2 else af.unsqueeze(input, 0)
    pool = _of_integers if x.dtype is int64 else fused.average_pool
    means = pool(x, kernel, steps, margins, ceil_mode, count_include_pad, divisor)
    return means if x is input else af.squeeze(means, 0)


def _of_integers(
    x: Tensor, kernel: Lengths, steps: Lengths, margins: Lengths, ceil_mode: bool, count_include_pad: bool, divisor: int | None,
) -> Tensor:  # fmt: skip
    """Sums of windows of int64 over their counts, the quotient rounded towards zero."""
    lengths = x.shape[2:]
    ones = af.ones((1, 1, *lengths), dtype=float64, device=x.device)
    present = fused.average_pool(ones, kernel, steps, margins, ceil_mode, True, 1)  # items of each window that are no padding
    counts = af.astype(af.round(present / fused.average_pool(ones, kernel, steps, margins, ceil_mode, count_include_pad, None)), int64)
    reach = [(n - 1) * step + k for n, step, k in zip(counts.shape[2:], steps, kernel, strict=True)]
    behind = [r - length - margin for r, length, margin in zip(reach, lengths, margins, strict=True)]
    windows = af.constant_pad(x, [side for pair in reversed(list(zip(margins, behind, strict=True))) for side in pair])
    for dim, (k, step) in enumerate(zip(kernel, steps, strict=True), 2):
        windows = af.unfold(windows, dim, k, step)
    sums = af.sum(windows, tuple(range(-len(kernel), 0)))
    return lt.div(sums, counts if divisor is None else divisor, rounding_mode="trunc")


def _root(means: Tensor, count: int, norm_type: float) -> Tensor:
    """The p-norms of windows from the means of their items to the power p."""
    if norm_type == 0:
        raise UsageError("norm_type must not be 0")
    result: Tensor = (af.sign(means) * af.relu(af.abs(means)) * count) ** (1.0 / norm_type)
    return result


@torch_function
def avg_pool1d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """Take the mean of every window.

    Args:
        input: (N, C, L) or (C, L).
        kernel_size: the shape of a window; a number, like the next two.
        stride: the distance between neighbouring windows; by default the kernel's size.
        padding: how many zeros surround the input on each side, at most half a kernel.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether zeros of the padding count as items.

    Returns:
        (N, C, L'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.avg_pool1d(torch.tensor([[1.0, 3.0, 2.0, 6.0]]), 2)
    tensor([[2., 4.]])
    """
    return _mean(
        "avg_pool1d", 1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None
    )


@torch_function
def avg_pool2d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """Take the mean of every window.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the shape of a window; one number, or one for each of the two spatial dims, like the next two.
        stride: the distance between neighbouring windows; by default the kernel's size.
        padding: how many zeros surround the input on each side, at most half a kernel.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether zeros of the padding count as items.
        divisor_override: what sums are divided by instead of the number of items.

    Returns:
        (N, C, H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.avg_pool2d(torch.arange(16.0).reshape(1, 4, 4), 2)
    tensor([[[ 2.5000,  4.5000],
             [10.5000, 12.5000]]])
    """
    return _mean(
        "avg_pool2d", 2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@torch_function(autocast="float32")
def avg_pool3d(
    input: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Tensor:  # fmt: skip
    """Take the mean of every window.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        kernel_size: the shape of a window; one number, or one for each of the three spatial dims, like the next two.
        stride: the distance between neighbouring windows; by default the kernel's size.
        padding: how many zeros surround the input on each side, at most half a kernel.
        ceil_mode: whether a last window may reach over the end.
        count_include_pad: whether zeros of the padding count as items.
        divisor_override: what sums are divided by instead of the number of items.

    Returns:
        (N, C, D', H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.avg_pool3d(torch.ones(1, 3, 8, 8, 8), 2).shape
    lamina.Size([1, 3, 4, 4, 4])
    """
    return _mean(
        "avg_pool3d", 3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@torch_function
def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: Numbers, stride: Numbers | None = None, ceil_mode: bool = False
) -> Tensor:
    """Take the p-norm of every window: the p-th root of the sum of its items to the power p.

    Args:
        input: (N, C, L) or (C, L).
        norm_type: p.
        kernel_size: the shape of a window; a number, like `stride`.
        stride: the distance between neighbouring windows; by default the kernel's size.
        ceil_mode: whether a last window may reach over the end.

    Returns:
        (N, C, L'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.lp_pool1d(torch.tensor([[3.0, 4.0, 6.0, 8.0]]), 2, 2)
    tensor([[ 5., 10.]])
    """
    kernel = per_dim("lp_pool1d", "kernel_size", kernel_size, 1)
    means = _mean("lp_pool1d", 1, input**norm_type, kernel, stride, 0, ceil_mode, True, None)
    return _root(means, math.prod(kernel), norm_type)


@torch_function
def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Numbers, stride: Numbers | None = None, ceil_mode: bool = False
) -> Tensor:
    """Take the p-norm of every window: the p-th root of the sum of its items to the power p.

    Args:
        input: (N, C, H, W) or (C, H, W).
        norm_type: p.
        kernel_size: the shape of a window; one number, or one for each of the two spatial dims, like `stride`.
        stride: the distance between neighbouring windows; by default the kernel's size.
        ceil_mode: whether a last window may reach over the end.

    Returns:
        (N, C, H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.lp_pool2d(torch.ones(1, 4, 4), 2, 2)
    tensor([[[2., 2.],
             [2., 2.]]])
    """
    kernel = per_dim("lp_pool2d", "kernel_size", kernel_size, 2)
    means = _mean("lp_pool2d", 2, input**norm_type, kernel, stride, 0, ceil_mode, True, None)
    return _root(means, math.prod(kernel), norm_type)


@torch_function
def lp_pool3d(
    input: Tensor, norm_type: float, kernel_size: Numbers, stride: Numbers | None = None, ceil_mode: bool = False
) -> Tensor:
    """Take the p-norm of every window: the p-th root of the sum of its items to the power p.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        norm_type: p.
        kernel_size: the shape of a window; one number, or one for each of the three spatial dims, like `stride`.
        stride: the distance between neighbouring windows; by default the kernel's size.
        ceil_mode: whether a last window may reach over the end.

    Returns:
        (N, C, D', H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.lp_pool3d(torch.ones(1, 2, 2, 2), 1, 2)
    tensor([[[[8.]]]])
    """
    kernel = per_dim("lp_pool3d", "kernel_size", kernel_size, 3)
    means = _mean("lp_pool3d", 3, input**norm_type, kernel, stride, 0, ceil_mode, True, None)
    return _root(means, math.prod(kernel), norm_type)
