"""Fourier transforms out of matrix products, for backends without a kernel for them.

A length with small prime factors is split into them (Cooley & Tukey 1965, in the self-sorting order of Stockham): each
factor costs one product with a small matrix. Any other length is a convolution with a chirp (Bluestein 1970), which is
done by transforms of a power of two.
"""

from __future__ import annotations

from functools import lru_cache
from math import pi
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..creation.array_likes import from_numpy
from ..creation.constructors import zeros_like
from ..creation.conversion import to_device
from ..dispatch.operands import cast
from ..elementwise.complex_parts import conj, real
from ..fft.operations import fft_c2c as transform
from ..indexing.selection import new_zeros
from ..products.matmul import matmul
from ..shapes.joining import concat
from ..shapes.views import flip, permute, reshape, transpose, unsqueeze
from .registering import composed

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []

_LARGEST_FACTOR: Final = 32
"""Primes above this are not worth a matrix of their own."""


@lru_cache(256)
def _factors(n: int) -> tuple[int, ...] | None:
    """Numbers of up to 16 whose product is n, or None if n has a great prime factor."""
    primes, rest = [], n
    for p in range(2, _LARGEST_FACTOR + 1):
        while rest % p == 0:
            primes.append(p)
            rest //= p
    if rest > 1:
        return None
    merged: list[int] = []
    for p in primes:
        if merged and merged[-1] * p <= 16:
            merged[-1] *= p
        else:
            merged.append(p)
    return tuple(merged)


@lru_cache(256)
def _roots(n: int, rows: int, columns: int) -> np.ndarray[Any, Any]:
    """exp(-2 pi i j k / n) for j < rows and k < columns; j * k is reduced exactly first."""
    roots: np.ndarray[Any, Any] = np.exp(-2j * pi / n * (np.outer(np.arange(rows), np.arange(columns)) % n))
    return roots


@lru_cache(64)
def _chirp(n: int) -> np.ndarray[Any, Any]:
    """exp(-pi i j**2 / n) for j < n."""
    chirp: np.ndarray[Any, Any] = np.exp(-1j * pi / n * (np.arange(n, dtype=object) ** 2 % (2 * n)).astype(np.int64))
    return chirp


def _placed(values: np.ndarray[Any, Any], like: NDArray, inverse: bool) -> NDArray:
    values = values.conj() if inverse else values
    return to_device(from_numpy(values.astype(like.dtype.numpy)), like.device)


def _split(x: NDArray, factors: tuple[int, ...], inverse: bool) -> NDArray:
    """Transforms of the rows of x (stack, n), n being the product of the factors.

    With n = f m, j = m j1 + j2 and k = k1 + f k2, one step sums over j1 and turns the result by the root to the j2 k1;
    what is left are transforms of length m over j2. The axes are (stack, j, k done so far).
    """
    stack, m = x.shape
    length = 1
    state = reshape(x, (stack, m, 1))
    for f in factors:
        m //= f
        sums = matmul(_placed(_roots(f, f, f), x, inverse), reshape(state, (stack, f, m * length)))
        turned = reshape(sums, (stack, f, m, length)) * unsqueeze(_placed(_roots(f * m, f, m), x, inverse), -1)
        state = reshape(permute(turned, (0, 2, 1, 3)), (stack, m, f * length))
        length *= f
    return reshape(state, (stack, length))


def _convolved(x: NDArray, inverse: bool) -> NDArray:
    """Transforms of the rows of x (stack, n) for any n: with j k = (j**2 + k**2 - (k - j)**2) / 2 they are a
    convolution with a chirp."""
    stack, n = x.shape
    size = 1 << (2 * n - 1).bit_length()
    factors = _factors(size)
    assert factors is not None  # a power of two
    chirp = _placed(_chirp(n), x, inverse)
    filter = np.zeros(size, np.complex128)
    filter[:n] = _chirp(n).conj()
    filter[size - n + 1 :] = filter[n - 1 : 0 : -1]
    response = _split(reshape(_placed(filter, x, inverse), (1, size)), factors, False)
    padded = concat([x * chirp, new_zeros(x, (stack, size - n))], 1)
    spectrum = _split(padded, factors, False) * response
    return _split(spectrum, factors, True)[:, :n] * (chirp / size)


@composed("fft_c2c")
def fft_c2c(x: NDArray, axis: int, inverse: bool, scale: float) -> NDArray:
    """Transform along one axis: by the factors of its length where they are small, else as a convolution with a chirp."""
    if 0 in x.shape:
        return zeros_like(x)
    n = x.shape[axis]
    last = transpose(x, axis, -1)
    rows = reshape(last, (-1, n))
    factors = _factors(n)
    spectra = _convolved(rows, inverse) if factors is None else _split(rows, factors, inverse)
    return transpose(reshape(spectra if scale == 1 else spectra * scale, last.shape), axis, -1)


def _along(axis: int, part: slice) -> tuple[slice, ...]:
    return (*(slice(None),) * axis, part)


@composed("fft_r2c")
def fft_r2c(x: NDArray, axis: int, scale: float) -> NDArray:
    """Transform real items as complex ones, and keep the first `n // 2 + 1` of the result."""
    whole = transform(cast(x, x.flat.kernels.sibling(x.dtype.to_complex())), axis, False, scale)
    return whole[_along(axis, slice(x.shape[axis] // 2 + 1))]


@composed("fft_c2r")
def fft_c2r(x: NDArray, axis: int, n: int, scale: float) -> NDArray:
    """What is missing are conjugates, in the reverse order; the result is real but for rounding."""
    mirrored = conj(flip(x[_along(axis, slice(1, (n + 1) // 2))], axis))
    return real(transform(concat([x, mirrored], axis), axis, True, scale))
