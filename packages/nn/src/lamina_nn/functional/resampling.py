"""Images and volumes at other sizes and other points, and channels exchanged for space, as functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, float32, uint8
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from .image_order import as_images_lie
from .pooling.adaptive import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

__all__ = [
    "affine_grid", "channel_shuffle", "grid_sample", "interpolate", "native_channel_shuffle", "pixel_shuffle",
    "pixel_unshuffle", "upsample", "upsample_bilinear", "upsample_nearest",
]  # fmt: skip

_RANKS = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


@torch_function
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resize signals, images or volumes.

    Args:
        input: (N, C, *spatial), one to three spatial dims. Pictures of uint8 stay uint8, rounded after each axis.
        size: the spatial lengths of the result.
        scale_factor: the same as a multiple of the input's.
        mode: "nearest", "nearest-exact", "linear" (one spatial dim), "bilinear", "bicubic" (two), "trilinear" (three), or "area",
            the means of bins.
        align_corners: whether the centres of the outermost items stay where they are instead of their outer borders; for the linear
            and cubic modes.
        recompute_scale_factor: whether items lie as far apart as the lengths tell, instead of as far as `scale_factor` does.
        antialias: whether to smooth before taking fewer items ("bilinear" and "bicubic").

    Returns:
        (N, C, *size).

    Raises:
        ShapeError: the shapes do not fit, or the mode does not belong to so many dims.
        ValueError: arguments contradict each other.

    >>> torch.nn.functional.interpolate(torch.tensor([[[1.0, 3.0]]]), size=4)
    tensor([[[1., 1., 3., 3.]]])
    """
    rank = input.ndim - 2
    if mode in ("nearest", "area", "nearest-exact"):
        if align_corners is not None:
            raise ArgumentValueError(
                "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
            )
    elif mode not in _RANKS or not 1 <= rank <= 3:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: nearest | linear | bilinear"
            f" | bicubic | trilinear | area | nearest-exact (got {mode})"
        )
    if mode in _RANKS and _RANKS[mode] != rank:
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs {_RANKS[mode] + 2}D input")
    if not 1 <= rank <= 3:
        raise NotImplementedError(f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D)")
    if antialias and mode not in ("bilinear", "bicubic"):
        raise ArgumentValueError("Anti-alias option is restricted to bilinear and bicubic modes and requires a 4-D tensor as input")
    lengths = tuple(input.shape[2:])
    counts, factors = _sizes(lengths, size, scale_factor, recompute_scale_factor)
    if min(lengths) < 1 or min(counts) < 1 or not input.shape[1]:
        raise ShapeError(
            f"interpolate: Input and output sizes should be greater than 0, but got input {list(input.shape)} and output {counts}"
        )
    if mode == "area":
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[rank - 1](input, counts)
    pixels = rank == 2 and input.dtype is uint8
    if mode in _RANKS and not input.dtype.is_floating_point and not pixels:
        raise DTypeError(f"interpolate: mode {mode} not implemented for {input.dtype.name}; it wants floating-point numbers")
    kind = {"bicubic": "cubic"}.get(mode, "linear" if mode in _RANKS else mode)
    narrow = mode in _RANKS and input.dtype.itemsize < 4 and not pixels
    result = whole = af.astype(input, float32) if narrow else input  # rounded once
    axes = list(enumerate(zip(lengths, counts, factors, strict=True)))
    for i, (n, count, factor) in reversed(axes) if pixels else axes:  # bytes are rounded after each axis: PyTorch's order
        if n != count or (not pixels and (factor or mode == "bicubic")):
            result = af.interpolated(result, 2 + i, count, kind, bool(align_corners), factor, antialias)
    if result is whole:
        return as_images_lie(af.copy(input, row_major=True), input)
    return af.astype(result, input.dtype) if narrow else result


def _sizes(
    lengths: tuple[int, ...], size: Any, scale_factor: Any, recompute: bool | None
) -> tuple[tuple[int, ...], tuple[float | None, ...]]:
    """How many items along each dim, and how far apart they were asked to be, where that counts."""
    rank = len(lengths)
    if (size is None) == (scale_factor is None):
        raise ArgumentValueError(
            "either size or scale_factor should be defined" if size is None else "only one of size or scale_factor should be defined"
        )
    if size is not None:
        counts = (size,) * rank if isinstance(size, int) else tuple(int(n) for n in size)
        if len(counts) != rank:
            raise ArgumentValueError(
                f"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of "
                f"{list(lengths)} and output size of {list(counts)}."
            )
        if recompute:
            raise ArgumentValueError("recompute_scale_factor is not meaningful with an explicit size.")
        return counts, (None,) * rank
    factors = (float(scale_factor),) * rank if isinstance(scale_factor, (int, float)) else tuple(map(float, scale_factor))
    if len(factors) != rank:
        raise ArgumentValueError(
            f"Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions of "
            f"{list(lengths)} and scale_factor of shape {list(factors)}."
        )
    counts = tuple(math.floor(n * factor) for n, factor in zip(lengths, factors, strict=True))
    return counts, (None,) * rank if recompute else factors


@torch_function
def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None
) -> Tensor:
    """Resize signals, images or volumes: `interpolate` by its old name.

    Args:
        input: (N, C, *spatial).
        size, scale_factor, mode, align_corners: as of `interpolate`.

    Returns:
        (N, C, *size).

    >>> torch.nn.functional.upsample(torch.tensor([[[1.0, 3.0]]]), scale_factor=2)
    tensor([[[1., 1., 3., 3.]]])
    """
    return interpolate(input, size, scale_factor, mode, align_corners)


@torch_function
def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Resize by repeating the nearest item: `interpolate` with mode "nearest".

    Args:
        input: (N, C, *spatial).
        size, scale_factor: as of `interpolate`.

    Returns:
        (N, C, *size).

    >>> torch.nn.functional.upsample_nearest(torch.tensor([[[1.0, 3.0]]]), size=4)
    tensor([[[1., 1., 3., 3.]]])
    """
    return interpolate(input, size, scale_factor, "nearest")


@torch_function
def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
    """Resize images bilinearly with corners aligned: `interpolate` with mode "bilinear".

    Args:
        input: (N, C, H, W).
        size, scale_factor: as of `interpolate`.

    Returns:
        (N, C, *size).

    >>> torch.nn.functional.upsample_bilinear(torch.tensor([[[[1.0, 3.0]]]]), size=(1, 3))
    tensor([[[[1., 2., 3.]]]])
    """
    return interpolate(input, size, scale_factor, "bilinear", True)


@torch_function(autocast="float32")
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Sample images or volumes at the points of a grid (Jaderberg et al. 2015).

    Args:
        input: (N, C, *spatial), two or three spatial dims.
        grid: (N, *lengths, d): the coordinates of each point, that along the last spatial dim first; the input lies within -1 .. 1.
        mode: "bilinear", "nearest", or for images "bicubic".
        padding_mode: what lies outside: "zeros", the "border", or by "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost items instead of their outer borders.

    Returns:
        (N, C, *lengths).

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: a mode is unknown.

    >>> torch.nn.functional.grid_sample(torch.tensor([[[[1.0, 3.0]]]]), torch.zeros(1, 1, 1, 2), align_corners=True)
    tensor([[[[2.]]]])
    """
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ArgumentValueError(f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ArgumentValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    result: Tensor = af.grid_sample(input, grid, mode, padding_mode, bool(align_corners))
    return result


@torch_function
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """Make the points of an even grid over [-1, 1], each moved by an affine map, for `grid_sample`.

    Args:
        theta: (N, 2, 3) or (N, 3, 4), a map for each example.
        size: (N, C, *spatial) of the wanted images.
        align_corners: as for `grid_sample`.

    Returns:
        (N, *spatial, d) with d spatial dims.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: theta is not floating.

    >>> torch.nn.functional.affine_grid(torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]), (1, 1, 1, 2), align_corners=True)
    tensor([[[[-1.,  0.],
              [ 1.,  0.]]]])
    """
    result: Tensor = af.affine_grid(theta, tuple(size), bool(align_corners))
    return result


@torch_function
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Rearrange channels into space: (..., C * r * r, H, W) to (..., C, H * r, W * r) (Shi et al. 2016).

    Args:
        input: (..., C * r * r, H, W).
        upscale_factor: r.

    Returns:
        (..., C, H * r, W * r).

    Raises:
        ShapeError: the channels are no multiple of r * r.

    >>> torch.nn.functional.pixel_shuffle(torch.arange(4.0).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
    r = upscale_factor
    if input.ndim < 3 or r <= 0 or input.shape[-3] % (r * r):
        raise ShapeError(
            f"pixel_shuffle expects a positive upscale_factor and its input's 'channel' dimension to be divisible by the square of "
            f"upscale_factor, but got {list(input.shape)} and {r}"
        )
    *lead, channels, h, w = input.shape
    parts = af.reshape(input, (*lead, channels // (r * r), r, r, h, w))
    n = len(lead)
    permuted = af.permute(parts, (*range(n), n, n + 3, n + 1, n + 4, n + 2))
    return as_images_lie(af.reshape(af.copy(permuted, row_major=True), (*lead, channels // (r * r), h * r, w * r)), input)


@torch_function
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """Rearrange space into channels, the inverse of `pixel_shuffle`.

    Args:
        input: (..., C, H * r, W * r).
        downscale_factor: r.

    Returns:
        (..., C * r * r, H, W).

    Raises:
        ShapeError: height or width is no multiple of r.

    >>> torch.nn.functional.pixel_unshuffle(torch.arange(4.0).reshape(1, 2, 2), 2).shape
    lamina.Size([4, 1, 1])
    """
    r = downscale_factor
    if input.ndim < 3 or r <= 0 or input.shape[-1] % r or input.shape[-2] % r:
        raise ShapeError(
            f"pixel_unshuffle expects a positive downscale_factor and height and width to be divisible by it, but got "
            f"{list(input.shape)} and {r}"
        )
    *lead, channels, h, w = input.shape
    parts = af.reshape(input, (*lead, channels, h // r, r, w // r, r))
    n = len(lead)
    permuted = af.permute(parts, (*range(n), n, n + 2, n + 4, n + 1, n + 3))
    return as_images_lie(af.reshape(af.copy(permuted, row_major=True), (*lead, channels * r * r, h // r, w // r)), input)


@torch_function
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Interleave the channels of all groups (Zhang et al. 2018).

    Args:
        input: (N, C, *spatial).
        groups: how many.

    Returns:
        A tensor of the input's shape.

    Raises:
        ShapeError: the channels are no multiple of `groups`.

    >>> torch.nn.functional.channel_shuffle(torch.arange(4.0).reshape(1, 4, 1), 2).flatten()
    tensor([0., 2., 1., 3.])
    """
    if input.ndim < 3 or groups <= 0 or input.shape[1] % groups:
        raise ShapeError(f"channel_shuffle: Number of channels must be divisible by groups. Got {list(input.shape)} and {groups}")
    n, channels, *lengths = input.shape
    parts = af.reshape(input, (n, groups, channels // groups, *lengths))
    return as_images_lie(af.reshape(af.copy(af.transpose(parts, 1, 2), row_major=True), (n, channels, *lengths)), input)


native_channel_shuffle = channel_shuffle
