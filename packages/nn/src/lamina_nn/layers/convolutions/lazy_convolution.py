"""Convolution layers whose in_channels is that of the first input."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor

from ...lazy_parameter import UninitializedParameter
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

        Raises:
            ShapeError: the input has another number of dims.
            ValueError: its channels cannot be cut into so many groups.
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
        self.weight.materialize((first, second // self.groups, *self.kernel_size))  # type: ignore[operator]
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))  # type: ignore[operator]
        self.reset_parameters()


class _LazyConv(_LazyKernel):
    """A convolution whose in_channels is that of the first input; the other arguments are those of the class that it becomes."""

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
    __doc__ = _LazyConv.__doc__
    cls_to_become = Conv1d


class LazyConv2d(_LazyConv, Conv2d):
    __doc__ = _LazyConv.__doc__
    cls_to_become = Conv2d


class LazyConv3d(_LazyConv, Conv3d):
    __doc__ = _LazyConv.__doc__
    cls_to_become = Conv3d


class _LazyConvTranspose(_LazyKernel):
    """A transposed convolution whose in_channels is that of the first input; the other arguments are those of the class that it
    becomes."""

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
    __doc__ = _LazyConvTranspose.__doc__
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    __doc__ = _LazyConvTranspose.__doc__
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    __doc__ = _LazyConvTranspose.__doc__
    cls_to_become = ConvTranspose3d
