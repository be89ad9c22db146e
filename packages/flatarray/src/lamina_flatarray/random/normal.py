"""Normal and log-normal numbers: PyTorch's two Box-Muller transforms, and that of counter-based devices.

On the CPU device PyTorch has two paths.

- *serial* (fewer than 16 elements, or not contiguous): float64 pairs; the sine waits in the generator's state
  for the next serial normal of any dtype.
- *blocks* (16 or more): uniforms of out's precision fill the whole array; then in every 16 of them, number i
  and number i + 8 make a pair. A tail of fewer than 16 is covered by a last block of 16 new draws, written
  over the end (the uniforms that float32 and float64 drew for the tail before are lost; float16 and bfloat16
  draw none for it).

Both are bit-equal to PyTorch 2.13's wheels (processors with AVX2; elsewhere PyTorch itself differs by some
ulp) in every dtype. In float32 blocks this holds on all our machines, because `cephes` uses no library
function. The serial path takes log1p and exp from the C library, as PyTorch does. It calls sin and cos of
NumPy in float64, and float64 blocks its log, too, which may differ by 1 ulp of float64 on some processors.

With Philox an element takes two uniforms of its own four words: r = sqrt(-2 log(1 - u1)), value = r cos(2 pi
u2), in float64, then mean + std * value, then rounded to out's dtype. float64 outputs use 53 bits for u1
(words 0, 1) and for u2 (words 2, 3), the others 24 bits of words 0 and 1.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..errors import RandomError
from . import cephes
from .blocks import blocks, check, store, to_unit, uniform_dtype
from .fma import affine
from .generator import Generator
from .mt19937 import MT19937
from .philox import Philox

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

__all__ = ["log_normal", "normal"]

_F64: TypeAlias = "npt.NDArray[np.float64]"
_SERIAL_BELOW: Final = 16
_GREATEST_EXPONENT: Final = math.log(sys.float_info.max)


def normal(
    out: npt.NDArray[Any], generator: Generator, mean: float = 0.0, std: float = 1.0, serial: bool = False
) -> None:
    """Fill with normal numbers.

    Args:
        out: any floating dtype.
        serial: take PyTorch's serial path although there are 16 elements or more, as for tensors that are
            dense but not contiguous. No effect with Philox.

    Raises:
        RandomError: std < 0.

    >>> out = np.empty(4, np.float64)
    >>> normal(out, Generator().manual_seed(0))
    >>> out.round(4).tolist()
    [1.541, -0.2934, -2.1788, 0.5684]
    """
    check("normal", out, floating=True)
    if not std >= 0.0:
        raise RandomError(f"normal: std = {std}; it wants std >= 0")
    with generator.lock:
        source = generator.source
        if isinstance(source, Philox):
            store(out, affine(_of_counters(source, out.size, out.dtype == np.float64), std, mean))
        elif serial or out.size < _SERIAL_BELOW:
            for part in blocks(out.size, source):
                store(out[part], affine(_serial(source, part.stop - part.start), std, mean))
        else:
            _in_blocks(out, source, mean, std)


def log_normal(out: npt.NDArray[Any], generator: Generator, mean: float = 1.0, std: float = 2.0) -> None:
    """Fill with exp of normal numbers (serial ones of float64, for any size).

    Args:
        out: any floating dtype.
        mean, std: those of the logarithm.

    Raises:
        RandomError: std <= 0.

    >>> out = np.empty(4, np.float64)
    >>> log_normal(out, Generator().manual_seed(0))
    >>> out.round(4).tolist()
    [59.2634, 1.5116, 0.0348, 8.4728]
    """
    check("log_normal", out, floating=True)
    if not std > 0.0:
        raise RandomError(f"log_normal: std = {std}; it wants std > 0")
    with generator.lock, np.errstate(over="ignore"):
        source = generator.source
        if isinstance(source, Philox):
            store(out, np.exp(affine(_of_counters(source, out.size, True), std, mean)))
            return
        for part in blocks(out.size, source):
            exponents = affine(_serial(source, part.stop - part.start), std, mean)
            exponents[exponents > _GREATEST_EXPONENT] = math.inf  # where math.exp raises
            store(out[part], _of_c_library(math.exp, exponents))


def _of_c_library(function: Callable[[float], float], values: _F64) -> _F64:
    """A function of the C library, item by item: NumPy's of that name differs in the last bit on processors with AVX-512."""
    return np.fromiter(map(function, values.tolist()), np.float64, values.size)


def _serial(source: MT19937, count: int) -> _F64:
    """The next standard normals of the serial path; the odd one out is left in the state."""
    waiting = source.next_normal
    start = 0 if waiting is None else 1
    pairs = (count - start + 1) // 2
    values = np.empty(start + 2 * pairs, np.float64)
    if waiting is not None:
        values[0] = waiting
    if pairs:
        uniforms = to_unit(source.draws64(2 * pairs))
        radius = np.sqrt(-2.0 * _of_c_library(math.log1p, -uniforms[1::2]))
        angle = 2.0 * math.pi * uniforms[0::2]
        values[start::2] = radius * np.cos(angle)
        values[start + 1 :: 2] = radius * np.sin(angle)
    source.next_normal = float(values[count]) if values.size > count else None
    return values[:count]


def _in_blocks(out: npt.NDArray[Any], source: MT19937, mean: float, std: float) -> None:
    draw = source.draws64 if uniform_dtype(out.dtype) is np.float64 else source.draws32
    whole = out.size & ~15
    for part in blocks(whole, source):
        store(out[part], affine(_pairs_of_16(to_unit(draw(part.stop - part.start))), std, mean))
    if whole < out.size:
        if out.dtype.itemsize > 2:
            draw(out.size - whole)  # PyTorch draws these, then draws the last 16 anew
        store(out[-16:], affine(_pairs_of_16(to_unit(draw(16))), std, mean))


def _pairs_of_16(uniforms: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Box-Muller between number i and number i + 8 of every 16, each step rounded to the uniforms' dtype."""
    kind = uniforms.dtype.type
    pairs = uniforms.reshape(-1, 2, 8)
    first, angle = (1 - pairs[:, 0]).ravel(), (kind(2.0 * math.pi) * pairs[:, 1]).ravel()
    if kind is np.float32:
        radius = np.sqrt(kind(-2.0) * cephes.log(first))
        sine, cosine = cephes.sine_cosine(angle)
    else:
        radius = np.sqrt(-2.0 * np.log(first))
        sine, cosine = np.sin(angle), np.cos(angle)
    values = np.empty_like(pairs)
    values[:, 0] = (radius * cosine).reshape(-1, 8)
    values[:, 1] = (radius * sine).reshape(-1, 8)
    return values.reshape(-1)


def _of_counters(source: Philox, count: int, wide: bool) -> _F64:
    words = source.words(count)
    if wide:
        high, low = words[0::2].astype(np.uint64), words[1::2]
        first, second = to_unit((high << np.uint64(32)) | low)
    else:
        first, second = to_unit(words[:2]).astype(np.float64)
    radius: _F64 = np.sqrt(-2.0 * np.log1p(-first))
    radius *= np.cos(2.0 * math.pi * second)
    return radius
