"""Reduce kernels: a thread, a warp, a block or several blocks for each result, whichever keeps the device busy."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final

from lamina_flatarray.dtypes import DTYPES, DType

from .folds import PARTS, declared, fold_of
from .maps import MapKernel, row_major
from .operands import address, blank, device_of, dtype_of
from .sources import TYPES, source
from .walks import AXES, Walk, walk_format, walks

__all__ = ["ReduceKernel", "nothing", "var"]

_THREADS: Final = 256
_SHORT: Final = 64  # so few items are folded by one thread
_ENOUGH: Final = 1 << 15  # so many results keep a device busy with a thread each
_OF_A_WARP: Final = 2048  # so many items are folded by one warp
_PART: Final = 4096  # no block of several folds fewer items
_LARGEST: Final = 32  # bytes of what is kept of a part, at most

_SIGNATURES: Final = {
    "columns": ("P", "P", walk_format(2), walk_format(1)),
    "warps": ("P", "P", walk_format(2), walk_format(1)),
    "rows": ("P", "P", walk_format(2), walk_format(1)),
    "parts": ("P", "P", walk_format(2), walk_format(1), "q"),
    "join_parts": ("P", "P", walk_format(2), "q", "q"),
}


@lru_cache(512)
def _text(op: str, dtype: DType, result: DType) -> str:
    own = declared(fold_of(op, dtype), TYPES[dtype.name], TYPES[result.name])
    before = ("limits", "moments") if op in PARTS else ("limits",)
    return "\n".join((source("numbers", "walks", "maps", *before), own, source("reduce")))


def nothing(operands: int) -> Walk:
    """Return a walk over no items.

    Args:
        operands: how many operands it has.

    Returns:
        A walk of size 0.
    """
    return Walk(0, (0,) * operands, (0, 1, 1, *(1,) * (AXES * (1 + operands))), True)


class ReduceKernel:
    """The kernel of an op of FOLDS.

    Args:
        op: its name.
    """

    def __init__(self, op: str) -> None:
        self.__name__ = self.op = op

    def __call__(self, out: Any, x: Any, axes: tuple[int, ...]) -> None:
        """Fold the items of x along `axes` to one each."""
        layout = x.layout
        kept = [axis for axis in range(layout.ndim) if axis not in axes]
        inner_shape = tuple(layout.shape[axis] for axis in axes)
        inner = walks(inner_shape, (tuple(layout.strides[axis] for axis in axes),), True)
        if len(inner) > 1:
            self(out, row_major(x), axes)
            return
        outer = walks(tuple(layout.shape[axis] for axis in kept), (tuple(out.layout.strides), tuple(layout.strides[a] for a in kept)))
        for walk in outer:
            self._launch(out, x, walk, inner[0] if inner else nothing(1))

    def _launch(self, out: Any, x: Any, outer: Walk, inner: Walk) -> None:
        device = device_of(out)
        functions = device.functions(_text(self.op, dtype_of(x), dtype_of(out)), _SIGNATURES)
        to, of = address(out, outer.begins[0]), address(x, outer.begins[1])
        busy = 4 * device.properties.multiprocessors
        side_by_side = outer.values[3 + 2 * AXES + outer.values[1] - 1] == 1  # items of neighbouring results
        if inner.size <= _SHORT or (outer.size >= _ENOUGH and side_by_side):
            device.launch(functions["columns"], outer.size, (to, of, *outer.values, *inner.values))
            return
        if outer.size >= busy and (inner.size <= _OF_A_WARP or outer.size >= _ENOUGH):
            device.launch(functions["warps"], outer.size * 32, (to, of, *outer.values, *inner.values))
            return
        count = min(-(-busy // outer.size), inner.size // _PART)
        if count < 2:
            device.launch(functions["rows"], outer.size * _THREADS, (to, of, *outer.values, *inner.values))
            return
        parts = device.allocate(outer.size * count * _LARGEST)
        threads = outer.size * count * _THREADS
        device.launch(functions["parts"], threads, (parts.address, of, *outer.values, *inner.values, count))
        device.launch(functions["join_parts"], outer.size * _THREADS, (to, parts.address, *outer.values, inner.size, count))


def var(out: Any, x: Any, axes: tuple[int, ...], correction: float) -> None:
    """Divide the sums of squared distances from the means by the degrees of freedom; without any it is NaN."""
    dtype = dtype_of(x).to_real()
    squares = blank(out, tuple(out.layout.shape), DTYPES["float32"] if dtype.itemsize < 4 else dtype)
    ReduceKernel("squared_distances")(squares, x, axes)
    degrees = max(prod(x.layout.shape[axis] for axis in axes) - correction, 0)
    MapKernel("divide")(out, squares, degrees)
