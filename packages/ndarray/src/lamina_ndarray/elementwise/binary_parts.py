"""Floating-point numbers as mantissa times a power of two, taken apart and put together exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of
from ..dispatch.namespace import composite, namespace
from ..dispatch.results import MantissaExponent

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["frexp", "ldexp"]


def frexp(x: NDArray) -> MantissaExponent:
    """x as mantissa * 2**exponent: the mantissa's magnitude lies in [0.5, 1), the exponent is int32. Of 0, infinities and
    NaN the mantissa is the number itself, and the exponent 0.

    Raises:
        DTypeError: x is not floating-point.
    """
    kernels, layout = x.flat.kernels, x.layout.result
    if not kernels.dtype.is_floating_point:
        raise DTypeError(f"frexp: torch.frexp() only supports floating-point dtypes, got {kernels.dtype.name}")
    made = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int32), layout)
    kernels["frexp"](made, x)
    return MantissaExponent(*made)


@composite(strict=True)
def ldexp(x: Any, exponent: Any) -> Any:
    """x * 2**exponent, in floating point.

    Raises:
        ShapeError: the shapes do not broadcast.
    """
    return x * namespace(x, exponent).pow(2.0, exponent)
