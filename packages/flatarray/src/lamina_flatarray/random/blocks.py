"""How a fill walks over its output: in blocks that fit the cache, stored with PyTorch's roundings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import DTypeError, ShapeError
from .philox import Philox

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SIGNIFICAND", "blocks", "check", "is_floating", "store", "to_unit", "uniform_dtype"]

_BLOCK: Final = 1 << 15  # a multiple of 16: the Box-Muller blocks of `normal` never straddle two of these

SIGNIFICAND: Final = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
"""Bits of the significand, by the dtype's name."""


def blocks(size: int, source: object) -> Iterator[slice]:
    """Slices that cover 0 ... size in order; for Philox only one, as its counters number a fill's items."""
    step = max(size, 1) if isinstance(source, Philox) else _BLOCK
    for begin in range(0, size, step):
        yield slice(begin, min(begin + step, size))


def is_floating(dtype: np.dtype[Any]) -> bool:
    """Whether it is float16, bfloat16, float32 or float64 (NumPy calls ml_dtypes' bfloat16 kind V)."""
    return dtype.kind == "f" or dtype.name == "bfloat16"


def check(op: str, out: npt.NDArray[Any], floating: bool = False) -> None:
    """Refuse an output that a fill cannot write.

    Raises:
        ShapeError: it is not one-dimensional and contiguous.
        DTypeError: it is not of a real dtype, or not floating where `floating` asks for it.
    """
    if out.ndim != 1 or not out.flags.c_contiguous:
        raise ShapeError(
            f"{op}: an output of shape {out.shape}, strides {out.strides}; it wants 1-D contiguous memory"
        )
    if not is_floating(out.dtype) and (floating or out.dtype.kind not in "biu"):
        expected = "a floating dtype" if floating else "a real dtype"
        raise DTypeError(f"{op}: an output of dtype {out.dtype}; it wants {expected}")


def uniform_dtype(dtype: np.dtype[Any]) -> type[np.float32] | type[np.float64]:
    """The precision that PyTorch computes in for an output of `dtype`: float64 for itself, else float32."""
    return np.float64 if dtype == np.float64 else np.float32


def to_unit(draws: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers of [0, 1): float32 from the low 24 bits of uint32, float64 from the low 53 of uint64."""
    if draws.dtype == np.uint32:
        low = (draws & np.uint32((1 << 24) - 1)).view(np.int32)
        return low.astype(np.float32) * np.float32(2.0**-24)
    low = (draws & np.uint64((1 << 53) - 1)).view(np.int64)
    return low.astype(np.float64) * 2.0**-53


def store(target: npt.NDArray[Any], values: npt.NDArray[Any]) -> None:
    """Write floating `values`, into 16-bit dtypes by way of float32 as PyTorch casts them."""
    if target.dtype.itemsize == 2 and is_floating(target.dtype) and values.dtype == np.float64:
        values = values.astype(np.float32)
    with np.errstate(over="ignore"):
        target[...] = values
