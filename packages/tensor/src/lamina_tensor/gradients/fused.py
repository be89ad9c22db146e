"""Gradients of softmax and its logarithm."""

from __future__ import annotations

from ..either import either
from ..rules import rule

total, exp = (either(n) for n in ("sum", "exp"))

rule("softmax", x=lambda g, y, axis: y * (g - total(g * y, axis, True)))
rule("log_softmax", x=lambda g, y, axis: g - exp(y) * total(g, axis, True))
