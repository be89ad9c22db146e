"""The functions of map ops by name, and the same with PyTorch's promotion.

The Array API and PyTorch disagree on arrays without axes: there they count like any other in type promotion (FUNCTIONS), here for
less than arrays with axes (RANKED, for the storey above). At some infinities, zeros and NaN they want other results, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray.ops import OPS

from ..dispatch.operands import promoted_by_rank, promoted_without_bool
from . import (
    activations,
    arithmetic,
    bits,
    choosing,
    comparison,
    complex_parts,
    exponential,
    rounding,
    special_functions,
)
from .choosing import ClipOp, choose, clamp
from .dispatcher import MapOp, PowerOp, binary, ternary, unary
from .operands.checked import of_one_dtype, polygamma_of_order

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["FUNCTIONS", "RANKED"]

Function = Callable[..., "NDArray"]

FUNCTIONS: Final[dict[str, Function]] = {
    name: getattr(module, name)
    for module in (arithmetic, exponential, rounding, comparison, bits, activations, special_functions, choosing, complex_parts)
    for name in module.__all__
    if name in OPS and OPS[name].family == "map"
}
"""Every map op by name. Each takes arrays or numbers that broadcast together, and `out=`."""

_DISPATCHED: Final[dict[str, Callable[..., Any]]] = {
    "complex": of_one_dtype, "heaviside": of_one_dtype, "polar": of_one_dtype, "polygamma": polygamma_of_order, "where": choose,
}  # fmt: skip
_BY_ARITY: Final[dict[int, Callable[..., Any]]] = {1: unary, 2: binary, 3: ternary}


def _ranked(name: str) -> Function:
    op = OPS[name]
    promote = promoted_by_rank if op.mixes_bool else promoted_without_bool
    kind = PowerOp if op.domain == "power" else MapOp
    return partial(_DISPATCHED.get(name) or _BY_ARITY[op.arity], kind(name, promote))


RANKED: Final[dict[str, Function]] = {
    **{name: _ranked(name) for name in FUNCTIONS if name not in ("clip", "conj")},
    "clip": partial(clamp, ClipOp(promoted_by_rank)),
    "conj": complex_parts.conjugate,
}
"""The same, with PyTorch's promotion, and with its results at infinities, zeros and NaN."""
