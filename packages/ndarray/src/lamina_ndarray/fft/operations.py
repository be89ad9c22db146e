"""The Fourier ops as functions of arrays: one axis of an array that has the right dtype and length already."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lamina_flatarray import DType, DTypeError, ShapeError
from lamina_flatarray.dtype_rules import result_dtypes

from ..array_fields import empty_of
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout
from ..layouts.memory_order import innermost

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["fft_c2c", "fft_c2r", "fft_r2c"]


@lru_cache(4096, typed=True)
def _settled(op: str, dtype: DType, operand: Layout, axis: int, n: int | None) -> tuple[int, DType, Layout]:
    """The axis from the front, and the dtype and layout of the result, in which the axis lies innermost, as in PyTorch."""
    shape = operand.shape
    at = normalize_axis(axis, len(shape), op)
    compute, result = result_dtypes(op, dtype)
    if compute is not dtype:
        raise DTypeError(f"{op}: {dtype!r} given; it wants {compute!r}")
    input_length = shape[at] if shape else 0
    length = input_length
    if op == "fft_c2r":
        length = 2 * (input_length - 1) if n is None else n
        if length < 1 or input_length != length // 2 + 1:
            raise ShapeError(f"{op}: length {input_length} along axis {axis} for n = {length}; it wants n // 2 + 1, and n > 0")
    elif input_length < 1:
        raise ShapeError(f"{op}: shape {shape} given; it wants at least one item along axis {axis}")
    elif op == "fft_r2c":
        length = input_length // 2 + 1
    return at, result, innermost(operand, (*shape[:at], length, *shape[at + 1 :]), at)


def fft_c2c(x: NDArray, axis: int = -1, inverse: bool = False, scale: float = 1.0) -> NDArray:
    """Compute the discrete Fourier transform of complex items along one axis: `scale * sum over j of x[j] exp(-2 pi i j k / n)`.

    Args:
        x: a complex array.
        axis: the axis to transform along.
        inverse: whether the exponent has the other sign.
        scale: the factor of the result.

    Returns:
        A complex array of x's shape and dtype.

    Raises:
        DTypeError: x is not complex.
        ShapeError: the axis has no items.

    >>> nd.fft_c2c(nd.asarray([1 + 0j, 2 + 0j, 3 + 0j, 4 + 0j]))
    NDArray([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    at, dtype, layout = _settled("fft_c2c", x.dtype, x.layout, axis, None)
    kernels = x.flat.kernels
    result = empty_of(kernels.sibling(dtype), layout)
    kernels["fft_c2c"](result, x, axis=at, inverse=inverse, scale=scale)
    return result


def fft_r2c(x: NDArray, axis: int = -1, scale: float = 1.0) -> NDArray:
    """Compute the first `n // 2 + 1` items of the forward transform of n real items along one axis.

    Args:
        x: an array, float32 or float64.
        axis: the axis to transform along.
        scale: the factor of the result.

    Returns:
        An array of x's shape, but with `n // 2 + 1` items along the axis: complex64 or complex128.

    Raises:
        DTypeError: x is not float32 or float64.
        ShapeError: the axis has no items.

    >>> nd.fft_r2c(nd.asarray([1.0, 2.0, 3.0, 4.0]))
    NDArray([10.+0.j, -2.+2.j, -2.+0.j])
    """
    at, dtype, layout = _settled("fft_r2c", x.dtype, x.layout, axis, None)
    kernels = x.flat.kernels
    result = empty_of(kernels.sibling(dtype), layout)
    kernels["fft_r2c"](result, x, axis=at, scale=scale)
    return result


def fft_c2r(x: NDArray, axis: int = -1, n: int | None = None, scale: float = 1.0) -> NDArray:
    """Compute the n real items along one axis whose transform begins with x, times `n * scale`: the inverse of `fft_r2c`.

    Args:
        x: a complex array with `n // 2 + 1` items along the axis.
        axis: the axis to transform along.
        n: how many real items; even unless given.
        scale: the factor of the result.

    Returns:
        An array of x's shape, but with n items along the axis: float32 or float64.

    Raises:
        DTypeError: x is not complex.
        ShapeError: x has not `n // 2 + 1` items along the axis, or n is not positive.

    >>> nd.fft_c2r(nd.asarray([10 + 0j, -2 + 2j, -2 + 0j]), scale=0.25)
    NDArray([1., 2., 3., 4.])
    """
    at, dtype, layout = _settled("fft_c2r", x.dtype, x.layout, axis, n)
    kernels = x.flat.kernels
    result = empty_of(kernels.sibling(dtype), layout)
    kernels["fft_c2r"](result, x, axis=at, n=layout.shape[at], scale=scale)
    return result
