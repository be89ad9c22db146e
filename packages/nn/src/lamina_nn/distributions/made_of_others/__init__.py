"""Distributions whose samples are another's, sent through transforms: their moments are known in closed form."""

from .extreme_values import EULER, Gumbel, Weibull
from .halves import HalfCauchy, HalfNormal
from .of_normal import LogisticNormal, LogNormal
from .powers import InverseGamma, Kumaraswamy, Pareto

__all__ = [
    "EULER", "Gumbel", "HalfCauchy", "HalfNormal", "InverseGamma", "Kumaraswamy", "LogNormal", "LogisticNormal", "Pareto",
    "Weibull",
]  # fmt: skip
