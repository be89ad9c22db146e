"""The Array API's results at infinities, zeros and NaN, where the kernels give PyTorch's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from math import isinf
from typing import Any, Final

from lamina_flatarray.ops import OPS

from ..array import NDArray
from ..dispatch.operands import as_operand, copy_to, destination, finish

__all__ = ["at_the_edges"]

Function = Callable[..., NDArray]
Functions = Mapping[str, Function]


def _floored(f: Functions, found: NDArray, a: Any, b: Any) -> NDArray:
    """Where one of them is infinite, and so is no multiple of anything, it is that of their quotient."""
    infinite = [f["isinf"](x) if isinstance(x, NDArray) else isinf(x) for x in (a, b)]
    return f["where"](f["logical_or"](*infinite), f["floor"](f["divide"](a, b)), found)


def _zero_signed(f: Functions, found: NDArray, a: Any, b: Any) -> NDArray:
    """A remainder of 0 has the sign of the divisor, as any other."""
    return f["where"](f["equal"](found, 0), f["copysign"](found, b), found)


def _nan_kept(f: Functions, found: NDArray, x: Any) -> NDArray:
    """But of arrays, NaN stays NaN."""
    return f["where"](f["isnan"](x), x, found)


_CORRECTED: Final[dict[str, Function]] = {"floor_divide": _floored, "remainder": _zero_signed, "sign": _nan_kept}


def at_the_edges(functions: Functions) -> dict[str, Function]:
    """What stands in the place of those functions that differ: they again, and after real floating-point ones a correction."""
    return {op: _corrected(op, functions, corrected) for op, corrected in _CORRECTED.items()}


def _corrected(op: str, functions: Functions, corrected: Function) -> Function:
    plain, arity = functions[op], OPS[op].arity

    @wraps(plain)
    def function(*given: Any, out: NDArray | None = None) -> NDArray:
        operands, out = [as_operand(op, x) for x in given[:arity]], given[arity] if len(given) > arity else out
        found = plain(*operands)
        if found.flat.dtype.kind == "f":
            found = corrected(functions, found, *operands)
        if out is None:
            return found
        written = destination(op, out, found.layout.shape, found.flat.dtype, ())
        copy_to(written, found)
        return finish(out, written)

    function.__doc__ = (plain.__doc__ or "").replace("\n\nRaises:", f" {corrected.__doc__}\n\nRaises:", 1)
    return function
