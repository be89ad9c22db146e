"""Operands for the reference kernels' tests: flat memory of the numpy backend and a stand-in for layouts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lamina_flatarray import DTYPES, FlatArray, Strided, result_dtypes
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.numpy_backend.backend import NumpyBackend
from lamina_flatarray.numpy_backend.view import view

BACKEND = NumpyBackend()
ALL = sorted(DTYPES)
INTEGERS = [d.name for d in DTYPES.values() if d.kind in "ui"]
FLOATS = [d.name for d in DTYPES.values() if d.kind == "f"]
INEXACT = [d.name for d in DTYPES.values() if d.is_inexact]
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "complex64": 2e-6}
MANY = 70_001  # more than two blocks


class Layout:
    """Shape, strides and offset in items."""

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...] | None = None, offset: int = 0) -> None:
        dense = tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
        self.shape, self.strides, self.offset = shape, dense if strides is None else strides, offset
        self.ndim, self.size = len(shape), math.prod(shape)
        self.contiguous = self.strides == dense


# Layout and how many items of memory it needs; no two items share memory, so each serves as `out`, too.
LAYOUTS = {
    "dense": (Layout((3, 4)), 12),
    "offset": (Layout((3, 4), offset=5), 17),
    "transposed": (Layout((3, 4), (1, 3)), 12),
    "sliced": (Layout((3, 4), (16, 2), 1), 48),
    "negative": (Layout((3, 4), (-4, -1), 11), 12),
    "0-d": (Layout((), (), 3), 4),
    "empty": (Layout((3, 0)), 0),
    "empty far away": (Layout((0, 4), (4, 1), 10**12), 0),
}
READ_ONLY = {"stride 0": (Layout((3, 4), (0, 1)), 4), "all stride 0": (Layout((3, 4), (0, 0), 2), 3)}


def table(dtype: str) -> KernelTable:
    return KernelTable.of(BACKEND, 0, DTYPES[dtype])


def made(dtype: str, layout: Layout, memory: int | None = None) -> Strided:
    return Strided(FlatArray.of(table(dtype), layout.size if memory is None else memory), layout)


def operand(values: Any, dtype: str | None = None) -> Strided:
    array = np.array(values, None if dtype is None else DTYPES[dtype].numpy)
    found = made(dtype or array.dtype.name, Layout(array.shape))
    view(found)[...] = array
    return found


def items(n: int, dtype: str) -> np.ndarray:
    kind = DTYPES[dtype].kind
    numbers = np.arange(n) % 7 + (0 if kind in "bu" else -2.5 if kind in "fc" else -3)
    return numbers.astype(DTYPES[dtype].numpy)


def filled(dtype: str, layout: Layout, memory: int) -> Strided:
    found = made(dtype, layout, memory)
    if memory:
        found.flat.numpy()[...] = items(memory, dtype)
    return found


def run(op: str, *inputs: Any, result: str | None = None, shape: tuple[int, ...] | None = None, **params: Any) -> Any:
    first = next(x for x in inputs if isinstance(x, Strided))
    dtype = first.flat.dtype
    out = made(result or result_dtypes(op, dtype)[1].name, Layout(first.layout.shape if shape is None else shape))
    table(dtype.name)[op](out, *inputs, **params)
    return view(out)
