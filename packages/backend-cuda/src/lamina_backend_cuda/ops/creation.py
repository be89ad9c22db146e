"""Kernels that make items of numbers, counted in row-major order."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.dtypes import DTYPES, DType

from .operands import address, device_of, dtype_of, walks_of
from .sources import FORMATS, TYPES, source, wide_number
from .walks import walk_format

__all__ = ["arange"]

_NUMBERS: Final = {"b": "float64", "f": "float64", "c": "complex128", "u": "uint64", "i": "uint64"}


@lru_cache(32)
def _text(dtype: DType) -> str:
    own = f"typedef {TYPES[dtype.name]} Out;\ntypedef {TYPES[_NUMBERS[dtype.kind]]} Number;\n"
    return "\n".join((source("numbers", "walks"), own, source("arange")))


def arange(out: Any, start: Any, step: Any) -> None:
    """Write start + i * step to item i: for floating dtypes in float64, rounded once; integers wrap."""
    dtype = dtype_of(out)
    number = DTYPES[_NUMBERS[dtype.kind]]
    format = FORMATS[number.name]
    device = device_of(out)
    kernel = device.functions(_text(dtype), {"arange": ("P", walk_format(1), format, format, "q")})["arange"]
    before = 0
    for walk in walks_of(out, ordered=True):
        ends = (*_cast(start, dtype, number), *_cast(step, dtype, number))
        device.launch(kernel, walk.size, (address(out, walk.begins[0]), *walk.values, *ends, before))
        before += walk.size


def _cast(value: Any, dtype: DType, number: DType) -> tuple[Any, ...]:
    if dtype.kind in "ui":  # its fraction is dropped, and it wraps, before it is counted with
        (whole,) = wide_number(value, dtype)
        return (whole & (2**64 - 1),)
    return wide_number(value, number)
