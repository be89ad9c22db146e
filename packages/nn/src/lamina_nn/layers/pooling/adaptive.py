"""Layers that pool into a given number of bins, of nearly equal length or drawn at random."""

from __future__ import annotations

from typing import Any, ClassVar

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from ...functional.spatial_dims import per_dim
from ...module import Module
from .windows import Numbers

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d",
]  # fmt: skip


class _Bins(Module):
    """How many bins there are along each spatial dim."""

    _rank: ClassVar[int]

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"output_size={self.output_size}"


class _AdaptiveAvgPool(_Bins):
    """Means over bins of nearly equal length."""

    def forward(self, input: Tensor) -> Tensor:
        """Average each bin.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            (N, C, *output_size), or without N.
        """
        result: Tensor = getattr(F, f"adaptive_avg_pool{self._rank}d")(input, self.output_size)
        return result


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    """Average over bins: bin i of n along a dim of length L holds the items from i * L // n up to ceil((i + 1) * L /
    n).

    Args:
        output_size: the number of bins along each spatial dim.

    Shape:
        (N, C, L) to (N, C, *output_size); N may be missing.

    >>> torch.nn.AdaptiveAvgPool1d(3)(torch.arange(6.0).reshape(1, 1, 6)).flatten()
    tensor([0.5000, 2.5000, 4.5000])
    """

    _rank = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    """Average over bins: bin i of n along a dim of length L holds the items from i * L // n up to ceil((i + 1) * L /
    n).

    Args:
        output_size: the number of bins along each spatial dim, or one number for all; None keeps a dim's length.

    Shape:
        (N, C, H, W) to (N, C, *output_size); N may be missing.

    >>> torch.nn.AdaptiveAvgPool2d((1, 3))(torch.arange(6.0).reshape(1, 1, 1, 6)).flatten()
    tensor([0.5000, 2.5000, 4.5000])
    """

    _rank = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    """Average over bins: bin i of n along a dim of length L holds the items from i * L // n up to ceil((i + 1) * L /
    n).

    Args:
        output_size: the number of bins along each spatial dim, or one number for all; None keeps a dim's length.

    Shape:
        (N, C, D, H, W) to (N, C, *output_size); N may be missing.

    >>> torch.nn.AdaptiveAvgPool3d((1, 1, 3))(torch.arange(6.0).reshape(1, 1, 1, 1, 6)).flatten()
    tensor([0.5000, 2.5000, 4.5000])
    """

    _rank = 3


class _AdaptiveMaxPool(_Bins):
    """Maxima over bins of nearly equal length."""

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        """Take the maximum of each bin.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            (N, C, *output_size), or without N; with `return_indices` a pair of this and int64 indices into the
            flattened spatial dims.
        """
        return getattr(F, f"adaptive_max_pool{self._rank}d")(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """Take maxima over bins: bin i of n along a dim of length L holds the items from i * L // n up to ceil((i + 1) * L
    / n).

    Args:
        output_size: the number of bins along each spatial dim.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.

    Shape:
        (N, C, L) to (N, C, *output_size); N may be missing.

    >>> torch.nn.AdaptiveMaxPool1d(3)(torch.arange(6.0).reshape(1, 1, 6)).flatten()
    tensor([1., 3., 5.])
    """

    _rank = 1


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """Take maxima over bins: bin i of n along a dim of length L holds the items from i * L // n up to ceil((i + 1) * L
    / n).

    Args:
        output_size: the number of bins along each spatial dim, or one number for all; None keeps a dim's length.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.

    Shape:
        (N, C, H, W) to (N, C, *output_size); N may be missing.

    >>> torch.nn.AdaptiveMaxPool2d((1, 3))(torch.arange(6.0).reshape(1, 1, 1, 6)).flatten()
    tensor([1., 3., 5.])
    """

    _rank = 2


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """Take maxima over bins: bin i of n along a dim of length L holds the items from i * L // n up to ceil((i + 1) * L
    / n).

    Args:
        output_size: the number of bins along each spatial dim, or one number for all; None keeps a dim's length.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.

    Shape:
        (N, C, D, H, W) to (N, C, *output_size); N may be missing.

    >>> torch.nn.AdaptiveMaxPool3d((1, 1, 3))(torch.arange(6.0).reshape(1, 1, 1, 1, 6)).flatten()
    tensor([1., 3., 5.])
    """

    _rank = 3


class _FractionalMaxPool(Module):
    """Maxima over windows that begin at random distances."""

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
            raise ArgumentValueError(f"{name} requires specifying either an output size, or a pooling ratio, and only one of them")
        self.kernel_size = per_dim(name, "kernel_size", kernel_size, rank)
        self.output_size = None if output_size is None else per_dim(name, "output_size", output_size, rank)
        self.output_ratio = (output_ratio,) * rank if isinstance(output_ratio, float) else output_ratio
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ArgumentValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)

    def forward(self, input: Tensor) -> Any:
        """Take the maximum of each window.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            (N, C, *output_size), or without N; with `return_indices` a pair of this and int64 indices into the
            flattened spatial dims.
        """
        pool = getattr(F, f"fractional_max_pool{self._rank}d")
        return pool(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool2d(_FractionalMaxPool):
    """Take the maximum of windows that begin at random distances, so that lengths shrink by any ratio (Graham 2014).

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        output_size: the number of windows along each spatial dim; or else
        output_ratio: the same as a fraction of the input's length, between 0 and 1.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.
        _random_samples: numbers in [0, 1), (N, C, 2), that the windows are placed by; drawn at each call by default.

    Shape:
        (N, C, H, W) to (N, C, *output_size); N may be missing.

    Raises:
        ArgumentValueError: both or neither of output_size and output_ratio are given, or a ratio is not between 0 and
            1.

    >>> torch.nn.FractionalMaxPool2d(2, output_size=3)(torch.zeros(1, 1, 8, 8)).shape
    lamina.Size([1, 1, 3, 3])
    """

    _rank = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    """Take the maximum of windows that begin at random distances, so that lengths shrink by any ratio (Graham 2014).

    Args:
        kernel_size: the shape of a window; a number, or one for each spatial dim.
        output_size: the number of windows along each spatial dim; or else
        output_ratio: the same as a fraction of the input's length, between 0 and 1.
        return_indices: whether the indices of the maxima within the flattened spatial dims are returned, too.
        _random_samples: numbers in [0, 1), (N, C, 3), that the windows are placed by; drawn at each call by default.

    Shape:
        (N, C, D, H, W) to (N, C, *output_size); N may be missing.

    Raises:
        ArgumentValueError: both or neither of output_size and output_ratio are given, or a ratio is not between 0 and
            1.

    >>> torch.nn.FractionalMaxPool3d(2, output_size=3)(torch.zeros(1, 1, 8, 8, 8)).shape
    lamina.Size([1, 1, 3, 3, 3])
    """

    _rank = 3
