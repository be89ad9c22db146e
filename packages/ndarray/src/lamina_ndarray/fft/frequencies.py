"""The frequencies that the items of a transform belong to, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import get_default_dtype

from ..creation.constructors import arange
from ..dispatch.namespace import composite, namespace
from ..elementwise import arithmetic
from ..layouts.broadcast import normalize_axes
from ..shapes.joining import concat

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def _multiples(op: str, start: int, stop: int, n: int, d: float, dtype: Any, device: Any) -> NDArray:
    """The whole numbers from start to stop, over n d."""
    found = get_default_dtype() if dtype is None else dtype_of(dtype)
    if not found.is_inexact:
        raise ShapeError(f"{op}: dtype {found!r} given; it wants a floating-point or complex dtype")
    return arithmetic.multiply(arange(start, stop, dtype=found, device=device), 1.0 / (n * d))


def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """The frequencies of the n items of `fft`, for samples that are d apart: 0, 1, ..., then the negative ones up to
    -1, over n d.

    Raises:
        ShapeError: the dtype is neither floating nor complex, or n is negative.
        ZeroDivisionError: n or d is 0.
    """
    positive = _multiples("fftfreq", 0, (n + 1) // 2, n, d, dtype, device)
    return concat([positive, _multiples("fftfreq", -(n // 2), 0, n, d, dtype, device)])


def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, device: Any = None) -> NDArray:
    """The frequencies of the n // 2 + 1 items of `rfft`, for samples that are d apart.

    Raises:
        ShapeError: the dtype is neither floating nor complex, or n is negative.
        ZeroDivisionError: n or d is 0.
    """
    return _multiples("rfftfreq", 0, n // 2 + 1, n, d, dtype, device)


def _rotated(op: str, x: Any, axes: int | Sequence[int] | None, inverse: bool) -> Any:
    xp = namespace(x)
    for axis in normalize_axes(axes, x.ndim, op):
        n = x.shape[axis]
        first = n // 2 if inverse else (n + 1) // 2
        lead = (slice(None),) * axis
        x = xp.concat([x[(*lead, slice(first, None))], x[(*lead, slice(0, first))]], axis)
    return x


@composite
def fftshift(x: Any, axes: int | Sequence[int] | None = None) -> Any:
    """The items with frequency 0 moved to the middle of the given axes, or of all.

    Raises:
        IndexOutOfRange: there is no such axis.
    """
    return _rotated("fftshift", x, axes, False)


@composite
def ifftshift(x: Any, axes: int | Sequence[int] | None = None) -> Any:
    """The inverse of `fftshift`.

    Raises:
        IndexOutOfRange: there is no such axis.
    """
    return _rotated("ifftshift", x, axes, True)
