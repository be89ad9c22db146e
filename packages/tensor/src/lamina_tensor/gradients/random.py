"""Gradients of random numbers: zero, as PyTorch's, where what was drawn does not move with the parameters; of gamma numbers
by implicit differentiation (Figurnov et al. 2018, arXiv:1805.08498)."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd

from ..autograd.rules import rule
from ..dispatch.dispatched import dispatched

zeros_like, igamma, igammac, lgamma, exp, log, where, astype, maximum = (
    dispatched(n) for n in ("zeros_like", "igamma", "igammac", "lgamma", "exp", "log", "where", "astype", "maximum")
)

rule("bernoulli", x=lambda g: zeros_like(g))
rule("poisson", x=lambda g: zeros_like(g))
rule("normal", inputs="mean std", mean=lambda g: zeros_like(g), std=lambda g: zeros_like(g))
rule("binomial", inputs="count prob", count=lambda g: zeros_like(g), prob=lambda g: zeros_like(g))


def _gamma_moved(g: Any, y: Any, x: Any) -> Any:
    """-(dP/dx) / density at y, P being the distribution function of shape x; dP/dx is a central difference in float64 of P, or
    of 1 - P where that is smaller."""
    shape, drawn = astype(x, nd.float64), maximum(astype(y, nd.float64), 1e-300)
    step = where(shape < 1, shape, shape * 0 + 1) * 1e-4
    below = (igamma(shape + step, drawn) - igamma(shape - step, drawn)) / (2 * step)
    above = (igammac(shape - step, drawn) - igammac(shape + step, drawn)) / (2 * step)
    density = exp((shape - 1) * log(drawn) - drawn - lgamma(shape))
    moved = -where(drawn < shape, below, above) / density
    return g * astype(where(moved == moved, moved, zeros_like(moved)), g.dtype)


rule("standard_gamma", x=_gamma_moved)
