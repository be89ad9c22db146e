"""Kernels item by item: one program per op, dtypes, and which inputs are numbers; any strides, stride 0 among them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import bool as bool_
from lamina_flatarray.errors import IntegerDivisionByZero, NegativeIntegerPower

from ..layouts import declaration, packed, start
from ..queue import Memory
from ..scalars import PRELUDE, cast, computed, host_number, load, store, stored
from .expressions import EXPRESSIONS, expression, functions

__all__ = ["KERNELS"]

_EXACT: Final = ("add", "subtract", "multiply", "divide")
"""Ops that take a number next to float16 or bfloat16 as it is, as PyTorch; it is rounded for others."""


@lru_cache(maxsize=4096)
def _source(op: str, dtype: DType, result: DType, inputs: tuple[tuple[str, DType, bool], ...]) -> str:
    """The program of an op; of each input the name in the expression, its dtype, and whether it is an array."""
    arguments = [f"const Layout l, __global {stored(result)} *out, const long start0"]
    values, starts = [], ["start0"]
    for name, own, is_array in inputs:
        if is_array:
            place = len(starts)
            arguments.append(f"__global const {stored(own)} *p{place}, const long start{place}")
            values.append(f"    const {computed(own)} {name} = {load(own, f'p{place}', f'at[{place}]')};")
            starts.append(f"start{place}")
        else:
            arguments.append(f"const {computed(own)} {name}")
    made = computed(result_dtypes(op, dtype)[1])
    return f"""{PRELUDE}{functions(op, dtype)}{declaration("Layout", len(starts))}
__kernel void {op}_items({", ".join(arguments)}) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[{len(starts)}] = {{{", ".join(starts)}}};
    Layout_places(&l, item, at);
{chr(10).join(values)}
    const {made} made = {expression(op, dtype)};
    {store(result, "out", "at[0]", cast("made", made, result))}
}}"""


def _kernel(op: str) -> Kernel:
    names = ("condition", "a", "b") if op == "where" else ("a", "b")

    def kernel(out: Any, *inputs: Any) -> None:
        dtype = out.flat.dtype if op == "where" else next((x.flat.dtype for x in reversed(inputs) if hasattr(x, "layout")), out.flat.dtype)
        described, arrays, arguments = [], [out], []
        for name, x in zip(names, inputs, strict=False):
            is_array = hasattr(x, "layout")
            own = x.flat.dtype if is_array else bool_ if name == "condition" else dtype
            described.append((name, own, is_array))
            if is_array:
                arrays.append(x)
                arguments += [x.flat.memory, start(x)]
            else:
                arguments.append(host_number(x, own, exact=op in _EXACT))
        _refuse(op, dtype, inputs)
        size, layout = packed(out.layout.shape, *[x.layout.strides for x in arrays])
        source = _source(op, dtype, out.flat.dtype, tuple(described))
        out.flat.memory.queue.run(source, size, layout, out.flat.memory, start(out), *arguments)

    kernel.__name__ = op
    return kernel


def _refuse(op: str, dtype: DType, inputs: tuple[Any, ...]) -> None:
    """Raise the error of a call that has no meaning, before anything is written."""
    if op == "pow" and dtype.kind in "ui" and not hasattr(inputs[1], "layout") and inputs[1] < 0:
        raise NegativeIntegerPower(
            f"pow: {dtype.name} to the power {inputs[1]}: Integers to negative integer powers are not allowed; cast to a float first"
        )
    if op == "floor_divide" and dtype.kind in "bui":
        divisor = inputs[1]
        if _has_zero(divisor) if hasattr(divisor, "layout") else not divisor:
            raise IntegerDivisionByZero("floor_divide: ZeroDivisionError: an integer divisor is 0; it wants none")


@lru_cache(maxsize=32)
def _zero_source(dtype: DType) -> str:
    return f"""{PRELUDE}{declaration("Layout", 1)}
__kernel void look_for_zero(const Layout l, __global const {stored(dtype)} *x, const long start, __global uchar *found) {{
    const long item = get_global_id(0);
    if (item >= l.size) return;
    long at[1] = {{start}};
    Layout_places(&l, item, at);
    if (x[at[0]] == 0) *found = 1;  /* whoever comes writes the same */
}}"""


def _has_zero(x: Any) -> bool:
    """Whether an item is 0. The host waits for the answer: an error must come before a result."""
    size, layout = packed(x.layout.shape, x.layout.strides)
    if not size:
        return False
    queue = x.flat.memory.queue
    found, answer = Memory(queue, 1), np.zeros(1, np.uint8)
    queue.copy_in(found, 0, answer.data)
    queue.run(_zero_source(x.flat.dtype), size, layout, x.flat.memory, start(x), found)
    queue.copy_out(found, 0, answer.data)
    return bool(answer[0])


KERNELS: Final[dict[str, Kernel]] = {op: _kernel(op) for op in EXPRESSIONS}
