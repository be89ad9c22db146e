"""Reading and writing at positions. Whoever calls has looked at them: none lies outside, and none is negative.

Where items are written, equal positions are sorted next to each other first, and one work item goes through each run of
them, so that results do not depend on the order in which work items happen to run.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtypes import int64

from ..layouts import declaration, packed, start
from ..queue import Memory
from ..scalars import PRELUDE, cast, computed, load, store, stored
from .expressions import expression, functions
from .sort import order

__all__ = ["KERNELS"]


def _indices(count: int, first: int) -> tuple[str, str, str]:
    """Of index arrays behind `first` other operands: their arguments, where they start, and the offset that they sum up to."""
    arguments = "".join(f", __global const long *i{k}, const long i{k}_start, const long reach{k}" for k in range(count))
    starts = "".join(f", i{k}_start" for k in range(count))
    return arguments, starts, " + ".join(f"i{k}[at[{first + k}]] * reach{k}" for k in range(count))


def _given(indices: tuple[Any, ...], reaches: tuple[int, ...]) -> list[Any]:
    return [part for x, reach in zip(indices, reaches, strict=False) for part in (x.flat.memory, start(x), reach)]


@lru_cache(maxsize=512)
def _index_source(result: DType, dtype: DType, count: int) -> str:
    arguments, starts, offset = _indices(count, 2)
    return f"""{PRELUDE}{declaration("Layout", 2 + count)}
__kernel void index_items(
    const Layout l, __global {stored(result)} *out, const long out_start, __global const {stored(dtype)} *x, const long x_start{arguments}
) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[{2 + count}] = {{out_start, x_start{starts}}};
    Layout_places(&l, item, at);
    const long from = at[1] + {offset};
    const {computed(dtype)} value = {load(dtype, "x", "from")};
    {store(result, "out", "at[0]", cast("value", dtype, result))}
}}"""


def index(out: Any, x: Any, *indices: Any) -> None:
    """out = x[indices]: out's first axes are those of the indices, the others x's last ones."""
    rest = len(x.layout.shape) - len(indices)
    across = (0,) * (len(out.layout.shape) - rest)
    strides = [out.layout.strides, (*across, *x.layout.strides[len(indices) :])]
    size, layout = packed(out.layout.shape, *strides, *[(*i.layout.strides, *(0,) * rest) for i in indices])
    source = _index_source(out.flat.dtype, x.flat.dtype, len(indices))
    given = _given(indices, x.layout.strides)
    out.flat.memory.queue.run(source, size, layout, out.flat.memory, start(out), x.flat.memory, start(x), *given)


@lru_cache(maxsize=16)
def _targets_source(count: int) -> str:
    arguments, starts, offset = _indices(count, 0)
    return f"""{declaration("Layout", count)}
__kernel void targets(const Layout l, __global long *targets{arguments}) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[{count}] = {{{starts[2:]}}};
    Layout_places(&l, item, at);
    targets[item] = {offset};
}}"""


@lru_cache(maxsize=512)
def _put_source(result: DType, dtype: DType, accumulate: bool) -> str:
    into, value = computed(result), load(dtype, "values", "from")
    begin = load(result, "out", "to") if accumulate else "0"
    step = f"const T a = total, b = {cast('value', dtype, result)}; total = {expression('add', result)};"
    keep = f"total = {cast('value', dtype, result)};"
    return f"""{PRELUDE}{functions("add", result)}{declaration("Row", 2)}{declaration("Place", 1)}
__kernel void put_items(
    const Row row, const Place places, __global const long *order, __global const long *targets,
    __global {stored(result)} *out, const long out_start, __global const {stored(dtype)} *values, const long values_start
) {{
    const long item = get_global_id(0);
    if (item >= row.size * places.size) return;
    const long first = item / row.size, target = targets[order[first]];
    if (first && targets[order[first - 1]] == target) return;  /* not the first of its run */
    long at[2] = {{out_start, values_start}};
    Row_places(&row, item - first * row.size, at);
    const long to = at[0] + target;
    {into} total = {begin};
    for (long i = first; i < places.size && targets[order[i]] == target; i++) {{
        long from = at[1];
        Place_places(&places, order[i], &from);
        const {computed(dtype)} value = {value};
        {step if accumulate else keep}
    }}
    {store(result, "out", "to", "total")}
}}"""


def index_put(out: Any, values: Any, *indices: Any, accumulate: bool = False) -> None:
    """out[indices] = values, or += with accumulate; the last of equal indices wins."""
    if not indices[0].layout.size or not values.layout.size:
        return
    queue, count, shape = out.flat.memory.queue, len(indices), indices[0].layout.shape
    places, layout = packed(shape, *[i.layout.strides for i in indices])
    targets = Memory(queue, 8 * places)
    queue.run(_targets_source(count), places, layout, targets, *_given(indices, out.layout.strides))
    sorted_places = order(queue, (1, places), packed((), ())[1], (targets, 0, 1), int64, False)
    ahead = len(shape)
    items, row = packed(out.layout.shape[count:], out.layout.strides[count:], values.layout.strides[ahead:])
    _, own = packed(shape, values.layout.strides[:ahead])
    source = _put_source(out.flat.dtype, values.flat.dtype, accumulate)
    operands = out.flat.memory, start(out), values.flat.memory, start(values)
    queue.run(source, items * places, row, own, sorted_places, targets, *operands)


KERNELS: Final[dict[str, Kernel]] = {function.__name__: function for function in (index, index_put)}
