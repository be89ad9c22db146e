"""Pooling layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from lamina_tensor import Tensor

from .. import functional as F
from ..functional.spatial_dims import per_dim
from ..module import Module

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d", "LPPool1d",
    "LPPool2d", "LPPool3d", "LocalResponseNorm", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
    "MaxUnpool3d",
]  # fmt: skip

Numbers = int | Sequence[int]


class _MaxPool(Module):
    """The greatest item of every window.

    Args:
        kernel_size: the shape of a window; this and the next three are a number, or one for each spatial dim.
        stride: from one window to the next; by default the kernel's size.
        padding: how far windows begin before the input and end behind it, at most half a kernel.
        dilation: from one item of a window to the next.
        return_indices: whether positions within the flattened spatial dims come, too.
        ceil_mode: whether a last window may jut out.
    """

    _rank: ClassVar[int]

    def __init__(
        self,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        dilation: Numbers = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        """(N, C, *spatial) to (N, C, *counts); N may be missing."""
        pool = getattr(F, f"max_pool{self._rank}d")
        return pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    _rank = 1


class MaxPool2d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    _rank = 2


class MaxPool3d(_MaxPool):
    __doc__ = _MaxPool.__doc__
    _rank = 3


class _MaxUnpool(Module):
    """Items put where the greatest of their windows were, and zeros everywhere else.

    Args:
        kernel_size, stride, padding: those of the pooling that is undone.
    """

    _rank: ClassVar[int]

    def __init__(self, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0) -> None:
        super().__init__()
        name, rank = type(self).__name__, self._rank
        self.kernel_size = per_dim(name, "kernel_size", kernel_size, rank)
        self.stride = self.kernel_size if stride is None else per_dim(name, "stride", stride, rank)
        self.padding = per_dim(name, "padding", padding, rank)

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """(N, C, *counts) and its positions to (N, C, *spatial); N may be missing."""
        unpool = getattr(F, f"max_unpool{self._rank}d")
        made: Tensor = unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)
        return made

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    __doc__ = _MaxUnpool.__doc__
    _rank = 1


class MaxUnpool2d(_MaxUnpool):
    __doc__ = _MaxUnpool.__doc__
    _rank = 2


class MaxUnpool3d(_MaxUnpool):
    __doc__ = _MaxUnpool.__doc__
    _rank = 3


class AvgPool1d(Module):
    """The mean of every window.

    Args:
        kernel_size: the length of a window.
        stride: from one window to the next; by default the kernel's size.
        padding: zeros on each side, at most half a kernel.
        ceil_mode: whether a last window may jut out.
        count_include_pad: whether zeros of the padding count.
    """

    def __init__(
        self,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = per_dim("AvgPool1d", "kernel_size", kernel_size, 1)
        self.stride = self.kernel_size if stride is None else per_dim("AvgPool1d", "stride", stride, 1)
        self.padding = per_dim("AvgPool1d", "padding", padding, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, L) to (N, C, count); N may be missing."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPool(Module):
    """The mean of every window.

    Args:
        kernel_size: the shape of a window; this and the next two are a number, or one for each spatial dim.
        stride: from one window to the next; by default the kernel's size.
        padding: zeros on each side, at most half a kernel.
        ceil_mode: whether a last window may jut out.
        count_include_pad: whether zeros of the padding count.
        divisor_override: what sums are divided by instead.
    """

    _rank: ClassVar[int]

    def __init__(
        self,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to (N, C, *counts); N may be missing."""
        pool = getattr(F, f"avg_pool{self._rank}d")
        made: Tensor = pool(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip
        return made

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


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


class _AdaptiveAvgPool(Module):
    """The means of bins of nearly equal length.

    Args:
        output_size: how many bins along each spatial dim; None for as many as items.
    """

    _rank: ClassVar[int]

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to (N, C, *output_size); N may be missing."""
        made: Tensor = getattr(F, f"adaptive_avg_pool{self._rank}d")(input, self.output_size)
        return made

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    __doc__ = _AdaptiveAvgPool.__doc__
    _rank = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    __doc__ = _AdaptiveAvgPool.__doc__
    _rank = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    __doc__ = _AdaptiveAvgPool.__doc__
    _rank = 3


class _AdaptiveMaxPool(Module):
    """The greatest items of bins of nearly equal length.

    Args:
        output_size: how many bins along each spatial dim; None for as many as items.
        return_indices: whether positions within the flattened spatial dims come, too.
    """

    _rank: ClassVar[int]

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def forward(self, input: Tensor) -> Any:
        """(N, C, *spatial) to (N, C, *output_size); N may be missing."""
        return getattr(F, f"adaptive_max_pool{self._rank}d")(input, self.output_size, self.return_indices)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    __doc__ = _AdaptiveMaxPool.__doc__
    _rank = 1


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    __doc__ = _AdaptiveMaxPool.__doc__
    _rank = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    __doc__ = _AdaptiveMaxPool.__doc__
    _rank = 3


class _FractionalMaxPool(Module):
    """The greatest item of windows that begin at random distances.

    Args:
        kernel_size: the shape of a window.
        output_size: how many windows along each spatial dim; or else
        output_ratio: the same as a part of the length, within 0 .. 1.
        return_indices: whether positions within the flattened spatial dims come, too.
    """

    _rank: ClassVar[int]

    def __init__(
        self,
        kernel_size: Numbers,
        output_size: Numbers | None = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        name, rank = type(self).__name__, self._rank
        if (output_size is None) == (output_ratio is None):
            raise ValueError(f"{name} requires specifying either an output size, or a pooling ratio, and only one of them")
        self.kernel_size = per_dim(name, "kernel_size", kernel_size, rank)
        self.output_size = None if output_size is None else per_dim(name, "output_size", output_size, rank)
        self.output_ratio = (output_ratio,) * rank if isinstance(output_ratio, float) else output_ratio
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input: Tensor) -> Any:
        """(N, C, *spatial) to (N, C, *output_size); N may be missing."""
        pool = getattr(F, f"fractional_max_pool{self._rank}d")
        return pool(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool2d(_FractionalMaxPool):
    __doc__ = _FractionalMaxPool.__doc__
    _rank = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    __doc__ = _FractionalMaxPool.__doc__
    _rank = 3


class LocalResponseNorm(Module):
    """Items divided by `(k + alpha * mean of squares over size neighbouring channels) ** beta`."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to the same."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
