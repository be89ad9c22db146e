"""Pooling into a given number of bins of nearly equal length, as functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal, overload

from lamina_flatarray import ShapeError, float32
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from ..checking import check_tensor
from ..image_order import as_images_lie
from ..spatial_dims import Lengths, like, numbers_of, settled

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices", "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
]  # fmt: skip

Counts = int | Sequence[int | None] | None
"""A number of bins for all spatial dims, or one for each; None for as many as items."""


_TOO_MANY: Final = 2**60


@settled
def _counts(op: str, rank: int, shape: Lengths, output_size: Counts) -> tuple[Lengths, Lengths | None]:
    """How many bins along each dim, where None keeps its length; and their length, if all bins have the same."""
    if isinstance(output_size, int) or output_size is None:
        lengths: tuple[Any, ...] = (output_size,) * rank
    else:
        lengths = tuple(output_size) if hasattr(output_size, "__len__") else numbers_of(output_size) * rank
    if len(shape) < rank + 1 and rank > 1:
        raise ShapeError(f"{op}: Input dimension should be at least {rank + 1}, got {list(shape)}")
    if len(lengths) != rank:
        raise ShapeError(f"{op}: output_size must be {rank}: 'output_size' should contain {'one int' if rank == 1 else rank}")
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[-rank - 1 :]:
        raise ShapeError(
            f"{op}: Expected {rank + 1}D or {rank + 2}D tensor with non-zero size for non-batch dimensions, got {list(shape)}"
        )
    counts = tuple(n if w is None else w for n, w in zip(shape[-rank:], lengths, strict=True))
    if min(counts) < 0:
        raise ShapeError(
            f"{op}: elements of output_size must be greater than or equal to 0 (Trying to create tensor with negative dimension), "
            f"got {counts}"
        )
    if math.prod(counts) >= _TOO_MANY:
        raise ShapeError(f"{op}: output_size {counts} asks for more bins than memory has room for")
    if all(count and n % count == 0 for n, count in zip(shape[-rank:], counts, strict=True)):
        return counts, tuple(n // count for n, count in zip(shape[-rank:], counts, strict=True))
    return counts, None


def _means(op: str, rank: int, input: Tensor, output_size: Counts) -> Tensor:
    if not isinstance(input, Tensor):
        check_tensor(op, input)
    shape = input.array.layout.shape
    counts, kernel = _counts(op, rank, shape, output_size)
    if rank == 3:
        input = af.contiguous(input)  # of volumes PyTorch's results are row-major
    x = input if len(shape) == rank + 2 else af.unsqueeze(input, 0)
    if kernel is not None:
        result = fused.average_pool(x, kernel, kernel, (0,) * rank, False, True, None)
        return result if x is input else af.squeeze(result, 0)
    if input.dtype.itemsize < 4:
        x = af.astype(x, float32)  # rounded once
    means = x
    for i, (n, count) in enumerate(zip(shape[-rank:], counts, strict=True)):
        if n != count:
            means = af.mean_bins(means, 2 + i, count)
    if rank == 1 and not x.array.layout.row_major:  # sequences are, as in PyTorch, images of one row
        means = af.squeeze(as_images_lie(af.unsqueeze(means, 2), af.unsqueeze(x, 2)), 2)
    elif rank == 2 and not x.array.layout.row_major:  # one row of one column, on the way, says nothing of an order
        means = as_images_lie(means, x)
    return like(af.astype(means, input.dtype), input)


def _greatest(op: str, rank: int, input: Tensor, output_size: Counts) -> tuple[Tensor, Tensor]:
    if not isinstance(input, Tensor):
        check_tensor(op, input)
    shape = input.array.layout.shape
    counts, kernel = _counts(op, rank, shape, output_size)
    if rank == 3:
        input = af.contiguous(input)  # of volumes PyTorch's results are row-major
    x = input if len(shape) == rank + 2 else af.unsqueeze(input, 0)
    if kernel is not None:
        values, indices = fused.max_pool(x, kernel, kernel, (0,) * rank, (1,) * rank, False)
    else:
        values, indices = fused.adaptive_max_pool(x, counts)
    if x is not input:
        return af.squeeze(values, 0), af.squeeze(indices, 0)
    return values, indices


@torch_function
def adaptive_avg_pool1d(input: Tensor, output_size: Counts) -> Tensor:
    """Take the mean of each of a given number of bins.

    Bins are of nearly equal length; where the number does not divide the length, neighbours share items.

    Args:
        input: (N, C, L) or (C, L).
        output_size: the number of bins along each spatial dim: an int; None for as many as items.

    Returns:
        (N, C, *output_size), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_avg_pool1d(torch.tensor([[1.0, 2.0, 4.0, 6.0]]), 2)
    tensor([[1.5000, 5.0000]])
    """
    return _means("adaptive_avg_pool1d", 1, input, output_size)


@torch_function
def adaptive_avg_pool2d(input: Tensor, output_size: Counts) -> Tensor:
    """Take the mean of each of a given number of bins.

    Bins are of nearly equal length; where the number does not divide the length, neighbours share items.

    Args:
        input: (N, C, H, W) or (C, H, W).
        output_size: the number of bins along each spatial dim: an int, or a pair of them; None for as many as items.

    Returns:
        (N, C, *output_size), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_avg_pool2d(torch.arange(16.0).reshape(1, 4, 4), (2, 1))
    tensor([[[ 3.5000],
             [11.5000]]])
    """
    return _means("adaptive_avg_pool2d", 2, input, output_size)


@torch_function(autocast="float32")
def adaptive_avg_pool3d(input: Tensor, output_size: Counts) -> Tensor:
    """Take the mean of each of a given number of bins.

    Bins are of nearly equal length; where the number does not divide the length, neighbours share items.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        output_size: the number of bins along each spatial dim: an int, or three of them; None for as many as items.

    Returns:
        (N, C, *output_size), without N where the input has none.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_avg_pool3d(torch.ones(1, 3, 8, 8, 8), (2, None, 1)).shape
    lamina.Size([1, 3, 2, 8, 1])
    """
    return _means("adaptive_avg_pool3d", 3, input, output_size)


@overload
def adaptive_max_pool1d(input: Tensor, output_size: Counts, return_indices: Literal[False] = False) -> Tensor: ...
@overload
def adaptive_max_pool1d(input: Tensor, output_size: Counts, *, return_indices: Literal[True]) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool1d(input: Tensor, output_size: Counts, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]: ...
@torch_function
def adaptive_max_pool1d(input: Tensor, output_size: Counts, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Take the greatest item of each of a given number of bins.

    Bins are of nearly equal length; where the number does not divide the length, neighbours share items.

    Args:
        input: (N, C, L) or (C, L).
        output_size: the number of bins along each spatial dim: an int; None for as many as items.
        return_indices: whether the indices within the flattened spatial dims are returned, too.

    Returns:
        (N, C, *output_size), without N where the input has none; with `return_indices`, a pair with int64 indices.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_max_pool1d(torch.tensor([[1.0, 2.0, 4.0, 6.0]]), 2)
    tensor([[2., 6.]])
    """
    pair = _greatest("adaptive_max_pool1d", 1, input, output_size)
    return pair if return_indices else pair[0]


@torch_function
def adaptive_max_pool1d_with_indices(input: Tensor, output_size: Counts, return_indices: bool = False) -> tuple[Tensor, Tensor]:
    """Take the greatest item of each bin and its index: `adaptive_max_pool1d` with `return_indices=True`.

    Args:
        input, output_size: as of `adaptive_max_pool1d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_max_pool1d_with_indices(torch.tensor([[1.0, 2.0, 4.0, 6.0]]), 2)
    (tensor([[2., 6.]]), tensor([[1, 3]]))
    """
    return _greatest("adaptive_max_pool1d_with_indices", 1, input, output_size)


@overload
def adaptive_max_pool2d(input: Tensor, output_size: Counts, return_indices: Literal[False] = False) -> Tensor: ...
@overload
def adaptive_max_pool2d(input: Tensor, output_size: Counts, *, return_indices: Literal[True]) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool2d(input: Tensor, output_size: Counts, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]: ...
@torch_function
def adaptive_max_pool2d(input: Tensor, output_size: Counts, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Take the greatest item of each of a given number of bins.

    Bins are of nearly equal length; where the number does not divide the length, neighbours share items.

    Args:
        input: (N, C, H, W) or (C, H, W).
        output_size: the number of bins along each spatial dim: an int, or a pair of them; None for as many as items.
        return_indices: whether the indices within the flattened spatial dims are returned, too.

    Returns:
        (N, C, *output_size), without N where the input has none; with `return_indices`, a pair with int64 indices.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_max_pool2d(torch.arange(16.0).reshape(1, 4, 4), (2, 1))
    tensor([[[ 7.],
             [15.]]])
    """
    pair = _greatest("adaptive_max_pool2d", 2, input, output_size)
    return pair if return_indices else pair[0]


@torch_function
def adaptive_max_pool2d_with_indices(input: Tensor, output_size: Counts, return_indices: bool = False) -> tuple[Tensor, Tensor]:
    """Take the greatest item of each bin and its index: `adaptive_max_pool2d` with `return_indices=True`.

    Args:
        input, output_size: as of `adaptive_max_pool2d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_max_pool2d_with_indices(torch.arange(4.0).reshape(1, 2, 2), 1)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    return _greatest("adaptive_max_pool2d_with_indices", 2, input, output_size)


@overload
def adaptive_max_pool3d(input: Tensor, output_size: Counts, return_indices: Literal[False] = False) -> Tensor: ...
@overload
def adaptive_max_pool3d(input: Tensor, output_size: Counts, *, return_indices: Literal[True]) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool3d(input: Tensor, output_size: Counts, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]: ...
@torch_function(autocast="float32")
def adaptive_max_pool3d(input: Tensor, output_size: Counts, return_indices: bool = False) -> Tensor | tuple[Tensor, Tensor]:
    """Take the greatest item of each of a given number of bins.

    Bins are of nearly equal length; where the number does not divide the length, neighbours share items.

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        output_size: the number of bins along each spatial dim: an int, or three of them; None for as many as items.
        return_indices: whether the indices within the flattened spatial dims are returned, too.

    Returns:
        (N, C, *output_size), without N where the input has none; with `return_indices`, a pair with int64 indices.

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_max_pool3d(torch.ones(1, 3, 8, 8, 8), 2).shape
    lamina.Size([1, 3, 2, 2, 2])
    """
    pair = _greatest("adaptive_max_pool3d", 3, input, output_size)
    return pair if return_indices else pair[0]


@torch_function(autocast="float32")
def adaptive_max_pool3d_with_indices(input: Tensor, output_size: Counts, return_indices: bool = False) -> tuple[Tensor, Tensor]:
    """Take the greatest item of each bin and its index: `adaptive_max_pool3d` with `return_indices=True`.

    Args:
        input, output_size: as of `adaptive_max_pool3d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.nn.functional.adaptive_max_pool3d_with_indices(torch.arange(8.0).reshape(1, 2, 2, 2), 1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _greatest("adaptive_max_pool3d_with_indices", 3, input, output_size)
