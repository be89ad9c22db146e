"""Gather kernels: reading and writing at positions. What is put goes in the order of its places, so equal ones do not race.

Positions outside are neither read nor written; they are told when the host next waits for the device.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DTYPES, DType

from .expressions import EXPRESSIONS
from .maps import row_major, served
from .operands import Shape, address, blank, device_of, dtype_of, in_units, unit_of, units
from .sorts import in_order
from .sources import TYPES, source
from .walks import walk_format, walks

__all__ = ["gather", "index", "index_put", "scatter", "scatter_add", "scatter_reduce"]


@lru_cache(512)
def _text(dtype: DType, count: int, fold: str) -> str:
    own = f"typedef {TYPES[dtype.name]} In;\n#define INDICES {count}\n#define FOLDED {len(fold)}\n"
    if fold:
        (expression,) = (text for kinds, text in EXPRESSIONS[fold].items() if dtype.kind in kinds)
        own += f"typedef Item<In>::Wide W;\nLAMINA W folded(W a, W b) {{ return {expression}; }}\n"
    text = "\n".join((source("numbers", "walks", "maps", "outside"), own, source("gather")))
    names = [f"p{k}" for k in range(count)]
    return text.replace("POINTERS,", "".join(f"const i64* {name}, " for name in names)).replace("{NAMES}", f"{{{', '.join(names)}}}")


def _signatures(count: int) -> dict[str, tuple[str, ...]]:
    positions = (*("P",) * count, walk_format(2 + count), f"{2 * count}q", "i", "P")
    return {
        "take": ("P", "P", *positions),
        "targets": ("P", *positions),
        "put": ("P", "P", "P", "P", walk_format(1), walk_format(2), "q"),
    }


def _broadcast(indices: tuple[Any, ...], ndim: int) -> list[Shape]:
    """The strides of each array of positions in the `ndim` axes that they have together."""
    strides = []
    for positions in indices:
        layout = positions.layout
        own = tuple(0 if n == 1 else step for n, step in zip(layout.shape, layout.strides, strict=True))
        strides.append((0,) * (ndim - layout.ndim) + own)
    return strides


def _steps(x: Any, axes: range) -> Shape:
    return (*(x.layout.strides[axis] for axis in axes), *(x.layout.shape[axis] for axis in axes))


def _along(x: Any, axis: int) -> Shape:
    """The strides of x in all axes but one."""
    return tuple(0 if a == axis else step for a, step in enumerate(x.layout.strides))


# -- reading ------------------------------------------------------------------------------------------------------------


def _take(op: str, out: Any, x: Any, indices: tuple[Any, ...], over: tuple[Shape, ...], steps: Shape, from_front: bool) -> None:
    """Read x at positions; `over` has the strides of x and of each array of positions in the axes of out."""
    device, count, dtype = device_of(out), len(indices), dtype_of(x)
    shape, strides = tuple(out.layout.shape), (tuple(out.layout.strides), *over)
    chosen_alike = bool(shape) and not any(own[-1] for own in over[1:])  # neighbours in the last axis
    each = units(shape, (out, x), strides[:2], steps[:count]) if chosen_alike else 1
    if each > 1:
        shape, strides = (*shape[:-1], shape[-1] // each), (*(in_units(own, each) for own in strides[:2]), *over[1:])
        steps = (*(step // each for step in steps[:count]), *steps[count:])
    unit = unit_of(dtype, each)
    take, errors = device.functions(_text(unit, count, ""), _signatures(count))["take"], device.late_errors
    for walk in walks(shape, strides):
        firsts = [address(operand) + begin * unit.itemsize for operand, begin in zip((out, x), walk.begins[:2], strict=True)]
        firsts += [address(operand, begin) for operand, begin in zip(indices, walk.begins[2:], strict=True)]
        device.launch(take, walk.size, (*firsts, *walk.values, *steps, int(from_front), errors.word(op)))
    errors.launched()


def index(out: Any, x: Any, *indices: Any, from_front: bool = False) -> None:
    """Read x at positions of its first axes, of which negative ones count from the end, or are outside."""
    count = len(indices)
    rest = x.layout.ndim - count
    chosen = out.layout.ndim - rest
    over = ((0,) * chosen + tuple(x.layout.strides[count:]), *(own + (0,) * rest for own in _broadcast(indices, chosen)))
    _take("index", out, x, indices, over, _steps(x, range(count)), from_front)


def gather(out: Any, x: Any, indices: Any, axis: int) -> None:
    """Read x at positions of one axis, which each item of out has for itself."""
    _take("gather", out, x, (indices,), (_along(x, axis), tuple(indices.layout.strides)), _steps(x, range(axis, axis + 1)), True)


# -- writing ------------------------------------------------------------------------------------------------------------


def _put(
    op: str, out: Any, values: Any, indices: tuple[Any, ...], over: tuple[Shape, ...], steps: Shape, parts: Shape, fold: str,
    from_front: bool,
) -> None:  # fmt: skip
    """Write values to positions of out: of equal ones the last wins, or all are folded in, in their order.

    Args:
        op: who asks.
        out, values: where to, and what. The last axes of values are those of a part, the others those that choose.
        indices: the positions.
        over: the strides of out and of each array of positions in the axes that choose.
        steps: of out along the axes that positions are of, and their lengths.
        parts: out's strides in the axes of a part.
        fold: the op that folds a value into what is there; "" to write it over that.
        from_front: whether negative positions are outside.
    """
    count, chosen = len(indices), values.layout.ndim - len(parts)
    shape, part = tuple(values.layout.shape[:chosen]), tuple(values.layout.shape[chosen:])
    if 0 in (*shape, *part):
        return
    device, puts = device_of(out), prod(shape)
    functions, errors = device.functions(_text(dtype_of(out), count, fold), _signatures(count)), device.late_errors
    targets, written = blank(out, (puts,), DTYPES["int64"]), 0
    for walk in walks(shape, ((0,) * chosen, *over), True):
        firsts = [address(operand, begin) for operand, begin in zip(indices, walk.begins[2:], strict=True)]
        begin = [address(targets, written), *firsts]
        device.launch(functions["targets"], walk.size, (*begin, *walk.values, *steps, int(from_front), errors.word(op)))
        written += walk.size
    errors.launched()
    places, order = in_order(targets, 0)
    choices = walks(shape, (tuple(values.layout.strides[:chosen]),), True)
    if len(choices) > 1:
        values = row_major(values)
        choices = walks((puts,), ((prod(part),),), True)
    for walk in walks(part, (parts, tuple(values.layout.strides[chosen:]))):
        firsts = [address(out, walk.begins[0]), address(values, walk.begins[1]), address(places), address(order)]
        device.launch(functions["put"], puts * walk.size, (*firsts, *choices[0].values, *walk.values, puts))


def index_put(out: Any, values: Any, *indices: Any, accumulate: bool = False, from_front: bool = False) -> None:
    """Write values to positions of out's first axes."""
    count = len(indices)
    parts = tuple(out.layout.strides[count:])
    chosen = values.layout.ndim - len(parts)
    over = ((0,) * chosen, *_broadcast(indices, chosen))
    _put("index_put", out, values, indices, over, _steps(out, range(count)), parts, "add" if accumulate else "", from_front)


def _scatter(op: str, out: Any, values: Any, indices: Any, axis: int, fold: str) -> None:
    over = (_along(out, axis), tuple(indices.layout.strides))
    _put(op, out, values, (indices,), over, _steps(out, range(axis, axis + 1)), (), fold, True)


def scatter(out: Any, values: Any, indices: Any, axis: int) -> None:
    """Write each value to a position of one axis that it has for itself."""
    _scatter("scatter", out, values, indices, axis, "")


def scatter_add(out: Any, values: Any, indices: Any, axis: int) -> None:
    """Add each value at a position of one axis that it has for itself."""
    _scatter("scatter_add", out, values, indices, axis, "add")


def scatter_reduce(out: Any, values: Any, indices: Any, axis: int, reduce: str) -> None:
    """Fold each value into what is at a position of one axis that it has for itself."""
    fold = {"prod": "multiply", "amax": "maximum", "amin": "minimum"}[reduce]
    if dtype_of(out).name in served(fold):
        _scatter("scatter_reduce", out, values, indices, axis, fold)
    else:
        decompositions["scatter_reduce"](out, values, indices, axis=axis, reduce=reduce)
