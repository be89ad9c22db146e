"""Operands for kernel tests: NumPy arrays of any strides, as flat memory of the cpp backend and a layout stand-in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from struct import pack
from typing import Any

import ml_dtypes
import numpy as np

from lamina_flatarray import FlatArray, Strided, backends, dtype_of
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_testkit import error_bounds

BACKEND = backends.backend("cpp")  # the one of the process: tables are by name


class Layout:
    """Shape, strides and offset in items, as the contract's StridedLayout; ndarray's own is a storey above."""

    __slots__ = ("ndim", "offset", "packed", "shape", "size", "strides")

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...] | None = None, offset: int = 0) -> None:
        if strides is None:
            strides = tuple(int(np.prod(shape[d + 1 :], dtype=int)) for d in range(len(shape)))
        self.shape, self.strides, self.offset = tuple(shape), tuple(strides), offset
        self.ndim, self.size = len(shape), int(np.prod(shape, dtype=int))
        self.packed = pack(f"={2 + 2 * len(shape)}q", len(shape), offset, *shape, *strides)

    @property
    def compact(self) -> Layout:
        return Layout(self.shape)

    @property
    def contiguous(self) -> bool:
        return not self.size or all(
            a == b or n == 1 for a, b, n in zip(self.strides, self.compact.strides, self.shape, strict=True)
        )


def flat_of(dtype: Any, size: int) -> FlatArray:
    return FlatArray.of(KernelTable.of(BACKEND, 0, dtype_of(dtype)), size)


def operand(array: Any) -> Strided:
    """A copy of the array's memory as it is laid out, and its layout: strides 0 and below too."""
    array = np.asarray(array)
    steps = [s // array.itemsize for s in array.strides]
    low = sum(min(0, (n - 1) * s) for n, s in zip(array.shape, steps, strict=True)) if array.size else 0
    high = sum(max(0, (n - 1) * s) for n, s in zip(array.shape, steps, strict=True)) if array.size else -1
    flat = flat_of(array.dtype, high - low + 1)
    layout = Layout(array.shape, tuple(steps), -low)
    if array.size:
        numpy_view(Strided(flat, layout))[...] = array
    return Strided(flat, layout)


def empty(shape: tuple[int, ...], dtype: Any, strides: tuple[int, ...] | None = None, offset: int = 0) -> Strided:
    """Room for a result; `strides` must fill it from `offset` on without going below."""
    layout = Layout(shape, strides, offset)
    reach = sum((n - 1) * max(s, 0) for n, s in zip(layout.shape, layout.strides, strict=True)) if layout.size else -1
    return Strided(flat_of(dtype, layout.offset + reach + 1), layout)


def numpy_view(x: Strided) -> np.ndarray[Any, Any]:
    items = x.flat.numpy()
    return np.lib.stride_tricks.as_strided(
        items[x.layout.offset :], x.layout.shape, [s * items.itemsize for s in x.layout.strides]
    )


def run(op: str, out: Any, *inputs: Any, **params: Any) -> np.ndarray[Any, Any]:
    """Call the native kernel and look at what it wrote."""
    BACKEND.kernel(op)(out, *inputs, **params)
    return numpy_view(out)


def assert_rounded_once(found: np.ndarray[Any, Any], exact: Any, sizes: Any, digits: int = 0) -> None:
    """Items of 16 bits were added up in float32, of which so many binary digits may be lost besides, and rounded once."""
    info = ml_dtypes.finfo(found.dtype)
    bound = error_bounds.products_of_noise("float32") * sizes * 2**digits
    error_bounds.assert_within(found.astype("float64"), exact, bound + float(info.eps) / 2 * (np.abs(exact) + bound) + float(info.tiny))


@contextmanager
def inheriting(ops: Sequence[str], kernel_for: Callable[[str, Any], Any]) -> Iterator[None]:
    """While it lasts, the ops' native kernels inherit `kernel_for(op, what they inherited)`."""
    before = {op: BACKEND.kernel(op).inherited for op in ops}  # type: ignore[attr-defined]
    try:
        for op, kernel in before.items():
            BACKEND.kernel(op).inherited = kernel_for(op, kernel)  # type: ignore[attr-defined]
        yield
    finally:
        for op, kernel in before.items():
            BACKEND.kernel(op).inherited = kernel  # type: ignore[attr-defined]


@contextmanager
def alone(ops: Sequence[str]) -> Iterator[None]:
    """While it lasts, nothing of the ops is left to inherited kernels."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("left to the inherited kernel")

    with inheriting(ops, lambda op, inherited: refuse):
        yield
