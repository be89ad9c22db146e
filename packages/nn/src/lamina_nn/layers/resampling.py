"""Layers that change the size of images, exchange channels for space, or take blocks apart and together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_tensor import Tensor

from .. import functional as F
from ..module import Module

__all__ = [
    "ChannelShuffle", "Fold", "PixelShuffle", "PixelUnshuffle", "Unfold", "Upsample", "UpsamplingBilinear2d",
    "UpsamplingNearest2d",
]  # fmt: skip


class Upsample(Module):
    """Resize the spatial dims of images, sequences or volumes.

    Args:
        size: the spatial lengths of the output; or else
        scale_factor: the factor by which they grow, one for all spatial dims or one for each.
        mode: "nearest", "linear", "bilinear", "bicubic" or "trilinear"; see `functional.interpolate`.
        align_corners: whether the outermost items of input and output coincide, in the linear and cubic modes.
        recompute_scale_factor: whether the factor is computed anew from the rounded lengths.

    Shape:
        (N, C, *spatial) to (N, C, *lengths).

    >>> torch.nn.Upsample(scale_factor=2)(torch.tensor([[[1.0, 2.0]]]))
    tensor([[[1., 1., 2., 2.]]])
    """

    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.scale_factor: Any = scale_factor
        if isinstance(scale_factor, Sequence):
            self.scale_factor = tuple(map(float, scale_factor))
        elif scale_factor is not None:
            self.scale_factor = float(scale_factor)
        self.mode, self.align_corners, self.recompute_scale_factor = mode, align_corners, recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Resize the spatial dims.

        Args:
            input: (N, C, *spatial).

        Returns:
            (N, C, *lengths).
        """
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        size = f"size={self.size!r}" if self.scale_factor is None else f"scale_factor={self.scale_factor!r}"
        return f"{size}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resize images, each new pixel taken from the nearest old one.

    Args:
        size: height and width of the output; or else
        scale_factor: the factor by which they grow.

    Shape:
        (N, C, H, W) to (N, C, *size).

    >>> torch.nn.UpsamplingNearest2d(scale_factor=2)(torch.tensor([[[[1.0, 2.0]]]]))
    tensor([[[[1., 1., 2., 2.],
              [1., 1., 2., 2.]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "nearest")


class UpsamplingBilinear2d(Upsample):
    """Resize images by linear interpolation between pixels; the corners of input and output coincide.

    Args:
        size: height and width of the output; or else
        scale_factor: the factor by which they grow.

    Shape:
        (N, C, H, W) to (N, C, *size).

    >>> torch.nn.UpsamplingBilinear2d(size=(1, 3))(torch.tensor([[[[1.0, 2.0]]]]))
    tensor([[[[1.0000, 1.5000, 2.0000]]]])
    """

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True)


class PixelShuffle(Module):
    """Move channels into space by a factor r (Shi et al. 2016).

    Args:
        upscale_factor: r.

    Shape:
        (..., C * r * r, H, W) to (..., C, H * r, W * r).

    >>> torch.nn.PixelShuffle(2)(torch.arange(4.0).reshape(4, 1, 1))
    tensor([[[0., 1.],
             [2., 3.]]])
    """

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Move channels into space.

        Args:
            input: (..., C * r * r, H, W).

        Returns:
            (..., C, H * r, W * r).
        """
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Move space into channels by a factor r: the inverse of `PixelShuffle`.

    Args:
        downscale_factor: r.

    Shape:
        (..., C, H * r, W * r) to (..., C * r * r, H, W).

    >>> torch.nn.PixelUnshuffle(2)(torch.zeros(1, 4, 6)).shape
    lamina.Size([4, 2, 3])
    """

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Move space into channels.

        Args:
            input: (..., C, H * r, W * r).

        Returns:
            (..., C * r * r, H, W).
        """
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"downscale_factor={self.downscale_factor}"


class ChannelShuffle(Module):
    """Interleave the channels of groups: the channel at group g and index i moves to group i and index g (Zhang et al.
    2018).

    Args:
        groups: the number of groups, which divides that of channels.

    Shape:
        (N, C, *spatial); the output has the input's.

    >>> torch.nn.ChannelShuffle(2)(torch.arange(4.0).reshape(1, 4, 1)).flatten()
    tensor([0., 2., 1., 3.])
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """Interleave the channels.

        Args:
            input: (N, C, *spatial).

        Returns:
            A tensor of the input's shape.
        """
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"groups={self.groups}"


class Unfold(Module):
    """Copy every block that slides over images into a column.

    Args:
        kernel_size: the shape of a block; this and the others are a number, or one for each spatial dim.
        dilation: the step from one item of a block to the next.
        padding: the zeros added on each side.
        stride: the step from one block to the next.

    Shape:
        (N, C, H, W) or (C, H, W) to (N, C * items of a block, blocks) or (C * items of a block, blocks).

    >>> torch.nn.Unfold(2)(torch.zeros(1, 3, 4, 5)).shape
    lamina.Size([1, 12, 12])
    """

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        """Copy the blocks.

        Args:
            input: (N, C, H, W) or (C, H, W).

        Returns:
            (N, C * items of a block, blocks), without N where the input has none.
        """
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )


class Fold(Module):
    """Add columns back into images as blocks: the transpose of `Unfold`.

    Args:
        output_size: height and width of the images.
        kernel_size: the shape of a block; this and the others are a number, or one for each spatial dim.
        dilation: the step from one item of a block to the next.
        padding: the margin on each side of the images that is cut off.
        stride: the step from one block to the next.

    Shape:
        (N, C * items of a block, blocks) to (N, C, *output_size); N may be missing.

    >>> torch.nn.Fold((1, 3), (1, 2))(torch.ones(1, 2, 2))
    tensor([[[[1., 2., 1.]]]])
    """

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Tensor) -> Tensor:
        """Add the columns.

        Args:
            input: (N, C * items of a block, blocks), or without N.

        Returns:
            (N, C, *output_size), or without N.
        """
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )
