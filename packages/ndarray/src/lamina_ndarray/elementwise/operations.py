"""The map ops as functions of arrays: one maker per arity, applied to every map row of the op table.

Each that takes several arrays is made twice, as the Array API and PyTorch disagree on arrays without axes: there they
count like any other in type promotion (FUNCTIONS), here for less than arrays with axes (RANKED, for the storey above).
"""

from __future__ import annotations

from typing import Final

from lamina_flatarray.ops import OPS, Op

from ..dispatch.operands import promoted, promoted_by_rank
from .array_api_edges import at_the_edges
from .map_makers import Function, Promotion, binary, ternary, unary
from .map_signatures import SPECIAL

__all__ = ["FUNCTIONS", "RANKED"]

_MAKERS: Final = {1: unary, 2: binary, 3: ternary}


def _made(row: Op, promote: Promotion) -> Function:
    return _named(row, (SPECIAL.get(row.name) or _MAKERS[row.arity])(row, promote))


def _named(row: Op, function: Function) -> Function:
    function.__name__ = function.__qualname__ = row.name
    if function.__doc__ is None:
        function.__doc__ = (
            f"{row.doc[0].upper()}{row.doc[1:]}, item by item; operands broadcast.\n\n"
            f"Raises:\n    DTypeError: the dtypes do not suit (rule `{row.rule}`).\n"
            f"    ShapeError: the shapes do not broadcast, or `out` has another shape."
        )
    return function


_MAPS: Final = [row for row in OPS.values() if row.family == "map"]

FUNCTIONS: Final[dict[str, Function]] = {row.name: _made(row, promoted) for row in _MAPS}
"""Every map op by name. Each takes arrays or numbers that broadcast together, and `out=`."""

RANKED: Final[dict[str, Function]] = {
    row.name: _made(row, promoted_by_rank) if row.arity > 1 or row.name in SPECIAL else FUNCTIONS[row.name] for row in _MAPS
}
"""The same, with PyTorch's promotion, and with its results at infinities, zeros and NaN."""

FUNCTIONS.update(at_the_edges(FUNCTIONS.copy()))
