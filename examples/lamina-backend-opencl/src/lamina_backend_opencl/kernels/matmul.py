"""Matrix products in tiles: a group loads a tile of each matrix into its local memory, and every work item sums one result."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel

from ..layouts import declaration, packed, start
from ..scalars import PRELUDE, cast, computed, load, store, stored

__all__ = ["KERNELS"]

_TILE: Final = 16


@lru_cache(maxsize=256)
def _source(result: DType, dtype: DType) -> str:
    kind = "ulong" if dtype.kind in "bui" else computed(dtype)
    zero = "(T)(0, 0)" if dtype.is_complex else "0"
    product = "(T)(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x)" if dtype.is_complex else "p * q"
    return f"""{PRELUDE}#define T {kind}
{declaration("Layout", 3)}
__kernel void matmul_tiles(
    const Layout stack, const long rows, const long columns, const long inner,
    __global {stored(result)} *out, const long out_start, const long out_down, const long out_right,
    __global const {stored(dtype)} *a, const long a_start, const long a_down, const long a_right,
    __global const {stored(dtype)} *b, const long b_start, const long b_down, const long b_right
) {{
    const long column = get_global_id(0), row = get_global_id(1);
    const int x = get_local_id(0), y = get_local_id(1);
    long at[3] = {{out_start, a_start, b_start}};
    Layout_places(&stack, get_global_id(2), at);
    __local T left[{_TILE}][{_TILE}], right[{_TILE}][{_TILE}];
    T total = {zero};
    for (long k = 0; k < inner; k += {_TILE}) {{
        left[y][x] = row < rows && k + x < inner ? (T)({load(dtype, "a", "(at[1] + row * a_down + (k + x) * a_right)")}) : {zero};
        right[y][x] = k + y < inner && column < columns ? (T)({load(dtype, "b", "(at[2] + (k + y) * b_down + column * b_right)")}) : {zero};
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < {_TILE}; i++) {{
            const T p = left[y][i], q = right[i][x];
            total += {product};
        }}
        barrier(CLK_LOCAL_MEM_FENCE);
    }}
    if (row < rows && column < columns) {{
        const long to = at[0] + row * out_down + column * out_right;
        {store(result, "out", "to", cast("total", kind, result))}
    }}
}}"""


def matmul(out: Any, a: Any, b: Any) -> None:
    """Products over equal leading axes; whole numbers wrap, 16-bit floating types are summed in float32."""
    lead = len(out.layout.shape) - 2
    stacked, stack = packed(out.layout.shape[:lead], *(x.layout.strides[:lead] for x in (out, a, b)))
    rows, columns = out.layout.shape[lead:]
    source = _source(out.flat.dtype, a.flat.dtype)
    operands = [part for x in (out, a, b) for part in (x.flat.memory, start(x), *x.layout.strides[lead:])]
    items, group = (columns, rows, stacked), (_TILE, _TILE, 1)
    out.flat.memory.queue.run(source, items, stack, rows, columns, a.layout.shape[-1], *operands, group=group)


KERNELS: Final[dict[str, Kernel]] = {"matmul": matmul}
