"""The dtypes in OpenCL C: how an item is stored, in what it is computed, and how one becomes another."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lamina_flatarray import DType

__all__ = ["PRELUDE", "cast", "computed", "host_number", "load", "number_for", "store", "stored", "wide"]

_INTEGERS: Final = {
    "bool": "uchar", "uint8": "uchar", "int8": "char", "int16": "short", "uint16": "ushort", "int32": "int", "uint32": "uint",
    "int64": "long", "uint64": "ulong",
}  # fmt: skip
_STORED: Final = {
    **_INTEGERS, "float16": "half", "bfloat16": "ushort", "float32": "float", "float64": "double", "complex64": "float2",
    "complex128": "double2",
}  # fmt: skip
_COMPUTED: Final = {**_STORED, "float16": "float", "bfloat16": "float"}

PRELUDE: Final = """
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

float from_bfloat16(ushort bits) { return as_float((uint)bits << 16); }

ushort to_bfloat16(float value) {  /* to the nearest, ties to even; NaN stays NaN */
    const uint bits = as_uint(value);
    return isnan(value) ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}
"""
"""What begins every program."""


def stored(dtype: DType) -> str:
    """Return the C type of an item in memory."""
    return _STORED[dtype.name]


def computed(dtype: DType) -> str:
    """Return the C type that an item is computed in: float for the two of 16 bits."""
    return _COMPUTED[dtype.name]


def wide(dtype: DType) -> str:
    """Return the C type that sums are kept in: integers in 64 bits, and floating types in double precision."""
    if dtype.kind in "bui":
        return "ulong" if dtype.kind == "u" else "long"
    return "double2" if dtype.is_complex else "double"


def load(dtype: DType, pointer: str, at: str) -> str:
    """Return the expression that reads an item."""
    if dtype.name == "float16":
        return f"vload_half({at}, {pointer})"
    item = f"{pointer}[{at}]"
    return f"from_bfloat16({item})" if dtype.name == "bfloat16" else item


def store(dtype: DType, pointer: str, at: str, value: str) -> str:
    """Return the statement that writes an item; for float16, `value` may be a double, so that it is rounded once."""
    if dtype.name == "float16":
        return f"vstore_half_rte({value}, {at}, {pointer});"
    return f"{pointer}[{at}] = {f'to_bfloat16({value})' if dtype.name == 'bfloat16' else value};"


def cast(value: str, source: DType | str, target: DType) -> str:
    """Return an expression for a value as another dtype, ready for `store`.

    From complex to real the imaginary part is dropped; a number is true unless it is 0. Floating numbers become narrow unsigned
    ones by way of long, so that negative ones wrap.

    Args:
        value: an expression without side effects.
        source: the dtype that it is computed in, or its C type.
        target: the other dtype.
    """
    kind = source if isinstance(source, str) else computed(source)
    if target.kind == "b":
        return f"({value}.x != 0 || {value}.y != 0)" if kind.endswith("2") else f"({value} != 0)"
    if kind == computed(target):
        return value
    if target.is_complex:
        part = computed(target)[:-1]
        if kind.endswith("2"):
            return f"convert_{computed(target)}({value})"
        return f"({part}2)(({part})({value}), 0)"
    part = f"{value}.x" if kind.endswith("2") else value
    if target.name == "float16":
        return f"(double)({part})"
    if target.kind in "ui" and kind in ("float", "double", "float2", "double2"):
        if target.name == "uint64":
            return f"({part} < 0 ? (ulong)(long)({part}) : (ulong)({part}))"
        return f"({computed(target)})(long)({part})"
    return f"({computed(target)})({part})"


def number_for(dtype: DType) -> np.dtype[Any]:
    """Return the NumPy dtype of an argument that stands for an item."""
    return np.dtype(np.float32) if dtype.name in ("float16", "bfloat16") else dtype.numpy


def host_number(value: Any, dtype: DType, exact: bool = False) -> Any:
    """Return a Python number as an argument of the type that the dtype is computed in; integers wrap.

    Args:
        value: the number.
        dtype: what it is rounded to.
        exact: whether it is left in float32 where the dtype is narrower than that.
    """
    kind = number_for(dtype)
    if dtype.kind in "ui":
        width = 8 * dtype.itemsize
        whole = int(value.real if isinstance(value, complex) else value) & ((1 << width) - 1)
        return np.array(whole, f"u{dtype.itemsize}").view(kind)[()]
    if isinstance(value, complex) and not dtype.is_complex and dtype.kind != "b":
        value = value.real
    with np.errstate(all="ignore"):
        rounded = np.array(value, kind if exact else dtype.numpy).astype(kind)[()]
    return np.uint8(rounded) if dtype.kind == "b" else rounded
