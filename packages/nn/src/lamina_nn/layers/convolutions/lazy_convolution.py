"""Convolution layers whose in_channels is that of the first input."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor

from ...lazy_parameter import UninitializedParameter, is_lazy
from .convolution import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
    Numbers,
    _Kernel,
)
from .lazy import LazyModuleMixin

__all__ = [
    "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d"
]  # fmt: skip


class _LazyKernel(LazyModuleMixin, _Kernel):
    """What both kinds have: a weight and a bias without a shape."""

    def _wait(self, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        self.out_channels = out_channels
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw new initial values, once there is a shape."""
        if not self.has_uninitialized_params() and self.in_channels:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes.

        Args:
            input: the first input.
            args, kwargs: the other arguments of forward.

        Raises:
            ShapeError: the input has another number of dims.
            ArgumentValueError: groups does not divide its channels.
        """
        if not self.has_uninitialized_params():
            return
        without_batch = self._rank + 1
        if input.ndim not in (without_batch, without_batch + 1):
            raise ShapeError(
                f"Expected {without_batch}D (unbatched) or {without_batch + 1}D (batched) input to {type(self).__name__}, but got "
                f"input of size: {tuple(input.shape)}"
            )
        self.in_channels = input.shape[-without_batch]
        if self.in_channels % self.groups:
            raise ArgumentValueError("in_channels must be divisible by groups")
        channels = (self.out_channels, self.in_channels)
        first, second = channels[::-1] if self.transposed else channels
        if is_lazy(self.weight):
            self.weight.materialize((first, second // self.groups, *self.kernel_size))
        if is_lazy(self.bias):
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyConv(_LazyKernel):
    """What the lazy convolutions have beside a kernel: the constructor without in_channels."""

    def __init__(
        self,
        out_channels: int,
        kernel_size: Numbers,
        stride: Numbers = 1,
        padding: str | Numbers = 0,
        dilation: Numbers = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode)
        self._wait(out_channels, bias, device, dtype)


class LazyConv1d(_LazyConv, Conv1d):
    """Convolve sequences, the number of input channels taken from the first input; the module then becomes a `Conv1d`.

    Args:
        out_channels: the number of channels of the output.
        kernel_size: the shape of the kernel; this, stride, padding and dilation are a number, or one for each spatial
            dim.
        stride: the step from one window to the next.
        padding: the items added on each side; "valid" for none, "same" for as many as keep the spatial shape.
        dilation: the step from one item of a window to the next.
        groups: the number of groups that the channels are split into, each convolved with its own kernels.
        bias: whether a bias is added to each output channel.
        padding_mode: what is added: "zeros", or the input continued as by `functional.pad`: "reflect", "replicate",
            "circular".
        device, dtype: of the parameters.

    Shape:
        (N, C_in, L) to (N, C_out, L_out); N may be missing.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding or padding_mode is unknown, or padding is
            "same" with a stride above 1.

    >>> layer = torch.nn.LazyConv1d(4, 3)
    >>> layer(torch.zeros(1, 2, 8)).shape
    lamina.Size([1, 4, 6])
    >>> type(layer).__name__
    'Conv1d'
    """

    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    """Convolve images, the number of input channels taken from the first input; the module then becomes a `Conv2d`.

    Args:
        out_channels: the number of channels of the output.
        kernel_size: the shape of the kernel; this, stride, padding and dilation are a number, or one for each spatial
            dim.
        stride: the step from one window to the next.
        padding: the items added on each side; "valid" for none, "same" for as many as keep the spatial shape.
        dilation: the step from one item of a window to the next.
        groups: the number of groups that the channels are split into, each convolved with its own kernels.
        bias: whether a bias is added to each output channel.
        padding_mode: what is added: "zeros", or the input continued as by `functional.pad`: "reflect", "replicate",
            "circular".
        device, dtype: of the parameters.

    Shape:
        (N, C_in, H, W) to (N, C_out, H_out, W_out); N may be missing.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding or padding_mode is unknown, or padding is
            "same" with a stride above 1.

    >>> layer = torch.nn.LazyConv2d(4, 3)
    >>> layer(torch.zeros(1, 2, 8, 9)).shape
    lamina.Size([1, 4, 6, 7])
    >>> type(layer).__name__
    'Conv2d'
    """

    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    """Convolve volumes, the number of input channels taken from the first input; the module then becomes a `Conv3d`.

    Args:
        out_channels: the number of channels of the output.
        kernel_size: the shape of the kernel; this, stride, padding and dilation are a number, or one for each spatial
            dim.
        stride: the step from one window to the next.
        padding: the items added on each side; "valid" for none, "same" for as many as keep the spatial shape.
        dilation: the step from one item of a window to the next.
        groups: the number of groups that the channels are split into, each convolved with its own kernels.
        bias: whether a bias is added to each output channel.
        padding_mode: what is added: "zeros", or the input continued as by `functional.pad`: "reflect", "replicate",
            "circular".
        device, dtype: of the parameters.

    Shape:
        (N, C_in, D, H, W) to (N, C_out, D_out, H_out, W_out); N may be missing.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding or padding_mode is unknown, or padding is
            "same" with a stride above 1.

    >>> layer = torch.nn.LazyConv3d(4, 3)
    >>> layer(torch.zeros(1, 2, 8, 9, 10)).shape
    lamina.Size([1, 4, 6, 7, 8])
    >>> type(layer).__name__
    'Conv3d'
    """

    cls_to_become = Conv3d


class _LazyConvTranspose(_LazyKernel):
    """What the lazy transposed convolutions have beside a kernel: the constructor without in_channels."""

    def __init__(
        self,
        out_channels: int,
        kernel_size: Numbers,
        stride: Numbers = 1,
        padding: Numbers = 0,
        output_padding: Numbers = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Numbers = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode)
        self._wait(out_channels, bias, device, dtype)


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    """Apply a transposed convolution to sequences, the number of input channels taken from the first input; the module
    then becomes a `ConvTranspose1d`.

    Args:
        out_channels: the number of channels of the output.
        kernel_size: the shape of the kernel; this and the next three are a number, or one for each spatial dim.
        stride: the step from one window to the next.
        padding: the items cut off on each side of the output.
        output_padding: the items added at the end of each spatial dim of the output; less than stride or dilation.
        groups: the number of groups that the channels are split into, each with its own kernels.
        bias: whether a bias is added to each output channel.
        dilation: the step from one item of a window to the next.
        padding_mode: "zeros"; there is no other.
        device, dtype: of the parameters.

    Shape:
        (N, C_in, L) to (N, C_out, L_out); N may be missing.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding_mode is not "zeros".

    >>> layer = torch.nn.LazyConvTranspose1d(4, 3)
    >>> layer(torch.zeros(1, 2, 8)).shape
    lamina.Size([1, 4, 10])
    >>> type(layer).__name__
    'ConvTranspose1d'
    """

    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    """Apply a transposed convolution to images, the number of input channels taken from the first input; the module
    then becomes a `ConvTranspose2d`.

    Args:
        out_channels: the number of channels of the output.
        kernel_size: the shape of the kernel; this and the next three are a number, or one for each spatial dim.
        stride: the step from one window to the next.
        padding: the items cut off on each side of the output.
        output_padding: the items added at the end of each spatial dim of the output; less than stride or dilation.
        groups: the number of groups that the channels are split into, each with its own kernels.
        bias: whether a bias is added to each output channel.
        dilation: the step from one item of a window to the next.
        padding_mode: "zeros"; there is no other.
        device, dtype: of the parameters.

    Shape:
        (N, C_in, H, W) to (N, C_out, H_out, W_out); N may be missing.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding_mode is not "zeros".

    >>> layer = torch.nn.LazyConvTranspose2d(4, 3)
    >>> layer(torch.zeros(1, 2, 8, 9)).shape
    lamina.Size([1, 4, 10, 11])
    >>> type(layer).__name__
    'ConvTranspose2d'
    """

    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    """Apply a transposed convolution to volumes, the number of input channels taken from the first input; the module
    then becomes a `ConvTranspose3d`.

    Args:
        out_channels: the number of channels of the output.
        kernel_size: the shape of the kernel; this and the next three are a number, or one for each spatial dim.
        stride: the step from one window to the next.
        padding: the items cut off on each side of the output.
        output_padding: the items added at the end of each spatial dim of the output; less than stride or dilation.
        groups: the number of groups that the channels are split into, each with its own kernels.
        bias: whether a bias is added to each output channel.
        dilation: the step from one item of a window to the next.
        padding_mode: "zeros"; there is no other.
        device, dtype: of the parameters.

    Shape:
        (N, C_in, D, H, W) to (N, C_out, D_out, H_out, W_out); N may be missing.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding_mode is not "zeros".

    >>> layer = torch.nn.LazyConvTranspose3d(4, 3)
    >>> layer(torch.zeros(1, 2, 8, 9, 10)).shape
    lamina.Size([1, 4, 10, 11, 12])
    >>> type(layer).__name__
    'ConvTranspose3d'
    """

    cls_to_become = ConvTranspose3d
