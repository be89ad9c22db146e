"""The blocks that a convolution sees, as columns: `unfold` and `fold`."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ShapeError, UsageError
from lamina_tensor import Tensor, contiguous_format
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..spatial_dims import Numbers, per_dim

__all__ = ["fold", "unfold"]


def _blocks(op: str, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> list[tuple[int, ...]]:
    settings = []
    for name, value, least in (
        ("kernel_size", kernel_size, 1), ("dilation", dilation, 1), ("padding", padding, 0), ("stride", stride, 1)
    ):  # fmt: skip
        numbers = per_dim(op, name, value, 2)
        if min(numbers) < least:
            raise UsageError(f"{op}: {name} should be at least {least}, but got {numbers}")
        settings.append(numbers)
    return settings


@torch_function
def unfold(
    input: Tensor, kernel_size: Numbers, dilation: Numbers = 1, padding: Numbers = 0, stride: Numbers = 1
) -> Tensor:
    """Extract every block that slides over images, as a column.

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the shape of a block; this and the others are a number, or one for each of the two dims.
        dilation: from one item of a block to the next.
        padding: zeros on each side.
        stride: from one block to the next.

    Returns:
        (N, C * items of a block, blocks).

    Raises:
        ShapeError: the shapes do not fit, or no block does.
        UsageError: a number is out of range.

    >>> torch.nn.functional.unfold(torch.arange(4.0).reshape(1, 2, 2), (1, 2))
    tensor([[0., 2.],
            [1., 3.]])
    """
    kernel, dilations, margins, steps = _blocks("unfold", kernel_size, dilation, padding, stride)
    if input.ndim not in (3, 4) or 0 in input.shape[-3:]:
        raise ShapeError(f"unfold: Expected 3D or 4D (batch mode) tensor with non-zero dimensions, but got {list(input.shape)}")
    x = af.unsqueeze(input, 0) if input.ndim == 3 else input
    windows = af.sliding_windows(x, kernel, steps, margins, dilations).clone(memory_format=contiguous_format)
    n, channels, *lengths = windows.shape
    result = af.reshape(windows, (n, channels * lengths[0] * lengths[1], lengths[2] * lengths[3]))
    return result if input.ndim == 4 else af.squeeze(result, 0)


@torch_function
def fold(
    input: Tensor,
    output_size: Numbers,
    kernel_size: Numbers,
    dilation: Numbers = 1,
    padding: Numbers = 0,
    stride: Numbers = 1,
) -> Tensor:
    """Add columns up as the blocks that `unfold` extracts.

    Args:
        input: (N, C * items of a block, blocks), or without N.
        output_size: the last two lengths of the result.
        kernel_size, dilation, padding, stride: as for `unfold`.

    Returns:
        (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.
        UsageError: a number is out of range.

    >>> torch.nn.functional.fold(torch.ones(2, 2), (1, 3), (1, 2))
    tensor([[[1., 2., 1.]]])
    """
    kernel, dilations, margins, steps = _blocks("fold", kernel_size, dilation, padding, stride)
    lengths = per_dim("fold", "output_size", output_size, 2)
    size = kernel[0] * kernel[1]
    if input.ndim not in (2, 3) or 0 in input.shape[-2:] or input.shape[-2] % size:
        raise ShapeError(
            f"fold: Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got {list(input.shape)} "
            f"and kernel_size={kernel}"
        )
    x = af.unsqueeze(input, 0) if input.ndim == 2 else input
    counts = tuple(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, s, p, d in zip(lengths, kernel, steps, margins, dilations, strict=True)
    )
    if min(counts) < 1 or x.shape[2] != counts[0] * counts[1]:
        raise ShapeError(
            f"fold: Given output_size={lengths}, kernel_size={kernel}, dilation={dilations}, padding={margins}, stride={steps}, "
            f"expected size of input's dimension 2 to match the calculated number of sliding blocks {counts[0]} * {counts[1]}, but "
            f"got {x.shape[2]}"
        )
    windows = af.reshape(x, (x.shape[0], x.shape[1] // size, *kernel, *counts))
    result: Tensor = af.overlap_add(windows, lengths, steps, margins, dilations)
    return result if input.ndim == 3 else af.squeeze(result, 0)
