"""Sort kernels: chunks that a block orders, and then runs merged in pairs, one launch for each doubling."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.contract import Strided
from lamina_flatarray.dtypes import DTYPES, DType

from .maps import copy
from .operands import RowMajor, address, blank, device_of, dtype_of
from .scans import lines_along
from .sources import TYPES, source
from .walks import dense, walk_format

__all__ = ["in_order", "sort", "sorted_values"]

_CHUNK: Final = 256
_WARP: Final = 32
_SIGNATURES: Final = {
    "chunks": ("P", "P", "P", walk_format(1), "q", "q", "q"),
    "merged": ("P", "P", "P", "P", "q", "q", "q"),
}


@lru_cache(64)
def _text(dtype: DType, descending: bool) -> str:
    own = f"typedef {TYPES[dtype.name]} In;\n#define DESCENDING {int(descending)}\n"
    return "\n".join((source("numbers", "walks"), own, source("sort")))


def in_order(x: Any, axis: int, descending: bool = False, into: tuple[Any, Any] | None = None) -> tuple[Any, Any]:
    """Return the items of each line in stable order, and where they came from.

    Args:
        x: an operand of a real dtype.
        axis: along which lines run.
        descending: whether the greatest come first.
        into: where they go, two row-major operands of the result's shape, None for one that is not wanted; by default new ones.

    Returns:
        Two operands, whose last axis is the one along which lines run, and whose others are the others of x.
    """
    device, (length, (step,), over) = device_of(x), lines_along(axis, x)
    functions = device.functions(_text(dtype_of(x), descending), _SIGNATURES)
    shape = tuple(n for a, n in enumerate(x.layout.shape) if a != axis) + ((length,) if x.layout.ndim else ())
    run = _CHUNK

    def room() -> list[Any]:
        wanted = into if into is not None and run >= length else (None, None)
        return [blank(x, shape, d) if own is None else own for own, d in zip(wanted, (dtype_of(x), DTYPES["int64"]), strict=True)]

    keys, places = room()
    done = 0  # lines
    for walk in over if length else ():
        count = -(-length // _CHUNK)
        behind = done * length
        values = (address(keys, behind), address(places, behind), address(x, walk.begins[0]), *walk.values, length, step, count)
        block = min(_CHUNK, -(-length // _WARP) * _WARP)
        device.launch(functions["chunks"], walk.size * count * block, values, block)
        done += walk.size
    while run < length:
        before, run = run, 2 * run
        next_keys, next_places = room()
        values = (*map(address, (next_keys, next_places, keys, places)), done * length, length, before)
        device.launch(functions["merged"], done * length, values)
        keys, places = next_keys, next_places
    return keys, places


class _Moved(RowMajor):
    """A row-major layout of which the last axis stands in another place."""

    __slots__ = ()
    contiguous = False

    def __init__(self, shape: tuple[int, ...], axis: int) -> None:
        super().__init__(shape)
        rest = tuple(n for a, n in enumerate(shape) if a != axis)
        strides = dense((*rest, shape[axis]))
        self.strides = (*strides[:axis], strides[-1], *strides[axis:-1])


def _as_ordered(out: Any, axis: int) -> bool:
    """Whether lines lie in a result as they are ordered: one after another."""
    return bool(out.layout.contiguous and axis == max(0, out.layout.ndim - 1))


def _back(result: Any, out: Any, axis: int) -> None:
    shape = tuple(out.layout.shape)
    copy(out, Strided(result.flat, _Moved(shape, axis)) if shape else result)


def sort(out: Any, x: Any, axis: int, descending: bool = False) -> None:
    """Order each line, and tell where its items came from; equal items keep their order."""
    own = [operand if _as_ordered(operand, axis) else None for operand in out]
    results = in_order(x, axis, descending, (own[0], own[1]))
    for result, operand, written in zip(results, out, own, strict=True):
        if written is None:
            _back(result, operand, axis)


def sorted_values(out: Any, x: Any, axis: int, descending: bool = False) -> None:
    """Order each line."""
    own = out if _as_ordered(out, axis) else None
    keys, _ = in_order(x, axis, descending, (own, None))
    if own is None:
        _back(keys, out, axis)
