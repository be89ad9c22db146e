"""Recurrent cells: a product and one launch for each step, and for each step back. Sequences of different lengths are derived."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DType

from ...interface import Function, Product
from ..maps import copy, fill, row_major
from ..operands import address, blank, device_of, dtype_of, part
from ..sources import TYPES, source

__all__ = ["KERNELS"]

_KEPT: Final = 4  # numbers of each unit that the gradient wants, of cells that have gates
_FORMATS: Final = {"cell_forward": (*"PPPPPPPP", "q", "q"), "cell_backward": (*"PPPPPPPPPP", "q", "q")}


@lru_cache(8)
def _text(dtype: DType, mode: str) -> str:
    own = f"typedef {TYPES[dtype.name]} W;\n#define CELL {mode}\n"
    return "\n".join((source("numbers", "walks"), own, source("fused/recurrences")))


class _Steps:
    """The steps of sequences of one length, whose rows lie one after another."""

    def __init__(self, like: Any, weight: Any, mode: str, sizes: tuple[int, ...], backwards: bool) -> None:
        self.dtype, self.device = dtype_of(like), device_of(like)
        self.rows, (all_gates, self.units) = sizes[0], weight.layout.shape
        self.gates = all_gates // self.units
        self.order = tuple(reversed(range(len(sizes))) if backwards else range(len(sizes)))
        self.weight = weight
        self.functions: dict[str, Function] = self.device.functions(_text(self.dtype, mode), _FORMATS)

    def at(self, operand: Any, step: int, each: int = 1) -> int:
        """The address of a step's rows of `each` times as many numbers as there are units; 0 for what there is not."""
        if operand is None or not operand.layout.size:
            return 0
        return address(operand) + int(step * self.rows * each * self.units * self.dtype.itemsize)

    def multiply(self, to: int, of: int, transposed: bool, added: bool) -> bool:
        """Multiply rows by the weight, which has a row for each gate of each unit."""
        gates = self.gates * self.units
        n, k = (gates, self.units) if transposed else (self.units, gates)
        product = Product(
            self.dtype.name, 1, self.rows, n, k, of, address(self.weight), to, k, self.units, n, False, transposed, 0, 0, 0, added
        )
        return self.device.multiply(product)

    def launch(self, name: str, *addresses: int) -> None:
        """Queue a kernel for all rows of a step."""
        self.device.launch(self.functions[name], self.rows * self.units, (*addresses, self.rows, self.units))


def _of_one_length(op: str) -> Callable[[Callable[..., bool]], Callable[..., None]]:
    """Leave sequences of different lengths, and devices without a library of products, to the op's decomposition."""

    def limited(kernel: Callable[..., bool]) -> Callable[..., None]:
        @wraps(kernel)
        def chosen(out: Any, *inputs: Any, sizes: tuple[int, ...], **params: Any) -> None:
            uniform = len(set(sizes)) == 1 and out[0].layout.size and all(x is None or x.layout.contiguous for x in out)
            if not uniform or not kernel(out, *inputs, sizes=sizes, **params):
                decompositions[op](out, *inputs, sizes=sizes, **params)

        return chosen

    return limited


@_of_one_length("recurrence")
def recurrence(
    out: Any, given: Any, state: Any, cell_state: Any, weight: Any, bias: Any, mode: str, sizes: tuple[int, ...], backwards: bool
) -> bool:
    """Run cells step by step."""
    output, last, last_cell, cells, kept = out
    given, state, cell_state, weight, bias = (None if x is None else row_major(x) for x in (given, state, cell_state, weight, bias))
    steps = _Steps(output, weight, mode, sizes, backwards)
    share = blank(output, (steps.rows, steps.gates * steps.units))
    now, cell_now = steps.at(state, 0), steps.at(cell_state, 0)
    for t in steps.order:
        if not steps.multiply(address(share), now, True, False):
            return False
        to, cell = steps.at(output, t), steps.at(cells, t)
        kept_at, given_at = steps.at(kept, t, _KEPT), steps.at(given, t, steps.gates)
        steps.launch("cell_forward", to, cell, kept_at, given_at, address(share), steps.at(bias, 0), now, cell_now)
        now, cell_now = to, cell
    for result, of in ((last, output), (last_cell, cells)):
        if result.layout.size:
            copy(result, part(of, (steps.rows, steps.units), steps.order[-1] * steps.rows * steps.units))
    return True


@_of_one_length("recurrence_gradient")
def recurrence_gradient(
    out: Any, gradient: Any, last: Any, last_cell: Any, state: Any, cell_state: Any, weight: Any, output: Any, cells: Any, kept: Any,
    mode: str, sizes: tuple[int, ...], backwards: bool, of_cells: Any = None, of_kept: Any = None,
) -> bool:  # fmt: skip
    """Go back step by step."""
    if of_cells is not None or of_kept is not None:
        return False
    of_given, of_share, behind, cell_behind = out
    read = (gradient, state, cell_state, weight, output, cells, kept)
    gradient, state, cell_state, weight, output, cells, kept = (None if x is None else row_major(x) for x in read)
    steps = _Steps(output, weight, mode, sizes, backwards)
    for result, first in ((behind, last), (cell_behind, last_cell)):
        if first is not None and result.layout.size:
            copy(result, first)
        elif result.layout.size:
            fill(result, 0)
    every = steps.gates
    for place, t in reversed(list(enumerate(steps.order))):
        earlier = steps.order[place - 1] if place else None
        before = steps.at(state, 0) if earlier is None else steps.at(output, earlier)
        cell_before = steps.at(cell_state, 0) if earlier is None else steps.at(cells, earlier)
        gates, share = steps.at(of_given, t, every), steps.at(of_share, t, every)
        steps.launch(
            "cell_backward", gates, share, steps.at(behind, 0), steps.at(cell_behind, 0), steps.at(gradient, t), steps.at(output, t),
            steps.at(cells, t), steps.at(kept, t, _KEPT), before, cell_before,
        )  # fmt: skip
        if not steps.multiply(steps.at(behind, 0), share or gates, False, mode == "GRU"):
            return False
    return True


_SERVED: Final = ("float32", "float64")
KERNELS: Final = {"recurrence": (recurrence, _SERVED), "recurrence_gradient": (recurrence_gradient, _SERVED)}
"""By op, its kernel and the dtypes that it serves; 16 bits are derived, as states are kept in float32 from step to step."""
