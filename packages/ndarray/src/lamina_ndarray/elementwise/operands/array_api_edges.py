"""The Array API's results at infinities, zeros and NaN, where the kernels give PyTorch's."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING, Any, Final

from ...array_fields import ArrayFields
from ...dispatch.operands import as_operand, copy_to, destination, finish
from ..choosing import where
from ..dispatcher import MapOp, binary, unary

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["floor_divide", "remainder", "sign"]

_COPYSIGN: Final = MapOp("copysign")
_DIVIDE: Final = MapOp("divide")
_EQUAL: Final = MapOp("equal")
_FLOOR: Final = MapOp("floor")
_ISINF: Final = MapOp("isinf")
_ISNAN: Final = MapOp("isnan")
_LOGICAL_OR: Final = MapOp("logical_or")


def floor_divide(op: MapOp, a: Any, b: Any, out: NDArray | None) -> NDArray:
    """Where an operand is infinite, and so is no multiple of anything, the result is that of their quotient."""
    a, b = as_operand(op.name, a), as_operand(op.name, b)
    quotient = binary(op, a, b)
    if quotient.flat.dtype.kind == "f":
        of_a, of_b = (unary(_ISINF, x) if isinstance(x, ArrayFields) else isinf(x) for x in (a, b))
        quotient = where(binary(_LOGICAL_OR, of_a, of_b), unary(_FLOOR, binary(_DIVIDE, a, b)), quotient)
    return _written(op, quotient, out)


def remainder(op: MapOp, a: Any, b: Any, out: NDArray | None) -> NDArray:
    """A remainder of 0 has the sign of the divisor, as any other."""
    a, b = as_operand(op.name, a), as_operand(op.name, b)
    rest = binary(op, a, b)
    if rest.flat.dtype.kind == "f":
        rest = where(binary(_EQUAL, rest, 0), binary(_COPYSIGN, rest, b), rest)
    return _written(op, rest, out)


def sign(op: MapOp, x: Any, out: NDArray | None) -> NDArray:
    """NaN stays NaN."""
    x = as_operand(op.name, x)
    signs = unary(op, x)
    if signs.flat.dtype.kind == "f":
        signs = where(unary(_ISNAN, x), x, signs)
    return _written(op, signs, out)


def _written(op: MapOp, result: NDArray, out: NDArray | None) -> NDArray:
    if out is None:
        return result
    target = destination(op.name, out, result.layout.shape, result.flat.dtype, ())
    copy_to(target, result)
    return finish(out, target)
