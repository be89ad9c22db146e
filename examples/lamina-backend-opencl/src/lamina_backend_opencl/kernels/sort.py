"""Stable sorts by merging: runs double in length, and every item finds its own place among both of two runs by bisection.

Only positions move; items are read where they are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel

from ..layouts import declaration, packed, start
from ..queue import Memory
from ..scalars import PRELUDE, cast, computed, load, store, stored

__all__ = ["KERNELS", "order"]


@lru_cache(maxsize=8)
def _counting_source() -> str:
    return """__kernel void positions(const long items, const long length, __global long *order) {
    const long item = get_global_id(0);
    if (item < items) order[item] = item % length;
}"""


@lru_cache(maxsize=64)
def _merge_source(dtype: DType, descending: bool) -> str:
    """One pass. An item goes as far behind its run's begin as there are items before it, in its run and in the other."""
    if dtype.is_inexact:
        before = "p > q || (isnan(p) && !isnan(q))" if descending else "p < q || (!isnan(p) && isnan(q))"
    else:
        before = "p > q" if descending else "p < q"
    return f"""{PRELUDE}#define T {computed(dtype)}
{declaration("Layout", 1)}
int before(T p, T q) {{ return {before}; }}

__kernel void merge(
    const Layout l, const long length, const long run, __global const {stored(dtype)} *x, const long x_start, const long x_step,
    __global const long *from, __global long *to
) {{
    const long item = get_global_id(0);
    if (item >= l.size * length) return;
    const long line = item / length, rank = item - line * length, pair = rank / (2 * run) * 2 * run;
    const int second = rank - pair >= run;
    long at = x_start;
    Layout_places(&l, line, &at);
    from += line * length;
    const long own = at + from[rank] * x_step;
    const T value = {load(dtype, "x", "own")};
    long low = second ? pair : min(pair + run, length), high = second ? pair + run : min(pair + 2 * run, length);
    const long other = low;
    while (low < high) {{  /* of equals, those of the first run come first */
        const long middle = (low + high) / 2, its = at + from[middle] * x_step;
        const T rival = {load(dtype, "x", "its")};
        if (second ? !before(value, rival) : before(rival, value)) low = middle + 1;
        else high = middle;
    }}
    to[line * length + rank - (second ? run : 0) + low - other] = from[rank];
}}"""


def order(queue: Any, shape: tuple[int, int], layout: Any, x: tuple[Memory, int, int], dtype: DType, descending: bool) -> Memory:
    """Return where the ranks of each line come from.

    Args:
        queue: the device's.
        shape: how many lines there are, and how long they are.
        layout: of the lines' beginnings.
        x: the items' memory, where the first one is, and how far apart they are within a line.
        dtype: the items'.
        descending: whether the greatest come first.

    Returns:
        Memory of int64, line by line.
    """
    items, length = shape[0] * shape[1], shape[1]
    now, then = Memory(queue, 8 * items), Memory(queue, 8 * items)
    queue.run(_counting_source(), items, items, max(length, 1), now)
    run = 1
    while run < length:
        queue.run(_merge_source(dtype, descending), items, layout, length, run, *x, now, then)
        now, then, run = then, now, 2 * run
    return now


@lru_cache(maxsize=256)
def _take_source(dtype: DType, values: DType, positions: DType) -> str:
    return f"""{PRELUDE}{declaration("Layout", 3)}
__kernel void take(
    const Layout l, const long length, __global const long *order, __global {stored(values)} *values, const long values_start,
    const long values_step, __global {stored(positions)} *positions, const long positions_start, const long positions_step,
    __global const {stored(dtype)} *x, const long x_start, const long x_step
) {{
    const long item = get_global_id(0);
    if (item >= l.size * length) return;
    const long line = item / length, rank = item - line * length;
    long at[3] = {{values_start + rank * values_step, positions_start + rank * positions_step, x_start + order[item] * x_step}};
    Layout_places(&l, line, at);
    const {computed(dtype)} value = {load(dtype, "x", "at[2]")};
    {store(values, "values", "at[0]", cast("value", dtype, values))}
    positions[at[1]] = order[item];
}}"""


def sort(out: Any, x: Any, axis: int, descending: bool = False) -> None:
    """Values in order, and where they came from."""
    operands, shape = (*out, x), x.layout.shape
    length = shape[axis] if shape else 1
    others = [i for i in range(len(shape)) if i != axis]
    steps = [o.layout.strides[axis] if shape else 0 for o in operands]
    outer = tuple(shape[i] for i in others)
    strides = [tuple(o.layout.strides[i] for i in others) for o in operands]
    lines, layout = packed(outer, strides[2])
    if not lines * length:
        return
    queue, dtype = x.flat.memory.queue, x.flat.dtype
    places = order(queue, (lines, length), layout, (x.flat.memory, start(x), steps[2]), dtype, descending)
    given = [part for o, step in zip(operands, steps, strict=True) for part in (o.flat.memory, start(o), step)]
    source = _take_source(dtype, out[0].flat.dtype, out[1].flat.dtype)
    queue.run(source, lines * length, packed(outer, *strides)[1], length, places, *given)


KERNELS: Final[dict[str, Kernel]] = {"sort": sort}
