"""Kernels over many arrays: steps of optimizers, what is done to each of them, and their norm as one vector."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.contract import Kernel
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS

from ..operands import address, blank, device_of, dtype_of
from ..sources import FORMATS, TYPES
from .lines import FLOATING, Program, in_dtype, program
from .lists import Table, as_rows, copy_back, list_formats, tables
from .steps import STEPS, decayed

__all__ = ["KERNELS"]

_BLOCK: Final = 256
_PREFACE: Final = "g *= n.sign; p *= n.keep; if (n.decay != 0) g += p * n.decay;"
_EACH: Final = {
    "foreach_multiply": "p *= Cast<W>::of(widened(*factor));",
    "foreach_add": "p += value;",
    "foreach_clip": "W above = p < lowest ? lowest : p; p = above > highest ? highest : above;",
}
_GREATEST, _SMALLEST, _SQUARES, _ORDER = range(4)  # as in `kernels/fused/lists/total_norm.cuh`


# -- steps --------------------------------------------------------------------------------------------------------------


@lru_cache(256)
def _step_program(op: str, dtype: DType, present: tuple[str, ...], numbers: tuple[str, ...]) -> Program:
    """A program for the lists that are present, and numbers of these names."""
    names = ("p", *present)
    own = [f"#define STATES {len(names)}", *(f"#define HAS_{name} {int(name in present)}" for name in OPS[op].beside)]
    own += [f"struct Numbers {{ W {', '.join(numbers)}; }};"]
    declared = [f"W& {name} = x[{k}];" for k, name in enumerate(names)]
    declared += [f"W {name} = 0;" for name in OPS[op].beside if name not in present]
    own += [f"LAMINA void step(W* x, W g, const Numbers& n) {{ {' '.join(declared)} {_PREFACE} {STEPS[op].body} }}"]
    parameters = (f"Lists<{len(names)}> lists", "const Lists<1> gradients", "Shares shares", "Numbers numbers", "int aligned")
    structs = {**list_formats(len(names)), "Numbers": f"{len(numbers)}{FORMATS[dtype.name]}"}
    return program(dtype, ["lists/lists", "lists/steps"], {"step_all": parameters}, "\n".join(own), structs=structs)


def _step(op: str, out: Sequence[Any], *gradients: Any, **params: Any) -> None:
    """A step over all parameters: one launch for each 64 of them."""
    states = {name: params.pop(name, None) for name in OPS[op].beside}
    if not gradients:
        return
    dtype = dtype_of(out[0])
    lists = {name: arrays for name, arrays in states.items() if arrays is not None}
    rows, slopes, copies = [], [], []
    for i, gradient in enumerate(gradients):
        written, read, pairs = as_rows([out[i], *(arrays[i] for arrays in lists.values())], [in_dtype(gradient, dtype)])
        rows.append(written)
        slopes += read
        copies += pairs
    numbers = {**decayed(**params), **STEPS[op].numbers(**params)}
    code, device = _step_program(op, dtype, tuple(lists), tuple(numbers)), device_of(out[0])
    kernel = device.functions(code.text, code.signatures)["step_all"]
    for table in tables([*zip(*rows, strict=True), slopes]):
        values = (*_flat(table), *table.shares, *map(float, numbers.values()), int(table.aligned))
        device.launch(kernel, table.shares[0] * _BLOCK, values)
    copy_back(copies)


def _flat(table: Table) -> tuple[int, ...]:
    return tuple(at for column in table.addresses for at in column)


# -- each of them -------------------------------------------------------------------------------------------------------


@lru_cache(64)
def _each_program(op: str, dtype: DType, factor: DType | None) -> Program:
    parameters = {
        "foreach_multiply": f"const {TYPES[(factor or dtype).name]}* factor", "foreach_add": "W value",
    }.get(op, "W lowest, W highest")  # fmt: skip
    text = f"""
extern "C" __global__ void each(Lists<1> arrays, Shares shares, {parameters}) {{
  for (i64 number = blockIdx.x; number < shares.count; number += gridDim.x) {{
    Share share = share_of(shares, number);
    In* items = arrays.of[0][share.array];
    for (i64 i = share.begin + threadIdx.x; i < share.end; i += BLOCK) {{
      W p = widened(items[i]);
      {_EACH[op]}
      items[i] = Cast<In>::of(p);
    }}
  }}
}}
"""
    letter = FORMATS[dtype.name]
    formats = {"foreach_multiply": ("P",), "foreach_add": (letter,)}.get(op, (letter, letter))
    return Program(program(dtype, ["lists/lists"], {}).text + text, {"each": (*list_formats(1).values(), *formats)})


def _each(op: str, out: Sequence[Any], factor: Any, *numbers: float) -> None:
    if not out:
        return
    rows, copies = [], []
    for x in out:
        written, _, pairs = as_rows([x], [])
        rows += written
        copies += pairs
    code, device = _each_program(op, dtype_of(out[0]), None if factor is None else dtype_of(factor)), device_of(out[0])
    kernel = device.functions(code.text, code.signatures)["each"]
    beside = () if factor is None else (address(factor),)
    for table in tables([rows]):
        device.launch(kernel, table.shares[0] * _BLOCK, (*_flat(table), *table.shares, *beside, *map(float, numbers)))
    copy_back(copies)


def foreach_multiply(out: Sequence[Any], factor: Any) -> None:
    """Every array times the one item of `factor`."""
    if dtype_of(factor).is_complex:
        decompositions["foreach_multiply"](out, factor)
    else:
        _each("foreach_multiply", out, factor)


def foreach_add(out: Sequence[Any], value: float) -> None:
    """Every array plus a number."""
    _each("foreach_add", out, None, value)


def foreach_clip(out: Sequence[Any], min: float | None, max: float | None) -> None:
    """Every array between two numbers; NaN stays."""
    _each("foreach_clip", out, None, -math.inf if min is None else min, math.inf if max is None else max)


# -- their norm ---------------------------------------------------------------------------------------------------------


@lru_cache(16)
def _norm_program(dtype: DType) -> Program:
    kernels = {
        "norm_shares": ("double* kept", "const Lists<1> arrays", "Shares shares", "double order", "int kind"),
        "join_shares": ("In* out", "const double* kept", "i64 count", "double order", "int kind"),
    }
    return program(dtype, ["lists/lists", "lists/total_norm"], kernels, structs=list_formats(1))


def total_norm(out: Any, *arrays: Any, order: float) -> None:
    """The norm of all items of all arrays."""
    dtype, endless = dtype_of(out), math.isinf(order)
    if any(dtype_of(x) is not dtype for x in arrays) or (endless and not all(x.layout.size for x in arrays)) or not arrays:
        decompositions["total_norm"](out, *arrays, order=order)
        return
    rows = [as_rows([], [x])[1][0] for x in arrays]
    shares = list(tables([rows]))
    count = sum(table.shares[0] for table in shares)
    partials = blank(out, (count,), DTYPES["float64"])
    kind = (_GREATEST if order > 0 else _SMALLEST) if endless else _SQUARES if order == 2 else _ORDER
    code, device = _norm_program(dtype), device_of(out)
    functions = device.functions(code.text, code.signatures)
    begin = 0
    for table in shares:
        values = (address(partials, begin), *_flat(table), *table.shares, float(order), kind)
        device.launch(functions["norm_shares"], table.shares[0] * _BLOCK, values)
        begin += table.shares[0]
    device.launch(functions["join_shares"], _BLOCK, (address(out), address(partials), count, float(order), kind))


KERNELS: Final[dict[str, tuple[Kernel, tuple[str, ...]]]] = {
    **{op: (partial(_step, op), FLOATING) for op in STEPS},
    "foreach_multiply": (foreach_multiply, FLOATING),
    "foreach_add": (foreach_add, FLOATING),
    "foreach_clip": (foreach_clip, FLOATING),
    "total_norm": (total_norm, FLOATING),
}
"""By op, its kernel and the dtypes that it serves."""
