"""Gamma and binomial numbers, parameters per element, drawn one after the other by rejection, in PyTorch's stream.

Marsaglia & Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000); algorithm BTRS of W. Hoermann, "The
generation of binomial random variates", J. Stat. Comput. Simul. 46 (1993), and for small means waiting times (Devroye 1986,
X.4.3).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..errors import RandomError
from .blocks import check, store
from .fills import uniform
from .generator import Generator
from .normal import normal

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["binomial", "gamma"]

Draw = Callable[[], float]


def _one(fill: Callable[..., None], generator: Generator) -> Draw:
    place = np.empty(1, np.float64)

    def draw() -> float:
        fill(place, generator)
        return float(place[0])

    return draw


def gamma(out: npt.NDArray[Any], generator: Generator, shapes: npt.NDArray[Any]) -> None:
    """Fill with gamma numbers of scale 1.

    Args:
        out: any floating dtype.
        shapes: the shape parameters (concentrations), as many as `out` has items.

    Raises:
        RandomError: one is negative or NaN.
    """
    check("gamma", out, floating=True)
    if not (shapes >= 0).all():
        raise RandomError("gamma: expected concentrations >= 0")
    unit, standard = _one(uniform, generator), _one(normal, generator)
    with np.errstate(divide="ignore", over="ignore"):
        terms = zip(*(t.reshape(-1).tolist() for t in (shapes, *_terms(shapes))), strict=True)
    store(out, np.array([_gamma(d, exponent, unit, standard) if shape else 0.0 for shape, d, exponent in terms], np.float64))


def _terms(shapes: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """For each shape, what it is less a third, and its inverse where it is below 1, else 0: in the roundings of PyTorch, which
    computes both in the dtype of the shapes, or float32 at least, and has its thirds in float32."""
    kind: Any = np.float64 if shapes.dtype == np.float64 else np.float32
    below = shapes < 1
    raised = np.where(below, shapes + shapes.dtype.type(1), shapes).astype(kind)
    return raised - kind(_THIRD), np.where(below, kind(1) / shapes.astype(kind), kind(0))


_THIRD: Final = np.float32(1 / 3)
_SQUEEZE: Final = float(np.float32(0.0331))


def _gamma(d: float, exponent: float, unit: Draw, standard: Draw) -> float:
    scale = (1 - unit()) ** exponent if exponent else 1.0
    c = 1 / math.sqrt(9 * d)
    while True:
        x = standard()
        y = 1 + c * x
        if y <= 0:
            continue
        v, u, square = y * y * y, 1 - unit(), x * x
        if u < 1 - _SQUEEZE * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def binomial(
    out: npt.NDArray[Any], generator: Generator, counts: npt.NDArray[Any], probabilities: npt.NDArray[Any]
) -> None:
    """Fill with how many of some trials succeed.

    Args:
        out: any floating dtype.
        counts, probabilities: of the trials, as many as `out` has items; NaN gives NaN.
    """
    check("binomial", out, floating=True)
    unit = _one(uniform, generator)
    pairs: Iterator[tuple[float, float]] = zip(counts.reshape(-1).tolist(), probabilities.reshape(-1).tolist(), strict=True)
    store(out, np.array([_binomial(n, p, unit) for n, p in pairs], np.float64))


def _binomial(count: float, p: float, unit: Draw) -> float:
    if math.isnan(p) or math.isnan(count):
        return math.nan
    if count <= 0 or p <= 0:
        return 0.0
    if p >= 1:
        return count
    if p > 0.5:
        return count - _binomial_of_rare(count, 1 - p, unit)
    return _binomial_of_rare(count, p, unit)


def _binomial_of_rare(count: float, p: float, unit: Draw) -> float:
    return _by_rejection(count, p, unit) if count * p >= 10 else _by_waiting(count, p, unit)


def _by_waiting(count: float, p: float, unit: Draw) -> float:
    """How many waiting times for a success go into the number of trials."""
    log_failure, passed, successes = math.log1p(-p), 0.0, 0
    while True:
        u = unit()
        passed += math.ceil(math.log(u) / log_failure) if u else math.inf
        if passed > count:
            return successes
        successes += 1


def _stirling(k: float) -> float:
    """What Stirling's formula leaves out of log(k!)."""
    if k <= 9:
        return math.lgamma(k + 1) - (0.5 * math.log(2 * math.pi) + (k + 0.5) * math.log(k + 1) - (k + 1))
    square = (k + 1) ** 2
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)


def _by_rejection(count: float, p: float, unit: Draw) -> float:
    """BTRS: the first test accepts most of the time; the last decides exactly."""
    deviation = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    middle, sure, odds = count * p + 0.5, 0.92 - 4.2 / b, p / (1 - p)
    alpha, mode = (2.83 + 5.1 / b) * deviation, math.floor((count + 1) * p)
    while True:
        u, v = unit() - 0.5, unit()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + middle) if us else -1
        if k < 0 or k > count:
            continue
        if us >= 0.07 and v <= sure:
            return k
        height = math.log(v * alpha / (a / (us * us) + b)) if v else -math.inf
        if height <= (
            (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _stirling(mode) + _stirling(count - mode) - _stirling(k) - _stirling(count - k)
        ):  # fmt: skip
            return k
