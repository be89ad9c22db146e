"""Layers that put a margin around their input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module

__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d", "ReflectionPad1d",
    "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d",
    "ZeroPad3d",
]  # fmt: skip


class _Pad(Module):
    """A margin around the last dims.

    Args:
        padding: how much before and after, in pairs, from the last dim backwards; or one number for all.
    """

    _rank: ClassVar[int]
    _mode: ClassVar[str] = "constant"
    value: float | None = None

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self._rank) if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to a larger one; N may be missing."""
        return F.pad(input, self.padding, self._mode, self.value)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    """A margin of one value around the last dims.

    Args:
        padding: how much before and after, in pairs, from the last dim backwards; or one number for all.
        value: what it holds.
    """

    def __init__(self, padding: int | Sequence[int], value: float) -> None:
        super().__init__(padding)
        self.value = value

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    __doc__ = _ConstantPad.__doc__
    _rank = 1


class ConstantPad2d(_ConstantPad):
    __doc__ = _ConstantPad.__doc__
    _rank = 2


class ConstantPad3d(_ConstantPad):
    __doc__ = _ConstantPad.__doc__
    _rank = 3


class ZeroPad1d(ConstantPad1d):
    """Zeros around the last dim; `padding` as for ConstantPad1d."""

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Pad.extra_repr


class ZeroPad2d(ConstantPad2d):
    """Zeros around the last two dims; `padding` as for ConstantPad2d."""

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Pad.extra_repr


class ZeroPad3d(ConstantPad3d):
    """Zeros around the last three dims; `padding` as for ConstantPad3d."""

    def __init__(self, padding: int | Sequence[int]) -> None:
        super().__init__(padding, 0.0)

    extra_repr = _Pad.extra_repr


class ReflectionPad1d(_Pad):
    """The last dim continued by its mirror image; `padding` as for ConstantPad1d."""

    _rank, _mode = 1, "reflect"


class ReflectionPad2d(_Pad):
    """The last two dims continued by their mirror image; `padding` as for ConstantPad2d."""

    _rank, _mode = 2, "reflect"


class ReflectionPad3d(_Pad):
    """The last three dims continued by their mirror image; `padding` as for ConstantPad3d."""

    _rank, _mode = 3, "reflect"


class ReplicationPad1d(_Pad):
    """The last dim continued by its first and last item; `padding` as for ConstantPad1d."""

    _rank, _mode = 1, "replicate"


class ReplicationPad2d(_Pad):
    """The last two dims continued by their border; `padding` as for ConstantPad2d."""

    _rank, _mode = 2, "replicate"


class ReplicationPad3d(_Pad):
    """The last three dims continued by their border; `padding` as for ConstantPad3d."""

    _rank, _mode = 3, "replicate"


class _CircularPad(_Pad):
    """The last dims continued by their other ends."""

    _mode = "circular"

    def forward(self, input: Tensor) -> Tensor:
        """(N, C, *spatial) to a larger one; N may be missing.

        Raises:
            ShapeError: the input has another number of dims.
        """
        if input.ndim not in (self._rank + 1, self._rank + 2):
            raise ShapeError(f"expected {self._rank + 1}D or {self._rank + 2}D input (got {input.ndim}D input)")
        return super().forward(input)


class CircularPad1d(_CircularPad):
    """The last dim continued by its other end; `padding` as for ConstantPad1d."""

    _rank = 1


class CircularPad2d(_CircularPad):
    """The last two dims continued by their other ends; `padding` as for ConstantPad2d."""

    _rank = 2


class CircularPad3d(_CircularPad):
    """The last three dims continued by their other ends; `padding` as for ConstantPad3d."""

    _rank = 3
