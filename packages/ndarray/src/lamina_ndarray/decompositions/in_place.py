"""Derived ops that change what they are given: scatters, and fills that the host reference makes."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import OpNotImplemented, int64
from lamina_flatarray.backends import registry
from lamina_flatarray.backends.kernel_table import KernelTable, decompositions
from lamina_flatarray.ops import OPS

from ..array_fields import array_of, empty_of
from ..creation.conversion import to_device
from ..creation.ranges import arange
from ..dispatch.functions import FUNCTIONS
from ..elementwise import comparison
from ..indexing.advanced_indices import from_front
from ..indexing.gathering import positions_along
from ..indexing.selection import setitem
from ..layouts.layout import Layout
from ..shapes.views import broadcast_to, contiguous, reshape
from .registering import as_array

__all__: list[str] = []


def _scatter(accumulate: bool) -> Any:
    def kernel(out: Any, values: Any, indices: Any, axis: int) -> None:
        setitem(as_array(out), positions_along(as_array(indices), axis), as_array(values), accumulate=accumulate)

    return kernel


decompositions["scatter"] = _scatter(accumulate=False)
decompositions["scatter_add"] = _scatter(accumulate=True)


_FOLDS = {"prod": "multiply", "amax": "maximum", "amin": "minimum"}


def _scatter_reduce(out: Any, values: Any, indices: Any, axis: int, reduce: str) -> None:
    """In rounds: each folds in at most one value per place. All that are left write their own number to their place;
    whose number is read back there has its turn."""
    if out.flat.backend.late_errors:  # the host waits in each round anyway
        from_front("scatter_reduce", as_array(indices), out.layout.shape[axis], axis)
    fold, target, operand = FUNCTIONS[_FOLDS[reduce]], as_array(out), as_array(values)
    shape = target.layout.shape
    owner = empty_of(target.flat.kernels.sibling(int64), Layout.dense(shape))
    places = [
        reshape(broadcast_to(p, operand.layout.shape), (-1,)) for p in positions_along(as_array(indices), axis)
    ]
    remaining = reshape(operand, (-1,))
    while remaining.layout.size:
        numbers = arange(remaining.layout.size, device=target.device)
        setitem(owner, tuple(places), numbers)
        turn = owner[tuple(places)] == numbers
        destinations = tuple(p[turn] for p in places)
        setitem(target, destinations, fold(target[destinations], remaining[turn]))
        others = comparison.logical_not(turn)
        places, remaining = [p[others] for p in places], remaining[others]


decompositions["scatter_reduce"] = _scatter_reduce


def _made_on_host(op: str) -> Any:
    """The host reference makes the numbers, and they are copied over: every backend gets the same ones."""

    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        table = KernelTable.of(registry.backend("numpy"), 0, out.flat.dtype)
        if out.flat.kernels is table:  # the reference has none for this dtype
            raise OpNotImplemented(f"{op}: not implemented for {out.flat.dtype.name}")
        host = empty_of(table, Layout.dense(out.layout.shape))
        table[op](host, *[to_device(contiguous(as_array(x)), "cpu") for x in inputs], **params)
        moved = array_of(host.flat.to(out.flat.device), host.layout)
        out.flat.kernels["copy"](out, moved)

    return kernel


for _op in (*(name for name, row in OPS.items() if row.family == "random"), "linspace"):
    decompositions[_op] = _made_on_host(_op)
