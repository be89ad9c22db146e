"""Running sums: a work item for each line along the axis, which goes along it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel

from ..layouts import declaration, packed, start
from ..scalars import PRELUDE, cast, load, store, stored, wide
from .reduce import sums_in

__all__ = ["KERNELS"]


@lru_cache(maxsize=256)
def _source(result: DType, dtype: DType) -> str:
    kind = wide(dtype)
    return f"""{PRELUDE}{declaration("Layout", 2)}
__kernel void cumsum_lines(
    const Layout l, const long length, __global {stored(result)} *out, const long out_start, const long out_step,
    __global const {stored(dtype)} *x, const long x_start, const long x_step
) {{
    const long line = get_global_id(0);
    if (line >= l.size) return;
    long at[2] = {{out_start, x_start}};
    Layout_places(&l, line, at);
    {kind} total = 0;
    for (long i = 0; i < length; i++, at[0] += out_step, at[1] += x_step) {{
        total += {cast(load(dtype, "x", "at[1]"), dtype, sums_in(dtype))};
        {store(result, "out", "at[0]", cast("total", kind, result))}
    }}
}}"""


def cumsum(out: Any, x: Any, axis: int) -> None:
    """The running sum, kept in 64 bits and rounded once per item."""
    shape, steps, reach = out.layout.shape, out.layout.strides, x.layout.strides
    length = shape[axis] if shape else 1
    others = tuple(i for i in range(len(shape)) if i != axis)
    lines, layout = packed(*(tuple(of[i] for i in others) for of in (shape, steps, reach)))
    out.flat.memory.queue.run(
        _source(out.flat.dtype, x.flat.dtype), lines, layout, length,
        out.flat.memory, start(out), steps[axis] if shape else 0, x.flat.memory, start(x), reach[axis] if shape else 0,
    )  # fmt: skip


KERNELS: Final[dict[str, Kernel]] = {"cumsum": cumsum}
