"""Complex numbers as pairs of reals: parts are views of the same memory."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError

from .array import NDArray, empty_of
from .elementwise import FUNCTIONS
from .layout import Layout

__all__ = ["conj", "imag", "make_complex", "real"]


def _part(x: NDArray, which: int) -> NDArray:
    layout = x.layout
    pairs = Layout.of(layout.shape, tuple(2 * s for s in layout.strides), 2 * layout.offset + which)
    return NDArray(x.flat.reinterpret(x.dtype.to_real()), pairs)


def real(x: NDArray) -> NDArray:
    """The real part: a view; x itself where it is real."""
    return _part(x, 0) if x.dtype.is_complex else x


def imag(x: NDArray) -> NDArray:
    """The imaginary part: a view.

    Raises:
        DTypeError: x is real.
    """
    if not x.dtype.is_complex:
        raise DTypeError(f"imag: is not implemented for tensors with non-complex dtypes such as {x.dtype.name}")
    return _part(x, 1)


def make_complex(re: NDArray, im: NDArray) -> NDArray:
    """A complex array from its two parts, of one real dtype and shape."""
    made = empty_of(re.flat.kernels.sibling(re.dtype.to_complex()), Layout.dense(re.layout.shape))
    re.flat.kernels["copy"](_part(made, 0), re)
    im.flat.kernels["copy"](_part(made, 1), im)
    return made


def conj(x: Any) -> Any:
    """The complex conjugate of an array or a number; x itself where it is real."""
    if not isinstance(x, NDArray):
        return x.conjugate()
    if not x.dtype.is_complex:
        return x
    return make_complex(real(x), FUNCTIONS["negative"](imag(x)))
