"""Operands and numbers as NumPy arrays: views over the same memory, and 0-d arrays of the dtype computed in."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["array", "is_narrow", "number", "view", "wide"]

Array = np.ndarray[Any, Any]
_ndarray = np.ndarray
_float32 = np.dtype(np.float32)


def view(operand: Any) -> Array:
    """The operand's items under its layout; made once and kept in `native`."""
    handle = operand.native
    if handle.__class__ is _ndarray:
        return handle
    flat, layout = operand.flat, operand.layout
    memory, dtype = flat.memory, flat.dtype
    if not layout.size:
        shown = np.empty(layout.shape, dtype.numpy)
    else:
        if memory.__class__ is not _ndarray:
            # Another host backend's memory. `frombuffer` holds the export, so that a bytearray cannot be resized.
            memory = np.frombuffer(memory, np.uint8)
        itemsize = dtype.itemsize
        begin = flat.offset + layout.offset * itemsize
        if layout.contiguous:
            shown = _ndarray(layout.shape, dtype.numpy, memory, begin)
        else:
            steps = [step * itemsize for step in layout.strides]
            shown = _ndarray(layout.shape, dtype.numpy, memory, begin, steps)
    if handle is None:  # otherwise another backend keeps a handle of its own there
        operand.native = shown
    return shown


def number(value: Any, dtype: np.dtype[Any]) -> Array:
    """A Python number as a 0-d array. Integers wrap, and fractions are dropped for integer dtypes, as in C."""
    try:
        return np.array(value, dtype)
    except OverflowError:
        if dtype.kind not in "ui":
            raise  # an integer that no float holds
        return np.array(int(value) & ((1 << (8 * dtype.itemsize)) - 1), f"u{dtype.itemsize}").view(dtype)


def array(x: Any, dtype: np.dtype[Any]) -> Array:
    """An input of a kernel, operand or number, as an array."""
    return view(x) if hasattr(x, "layout") else number(x, dtype)


def is_narrow(dtype: np.dtype[Any]) -> bool:
    """Whether it is float16 or bfloat16, which are computed in float32. (To NumPy, bfloat16 is of kind V.)"""
    return dtype.itemsize == 2 and dtype.kind in "fV"


def wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype that functions of several steps run in: float32 for the narrow ones, otherwise itself."""
    return _float32 if is_narrow(dtype) else dtype
