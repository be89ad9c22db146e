"""What windows have in common: their points, and which lengths, dtypes and layouts they take.

They are computed in double precision and rounded once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, ShapeError, float32, float64, get_default_dtype

from ..devices.memory_formats import strided

if TYPE_CHECKING:
    from lamina_flatarray import DType
    from lamina_ndarray import NDArray

    from ..devices.memory_formats import layout as Layout
    from ..functions.creation.options import DeviceLike

__all__ = ["distance", "points", "result_dtype"]


def result_dtype(op: str, M: int, dtype: DType | None, layout: Layout) -> DType:
    """The dtype of a window.

    Raises:
        ShapeError: the length is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is not strided.
    """
    dtype = get_default_dtype() if dtype is None else dtype
    if M < 0:
        raise ShapeError(f"{op}: M, the length of the window, must not be negative, got {M}")
    if layout is not strided:
        raise ArgumentValueError(f"{op}: layout {layout} given; there are strided tensors only")
    if dtype not in (float32, float64):
        raise ArgumentValueError(f"{op}: expects float32 or float64, got {dtype}")
    return dtype


def distance(M: int, sym: bool) -> int:
    """How many steps lie between the first point and the one that has its weight again."""
    return M - 1 if sym or M < 2 else M


def points(M: int, device: DeviceLike) -> NDArray:
    """The numbers of the points: 0, 1, 2, ..."""
    return nd.arange(0, M, dtype=float64, device=device)
