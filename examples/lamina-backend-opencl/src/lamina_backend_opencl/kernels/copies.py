"""Copies: items moved and cast, constants, and progressions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel

from ..layouts import declaration, packed, start
from ..scalars import PRELUDE, cast, computed, host_number, load, store, stored

__all__ = ["KERNELS"]


@lru_cache(maxsize=1024)
def _copy_source(result: DType, dtype: DType) -> str:
    kind = computed(dtype)
    return f"""{PRELUDE}{declaration("Layout", 2)}
__kernel void copy_items(
    const Layout l, __global {stored(result)} *out, const long out_start, __global const {stored(dtype)} *x, const long x_start
) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[2] = {{out_start, x_start}};
    Layout_places(&l, item, at);
    const {kind} value = {load(dtype, "x", "at[1]")};
    {store(result, "out", "at[0]", cast("value", dtype, result))}
}}"""


def copy(out: Any, x: Any) -> None:
    """out = x, cast."""
    size, layout = packed(out.layout.shape, out.layout.strides, x.layout.strides)
    source = _copy_source(out.flat.dtype, x.flat.dtype)
    out.flat.memory.queue.run(source, size, layout, out.flat.memory, start(out), x.flat.memory, start(x))


@lru_cache(maxsize=32)
def _fill_source(dtype: DType) -> str:
    return f"""{PRELUDE}{declaration("Layout", 1)}
__kernel void fill_items(const Layout l, __global {stored(dtype)} *out, const long start, const {computed(dtype)} value) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[1] = {{start}};
    Layout_places(&l, item, at);
    {store(dtype, "out", "at[0]", "value")}
}}"""


def fill(out: Any, value: Any) -> None:
    """Every item of out = value."""
    size, layout = packed(out.layout.shape, out.layout.strides)
    dtype = out.flat.dtype
    out.flat.memory.queue.run(_fill_source(dtype), size, layout, out.flat.memory, start(out), host_number(value, dtype))


def _steps_in(dtype: DType) -> str:
    """What a progression is computed in: whole numbers as they are, but wrapping, all others in double precision."""
    return "ulong" if dtype.kind in "ui" else "double2" if dtype.is_complex else "double"


@lru_cache(maxsize=32)
def _arange_source(dtype: DType) -> str:
    kind = _steps_in(dtype)
    value = cast("value", kind, dtype)
    return f"""{PRELUDE}{declaration("Layout", 1)}
__kernel void arange_items(const Layout l, __global {stored(dtype)} *out, const long start, const {kind} first, const {kind} step) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[1] = {{start}};
    Layout_places(&l, item, at);
    const {kind} value = first + step * {"item" if kind == "ulong" else "(double)item"};
    {store(dtype, "out", "at[0]", value)}
}}"""


def arange(out: Any, start: Any, step: Any) -> None:
    """out[i] = start + i * step: whole numbers from whole ends, others in double precision and rounded once."""
    size, layout = packed(out.layout.shape, out.layout.strides)
    dtype = out.flat.dtype
    first, reach = (_end(value, dtype) for value in (start, step))
    out.flat.memory.queue.run(_arange_source(dtype), size, layout, out.flat.memory, _first(out), first, reach)


def _end(value: Any, dtype: DType) -> Any:
    """A start or a step, as the argument that `_steps_in` names."""
    if dtype.kind in "ui":
        return np.uint64(int(host_number(value, dtype)) & (2**64 - 1))
    return np.complex128(value) if dtype.is_complex else np.float64(value)


_first = start  # `arange` has a parameter of this name
KERNELS: Final[dict[str, Kernel]] = {function.__name__: function for function in (copy, fill, arange)}
