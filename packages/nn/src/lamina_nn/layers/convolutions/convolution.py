"""Convolution layers, and the transposed ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ... import init
from ...functional.spatial_dims import per_dim
from ...module import Module
from ...parameter import Parameter

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]

Numbers = int | Sequence[int]
_MODES = {"zeros", "reflect", "replicate", "circular"}


class _Kernel(Module):
    """What both kinds have: a weight, a bias and the numbers that say how it slides."""

    _rank: ClassVar[int]
    transposed: ClassVar[bool] = False
    weight: Parameter
    bias: Parameter

    def _set(
        self, channels: tuple[int, int], kernel_size: Any, stride: Any, padding: Any, dilation: Any, groups: int,
        padding_mode: str,
    ) -> None:  # fmt: skip
        name, rank = type(self).__name__, self._rank
        if groups <= 0:
            raise ArgumentValueError("groups must be a positive integer")
        for what, count in zip(("in_channels", "out_channels"), channels, strict=True):
            if count % groups:
                raise ArgumentValueError(f"{what} must be divisible by groups")
        if padding_mode not in _MODES:
            raise ArgumentValueError(f"padding_mode must be one of {sorted(_MODES)}, but got padding_mode='{padding_mode}'")
        self.in_channels, self.out_channels = channels
        self.kernel_size = per_dim(name, "kernel_size", kernel_size, rank)
        self.stride = per_dim(name, "stride", stride, rank)
        self.padding = padding if isinstance(padding, str) else per_dim(name, "padding", padding, rank)
        self.dilation = per_dim(name, "dilation", dilation, rank)
        self.output_padding = (0,) * rank
        self.groups, self.padding_mode = groups, padding_mode

    def _make(self, shape: tuple[int, ...], bias: bool, device: Any, dtype: Any) -> None:
        self.weight = Parameter(lt.empty(*shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(lt.empty(self.out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values, uniform within 1/sqrt(items of a window)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = math.prod(self.weight.shape[1:])
            if fan_in:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        none = (0,) * self._rank
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        text += f", padding={self.padding}" if self.padding != none else ""
        text += f", dilation={self.dilation}" if self.dilation != (1,) * self._rank else ""
        text += f", output_padding={self.output_padding}" if self.output_padding != none else ""
        text += f", groups={self.groups}" if self.groups != 1 else ""
        text += ", bias=False" if self.bias is None else ""
        return text + (f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else "")


class _Conv(_Kernel):
    """What the convolutions have beside a kernel: padding by name, and padding modes."""

    def __init__(
        self,
        in_channels: int,
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
        super().__init__()
        self._set((in_channels, out_channels), kernel_size, stride, padding, dilation, groups, padding_mode)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ArgumentValueError(f"Invalid padding string '{padding}', should be one of 'same', 'valid'")
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ArgumentValueError("padding='same' is not supported for strided convolutions")
        self._make((out_channels, in_channels // groups, *self.kernel_size), bias, device, dtype)

    def _margins(self) -> list[int]:
        """How much lies before and after, in pairs, from the last dim backwards."""
        margins: list[int] = []
        for i in reversed(range(self._rank)):
            if self.padding == "same":
                around = self.dilation[i] * (self.kernel_size[i] - 1)
                margins += [around // 2, around - around // 2]
            else:
                margins += [0, 0] if self.padding == "valid" else [self.padding[i], self.padding[i]]  # type: ignore[list-item]
        return margins

    def forward(self, input: Tensor) -> Tensor:
        """Convolve the input with the kernels.

        Args:
            input: (N, in_channels, *spatial), or without N.

        Returns:
            (N, out_channels, *lengths), or without N.
        """
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input, padding = F.pad(input, self._margins(), self.padding_mode), 0
        convolve = getattr(F, f"conv{self._rank}d")
        result: Tensor = convolve(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)
        return result


class Conv1d(_Conv):
    """Slide kernels over sequences: out[n, c] = bias[c] + sum over k of the cross-correlation of weight[c, k] with
    input[n, k].

    Args:
        in_channels: the number of channels of the input.
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
        (N, C_in, L) to (N, C_out, L_out); N may be missing. Each spatial length L becomes
        (L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1.

    Weight (C_out, C_in / groups, *kernel_size) and bias (C_out,) begin uniform within 1/sqrt(C_in / groups * items of
    the kernel), drawn in PyTorch's order.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding or padding_mode is unknown, or padding is
            "same" with a stride above 1.

    >>> torch.nn.Conv1d(2, 4, 3, padding=1)(torch.zeros(1, 2, 8)).shape
    lamina.Size([1, 4, 8])
    """

    _rank = 1


class Conv2d(_Conv):
    """Slide kernels over images: out[n, c] = bias[c] + sum over k of the cross-correlation of weight[c, k] with
    input[n, k].

    Args:
        in_channels: the number of channels of the input.
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
        (N, C_in, H, W) to (N, C_out, H_out, W_out); N may be missing. Each spatial length L becomes
        (L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1.

    Weight (C_out, C_in / groups, *kernel_size) and bias (C_out,) begin uniform within 1/sqrt(C_in / groups * items of
    the kernel), drawn in PyTorch's order.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding or padding_mode is unknown, or padding is
            "same" with a stride above 1.

    >>> torch.nn.Conv2d(2, 4, 3, padding=1)(torch.zeros(1, 2, 8, 9)).shape
    lamina.Size([1, 4, 8, 9])
    """

    _rank = 2


class Conv3d(_Conv):
    """Slide kernels over volumes: out[n, c] = bias[c] + sum over k of the cross-correlation of weight[c, k] with
    input[n, k].

    Args:
        in_channels: the number of channels of the input.
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
        (N, C_in, D, H, W) to (N, C_out, D_out, H_out, W_out); N may be missing. Each spatial length L becomes
        (L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1.

    Weight (C_out, C_in / groups, *kernel_size) and bias (C_out,) begin uniform within 1/sqrt(C_in / groups * items of
    the kernel), drawn in PyTorch's order.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding or padding_mode is unknown, or padding is
            "same" with a stride above 1.

    >>> torch.nn.Conv3d(2, 4, 3, padding=1)(torch.zeros(1, 2, 8, 9, 10)).shape
    lamina.Size([1, 4, 8, 9, 10])
    """

    _rank = 3


class _ConvTranspose(_Kernel):
    """What the transposed convolutions have beside a kernel: the choice of an output size."""

    transposed = True

    def __init__(
        self,
        in_channels: int,
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
        super().__init__()
        if padding_mode != "zeros":
            raise ArgumentValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._set((in_channels, out_channels), kernel_size, stride, padding, dilation, groups, padding_mode)
        self.output_padding = per_dim(type(self).__name__, "output_padding", output_padding, self._rank)
        self._make((in_channels, out_channels // groups, *self.kernel_size), bias, device, dtype)

    def _longer(self, input: Tensor, output_size: Sequence[int] | None) -> tuple[int, ...]:
        """The output padding that makes a wanted size."""
        if output_size is None:
            return self.output_padding
        rank = self._rank
        lengths = tuple(output_size)[-rank:]
        if len(output_size) not in (rank, input.ndim):
            raise ArgumentValueError(
                f"{type(self).__name__}: for {input.ndim}D input, output_size must have {rank} or {input.ndim} elements (got "
                f"{len(output_size)})"
            )
        least = [
            (n - 1) * s - 2 * p + d * (k - 1) + 1  # type: ignore[operator]
            for n, s, p, d, k in zip(
                input.shape[-rank:], self.stride, self.padding, self.dilation, self.kernel_size, strict=True
            )
        ]
        if any(not low <= n < low + s for n, low, s in zip(lengths, least, self.stride, strict=True)):
            raise ShapeError(
                f"requested an output size of {list(output_size)}, but valid sizes range from {least} to "
                f"{[low + s - 1 for low, s in zip(least, self.stride, strict=True)]} (for an input of {list(input.shape)})"
            )
        return tuple(n - low for n, low in zip(lengths, least, strict=True))

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Convolve the input with the transposed kernels.

        Args:
            input: (N, in_channels, *spatial), or without N.
            output_size: the spatial lengths of the output, where a stride above 1 allows several; None for the shortest
                plus `output_padding`.

        Returns:
            (N, out_channels, *lengths), or without N.

        Raises:
            ArgumentValueError: output_size has another number of items than the input has spatial dims, or dims.
            ShapeError: output_size cannot be reached.
        """
        convolve = getattr(F, f"conv_transpose{self._rank}d")
        output_padding = self._longer(input, output_size)
        result: Tensor = convolve(
            input, self.weight, self.bias, self.stride, self.padding, output_padding, self.groups, self.dilation
        )
        return result


class ConvTranspose1d(_ConvTranspose):
    """Add a kernel, multiplied by an item, for every item of sequences: the transpose of `Conv1d`.

    Args:
        in_channels: the number of channels of the input.
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
        (N, C_in, L) to (N, C_out, L_out); N may be missing. Each spatial length L becomes
        (L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1.

    Weight (C_in, C_out / groups, *kernel_size) and bias (C_out,) are drawn in PyTorch's order.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding_mode is not "zeros".

    >>> torch.nn.ConvTranspose1d(2, 4, 2, stride=2)(torch.zeros(1, 2, 8)).shape
    lamina.Size([1, 4, 16])
    """

    _rank = 1


class ConvTranspose2d(_ConvTranspose):
    """Add a kernel, multiplied by an item, for every item of images: the transpose of `Conv2d`.

    Args:
        in_channels: the number of channels of the input.
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
        (N, C_in, H, W) to (N, C_out, H_out, W_out); N may be missing. Each spatial length L becomes
        (L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1.

    Weight (C_in, C_out / groups, *kernel_size) and bias (C_out,) are drawn in PyTorch's order.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding_mode is not "zeros".

    >>> torch.nn.ConvTranspose2d(2, 4, 2, stride=2)(torch.zeros(1, 2, 8, 9)).shape
    lamina.Size([1, 4, 16, 18])
    """

    _rank = 2


class ConvTranspose3d(_ConvTranspose):
    """Add a kernel, multiplied by an item, for every item of volumes: the transpose of `Conv3d`.

    Args:
        in_channels: the number of channels of the input.
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
        (N, C_in, D, H, W) to (N, C_out, D_out, H_out, W_out); N may be missing. Each spatial length L becomes
        (L - 1) * stride - 2 * padding + dilation * (kernel_size - 1) + output_padding + 1.

    Weight (C_in, C_out / groups, *kernel_size) and bias (C_out,) are drawn in PyTorch's order.

    Raises:
        ArgumentValueError: groups does not divide the channels, or padding_mode is not "zeros".

    >>> torch.nn.ConvTranspose3d(2, 4, 2, stride=2)(torch.zeros(1, 2, 8, 9, 10)).shape
    lamina.Size([1, 4, 16, 18, 20])
    """

    _rank = 3
