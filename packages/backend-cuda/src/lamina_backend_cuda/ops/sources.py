"""The sources of kernels: CUDA C++ files of this package, put together, and the names that they have for dtypes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from lamina_flatarray.dtypes import DType

__all__ = ["FORMATS", "TYPES", "source", "wide_number"]

TYPES: Final = {
    "bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float16": "Half",
    "float32": "float", "float64": "double", "complex64": "c64", "complex128": "c128", "bfloat16": "Brain",
    "uint16": "u16", "uint32": "u32", "uint64": "u64",
}  # fmt: skip
"""What an item of each dtype is called in CUDA C++."""

FORMATS: Final = {
    "bool": "?", "uint8": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "float16": "f", "float32": "f",
    "float64": "d", "complex64": "2f", "complex128": "2d", "bfloat16": "f", "uint16": "H", "uint32": "I", "uint64": "Q",
}  # fmt: skip
"""The format of a number that an item of each dtype is computed in."""


@cache  # bounded by the files of this package
def source(*names: str) -> str:
    """Return files of this package one after another.

    Args:
        names: of the files, without their ending.

    Returns:
        CUDA C++.
    """
    folder = files("lamina_backend_cuda") / "kernels"
    return "\n".join((folder / f"{name}.cuh").read_text() for name in names)


def wide_number(value: Any, dtype: DType, exact: bool = False) -> tuple[Any, ...]:
    """Return a Python number as kernels of a dtype take it: rounded to the dtype, and in what it is computed in.

    Args:
        value: the number. Integers wrap, and fractions are dropped for integer dtypes, as in C.
        dtype: the dtype.
        exact: whether 16-bit dtypes take it in float32 as it is.

    Returns:
        What `FORMATS[dtype.name]` takes.
    """
    kind = np.dtype(np.float32) if exact and dtype.is_floating_point and dtype.itemsize == 2 else dtype.numpy
    with np.errstate(all="ignore"):
        try:
            item = np.array(value, kind)[()]
        except OverflowError:
            if dtype.kind not in "ui":
                raise  # an integer that no float holds
            item = np.array(int(value) & ((1 << (8 * dtype.itemsize)) - 1), f"u{dtype.itemsize}").view(kind)[()]
        if dtype.kind == "c":
            return float(item.real), float(item.imag)
        return (float(item) if dtype.kind == "f" else bool(item) if dtype.kind == "b" else int(item),)
