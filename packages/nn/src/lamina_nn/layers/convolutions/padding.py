"""Layers that put a margin around their input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ...functional.spatial_dims import numbers_of
from ...module import Module

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d",
    "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d",
    "ZeroPad3d",
]  # fmt: skip


class _Pad(Module):
    """A margin around the last dims, of the width `padding`."""

    _rank: ClassVar[int]
    _mode: ClassVar[str] = "constant"
    value: float | None = None

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__()
        self.padding = numbers_of(padding) * (1 if isinstance(padding, Sequence) else 2 * self._rank)

    def forward(self, input: Tensor) -> Tensor:
        """Put a margin around the last dims.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            The input within its margin.
        """
        return F.pad(input, self.padding, self._mode, self.value)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"{self.padding}"


class _ConstantPad(_Pad):
    """A margin of one value around the last dims."""

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    """Put a margin of one value around the last dim.

    Args:
        padding: the widths (left, right), or one number for all.
        value: what the margin holds.

    Shape:
        (N, C, L) to a larger one; N may be missing.

    >>> torch.nn.ConstantPad1d((1, 1), 9.0)(torch.tensor([[[1.0, 2.0, 3.0]]])).flatten()
    tensor([9., 1., 2., 3., 9.])
    """

    _rank = 1


class ConstantPad2d(_ConstantPad):
    """Put a margin of one value around the last two dims.

    Args:
        padding: the widths (left, right, top, bottom), or one number for all.
        value: what the margin holds.

    Shape:
        (N, C, H, W) to a larger one; N may be missing.

    >>> torch.nn.ConstantPad2d((1, 1, 0, 0), 9.0)(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)).flatten()
    tensor([9., 1., 2., 3., 9.])
    """

    _rank = 2


class ConstantPad3d(_ConstantPad):
    """Put a margin of one value around the last three dims.

    Args:
        padding: the widths (left, right, top, bottom, front, back), or one number for all.
        value: what the margin holds.

    Shape:
        (N, C, D, H, W) to a larger one; N may be missing.

    >>> torch.nn.ConstantPad3d((1, 1, 0, 0, 0, 0), 9.0)(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 1, 3)).flatten()
    tensor([9., 1., 2., 3., 9.])
    """

    _rank = 3


class ZeroPad1d(ConstantPad1d):
    """Put zeros around the last dim.

    Args:
        padding: the widths (left, right), or one number for all.

    Shape:
        (N, C, L) to a larger one; N may be missing.

    >>> torch.nn.ZeroPad1d((1, 1))(torch.tensor([[[1.0, 2.0, 3.0]]])).flatten()
    tensor([0., 1., 2., 3., 0.])
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Pad.extra_repr


class ZeroPad2d(ConstantPad2d):
    """Put zeros around the last two dims.

    Args:
        padding: the widths (left, right, top, bottom), or one number for all.

    Shape:
        (N, C, H, W) to a larger one; N may be missing.

    >>> torch.nn.ZeroPad2d((1, 1, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)).flatten()
    tensor([0., 1., 2., 3., 0.])
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Pad.extra_repr


class ZeroPad3d(ConstantPad3d):
    """Put zeros around the last three dims.

    Args:
        padding: the widths (left, right, top, bottom, front, back), or one number for all.

    Shape:
        (N, C, D, H, W) to a larger one; N may be missing.

    >>> torch.nn.ZeroPad3d((1, 1, 0, 0, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 1, 3)).flatten()
    tensor([0., 1., 2., 3., 0.])
    """

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Pad.extra_repr


class ReflectionPad1d(_Pad):
    """Continue the last dim by its mirror image, without repeating the border.

    Args:
        padding: the widths (left, right), or one number for all. A margin is shorter than its dim.

    Shape:
        (N, C, L) to a larger one; N may be missing.

    >>> torch.nn.ReflectionPad1d((1, 1))(torch.tensor([[[1.0, 2.0, 3.0]]])).flatten()
    tensor([2., 1., 2., 3., 2.])
    """

    _rank, _mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """Continue the last two dims by their mirror images, without repeating the border.

    Args:
        padding: the widths (left, right, top, bottom), or one number for all. A margin is shorter than its dim.

    Shape:
        (N, C, H, W) to a larger one; N may be missing.

    >>> torch.nn.ReflectionPad2d((1, 1, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)).flatten()
    tensor([2., 1., 2., 3., 2.])
    """

    _rank, _mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """Continue the last three dims by their mirror images, without repeating the border.

    Args:
        padding: the widths (left, right, top, bottom, front, back), or one number for all. A margin is shorter than its
            dim.

    Shape:
        (N, C, D, H, W) to a larger one; N may be missing.

    >>> torch.nn.ReflectionPad3d((1, 1, 0, 0, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 1, 3)).flatten()
    tensor([2., 1., 2., 3., 2.])
    """

    _rank, _mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """Continue the last dim by its border.

    Args:
        padding: the widths (left, right), or one number for all.

    Shape:
        (N, C, L) to a larger one; N may be missing.

    >>> torch.nn.ReplicationPad1d((1, 1))(torch.tensor([[[1.0, 2.0, 3.0]]])).flatten()
    tensor([1., 1., 2., 3., 3.])
    """

    _rank, _mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """Continue the last two dims by their border.

    Args:
        padding: the widths (left, right, top, bottom), or one number for all.

    Shape:
        (N, C, H, W) to a larger one; N may be missing.

    >>> torch.nn.ReplicationPad2d((1, 1, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)).flatten()
    tensor([1., 1., 2., 3., 3.])
    """

    _rank, _mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """Continue the last three dims by their border.

    Args:
        padding: the widths (left, right, top, bottom, front, back), or one number for all.

    Shape:
        (N, C, D, H, W) to a larger one; N may be missing.

    >>> torch.nn.ReplicationPad3d((1, 1, 0, 0, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 1, 3)).flatten()
    tensor([1., 1., 2., 3., 3.])
    """

    _rank, _mode = 3, "replicate"


class _CircularPad(_Pad):
    """The last dims continued by their other ends."""

    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        """Put a margin around the last dims.

        Args:
            input: (N, C, *spatial), or without N.

        Returns:
            The input within its margin.

        Raises:
            ShapeError: the input has another number of dims.
        """
        if input.ndim not in (self._rank + 1, self._rank + 2):
            raise ShapeError(f"expected {self._rank + 1}D or {self._rank + 2}D input (got {input.ndim}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPad):
    """Continue the last dim by its other end.

    Args:
        padding: the widths (left, right), or one number for all. A margin is at most as long as its dim.

    Shape:
        (N, C, L) to a larger one; N may be missing.

    >>> torch.nn.CircularPad1d((1, 1))(torch.tensor([[[1.0, 2.0, 3.0]]])).flatten()
    tensor([3., 1., 2., 3., 1.])
    """

    _rank = 1


class CircularPad2d(_CircularPad):
    """Continue the last two dims by their other ends.

    Args:
        padding: the widths (left, right, top, bottom), or one number for all. A margin is at most as long as its dim.

    Shape:
        (N, C, H, W) to a larger one; N may be missing.

    >>> torch.nn.CircularPad2d((1, 1, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)).flatten()
    tensor([3., 1., 2., 3., 1.])
    """

    _rank = 2


class CircularPad3d(_CircularPad):
    """Continue the last three dims by their other ends.

    Args:
        padding: the widths (left, right, top, bottom, front, back), or one number for all. A margin is at most as long
            as its dim.

    Shape:
        (N, C, D, H, W) to a larger one; N may be missing.

    >>> torch.nn.CircularPad3d((1, 1, 0, 0, 0, 0))(torch.tensor([1.0, 2.0, 3.0]).reshape(1, 1, 1, 1, 3)).flatten()
    tensor([3., 1., 2., 3., 1.])
    """

    _rank = 3
