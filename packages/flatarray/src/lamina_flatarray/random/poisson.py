"""Poisson numbers, one rate per element: a product of uniforms for small rates, transformed rejection for others.

How many draws an element takes depends on what it draws, so they are taken one after the other, as in PyTorch. Both
methods are textbook ones: Knuth, TAOCP vol. 2, 3.4.1.F; and algorithm PTRS of W. Hoermann, "The transformed rejection
method for generating Poisson random variables", Insurance: Mathematics and Economics 12 (1993), whose constants are
used here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import RandomError, ShapeError
from .blocks import check, store, to_unit
from .generator import Generator

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["poisson"]

_LARGE: Final = 10.0
"""From this rate on, rejection."""


def poisson(out: npt.NDArray[Any], generator: Generator, rates: npt.NDArray[Any]) -> None:
    """Fill with Poisson numbers.

    Args:
        out: any floating dtype.
        rates: of out's shape.

    Raises:
        ShapeError: the rates have another shape than out.
        RandomError: a rate is negative, infinite or NaN.
    """
    check("poisson", out, floating=True)
    if rates.shape != out.shape:
        raise ShapeError(f"poisson: rates of shape {rates.shape}, output of {out.shape}; it wants equal shapes")
    means = rates.astype(np.float64)
    if not (np.isfinite(means).all() and (means >= 0).all()):
        raise RandomError("poisson: invalid Poisson rate, expected rate to be non-negative (and finite)")
    with generator.lock:
        uniforms = _Taken(generator)
        draw = uniforms.__next__
        values = [_by_product(r, draw) if r < _LARGE else _by_rejection(r, draw) for r in means.tolist()]
        uniforms.give_back()
    store(out, np.array(values, np.float64))


class _Taken(Iterator[float]):
    """Uniforms of [0, 1) one by one, drawn in blocks; what is left of the last block can be given back."""

    _BLOCK = 1 << 12

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._block: list[float] = []
        self._at = 0
        self._before: npt.NDArray[np.uint8] | None = None

    def __next__(self) -> float:
        if self._at == len(self._block):
            self._before = self._generator.source.to_bytes()
            self._block = to_unit(self._generator.source.draws64(self._BLOCK)).tolist()
            self._at = 0
        self._at += 1
        return self._block[self._at - 1]

    def give_back(self) -> None:
        """Leave the generator as if only what was taken had been drawn."""
        if self._before is not None:
            self._generator.source.from_bytes(self._before)
            self._generator.source.draws64(self._at)


def _by_product(rate: float, draw: Callable[[], float]) -> int:
    """How many uniforms can be multiplied before the product falls to exp(-rate)."""
    if rate == 0:
        return 0
    limit, product, count = math.exp(-rate), draw(), 0
    while product > limit:
        product *= draw()
        count += 1
    return count


def _by_rejection(rate: float, draw: Callable[[], float]) -> int:
    """PTRS: step 1 accepts at once most of the time; step 3 decides exactly."""
    root, log_rate = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    sure = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = draw() - 0.5
        v = draw()
        us = 0.5 - abs(u)
        if us == 0:
            continue
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= sure:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        height = (math.log(v) if v else -math.inf) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if height <= k * log_rate - rate - math.lgamma(k + 1):
            return k
