"""Matrix products in blocks: every work item sums a block of results, so that each item it reads serves many of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel

from ..layouts import declaration, packed, start
from ..scalars import PRELUDE, cast, computed, load, store, stored

__all__ = ["KERNELS"]

_BLOCK: Final = 8
_GROUP: Final = (8, 4, 1)


@lru_cache(maxsize=256)
def _source(result: DType, dtype: DType) -> str:
    kind = "ulong" if dtype.kind in "bui" else computed(dtype)
    product = "(T)(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x)" if dtype.is_complex else "p * q"
    return f"""{PRELUDE}#define T {kind}
{declaration("Layout", 3)}
__kernel void matmul_blocks(
    const Layout stack, const long rows, const long columns, const long inner,
    __global {stored(result)} *out, const long out_start, const long out_down, const long out_right,
    __global const {stored(dtype)} *a, const long a_start, const long a_down, const long a_right,
    __global const {stored(dtype)} *b, const long b_start, const long b_down, const long b_right
) {{
    const long column = get_global_id(0) * {_BLOCK}, row = get_global_id(1) * {_BLOCK};
    if (row >= rows || column >= columns) return;
    long at[3] = {{out_start, a_start, b_start}}, downs[{_BLOCK}], rights[{_BLOCK}];
    Layout_places(&stack, get_global_id(2), at);
    T totals[{_BLOCK}][{_BLOCK}];
    for (int i = 0; i < {_BLOCK}; i++) {{  /* beyond the last row and column, these are summed once more and dropped */
        downs[i] = at[1] + min(row + i, rows - 1) * a_down;
        rights[i] = at[2] + min(column + i, columns - 1) * b_right;
        for (int j = 0; j < {_BLOCK}; j++) totals[i][j] = 0;
    }}
    for (long k = 0; k < inner; k++) {{
        T others[{_BLOCK}];
        for (int j = 0; j < {_BLOCK}; j++) others[j] = {load(dtype, "b", "(rights[j] + k * b_down)")};
        for (int i = 0; i < {_BLOCK}; i++) {{
            const T p = {load(dtype, "a", "(downs[i] + k * a_right)")};
            for (int j = 0; j < {_BLOCK}; j++) {{
                const T q = others[j];
                totals[i][j] += {product};
            }}
        }}
    }}
    for (int i = 0; i < {_BLOCK} && row + i < rows; i++) {{
        for (int j = 0; j < {_BLOCK} && column + j < columns; j++) {{
            const long to = at[0] + (row + i) * out_down + (column + j) * out_right;
            {store(result, "out", "to", cast("totals[i][j]", kind, result))}
        }}
    }}
}}"""


def matmul(out: Any, a: Any, b: Any) -> None:
    """Products over equal leading axes; whole numbers wrap, 16-bit floating types are summed in float32."""
    lead = len(out.layout.shape) - 2
    stacked, stack = packed(out.layout.shape[:lead], *(x.layout.strides[:lead] for x in (out, a, b)))
    rows, columns = out.layout.shape[lead:]
    source = _source(out.flat.dtype, a.flat.dtype)
    operands = [part for x in (out, a, b) for part in (x.flat.memory, start(x), *x.layout.strides[lead:])]
    items = -(-columns // _BLOCK), -(-rows // _BLOCK), stacked
    out.flat.memory.queue.run(source, items, stack, rows, columns, a.layout.shape[-1], *operands, group=_GROUP)


KERNELS: Final[dict[str, Kernel]] = {"matmul": matmul}
