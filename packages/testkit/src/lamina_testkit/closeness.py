"""When two right kernels agree: exactly in whole numbers, up to a few units in the last place of their terms otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray import dtypes as dt
from lamina_flatarray.ops import OPS

__all__ = ["Mismatch", "agree", "largest_difference", "scale_of", "tolerance"]

Array = np.ndarray[Any, Any]


class Mismatch(AssertionError):
    """A kernel's result differs from the reference's."""


def tolerance(dtype: DType) -> float:
    """Return the relative error that is allowed between two right kernels: a few units in the last place."""
    return {"float16": 4e-3, "bfloat16": 3e-2, "float32": 4e-6, "complex64": 2e-5}.get(dtype.name, 1e-11)


def scale_of(op: str, inputs: Sequence[Array | None]) -> float:
    """Return how large the terms of a sum are, where rounding is of their size and not of the result's.

    Args:
        op: the op's name.
        inputs: the values of its inputs; None where one is left out.
    """
    if OPS[op].family == "map":
        return 1.0
    finite = [np.abs(np.nan_to_num(v.astype(np.complex128), posinf=0, neginf=0)).max() for v in inputs if v is not None and v.size]
    return float(max(finite, default=1.0)) * max((v.shape[-1] if v.ndim else 1 for v in inputs if v is not None), default=1) + 1.0


def agree(observed: Array, expected: Array, precision: DType, scale: float) -> bool:
    """Return whether two results are those of right kernels.

    Args:
        observed, expected: the results.
        precision: the dtype that they were computed in.
        scale: what `scale_of` says.
    """
    if not dt.dtype_of(expected.dtype).is_inexact:
        return bool(np.array_equal(observed, expected))
    wide = np.complex128 if dt.dtype_of(expected.dtype).is_complex else np.float64
    x, y = observed.astype(wide), expected.astype(wide)
    share = tolerance(precision)
    with np.errstate(all="ignore"):
        return bool(np.allclose(x, y, rtol=share, atol=share * scale * 0.25, equal_nan=True))


def largest_difference(observed: Array, expected: Array) -> tuple[float, tuple[int, ...]]:
    """Return how far two results lie apart at most, and where; a NaN or infinity in one of them alone is infinitely far.

    Args:
        observed, expected: the results, of one shape.
    """
    if not expected.size:
        return 0.0, ()
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    x, y = observed.astype(wide), expected.astype(wide)
    with np.errstate(all="ignore"):
        apart = np.abs(x - y)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    apart = np.where(same, 0.0, np.where(np.isfinite(apart), apart, np.inf))
    place = np.unravel_index(int(np.argmax(apart)), apart.shape)
    return float(apart[place]), tuple(map(int, place))
