"""Random kernels: draws follow the row-major order of out's items, whatever its layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .. import random
from ..contract import Kernel
from ..random import gamma_binomial, poisson
from .quiet import quiet
from .view import view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def _drawn(out: Any, fill: Callable[[Array], None]) -> None:
    """Run a fill of contiguous memory on out, or on a temporary where out has gaps."""
    target = view(out)
    if target.flags.c_contiguous:
        fill(target.reshape(-1))
        return
    samples = np.empty(target.size, target.dtype)
    fill(samples)
    target[...] = samples.reshape(target.shape)


def random_uniform(out: Any, generator: Any, low: float = 0.0, high: float = 1.0) -> None:
    """Uniform in [low, high)."""
    _drawn(out, lambda items: random.uniform(items, generator, low, high))


def random_normal(out: Any, generator: Any, mean: float = 0.0, std: float = 1.0) -> None:
    """Normal with this mean and deviation."""
    _drawn(out, lambda items: random.normal(items, generator, mean, std))


def random_integers(out: Any, generator: Any, low: int = 0, high: int | None = None) -> None:
    """Integers in [low, high), or all that the dtype counts to."""
    if high is None:
        _drawn(out, lambda items: random.random_full(items, generator))
    else:
        _drawn(out, lambda items: random.random_integers(items, generator, low, high))


def random_permutation(out: Any, generator: Any) -> None:
    """A permutation of 0 .. n-1."""
    _drawn(out, lambda items: random.permutation(items, generator))


def random_bernoulli(out: Any, generator: Any, probability: float = 0.5) -> None:
    """1 with this probability, else 0."""
    _drawn(out, lambda items: random.bernoulli(items, generator, probability))


def random_log_normal(out: Any, generator: Any, mean: float = 1.0, std: float = 2.0) -> None:
    """e to normal numbers with this mean and deviation."""
    _drawn(out, lambda items: random.log_normal(items, generator, mean, std))


def random_gamma(out: Any, concentrations: Any, generator: Any) -> None:
    """Gamma numbers of scale 1."""
    _drawn(out, lambda items: gamma_binomial.gamma(items, generator, view(concentrations).reshape(-1)))


def random_poisson(out: Any, rates: Any, generator: Any) -> None:
    """Poisson numbers."""
    _drawn(out, lambda items: poisson.poisson(items, generator, view(rates).reshape(-1)))


def random_binomial(out: Any, counts: Any, probabilities: Any, generator: Any) -> None:
    """How many of so many trials succeed."""
    _drawn(out, lambda items: gamma_binomial.binomial(items, generator, view(counts).reshape(-1), view(probabilities).reshape(-1)))


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function)
    for function in (
        random_uniform, random_normal, random_integers, random_permutation, random_bernoulli, random_log_normal, random_gamma,
        random_poisson, random_binomial,
    )
}  # fmt: skip
