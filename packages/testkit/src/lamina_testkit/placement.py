"""Operands in awkward places: values put into a backend's memory under a layout, between guard items.

Everything goes through `allocate`, `copy_in` and `copy_out` alone, so that no kernel under test takes part.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lamina_flatarray import Backend, DType, FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.contract import Operand
from lamina_ndarray.array import NDArray
from lamina_ndarray.layouts.layout import Layout

__all__ = ["LAYOUTS", "layout_for", "place", "read", "untouched"]

LAYOUTS: Final = ("compact", "offset", "transposed", "sliced", "reversed", "gapped", "broadcast")
"""The kinds of layout. `broadcast` has a stride of 0 and serves inputs only."""

_GUARD: Final = 0x5B  # a byte that makes an unlikely value of every dtype


def layout_for(kind: str, shape: tuple[int, ...]) -> Layout:
    """Return a layout of this kind for a shape; compact where the shape has too few axes to tell."""
    dense = Layout.dense(shape)
    if kind == "compact" or not dense.size:
        return dense
    if kind == "offset":
        return Layout.of(shape, dense.strides, 3)
    if not shape:
        return Layout.of((), (), 2)
    if kind == "transposed":
        back = Layout.dense(shape[::-1])
        return Layout.of(shape, back.strides[::-1], 0)
    if kind == "sliced":  # every second item of the last axis
        wide = Layout.dense((*shape[:-1], 2 * shape[-1] + 1))
        return Layout.of(shape, (*wide.strides[:-1], 2), 1)
    if kind == "reversed":
        return Layout.of(shape, (-dense.strides[0], *dense.strides[1:]), (shape[0] - 1) * dense.strides[0])
    if kind == "gapped":  # rows with a gap between them
        wide = Layout.dense((*shape[:-1], shape[-1] + 2))
        return Layout.of(shape, wide.strides, 2)
    return Layout.of(shape, (0, *dense.strides[1:]), 0)


def _host_view(memory: np.ndarray[Any, Any], layout: Layout) -> np.ndarray[Any, Any]:
    if not layout.size:
        return np.empty(layout.shape, memory.dtype)
    step = memory.itemsize
    return np.ndarray(layout.shape, memory.dtype, memory.view(np.uint8), layout.offset * step, [s * step for s in layout.strides])


def place(values: np.ndarray[Any, Any], kind: str, backend: Backend, dtype: DType) -> NDArray:
    """Put values into the memory of a backend under a kind of layout, with guard bytes before, between and after them.

    Args:
        values: of any shape.
        kind: one of LAYOUTS; under "broadcast" the first item of the first axis stands for all.
        backend: whose memory it is; only its `allocate` and `copy_in` are called.
        dtype: what the values are cast to.
    """
    layout = layout_for(kind, values.shape)
    high = layout.extent()[1] if layout.size else -1
    host = np.full((high + 4) * dtype.itemsize, 1 if dtype.kind == "b" else _GUARD, np.uint8).view(dtype.numpy)
    view = _host_view(host, layout)
    if kind == "broadcast" and values.ndim:
        values = np.broadcast_to(values[:1], values.shape)
    view[...] = values
    flat = FlatArray.of(KernelTable.of(backend, 0, dtype), host.size)
    backend.copy_in(flat.memory, flat.offset, host.view(np.uint8).data)
    return NDArray(flat, layout)


def _downloaded(array: Operand) -> np.ndarray[Any, Any]:
    flat = array.flat
    host = np.empty(flat.nbytes, np.uint8)
    flat.backend.copy_out(flat.memory, flat.offset, host.data)
    return host.view(flat.dtype.numpy)


def read(array: Operand) -> np.ndarray[Any, Any]:
    """Return the values of an array or another operand, as a NumPy array of their own."""
    return np.array(_host_view(_downloaded(array), array.layout))


def untouched(array: NDArray) -> bool:
    """Return whether all memory that does not belong to the array's own items still holds guard bytes."""
    host = _downloaded(array)
    mine = np.zeros(host.size, bool)
    _host_view(mine, array.layout)[...] = True
    guards = host.view(np.uint8).reshape(-1, array.dtype.itemsize)[~mine]
    return bool((guards == (1 if array.dtype.kind == "b" else _GUARD)).all())
