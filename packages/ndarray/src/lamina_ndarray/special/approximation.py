"""How the special functions are computed: fitted rational functions and polynomials, on arrays of one float dtype."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import dtypes as dt

from ..array_fields import ArrayFields, is_array
from ..creation.constructors import full_like
from ..decompositions import composed
from ..dispatch.operands import cast
from ..elementwise import rounding
from .coefficients import Fit

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["computes", "from_integer", "polynomial", "rational"]


def computes(op: str) -> Callable[[Callable[..., NDArray]], Callable[..., NDArray]]:
    """Register the decomposition of a map op. It is given arrays of one shape, in float32 where their dtype is
    narrower (so that the result is rounded once), and a number beside an array as an array."""

    def register(function: Callable[..., NDArray]) -> Callable[..., NDArray]:
        def widened(*operands: Any, **params: Any) -> NDArray:
            arrays = [_wide(x) if is_array(x) else x for x in operands]
            first = next(x for x in arrays if is_array(x))
            return function(*(x if isinstance(x, ArrayFields) else full_like(first, x) for x in arrays), **params)

        composed(op)(widened)
        return function

    return register


def _wide(x: NDArray) -> NDArray:
    result: NDArray = cast(x, x.flat.kernels.sibling(dt.float32)) if x.itemsize < 4 else x
    return result


def polynomial(x: NDArray, coefficients: Sequence[float]) -> NDArray:
    """Horner's rule: the sum of `coefficients[k] * x**k`."""
    total: Any = x * coefficients[-1]
    for c in coefficients[-2:0:-1]:
        total += c
        total *= x
    total += coefficients[0]
    return total  # type: ignore[no-any-return]


def rational(x: NDArray, fit: Fit) -> NDArray:
    """A fit's value: numerator over denominator."""
    if len(fit.denominator) == 1:
        return polynomial(x, fit.numerator)
    return polynomial(x, fit.numerator) / polynomial(x, fit.denominator)


def from_integer(x: NDArray) -> NDArray:
    """How far x is from the nearest integer, in [-1/2, 1/2], exactly: what functions of pi x depend on."""
    return x - rounding.round(x)
