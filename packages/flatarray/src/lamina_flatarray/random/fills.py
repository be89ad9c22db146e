"""One number per element, by PyTorch's transforms: uniform, integers, bernoulli, exponential and the like.

`out` is a 1-D contiguous array; its elements take draws in order. PyTorch walks a dense tensor of other
strides in the order of its memory, so such a tensor is filled through its flat memory (for `normal` with
`serial=True`).

The results are bit-equal to those of PyTorch 2.13's CPU wheels on processors with FMA, apart from
`exponential`, `cauchy` and `geometric`, which call `log1p`, `tan` and `log` of the C library (here bit-equal;
1 ulp elsewhere). With a Philox generator the same transforms run on word 0 (and 1) of the element's counter.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import RandomError, ShapeError
from .blocks import SIGNIFICAND, blocks, check, is_floating, store, to_unit, uniform_dtype
from .fma import affine
from .generator import Generator

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["bernoulli", "cauchy", "exponential", "geometric", "random_full", "random_integers", "uniform"]

_WIDE: Final = 1 << 28
"""From this range on PyTorch 2.13's randint takes two words per element instead of one."""


def uniform(out: npt.NDArray[Any], generator: Generator, low: float = 0.0, high: float = 1.0) -> None:
    """Fill with numbers that are uniform in [low, high).

    Args:
        out: a 1-D contiguous array of any floating dtype; 64-bit draws for float64, 32-bit ones for all others.

    Raises:
        RandomError: low > high, or the distance is no finite number of the dtype.

    >>> out = np.empty(4, np.float64)
    >>> uniform(out, Generator().manual_seed(0))
    >>> out.round(4).tolist()
    [0.9701, 0.7078, 0.4594, 0.9207]
    """
    check("uniform", out, floating=True)
    kind = uniform_dtype(out.dtype)
    if not low <= high or not math.isfinite(high - low) or abs(high - low) > np.finfo(kind).max:
        raise RandomError(
            f"uniform: low {low}, high {high}; it wants low <= high and a finite distance in {out.dtype}"
        )
    first, last = kind(low), kind(high)
    top = np.array(high, kind).astype(out.dtype)
    bottom = first.astype(out.dtype)
    with generator.lock:
        for part in blocks(out.size, generator.source):
            count = part.stop - part.start
            draws = generator.source.draws64(count) if kind is np.float64 else generator.source.draws32(count)
            target = out[part]
            store(target, affine(to_unit(draws), float(last - first), float(first)))
            if target.dtype.itemsize == 2 or first != 0 or last != 1:
                target[target == top] = bottom  # rounding may reach `high`, which is excluded


def random_integers(out: npt.NDArray[Any], generator: Generator, low: int, high: int) -> None:
    """Fill with integers that are uniform in [low, high), as `randint` and `random_(low, high)` do.

    Args:
        out: any real dtype. Floating ones round the integers; where that could lead out of the range, the
            range is made smaller first.
        low, high: -2**63 <= low < high <= 2**64; the range -2**63 ... 2**63 gives the raw 64-bit draws.

    Raises:
        RandomError: the range is empty, or reaches beyond an integer dtype.

    >>> out = np.empty(4, np.int64)
    >>> random_integers(out, Generator().manual_seed(0), 0, 10)
    >>> out.tolist()
    [4, 9, 3, 0]
    """
    check("random_integers", out)
    low, high = int(low), int(high)
    if not -(2**63) <= low < high <= 2**64 or high - low > 2**64:
        raise RandomError(f"random_integers: low {low}, high {high}; it wants low < high within 64 bits")
    if not is_floating(out.dtype):
        smallest, largest = (0, 1) if out.dtype.kind == "b" else (np.iinfo(out.dtype).min, np.iinfo(out.dtype).max)
        if low < smallest or high - 1 > largest:
            raise RandomError(
                f"random_integers: [{low}, {high}) is outside of {out.dtype} ({smallest} ... {largest})"
            )
    else:
        low, high = _exact_bounds(out.dtype, low, high)
    width = high - low
    with generator.lock:
        for part in blocks(out.size, generator.source):
            count = part.stop - part.start
            if width < _WIDE:
                values = (generator.source.draws32(count) % np.uint32(width)).astype(np.uint64)
            else:
                values = generator.source.draws64(count)
                if width < 2**64:
                    values %= np.uint64(width)
            if width < 2**64:
                values += np.uint64(low % 2**64)
            _store_integers(out[part], values, signed=high <= 2**63)


def _exact_bounds(dtype: np.dtype[Any], low: int, high: int) -> tuple[int, int]:
    """The bounds moved inwards, as PyTorch moves them, where rounding to `dtype` would lead outside."""
    digits = SIGNIFICAND[dtype.name]
    with np.errstate(over="ignore"):
        bottom, top = (float(np.float64(v).astype(dtype)) for v in (low + 1, high - 1))
    if not (math.isfinite(bottom) and math.isfinite(top)):
        raise RandomError(f"random_integers: [{low}, {high}) is outside of {dtype}")
    if bottom < low:
        low = int(bottom) + (1 << (abs(low + 1).bit_length() - digits))
    if top >= high:
        high = int(top) - (1 << (abs(high - 1).bit_length() - digits))
    if low >= high:
        raise RandomError(f"random_integers: {dtype} has no number within [{low}, {high})")
    return low, high


def random_full(out: npt.NDArray[Any], generator: Generator) -> None:
    """Fill as `random_()` without arguments does: 0 ... the largest integer of the dtype.

    Args:
        out: any real dtype. Floating ones get the integers 0 ... 2**24 (float32), 2**53 (float64), 2**11
            (float16) or 2**8 (bfloat16). PyTorch has no such fill for uint16, uint32 and uint64; here they
            get all values.

    >>> out = np.empty(4, np.uint8)
    >>> random_full(out, Generator().manual_seed(0))
    >>> out.tolist()
    [172, 47, 117, 192]
    """
    check("random_full", out)
    if out.dtype.kind == "b":
        largest = 1
    elif is_floating(out.dtype):
        largest = 2 ** SIGNIFICAND[out.dtype.name]
    else:
        largest = int(np.iinfo(out.dtype).max)
    with generator.lock:
        for part in blocks(out.size, generator.source):
            count = part.stop - part.start
            values = (
                generator.source.draws64(count)
                if out.dtype.itemsize == 8
                else generator.source.draws32(count)
            )
            if largest < np.iinfo(values.dtype).max:
                values %= values.dtype.type(largest + 1)
            _store_integers(out[part], values, signed=out.dtype.kind != "u")


def _store_integers(target: npt.NDArray[Any], values: npt.NDArray[Any], signed: bool) -> None:
    if values.dtype == np.uint64 and signed:
        values = values.view(np.int64)
    if target.dtype.itemsize == 2 and is_floating(target.dtype):
        values = values.astype(np.float32)
    with np.errstate(over="ignore"):
        target[...] = values


def bernoulli(out: npt.NDArray[Any], generator: Generator, p: float | npt.NDArray[Any]) -> None:
    """Fill with 1 where a uniform number is below p, else 0.

    Args:
        out: any real dtype.
        p: a Python number: 64-bit draws are compared with it (dropout's case). Or an array of out's shape and
            a floating dtype: 64-bit draws if it is float64, else 32-bit ones compared in float32. (Older
            PyTorch took MKL's MCG31 stream for a scalar p on Intel processors; the 2.13 wheels do not.)

    Raises:
        ShapeError: the array p has another shape than out.
        RandomError: p is not within 0 ... 1.

    >>> out = np.empty(4, np.int64)
    >>> bernoulli(out, Generator().manual_seed(0), 0.5)
    >>> out.tolist()
    [0, 0, 1, 0]
    """
    check("bernoulli", out)
    array = p if isinstance(p, np.ndarray) else None
    if array is not None and array.shape != out.shape:
        raise ShapeError(f"bernoulli: p of shape {array.shape}, output of {out.shape}; it wants equal shapes")
    if not np.logical_and(np.greater_equal(p, 0), np.less_equal(p, 1)).all():
        raise RandomError(f"bernoulli: p = {p if array is None else 'an array'}; it wants 0 <= p <= 1")
    wide = array is None or array.dtype == np.float64
    with generator.lock:
        for part in blocks(out.size, generator.source):
            count = part.stop - part.start
            draws = generator.source.draws64(count) if wide else generator.source.draws32(count)
            bound = p if array is None else array[part] if wide else array[part].astype(np.float32)
            out[part] = to_unit(draws) < bound


def exponential(out: npt.NDArray[Any], generator: Generator, lambd: float = 1.0) -> None:
    """Fill with -log(1 - u) / lambd of float64 uniforms u.

    Args:
        out: any floating dtype.

    Raises:
        RandomError: lambd <= 0.

    >>> out = np.empty(4, np.float64)
    >>> exponential(out, Generator().manual_seed(0))
    >>> out.round(4).tolist()
    [3.5083, 1.2304, 0.615, 2.5351]
    """
    check("exponential", out, floating=True)
    if not lambd > 0.0:
        raise RandomError(f"exponential: lambd = {lambd}; it wants lambd > 0")
    with generator.lock:
        for part in blocks(out.size, generator.source):
            values = to_unit(generator.source.draws64(part.stop - part.start))
            store(out[part], -1.0 / lambd * np.log1p(-values))


def cauchy(out: npt.NDArray[Any], generator: Generator, median: float = 0.0, sigma: float = 1.0) -> None:
    """Fill with median + sigma * tan(pi * (u - 1/2)) of float64 uniforms u.

    Args:
        out: any floating dtype.

    Raises:
        RandomError: sigma <= 0.

    >>> out = np.empty(4, np.float64)
    >>> cauchy(out, Generator().manual_seed(0))
    >>> out.round(4).tolist()
    [10.5977, 0.7648, -0.1283, 3.9331]
    """
    check("cauchy", out, floating=True)
    if not sigma > 0.0:
        raise RandomError(f"cauchy: sigma = {sigma}; it wants sigma > 0")
    with generator.lock:
        for part in blocks(out.size, generator.source):
            values = to_unit(generator.source.draws64(part.stop - part.start))
            store(out[part], affine(np.tan(np.pi * (values - 0.5)), sigma, median))


def geometric(out: npt.NDArray[Any], generator: Generator, p: float) -> None:
    """Fill with ceil(log(u) / log(1 - p)) of float64 uniforms u: trials up to the first success.

    Args:
        out: any real dtype but bool.

    Raises:
        RandomError: p is not within 0 < p < 1.

    >>> out = np.empty(4, np.int64)
    >>> geometric(out, Generator().manual_seed(0), 0.5)
    >>> out.tolist()
    [1, 1, 2, 1]
    """
    check("geometric", out, floating=out.dtype.kind == "b")
    if not 0.0 < p < 1.0:
        raise RandomError(f"geometric: p = {p}; it wants 0 < p < 1")
    with generator.lock:
        for part in blocks(out.size, generator.source):
            values = to_unit(generator.source.draws64(part.stop - part.start))
            with np.errstate(divide="ignore", invalid="ignore"):
                store(out[part], np.ceil(np.log(values) / math.log1p(-p)))
