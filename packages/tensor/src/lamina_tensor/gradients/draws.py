"""Gradients of random numbers: zero, as PyTorch's; what was drawn does not move with the parameters."""

from __future__ import annotations

from ..either import either
from ..rules import rule

zeros_like = either("zeros_like")

rule("bernoulli", x=lambda g: zeros_like(g))
rule("poisson", x=lambda g: zeros_like(g))
rule("normal", inputs="mean std", mean=lambda g: zeros_like(g), std=lambda g: zeros_like(g))
