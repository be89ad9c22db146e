"""Distributions whose samples are another's, sent through transforms: their moments are known in closed form."""

from __future__ import annotations

import math
from typing import Any, Final, Self, overload

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import finfo
from lamina_tensor import Tensor

from .cauchy import Cauchy
from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all
from .gamma_family import Exponential, Gamma
from .location_scale import Normal, Uniform
from .maps.elementwise import AbsTransform, AffineTransform, ExpTransform, PowerTransform
from .maps.transformed_distribution import TransformedDistribution
from .maps.vectors import StickBreakingTransform

__all__ = [
    "Gumbel", "HalfCauchy", "HalfNormal", "InverseGamma", "Kumaraswamy", "LogNormal", "LogisticNormal", "Pareto", "Weibull"
]  # fmt: skip

EULER: Final = 0.57721566490153286060
"""Euler's constant."""


class OfBase:
    """A parameter that the base distribution has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__doc__ = f"The parameter `{name}` of the base distribution."

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: TransformedDistribution, owner: type | None = None) -> Tensor: ...
    def __get__(self, instance: TransformedDistribution | None, owner: type | None = None) -> Tensor | Self:
        return self if instance is None else getattr(instance.base_dist, self.name)


class _Half(TransformedDistribution):
    """The absolute value of a distribution around 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    scale = OfBase("scale")
    whole: Any

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(self.whole(0, scale, validate_args=False), AbsTransform(), validate_args)

    @property
    def mode(self) -> Tensor:
        return lt.zeros_like(self.scale)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return lt.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return self.base_dist.cdf(value).mul(2).sub(1)

    def icdf(self, value: Tensor) -> Tensor:
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy().sub(math.log(2))


class HalfNormal(_Half):
    """The absolute value of normal numbers around 0 of a deviation `scale`."""

    whole = Normal

    @property
    def mean(self) -> Tensor:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        return self.scale**2 * (1 - 2 / math.pi)


class HalfCauchy(_Half):
    """The absolute value of Cauchy's numbers around 0."""

    whole = Cauchy

    @property
    def mean(self) -> Tensor:
        return lt.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance


class LogNormal(TransformedDistribution):
    """Numbers whose logarithms are normal, with a mean `loc` and a deviation `scale`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True
    loc, scale = OfBase("loc"), OfBase("scale")

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args)

    @property
    def mean(self) -> Tensor:
        return af.exp(self.loc + self.scale**2 / 2)

    @property
    def mode(self) -> Tensor:
        return af.exp(self.loc - self.scale**2)

    @property
    def variance(self) -> Tensor:
        return af.expm1(self.scale**2) * af.exp(2 * self.loc + self.scale**2)

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() + self.loc


class LogisticNormal(TransformedDistribution):
    """Shares made by breaking a stick for normal vectors around `loc` with the deviations `scale`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True
    loc = property(lambda self: self.base_dist.base_dist.loc, doc="The means.")
    scale = property(lambda self: self.base_dist.base_dist.scale, doc="The deviations.")

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base: Distribution = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args)


class InverseGamma(TransformedDistribution):
    """The reciprocals of gamma numbers."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True
    concentration, rate = OfBase("concentration"), OfBase("rate")

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(
            base, PowerTransform(-lt.ones((), dtype=base.rate.dtype, device=base.rate.device)), validate_args
        )

    @property
    def mean(self) -> Tensor:
        return lt.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self) -> Tensor:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        a = self.concentration
        return lt.where(a > 2, self.rate**2 / ((a - 1) ** 2 * (a - 2)), math.inf)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a + af.log(self.rate) + af.lgamma(a) - (1 + a) * af.digamma(a)


class Gumbel(TransformedDistribution):
    """The distribution of the greatest of many numbers, around `loc`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        limits = finfo(self.loc.dtype)
        low, high = lt.full_like(self.loc, limits.tiny), lt.full_like(self.loc, 1 - limits.eps)
        back = ExpTransform().inv
        flipped = AffineTransform(0, -lt.ones_like(self.scale))
        parts = [back, flipped, back, AffineTransform(self.loc, -self.scale)]
        super().__init__(Uniform(low, high, validate_args=validate_args), parts, validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc + self.scale.mul(EULER)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def stddev(self) -> Tensor:
        return self.scale.mul(math.pi / math.sqrt(6))

    @property
    def variance(self) -> Tensor:
        return self.stddev**2

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return y - af.exp(y) - af.log(self.scale)

    def entropy(self) -> Tensor:
        return af.log(self.scale) + (1 + EULER)


class Weibull(TransformedDistribution):
    """Lifetimes with the hazard of a power of time."""

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        parts = [PowerTransform(af.reciprocal(self.concentration)), AffineTransform(0, self.scale)]
        super().__init__(Exponential(lt.ones_like(self.scale), validate_args=validate_args), parts, validate_args)

    @property
    def concentration_reciprocal(self) -> Tensor:
        """1 / concentration."""
        return af.reciprocal(self.concentration)

    def _moment(self, order: int) -> Tensor:
        return af.exp(af.lgamma(1 + order / self.concentration))

    @property
    def mean(self) -> Tensor:
        return self.scale * self._moment(1)

    @property
    def mode(self) -> Tensor:
        k = self.concentration
        return self.scale * ((k - 1) / k) ** af.reciprocal(k)

    @property
    def variance(self) -> Tensor:
        return self.scale**2 * (self._moment(2) - self._moment(1) ** 2)

    def entropy(self) -> Tensor:
        k = self.concentration
        return EULER * (1 - 1 / k) + af.log(self.scale / k) + 1


class Pareto(TransformedDistribution):
    """Numbers above `scale` whose tail falls as the power `alpha`."""

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        parts = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args=validate_args), parts, validate_args)

    @property
    def support(self) -> constraints.Constraint:
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        a = lt.clamp(self.alpha, min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        a = lt.clamp(self.alpha, min=2)
        return self.scale**2 * a / ((a - 1) ** 2 * (a - 2))

    def entropy(self) -> Tensor:
        return af.log(self.scale / self.alpha) + (1 + af.reciprocal(self.alpha))


class Kumaraswamy(TransformedDistribution):
    """Numbers within [0, 1], much as Beta's, with a cumulative distribution in closed form."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(
            lt.zeros_like(self.concentration0), lt.ones_like(self.concentration0), validate_args=validate_args
        )
        parts = [
            PowerTransform(af.reciprocal(self.concentration0)), AffineTransform(1.0, -1.0),
            PowerTransform(af.reciprocal(self.concentration1)),
        ]  # fmt: skip
        super().__init__(base, parts, validate_args)

    def _moment(self, order: int) -> Tensor:
        b, along = self.concentration0, 1 + order / self.concentration1
        return b * af.exp(af.lgamma(along) + af.lgamma(b) - af.lgamma(along + b))

    @property
    def mean(self) -> Tensor:
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        found = af.reciprocal(b) * af.log1p(-b) - af.log1p(-b * a)
        return af.exp(lt.masked_fill(found, (b < 1) | (a < 1), math.nan))

    @property
    def variance(self) -> Tensor:
        return self._moment(2) - self.mean**2

    def entropy(self) -> Tensor:
        a, b = self.concentration1, self.concentration0
        return 1 - 1 / b + (1 - 1 / a) * (af.digamma(b + 1) + EULER) - af.log(a) - af.log(b)
