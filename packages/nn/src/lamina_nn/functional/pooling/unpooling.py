"""Max pooling undone as far as it can be, as functions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..image_order import as_images_lie
from ..spatial_dims import Lengths, Numbers, batched, like, per_dim

__all__ = ["max_unpool1d", "max_unpool2d", "max_unpool3d"]


def _unpooled(
    op: str, rank: int, input: Tensor, indices: Tensor, kernel_size: Numbers, stride: Numbers | None, padding: Numbers,
    output_size: Sequence[int] | None,
) -> Tensor:  # fmt: skip
    kernel = per_dim(op, "kernel_size", kernel_size, rank)
    steps = kernel if stride is None or stride in ([], ()) else per_dim(op, "stride", stride, rank)
    margins = per_dim(op, "padding", padding, rank)
    if tuple(indices.shape) != tuple(input.shape):
        raise ShapeError(
            f"{op}: Expected shape of indices to be same as that of the input tensor ({list(input.shape)}), but got "
            f"indices tensor with shape: {list(indices.shape)}"
        )
    if input.ndim not in (rank + 1, rank + 2):
        raise ShapeError(f"{op}: Input to {op} should be a {rank + 1}d or {rank + 2}d Tensor, got {list(input.shape)}")
    lengths = _lengths(op, tuple(input.shape[-rank:]), kernel, steps, margins, output_size)
    x, targets = batched(input, rank), batched(indices, rank)
    lead, count = tuple(x.shape[:2]), math.prod(x.shape[2:])
    zeros = lt.zeros(*lead, math.prod(lengths), dtype=x.dtype, device=x.device)
    result = af.scatter(zeros, af.reshape(targets, (*lead, count)), af.reshape(x, (*lead, count)), 2)
    volumes = af.reshape(result, (*lead, *lengths))
    return like(as_images_lie(volumes, x) if rank == 2 else volumes, input)


def _lengths(
    op: str, lengths: Lengths, kernel: Lengths, stride: Lengths, padding: Lengths, output_size: Sequence[int] | None
) -> Lengths:
    """The spatial lengths of the result: those wanted, if windows can have come from them."""
    default = tuple((n - 1) * s + k - 2 * p for n, k, s, p in zip(lengths, kernel, stride, padding, strict=True))
    if output_size is None:
        return default
    output_lengths = tuple(output_size)[-len(lengths) :]
    if len(output_size) not in (len(lengths), len(lengths) + 1, len(lengths) + 2):
        raise ArgumentValueError(
            f"{op}: output_size should be a sequence containing {len(lengths)} elements, but it has {len(output_size)}"
        )
    for n, d, s in zip(output_lengths, default, stride, strict=True):
        if not d - s < n < d + s:
            raise ArgumentValueError(f"{op}: invalid output_size {output_lengths} (dim {n} must be between {d - s} and {d + s})")
    return output_lengths


@torch_function
def max_unpool1d(
    input: Tensor, indices: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Invert `max_pool1d` partially: write each item where its window's greatest item was, and zeros elsewhere.

    Args:
        input: (N, C, L) or (C, L); what `max_pool1d` returned.
        indices: its indices.
        kernel_size, stride, padding: what `max_pool1d` was called with.
        output_size: the shape of its input, or of its spatial dims; by default what the last windows just reach.

    Returns:
        (N, C, L'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: `output_size` does not fit the windows.
        IndexOutOfRange: an index lies outside.

    >>> torch.nn.functional.max_unpool1d(torch.tensor([[3.0, 5.0]]), torch.tensor([[1, 3]]), 2)
    tensor([[0., 3., 0., 5.]])
    """
    return _unpooled("max_unpool1d", 1, input, indices, kernel_size, stride, padding, output_size)


@torch_function(autocast="float32")
def max_unpool2d(
    input: Tensor, indices: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Invert `max_pool2d` partially: write each item where its window's greatest item was, and zeros elsewhere.

    Args:
        input: (N, C, H, W) or (C, H, W); what `max_pool2d` returned.
        indices: its indices.
        kernel_size, stride, padding: what `max_pool2d` was called with.
        output_size: the shape of its input, or of its spatial dims; by default what the last windows just reach.

    Returns:
        (N, C, H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: `output_size` does not fit the windows.
        IndexOutOfRange: an index lies outside.

    >>> torch.nn.functional.max_unpool2d(torch.tensor([[[7.0]]]), torch.tensor([[[3]]]), 2)
    tensor([[[0., 0.],
             [0., 7.]]])
    """
    return _unpooled("max_unpool2d", 2, input, indices, kernel_size, stride, padding, output_size)


@torch_function(autocast="float32")
def max_unpool3d(
    input: Tensor, indices: Tensor, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:  # fmt: skip
    """Invert `max_pool3d` partially: write each item where its window's greatest item was, and zeros elsewhere.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W); what `max_pool3d` returned.
        indices: its indices.
        kernel_size, stride, padding: what `max_pool3d` was called with.
        output_size: the shape of its input, or of its spatial dims; by default what the last windows just reach.

    Returns:
        (N, C, D', H', W'), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: `output_size` does not fit the windows.
        IndexOutOfRange: an index lies outside.

    >>> torch.nn.functional.max_unpool3d(torch.ones(1, 1, 1, 1), torch.tensor([[[[5]]]]), 2).flatten()
    tensor([0., 0., 0., 0., 0., 1., 0., 0.])
    """
    return _unpooled("max_unpool3d", 3, input, indices, kernel_size, stride, padding, output_size)
