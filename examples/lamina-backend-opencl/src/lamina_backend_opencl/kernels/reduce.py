"""Reductions: a work item for each result, or where there is much to reduce, a group of them that share it out.

Whole numbers are added up in 64 bits and floating ones in double precision, and rounded once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtypes import DTYPES

from ..layouts import declaration, packed, start
from ..queue import GROUP
from ..scalars import PRELUDE, cast, computed, load, store, stored, wide
from .expressions import EXTREME, expression, functions

__all__ = ["KERNELS", "sums_in"]

_MUCH: Final = 128
"""From this many items on a group shares a reduction."""

_FOLD: Final = """
void fold(A *total, long *place, A next, long at) {{  /* what came first stays, where two are equal */
{fold}
}}
"""
_ARGMAX: Final = """
    if (at < 0) return;
    const int greater = next > *total || (NOT_A_NUMBER(next) && !NOT_A_NUMBER(*total));
    const int equal = next == *total || (NOT_A_NUMBER(next) && NOT_A_NUMBER(*total));
    if (*place < 0 || greater || (equal && at < *place)) { *total = next; *place = at; }
"""
_EXTREMES: Final = """
    if (at < 0) return;
    const A a = *total, b = next;
    *total = *place < 0 ? b : ({expression});
    *place = at;
"""


def sums_in(dtype: DType) -> DType:
    """Return the dtype that sums of another are kept in."""
    return DTYPES["uint64" if dtype.kind == "u" else "complex128" if dtype.is_complex else "float64" if dtype.is_inexact else "int64"]


@lru_cache(maxsize=1024)
def _source(op: str, dtype: DType, result: DType, shared: bool) -> str:
    positions = op == "argmax"
    if op in ("sum", "prod"):
        kind, other = wide(dtype), functions(EXTREME[op], sums_in(dtype))
        first = "0" if op == "sum" else "1" if not dtype.is_complex else "(double2)(1, 0)"
        folding = f"    const A a = *total, b = next;\n    *total = {expression(EXTREME[op], sums_in(dtype))};"
    else:
        kind, other, first = computed(dtype), f"#define T {computed(dtype)}\n", "0"
        folding = _ARGMAX if positions else _EXTREMES.format(expression=expression(EXTREME[op], dtype))
    made = cast("place", "long", result) if positions else cast("total", kind, result)
    lanes, share = (GROUP, _SHARED) if shared else (1, "")
    return f"""{PRELUDE}#define A {kind}
#define NOT_A_NUMBER(x) {"isnan(x)" if dtype.is_inexact else "0"}
{other}{_FOLD.format(fold=folding)}{declaration("Outer", 2)}{declaration("Inner", 1)}
__kernel void {op}_items(
    const Outer outer, const Inner inner, __global {stored(result)} *out, const long out_start,
    __global const {stored(dtype)} *x, const long x_start
) {{
    const long item = {"get_group_id(0)" if shared else "get_global_id(0)"}, lane = {"get_local_id(0)" if shared else "0"};
    if (item >= outer.size) return;
    long at[2] = {{out_start, x_start}}, place = -1;
    Outer_places(&outer, item, at);
    A total = {first};
    for (long i = lane; i < inner.size; i += {lanes}) {{
        long from = at[1];
        Inner_places(&inner, i, &from);
        const A next = {cast(load(dtype, "x", "from"), dtype, sums_in(dtype)) if op in ("sum", "prod") else load(dtype, "x", "from")};
        fold(&total, &place, next, i);
    }}
{share}    {store(result, "out", "at[0]", made)}
}}"""


_SHARED: Final = f"""    __local A totals[{GROUP}];
    __local long its_places[{GROUP}];
    for (int half_way = {GROUP // 2}; half_way; half_way /= 2) {{
        totals[lane] = total;
        its_places[lane] = place;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_way) fold(&total, &place, totals[lane + half_way], its_places[lane + half_way]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }}
    if (lane) return;
"""


def _kernel(op: str) -> Kernel:
    def kernel(out: Any, x: Any, axes: tuple[int, ...]) -> None:
        shape, strides = x.layout.shape, x.layout.strides
        kept = [axis for axis in range(len(shape)) if axis not in axes]
        results, outer = packed(out.layout.shape, out.layout.strides, tuple(strides[axis] for axis in kept))
        count, inner = packed(tuple(shape[axis] for axis in axes), tuple(strides[axis] for axis in axes))
        shared = count >= _MUCH
        source = _source(op, x.flat.dtype, out.flat.dtype, shared)
        items = results * GROUP if shared else results
        out.flat.memory.queue.run(source, items, outer, inner, out.flat.memory, start(out), x.flat.memory, start(x))

    kernel.__name__ = op
    return kernel


KERNELS: Final[dict[str, Kernel]] = {op: _kernel(op) for op in ("sum", "prod", "max", "min", "argmax")}
