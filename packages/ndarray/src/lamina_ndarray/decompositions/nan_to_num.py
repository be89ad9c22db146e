"""Functions with a value of their own where the formula has a hole: at 0, at infinities, and at NaN."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..array_fields import ArrayFields
from ..creation.constructors import full_like
from ..dispatch.namespace import namespace
from ..dispatch.operands import cast
from ..elementwise import arithmetic, exponential
from ..elementwise.choosing import where
from ..elementwise.complex_parts import imag, make_complex, real
from ..elementwise.exponential import log, sin
from .registering import composed, widened

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


def _product(a: Any, b: Any, logarithm: Any) -> Any:
    """a times the logarithm that belongs to b; one of both may be a number."""
    hole = (a == 0) & (b == b)
    return where(hole, 0.0, a * logarithm(b if isinstance(b, ArrayFields) else full_like(a, b)))


composed("xlogy")(lambda a, b: _product(a, b, log))
composed("xlog1py")(lambda a, b: _product(a, b, exponential.log1p))


@composed("entr")
def entr(x: Any) -> Any:
    """Compute `-x log(x)`, with 0 at 0 and -inf below."""
    return where(x == 0, 0.0, where(x < 0, -math.inf, -x * log(x)))


@composed("sinc")
def sinc(x: Any) -> Any:
    """Compute `sin(pi x) / (pi x)`, with 1 at 0."""
    y = widened(x) * math.pi
    return where(y == 0, 1.0, sin(y) / y)


@composed("heaviside")
def heaviside(a: NDArray, b: NDArray) -> Any:
    """Compute 1 where a > 0, b where a is 0, else 0."""
    return where(a == 0, b, cast(a > 0, a.flat.kernels))


@composed("angle")
def angle(x: NDArray) -> Any:
    """Compute `atan2(imag, real)`; for real x, pi below 0, else 0, and NaN for NaN."""
    if x.dtype.is_complex:
        return arithmetic.atan2(imag(x), real(x))
    return where(x < 0, math.pi, where(x == x, 0.0, x))


composed("conj")(lambda x: make_complex(real(x), -imag(x)))
composed("complex")(make_complex)
composed("polar")(lambda a, b: make_complex(a * exponential.cos(b), a * sin(b)))


@composed("where_finite")
def where_finite(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    """Replace NaN by `nan`, infinity by `posinf` and minus infinity by `neginf`."""
    xp = namespace(x)
    return xp.where(x != x, nan, xp.where(x == math.inf, posinf, xp.where(x == -math.inf, neginf, x)))
