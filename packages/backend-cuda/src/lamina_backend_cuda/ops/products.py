"""Products of matrices: by cuBLAS where the operands lie as it wants them, else by a kernel in tiles that reads any strides."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DTYPES, DType

from ..interface import Product
from .maps import copy
from .operands import address, device_of, dtype_of, spread
from .sources import TYPES, source
from .walks import Walk, walk_format, walks

__all__ = ["LIBRARY", "linear", "matmul"]

LIBRARY: Final = tuple(dtype.name for dtype in DTYPES.values() if dtype.is_inexact)
"""The dtypes that cuBLAS serves."""

_TILE: Final = 64
_THREADS: Final = 256
_LARGEST: Final = 2**31 - 1


@lru_cache(32)
def _text(dtype: DType) -> str:
    return "\n".join((source("numbers", "walks", "maps"), f"typedef {TYPES[dtype.name]} In;\n", source("matmul")))


def matmul(out: Any, a: Any, b: Any) -> None:
    """Contract the last axis of a with the last but one of b; leading axes are equal."""
    lead = tuple(out.layout.shape[:-2])
    m, n = out.layout.shape[-2:]
    k = a.layout.shape[-1]
    if not out.layout.size:
        return
    device, dtype = device_of(out), dtype_of(out)
    strides = [tuple(x.layout.strides) for x in (out, a, b)]
    for walk in walks(lead, tuple(own[:-2] for own in strides)):
        firsts = [address(x, begin) for x, begin in zip((out, a, b), walk.begins, strict=True)]
        product = _product(dtype, walk, firsts, strides, m, n, k)
        if product is not None and device.multiply(product):
            continue
        kernel = device.functions(_text(dtype), {"multiply": ("P", "P", "P", walk_format(3), "9q")})["multiply"]
        tiles = walk.size * -(-m // _TILE) * -(-n // _TILE)
        sizes = (m, n, k, *strides[1][-2:], *strides[2][-2:], *strides[0][-2:])
        device.launch(kernel, tiles * _THREADS, (*firsts, *walk.values, *sizes), _THREADS)


def linear(out: Any, x: Any, weight: Any, bias: Any) -> None:
    """Multiply the last axis of x by the transposed weight, and add the bias, which the result holds before the product is added."""
    (n, k), (row, column) = weight.layout.shape, weight.layout.strides
    to, of = _rows(out), _rows(x)
    product = None
    if out.layout.size and to and of:
        (walk,) = walks((), ((), (), ()))
        firsts = [address(operand) for operand in (out, x, weight)]
        product = _product(dtype_of(out), walk, firsts, [to, of, (column, row)], out.layout.size // n, n, k)
    if product is not None:
        if bias is not None:
            copy(out, spread(bias, tuple(out.layout.shape)))
        if device_of(out).multiply(product._replace(added=bias is not None)):
            return
    decompositions["linear"](out, x, weight, bias)


def _rows(operand: Any) -> tuple[int, ...] | None:
    """The strides of an operand as one matrix, whatever leading axes it has; None where it is none."""
    layout = operand.layout
    if layout.ndim == 2:
        return tuple(layout.strides)
    return (layout.shape[-1], 1) if layout.contiguous and layout.ndim else None


def _product(
    dtype: DType, batch: Walk, firsts: list[int], strides: list[tuple[int, ...]], m: int, n: int, k: int
) -> Product | None:
    """The same for cuBLAS; None where it cannot read an operand or write the result as they lie."""
    axes, steps = batch.values[1], batch.values[3 + 8 :: 8][:3]
    if not dtype.is_inexact or not k or axes != 1 or max(m, n, k, batch.size) > _LARGEST:
        return None
    c_row, c_column = strides[0][-2:]
    a, b = _read(strides[1], m, k), _read(strides[2], k, n)
    if a is None or b is None or not (c_column == 1 or n == 1) or (c_row < n and m > 1) or min(steps) < 0:
        return None
    return Product(
        dtype.name, batch.size, m, n, k, firsts[1], firsts[2], firsts[0], a[0], b[0], max(c_row, n), a[1], b[1],
        steps[1], steps[2], steps[0],
    )  # fmt: skip


def _read(strides: tuple[int, ...], rows: int, columns: int) -> tuple[int, bool] | None:
    """How far apart rows lie, or columns where they take their place, and which of both; None where neither is so."""
    row, column = strides[-2:]
    if (column == 1 or columns == 1) and (row >= columns or rows == 1):
        return max(row, columns), False
    if (row == 1 or rows == 1) and (column >= rows or columns == 1):
        return max(column, rows), True
    return None
