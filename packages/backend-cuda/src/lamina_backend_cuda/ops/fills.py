"""Random fills of Philox's stream, the same numbers as the reference's; those of a generator of the CPU are made there and moved."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.errors import RandomError
from lamina_flatarray.random import Philox

from ..launch_plans import next_offset
from .maps import copy
from .operands import address, blank, device_of, dtype_of, walks_of
from .sorts import in_order
from .sources import FORMATS, TYPES, source
from .walks import walk_format

__all__ = ["KERNELS"]

_WIDE: Final = 1 << 28  # from this range on an integer takes two words, as the reference's
_PARAMETERS: Final = {
    "uniform": ("W width", "W low", "W top", "W bottom", "int ends"),
    "normal": ("double std", "double mean"),
    "bernoulli": ("double probability",),
    "integers": ("u64 width", "u64 low", "int wide"),
}
_LETTERS: Final = {"int": "i", "double": "d", "u64": "Q"}


@lru_cache(128)
def _text(function: str, dtype: DType) -> str:
    parameters = _PARAMETERS[function]
    own = source("random").replace("PARAMETERS", ", ".join(parameters)).replace("FUNCTION", function)
    own = own.replace("NAMES", ", ".join(parameter.split()[1] for parameter in parameters))
    return "\n".join((source("numbers", "walks", "maps", "philox"), f"typedef {TYPES[dtype.name]} Out;", own))


def _draw(out: Any, function: str, generator: Any, *values: Any) -> None:
    """Take the next offset of the stream, if there is an item to draw."""
    if not out.layout.size:
        return
    dtype, device = dtype_of(out), device_of(out)
    letters = (_LETTERS.get(parameter.split()[0], FORMATS[dtype.name]) for parameter in _PARAMETERS[function])
    signature = ("P", walk_format(1), "q", "Q", "Q", *letters)
    kernel = device.functions(_text(function, dtype), {"drawn": signature})["drawn"]
    seed, offset = next_offset(generator, device)
    before = 0
    for walk in walks_of(out, ordered=True):
        device.launch(kernel, walk.size, (address(out, walk.begins[0]), *walk.values, before, seed, offset, *values))
        before += walk.size


def _on_host(op: str, out: Any, generator: Any, **params: Any) -> bool:
    """Whether a generator of the CPU was given, whose numbers are made where it is, and moved."""
    if isinstance(generator.source, Philox):
        return False
    decompositions[op](out, generator=generator, **params)
    return True


def random_uniform(out: Any, generator: Any, low: float = 0.0, high: float = 1.0) -> None:
    """Uniform in [low, high)."""
    if _on_host("random_uniform", out, generator, low=low, high=high):
        return
    dtype = dtype_of(out)
    kind: Any = np.float64 if dtype is DTYPES["float64"] else np.float32
    if not low <= high or not math.isfinite(high - low) or abs(high - low) > np.finfo(kind).max:
        raise RandomError(f"uniform: low {low}, high {high}; it wants low <= high and a finite distance in {dtype.name}")
    first, last = kind(low), kind(high)
    top, bottom = (float(np.array(end, kind).astype(dtype.numpy)) for end in (high, first))
    ends = dtype.itemsize == 2 or first != 0 or last != 1
    _draw(out, "uniform", generator, float(last - first), float(first), top, bottom, int(ends))


def random_normal(out: Any, generator: Any, mean: float = 0.0, std: float = 1.0) -> None:
    """Normal with this mean and deviation."""
    if _on_host("random_normal", out, generator, mean=mean, std=std):
        return
    if not std >= 0.0:
        raise RandomError(f"normal: std = {std}; it wants std >= 0")
    _draw(out, "normal", generator, float(std), float(mean))


def random_bernoulli(out: Any, generator: Any, probability: Any = 0.5) -> None:
    """1 with this probability, else 0."""
    if _on_host("random_bernoulli", out, generator, probability=probability):
        return
    if not 0 <= probability <= 1:
        raise RandomError(f"bernoulli: p = {probability}; it wants 0 <= p <= 1")
    _draw(out, "bernoulli", generator, float(probability))


def random_integers(out: Any, generator: Any, low: int = 0, high: int | None = None) -> None:
    """Integers in [low, high), or all that the dtype counts to."""
    if _on_host("random_integers", out, generator, low=low, high=high):
        return
    dtype = dtype_of(out)
    least, most = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype.numpy).min), int(np.iinfo(dtype.numpy).max))
    if high is None:
        wide = dtype.itemsize == 8
        width = most + 1 if most < (2**64 if wide else 2**32) - 1 else 0
        _draw(out, "integers", generator, width, 0, int(wide))
        return
    if not low < high or low < least or high - 1 > most:
        raise RandomError(f"random_integers: [{low}, {high}) is empty, or outside of {dtype.name} ({least} ... {most})")
    width = high - low
    _draw(out, "integers", generator, width if width < 2**64 else 0, low % 2**64, int(width >= _WIDE))


def random_permutation(out: Any, generator: Any) -> None:
    """A permutation of 0 .. n-1: where the numbers that are drawn go in order."""
    if _on_host("random_permutation", out, generator):
        return
    n, dtype = out.layout.size, dtype_of(out)
    if n - 1 > int(np.iinfo(dtype.numpy).max):
        raise RandomError(f"permutation: {n} elements in {dtype.name}; it wants at most {int(np.iinfo(dtype.numpy).max) + 1}")
    if n:
        draws = blank(out, (n,), DTYPES["uint64"])
        _draw(draws, "integers", generator, 0, 0, 1)
        copy(out, in_order(draws, 0)[1])


_FLOATING: Final = ("float16", "bfloat16", "float32", "float64")
_WHOLE: Final = tuple(name for name, dtype in DTYPES.items() if dtype.kind in "ui")
KERNELS: Final[dict[str, tuple[Any, tuple[str, ...]]]] = {
    "random_uniform": (random_uniform, _FLOATING),
    "random_normal": (random_normal, _FLOATING),
    "random_bernoulli": (random_bernoulli, ("bool", *_WHOLE, *_FLOATING)),
    "random_integers": (random_integers, ("bool", *_WHOLE)),
    "random_permutation": (random_permutation, _WHOLE),
}
"""By op, its kernel and the dtypes that it serves; floats of whole numbers are made on the host."""
