"""Units: neighbouring items that are moved as one, of 16 bytes at most, where nothing is computed of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any, Final

from lamina_flatarray.dtypes import DTYPES, DType

from .operands import address, dtype_of

__all__ = ["Shape", "in_units", "unit_of", "units"]

Shape = tuple[int, ...]
_BYTES: Final = 16
_DTYPES: Final = {16: "complex128", 8: "uint64", 4: "uint32", 2: "uint16", 1: "uint8"}


def units(shape: Shape, operands: Sequence[Any], strides: Sequence[Shape], apart: Shape = ()) -> int:
    """Return how many items of the last axis make one unit, for all operands that are moved.

    Args:
        shape: of what is moved.
        operands: of one dtype.
        strides: those of each in the axes of the shape.
        apart: other distances that may be gone, in items.

    Returns:
        A power of two, or 1.
    """
    if not shape or any(own[-1] != 1 for own in strides):
        return 1
    itemsize = dtype_of(operands[0]).itemsize
    begins = (address(operand) // itemsize for operand in operands)
    return gcd(_BYTES // itemsize, shape[-1], *begins, *apart, *(step for own in strides for step in own[:-1]))


def unit_of(dtype: DType, count: int) -> DType:
    """Return the dtype that so many items of a dtype are moved as."""
    return DTYPES[_DTYPES[dtype.itemsize * count]]


def in_units(strides: Shape, count: int) -> Shape:
    """Return strides, the last of which is 1, in units of so many items."""
    return (*(step // count for step in strides[:-1]), 1)
