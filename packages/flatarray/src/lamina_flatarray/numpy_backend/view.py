"""Operands as NumPy arrays over the same memory."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["given", "view", "wide"]

_ndarray = np.ndarray


def view(operand: Any) -> np.ndarray[Any, Any]:
    """The operand's items under its layout; made once and kept in `native`."""
    found: np.ndarray[Any, Any] | None = operand.native
    if found is not None:
        return found
    flat, layout = operand.flat, operand.layout
    memory = flat.memory
    if memory.__class__ is not _ndarray:
        memory = np.frombuffer(memory, np.uint8)  # another host backend's memory: any byte buffer
    itemsize = flat.dtype.itemsize
    if not layout.size:
        found = np.empty(layout.shape, flat.dtype.numpy)
    else:
        found = _ndarray(
            layout.shape,
            flat.dtype.numpy,
            memory,
            flat.offset + layout.offset * itemsize,
            None if layout.contiguous else [s * itemsize for s in layout.strides],
        )
    operand.native = found
    return found


def given(x: Any, dtype: np.dtype[Any]) -> Any:
    """An input as NumPy takes it: a view, or a number that fits the dtype (integers wrap, as in PyTorch)."""
    if hasattr(x, "layout"):
        return view(x)
    if dtype.kind in "ui" and x.__class__ is int:
        return np.array(x & ((1 << (8 * dtype.itemsize)) - 1), np.uint64).astype(dtype)[()]
    return x


def wide(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Items of 16-bit floating types in float32, where sums and functions of them are computed; others as they are."""
    return x.astype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind in "fV" else x
