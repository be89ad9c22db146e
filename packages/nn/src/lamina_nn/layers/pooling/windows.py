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
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _MaxPool(_Windows):
    """Maxima over sliding windows."""

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
        """Take the maximum of each window.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            (N, C, *counts), or without N; with `return_indices` a pair of this and int64 indices into the flattened
            spatial dims.
        """
        pool = getattr(F, f"max_pool{self._rank}d")
        return pool(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode, self.return_indices
        )

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"{super().extra_repr()}, dilation={self.dilation}, ceil_mode={self.ceil_mode}"


class MaxPool1d(_MaxPool):
    """Take the maximum of each sliding window.

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        padding: the margin of minus infinity on each side, at most half a kernel.
        dilation: the step from one item of a window to the next.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the margin.

    Shape:
        (N, C, L) to one with (L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1 items for each spatial
        length L; N may be missing.

    >>> torch.nn.MaxPool1d(2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]])).flatten()
    tensor([3., 2.])
    """

    _rank = 1


class MaxPool2d(_MaxPool):
    """Take the maximum of each sliding window.

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        padding: the margin of minus infinity on each side, at most half a kernel.
        dilation: the step from one item of a window to the next.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the margin.

    Shape:
        (N, C, H, W) to one with (L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1 items for each
        spatial length L; N may be missing.

    >>> torch.nn.MaxPool2d((1, 2))(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 4)).flatten()
    tensor([3., 2.])
    """

    _rank = 2


class MaxPool3d(_MaxPool):
    """Take the maximum of each sliding window.

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        padding: the margin of minus infinity on each side, at most half a kernel.
        dilation: the step from one item of a window to the next.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the margin.

    Shape:
        (N, C, D, H, W) to one with (L + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1 items for each
        spatial length L; N may be missing.

    >>> torch.nn.MaxPool3d((1, 1, 2))(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 1, 4)).flatten()
    tensor([3., 2.])
    """

    _rank = 3


class _MaxUnpool(_Windows):
    """Maxima put back to where they were."""

    def __init__(self, kernel_size: Numbers, stride: Numbers | None = None, padding: Numbers = 0) -> None:
        super().__init__(kernel_size, stride, padding)
        self._one_per_dim()

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Put items back to where they were.

        Args:
            input: (N, C, *counts), or without N: the maxima.
            indices: of the input's shape, int64: where they were within the flattened spatial dims.
            output_size: the spatial lengths of the output, where several are possible; by default those that windows
                without padding fill.

        Returns:
            (N, C, *spatial), or without N: zero where no maximum was.
        """
        unpool = getattr(F, f"max_unpool{self._rank}d")
        result: Tensor = unpool(input, indices, self.kernel_size, self.stride, self.padding, output_size)
        return result


class MaxUnpool1d(_MaxUnpool):
    """Put maxima back to where they were, and zeros everywhere else: a partial inverse of `MaxPool1d`.

    Args:
        kernel_size, stride, padding: those of the pooling.

    Shape:
        (N, C, *counts) and indices of the same shape to (N, C, *spatial); N may be missing.

    >>> pool = torch.nn.MaxPool1d(2, return_indices=True)
    >>> maxima, indices = pool(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]]))
    >>> torch.nn.MaxUnpool1d(2)(maxima, indices).flatten()
    tensor([0., 3., 2., 0.])
    """

    _rank = 1


class MaxUnpool2d(_MaxUnpool):
    """Put maxima back to where they were, and zeros everywhere else: a partial inverse of `MaxPool2d`.

    Args:
        kernel_size, stride, padding: those of the pooling.

    Shape:
        (N, C, *counts) and indices of the same shape to (N, C, *spatial); N may be missing.

    >>> pool = torch.nn.MaxPool2d((1, 2), return_indices=True)
    >>> maxima, indices = pool(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 4))
    >>> torch.nn.MaxUnpool2d((1, 2))(maxima, indices).flatten()
    tensor([0., 3., 2., 0.])
    """

    _rank = 2


class MaxUnpool3d(_MaxUnpool):
    """Put maxima back to where they were, and zeros everywhere else: a partial inverse of `MaxPool3d`.

    Args:
        kernel_size, stride, padding: those of the pooling.

    Shape:
        (N, C, *counts) and indices of the same shape to (N, C, *spatial); N may be missing.

    >>> pool = torch.nn.MaxPool3d((1, 1, 2), return_indices=True)
    >>> maxima, indices = pool(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 1, 4))
    >>> torch.nn.MaxUnpool3d((1, 1, 2))(maxima, indices).flatten()
    tensor([0., 3., 2., 0.])
    """

    _rank = 3


class AvgPool1d(_Windows):
    """Average each sliding window.

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        padding: the margin of zeros on each side, at most half a kernel.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the margin.
        count_include_pad: whether zeros of the margin count in the mean.

    Shape:
        (N, C, L) to one with (L + 2 * padding - kernel_size) // stride + 1 items for each spatial length L; N may be
        missing.

    >>> torch.nn.AvgPool1d(2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]])).flatten()
    tensor([2., 1.])
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
        """Average each window.

        Args:
            input: (N, C, L), or without N.

        Returns:
            (N, C, count), or without N.
        """
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPool(_Windows):
    """Means over sliding windows."""

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
        """Average each window.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            (N, C, *counts), or without N.
        """
        pool = getattr(F, f"avg_pool{self._rank}d")
        result: Tensor = pool(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
            self.divisor_override,
        )  # fmt: skip
        return result


class AvgPool2d(_AvgPool):
    """Average each sliding window.

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        padding: the margin of zeros on each side, at most half a kernel.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the margin.
        count_include_pad: whether zeros of the margin count in the mean.
        divisor_override: what sums are divided by, instead of the number of items.

    Shape:
        (N, C, H, W) to one with (L + 2 * padding - kernel_size) // stride + 1 items for each spatial length L; N may be
        missing.

    >>> torch.nn.AvgPool2d((1, 2))(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 4)).flatten()
    tensor([2., 1.])
    """

    _rank = 2


class AvgPool3d(_AvgPool):
    """Average each sliding window.

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        padding: the margin of zeros on each side, at most half a kernel.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the margin.
        count_include_pad: whether zeros of the margin count in the mean.
        divisor_override: what sums are divided by, instead of the number of items.

    Shape:
        (N, C, D, H, W) to one with (L + 2 * padding - kernel_size) // stride + 1 items for each spatial length L; N may
        be missing.

    >>> torch.nn.AvgPool3d((1, 1, 2))(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 1, 4)).flatten()
    tensor([2., 1.])
    """

    _rank = 3


class _LPPool(Module):
    """p-norms over sliding windows."""

    _rank: ClassVar[int]

    def __init__(
        self, norm_type: float, kernel_size: Numbers, stride: Numbers | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type, self.kernel_size, self.stride, self.ceil_mode = norm_type, kernel_size, stride, ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        """Take the p-norm of each window.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            (N, C, *counts), or without N.
        """
        pool = getattr(F, f"lp_pool{self._rank}d")
        result: Tensor = pool(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)
        return result

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPool):
    """Take the p-norm of each sliding window: (sum of x ** p) ** (1 / p).

    Args:
        norm_type: p.
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the input.

    Shape:
        (N, C, L) to one with (L - kernel_size) // stride + 1 items for each spatial length L; N may be missing.

    >>> torch.nn.LPPool1d(1, 2)(torch.tensor([[[1.0, 3.0, 2.0, 0.0]]])).flatten()
    tensor([4., 2.])
    """

    _rank = 1


class LPPool2d(_LPPool):
    """Take the p-norm of each sliding window: (sum of x ** p) ** (1 / p).

    Args:
        norm_type: p.
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the input.

    Shape:
        (N, C, H, W) to one with (L - kernel_size) // stride + 1 items for each spatial length L; N may be missing.

    >>> torch.nn.LPPool2d(1, (1, 2))(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 4)).flatten()
    tensor([4., 2.])
    """

    _rank = 2


class LPPool3d(_LPPool):
    """Take the p-norm of each sliding window: (sum of x ** p) ** (1 / p).

    Args:
        norm_type: p.
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        stride: the step from one window to the next; by default the kernel's size.
        ceil_mode: whether the number of windows is rounded up, so that the last one may reach beyond the input.

    Shape:
        (N, C, D, H, W) to one with (L - kernel_size) // stride + 1 items for each spatial length L; N may be missing.

    >>> torch.nn.LPPool3d(1, (1, 1, 2))(torch.tensor([1.0, 3.0, 2.0, 0.0]).reshape(1, 1, 1, 1, 4)).flatten()
    tensor([4., 2.])
    """

    _rank = 3
