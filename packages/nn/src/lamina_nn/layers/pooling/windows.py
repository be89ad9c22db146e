"""Layers that pool sliding windows, and put items back to where the greatest were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from lamina_tensor import Tensor

from ... import functional as F
from ...functional.spatial_dims import per_dim
from ...module import Module

__all__ = [
    "AvgPool1d", "AvgPool2d", "AvgPool3d", "LPPool1d", "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d",
    "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
]  # fmt: skip

Numbers = int | Sequence[int]


class _Windows(Module):
    """Where windows lie: their shape, by default also what is from one to the next, and how far they begin outside."""

    _rank: ClassVar[int]

    def __init__(self, kernel_size: Numbers, stride: Numbers | None, padding: Numbers) -> None:
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding = padding

    def _one_per_dim(self) -> None:
        """Have a number for each spatial dim, where there is one for all."""
        name = type(self).__name__
        for setting in ("kernel_size", "stride", "padding"):
            setattr(self, setting, per_dim(name, setting, getattr(self, setting), self._rank))

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _MaxPool(_Windows):
    """The greatest item of every window.

    Args:
        kernel_size: the shape of a window; this and the next three are a number, or one for each spatial dim.
        stride: from one window to the next; by default the kernel's size.
        padding: how far windows begin before the input and end behind it, at most half a kernel.
        dilation: from one item of a window to the next.
        return_indices: whether positions within the flattened spatial dims come, too.
        ceil_mode: whether a last window may jut out.
    """

    def __init__(
        self,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        dilation: Numbers = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__(kernel_size, stride, padding)
        self.dilation, self.return_indices, self.ceil_mode = dilation, return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        """(N, C, *spatial) to (N, C, *counts); N may be missing."""
        pool = getattr(F, f"max_pool{self._rank}d")
        return pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class MaxPool1d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    _rank = 1


class MaxPool2d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    _rank = 2


class MaxPool3d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    _rank = 3


class _MaxUnpool(_Windows):
    """Items put where the greatest of their windows were, and zeros everywhere else.

    Args:
        kernel_size, stride, padding: those of the pooling that is undone.
    """

    def __init__(self, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0) -> None:
        super().__init__(kernel_size, stride, padding)
        self._one_per_dim()

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """(N, C, *counts) and its positions to (N, C, *spatial); N may be missing."""
        unpool = getattr(F, f"max_unpool{self._rank}d")
        made: Tensor = unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)
        return made


class MaxUnpool1d(_MaxUnpool):
    __doc__ = _MaxUnpool.__doc__
    _rank = 1


class MaxUnpool2d(_MaxUnpool):
    __doc__ = _MaxUnpool.__doc__
    _rank = 2


class MaxUnpool3d(_MaxUnpool):
    __doc__ = _MaxUnpool.__doc__
    _rank = 3


class AvgPool1d(_Windows):
    """The mean of every window.

    Args:
        kernel_size: the length of a window.
        stride: from one window to the next; by default the kernel's size.
        padding: zeros on each side, at most half a kernel.
        ceil_mode: whether a last window may jut out.
        count_include_pad: whether zeros of the padding count.
    """

    _rank = 1

    def __init__(
        self,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__(kernel_size, stride, padding)
        self._one_per_dim()
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, L) to (N, C, count); N may be missing."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPool(_Windows):
    """The mean of every window.

    Args:
        kernel_size: the shape of a window; this and the next two are a number, or one for each spatial dim.
        stride: from one window to the next; by default the kernel's size.
        padding: zeros on each side, at most half a kernel.
        ceil_mode: whether a last window may jut out.
        count_include_pad: whether zeros of the padding count.
        divisor_override: what sums are divided by instead.
    """

    def __init__(
        self,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, padding)
        self.ceil_mode, self.count_include_pad, self.divisor_override = ceil_mode, count_include_pad, divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to (N, C, *counts); N may be missing."""
        pool = getattr(F, f"avg_pool{self._rank}d")
        made: Tensor = pool(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip
        return made


class AvgPool2d(_AvgPool):
    __doc__ = _AvgPool.__doc__
    _rank = 2


class AvgPool3d(_AvgPool):
    __doc__ = _AvgPool.__doc__
    _rank = 3


class _LPPool(Module):
    """The p-norm of every window.

    Args:
        norm_type: p.
        kernel_size: the shape of a window, a number or one for each spatial dim.
        stride: from one window to the next; by default the kernel's size.
        ceil_mode: whether a last window may jut out.
    """

    _rank: ClassVar[int]

    def __init__(
        self, norm_type: float, kernel_size: Numbers, stride: Numbers | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to (N, C, *counts); N may be missing."""
        pool = getattr(F, f"lp_pool{self._rank}d")
        made: Tensor = pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)
        return made

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPool):
    __doc__ = _LPPool.__doc__
    _rank = 1


class LPPool2d(_LPPool):
    __doc__ = _LPPool.__doc__
    _rank = 2


class LPPool3d(_LPPool):
    __doc__ = _LPPool.__doc__
    _rank = 3
