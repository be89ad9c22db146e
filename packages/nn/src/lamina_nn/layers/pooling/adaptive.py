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
        return f"output_size={self.output_size}"


class _AdaptiveAvgPool(_Bins):
    """The means of bins of nearly equal length.

    Args:
        output_size: how many bins along each spatial dim; None for as many as items.
    """

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to (N, C, *output_size); N may be missing."""
        made: Tensor = getattr(F, f"adaptive_avg_pool{self._rank}d")(input, self.output_size)
        return made


class AdaptiveAvgPool1d(_AdaptiveAvgPool):
    __doc__ = _AdaptiveAvgPool.__doc__
    _rank = 1


class AdaptiveAvgPool2d(_AdaptiveAvgPool):
    __doc__ = _AdaptiveAvgPool.__doc__
    _rank = 2


class AdaptiveAvgPool3d(_AdaptiveAvgPool):
    __doc__ = _AdaptiveAvgPool.__doc__
    _rank = 3


class _AdaptiveMaxPool(_Bins):
    """The greatest items of bins of nearly equal length.

    Args:
        output_size: how many bins along each spatial dim; None for as many as items.
        return_indices: whether positions within the flattened spatial dims come, too.
    """

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices

    def forward(self, input: Tensor) -> Any:
        """(N, C, *spatial) to (N, C, *output_size); N may be missing."""
        return getattr(F, f"adaptive_max_pool{self._rank}d")(input, self.output_size, self.return_indices)


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

    Raises:
        ValueError: there are both a size and a ratio, or neither, or a ratio is out of its range.
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
            raise ArgumentValueError(f"{name} requires specifying either an output size, or a pooling ratio, and only one of them")
        self.kernel_size = per_dim(name, "kernel_size", kernel_size, rank)
        self.output_size = None if output_size is None else per_dim(name, "output_size", output_size, rank)
        self.output_ratio = (output_ratio,) * rank if isinstance(output_ratio, float) else output_ratio
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ArgumentValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")
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
