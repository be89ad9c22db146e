"""The distribution of what lies beyond a high threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_tensor import Tensor

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """Numbers above `loc`: an exponential distribution for a `concentration` of 0, Pareto's tail above, an end below."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, (), validate_args)

    @property
    def support(self) -> constraints.Constraint:
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, lt.where(self.concentration < 0, end, math.inf))

    def _cases(self) -> tuple[Tensor, Tensor]:
        """Where the concentration is 0, and the concentration with 1 in its place there."""
        zero = af.isclose(self.concentration, lt.zeros_like(self.concentration))
        return zero, lt.where(zero, lt.ones_like(self.concentration), self.concentration)

    @property
    def mean(self) -> Tensor:
        finite = self.concentration < 1
        return lt.where(finite, self.loc + self.scale / (1 - lt.where(finite, self.concentration, 0.5)), math.nan)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        finite = self.concentration < 0.5
        k = lt.where(finite, self.concentration, 0.25)
        return lt.where(finite, self.scale**2 / ((1 - k) ** 2 * (1 - 2 * k)), math.nan)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.icdf(lt.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        zero, k = self._cases()
        power = 1 / k + lt.ones_like(z)
        return -af.log(self.scale) - lt.where(zero, z, lt.where(power == 0, power, power * af.log1p(k * z)))

    def log_survival_function(self, value: Tensor) -> Tensor:
        """The logarithm of the probability of more than a value."""
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        zero, k = self._cases()
        return lt.where(zero, -z, -af.log1p(k * z) / k)

    def log_cdf(self, value: Tensor) -> Tensor:
        """The logarithm of `cdf`."""
        return af.log1p(-af.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        return af.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        zero, k = self._cases()
        rest = af.log1p(-value)
        return lt.where(zero, self.loc - self.scale * rest, self.loc + self.scale / k * af.expm1(-k * rest))

    def entropy(self) -> Tensor:
        return (af.log(self.scale) + self.concentration + 1).expand(self._batch_shape)
