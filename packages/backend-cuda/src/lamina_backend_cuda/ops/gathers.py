"""Gather kernels: reading and writing at positions. What is put goes in the order of its places, so equal ones do not race."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

from lamina_flatarray.dtypes import DTYPES, DType

from .maps import row_major
from .operands import address, blank, device_of, dtype_of
from .sorts import in_order
from .sources import TYPES, source
from .walks import walk_format, walks

__all__ = ["index", "index_put"]


@lru_cache(512)
def _text(dtype: DType, count: int, added: bool) -> str:
    own = f"typedef {TYPES[dtype.name]} In;\n#define INDICES {count}\n#define ADDED {int(added)}\n"
    text = "\n".join((source("numbers", "walks", "maps"), own, source("gather")))
    names = [f"p{k}" for k in range(count)]
    return text.replace("POINTERS,", "".join(f"const i64* {name}, " for name in names)).replace("{NAMES}", f"{{{', '.join(names)}}}")


def _signatures(count: int) -> dict[str, tuple[str, ...]]:
    pointers, walk, steps = ("P",) * count, walk_format(2 + count), f"{2 * count}q"
    return {
        "take": ("P", "P", *pointers, walk, steps),
        "targets": ("P", *pointers, walk, steps),
        "put": ("P", "P", "P", "P", walk_format(1), walk_format(2), "q"),
    }


def _broadcast(indices: tuple[Any, ...], ndim: int) -> list[tuple[int, ...]]:
    """The strides of each array of positions in the `ndim` axes that they have together."""
    strides = []
    for positions in indices:
        layout = positions.layout
        own = tuple(0 if n == 1 else step for n, step in zip(layout.shape, layout.strides, strict=True))
        strides.append((0,) * (ndim - layout.ndim) + own)
    return strides


def _steps(x: Any, count: int) -> tuple[int, ...]:
    return (*x.layout.strides[:count], *x.layout.shape[:count])


def index(out: Any, x: Any, *indices: Any) -> None:
    """Read x at positions of its first axes."""
    count, shape = len(indices), tuple(out.layout.shape)
    rest = x.layout.ndim - count
    chosen = len(shape) - rest
    strides = [
        tuple(out.layout.strides),
        (0,) * chosen + tuple(x.layout.strides[count:]),
        *(own + (0,) * rest for own in _broadcast(indices, chosen)),
    ]
    device = device_of(out)
    take = device.functions(_text(dtype_of(x), count, False), _signatures(count))["take"]
    for walk in walks(shape, tuple(strides)):
        firsts = [address(operand, begin) for operand, begin in zip((out, x, *indices), walk.begins, strict=True)]
        device.launch(take, walk.size, (*firsts, *walk.values, *_steps(x, count)))


def index_put(out: Any, values: Any, *indices: Any, accumulate: bool = False) -> None:
    """Write values to positions of out's first axes: of equal ones the last wins, or all are added in their order."""
    count = len(indices)
    rest = out.layout.ndim - count
    chosen = values.layout.ndim - rest
    shape, parts = tuple(values.layout.shape[:chosen]), tuple(values.layout.shape[chosen:])
    if 0 in (*shape, *parts):
        return
    device, puts = device_of(out), prod(shape)
    functions = device.functions(_text(dtype_of(out), count, accumulate), _signatures(count))
    targets, written = blank(out, (puts,), DTYPES["int64"]), 0
    for walk in walks(shape, ((0,) * chosen, (0,) * chosen, *_broadcast(indices, chosen)), True):
        firsts = [address(operand, begin) for operand, begin in zip(indices, walk.begins[2:], strict=True)]
        values_of = (address(targets, written), *firsts, *walk.values, *_steps(out, count))
        device.launch(functions["targets"], walk.size, values_of)
        written += walk.size
    places, order = in_order(targets, 0)
    over = walks(shape, (tuple(values.layout.strides[:chosen]),), True)
    if len(over) > 1:
        values = row_major(values)
        over = walks((puts,), ((prod(parts),),), True)
    for walk in walks(parts, (tuple(out.layout.strides[count:]), tuple(values.layout.strides[chosen:]))):
        firsts = [address(out, walk.begins[0]), address(values, walk.begins[1]), address(places), address(order)]
        device.launch(functions["put"], puts * walk.size, (*firsts, *over[0].values, *walk.values, puts))
