"""Complex arrays from two real ones: parts, or a length and an angle."""

from __future__ import annotations

from lamina_flatarray import DTypeError
from lamina_flatarray import dtypes as dt

from .array import NDArray, view_of
from .broadcast import broadcast_shapes
from .complex_parts import make_complex
from .elementwise import FUNCTIONS
from .operands import described

__all__ = ["complex", "polar"]


def _pair(op: str, a: NDArray, b: NDArray) -> tuple[NDArray, NDArray]:
    """Both in one shape, checked: two real parts of one dtype, which a complex dtype has."""
    if a.dtype not in (dt.float32, dt.float64) or b.dtype not in (dt.float32, dt.float64):
        raise DTypeError(f"{op}: expected both inputs to be float32 or float64 tensors, but got {described((a, b))}")
    if a.dtype is not b.dtype:
        raise DTypeError(f"{op}: expected object of scalar type {a.dtype.name}, but got {described((a, b))}")
    shape = broadcast_shapes(a.shape, b.shape, op=op)
    return view_of(a, a.layout.broadcast_to(shape)), view_of(b, b.layout.broadcast_to(shape))


def complex(real: NDArray, imag: NDArray) -> NDArray:
    """real + i imag: complex64 of float32 parts, complex128 of float64 ones; the shapes broadcast.

    Raises:
        DTypeError: the parts are of other dtypes, or of two.
        ShapeError: the shapes do not broadcast.
    """
    return make_complex(*_pair("complex", real, imag))


def polar(abs: NDArray, angle: NDArray) -> NDArray:
    """The numbers of these lengths, at these angles in radians: abs (cos angle + i sin angle); the shapes broadcast.

    Raises:
        DTypeError: the operands are neither float32 nor float64, or of both.
        ShapeError: the shapes do not broadcast.
    """
    length, turn = _pair("polar", abs, angle)
    times = FUNCTIONS["multiply"]
    return make_complex(times(length, FUNCTIONS["cos"](turn)), times(length, FUNCTIONS["sin"](turn)))
