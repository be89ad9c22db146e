"""Floating-point numbers as mantissa times a power of two, taken apart and put together exactly."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, overload

from lamina_flatarray import DTypeError
from lamina_flatarray import dtypes as dt

from ..array_fields import empty_of
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.results import MantissaExponent

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["frexp", "ldexp"]


def frexp(x: NDArray) -> MantissaExponent[NDArray]:
    """Decompose x into `mantissa * 2**exponent`, the mantissa's magnitude in [0.5, 1).

    Of 0, infinities and NaN the mantissa is the number itself, and the exponent 0.

    Args:
        x: a floating-point array.

    Returns:
        A named tuple of arrays of x's shape: `mantissa` in x's dtype and `exponent` in int32.

    Raises:
        DTypeError: x is not floating-point.

    >>> mantissa, exponent = nd.frexp(nd.asarray([1.0, 6.0, -0.375]))
    >>> mantissa, exponent
    (NDArray([ 0.5000,  0.7500, -0.7500]), NDArray([ 1,  3, -1], dtype=lamina.int32))
    """
    kernels, layout = x.flat.kernels, x.layout.result
    if not kernels.dtype.is_floating_point:
        raise DTypeError(f"frexp: torch.frexp() only supports floating-point dtypes, got {kernels.dtype.name}")
    outputs = empty_of(kernels, layout), empty_of(kernels.sibling(dt.int32), layout)
    kernels["frexp"](outputs, x)
    return MantissaExponent(*outputs)


@overload
def ldexp(x: Array, exponent: Array | complex) -> Array: ...
@overload
def ldexp(x: complex, exponent: Array) -> Array: ...
@generic(strict=True)
def ldexp(x: Any, exponent: Any) -> Any:
    """Compute `x * 2**exponent`, item by item, in floating point.

    Args:
        x: an array or a number.
        exponent: an array or a number; both broadcast.

    Returns:
        A floating-point array of the broadcast shape.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> nd.ldexp(nd.asarray([1.0, 0.75]), nd.asarray([3, -1]))
    NDArray([8.0000, 0.3750])
    """
    xp = namespace(x, exponent)
    if hasattr(exponent, "dtype"):
        if exponent.dtype.kind != "i":
            return x * xp.contiguous(xp.pow(2.0, exponent))  # which settles the order in memory as in PyTorch
        half = exponent >> 1  # 2**exponent may lie outside of the dtype where the product does not
        return x * xp.contiguous(xp.pow(2.0, half)) * xp.pow(2.0, exponent - half)
    return x * (2.0**exponent if exponent < 1024 else math.inf)
