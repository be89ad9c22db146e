"""Distributions whose samples are another's, sent through transforms: their moments are known in closed form."""

from __future__ import annotations

import math
from typing import Any, Final, Self, overload

import lamina_tensor as lt
from lamina_flatarray import finfo
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

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
    """The absolute values of a distribution that is symmetric around 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    scale = OfBase("scale")
    whole: Any

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(self.whole(0, scale, validate_args=False), AbsTransform(), validate_args)

    @property
    def mode(self) -> Tensor:
        """Zero, where the density is greatest."""
        return lt.zeros_like(self.scale)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, twice the one of the whole distribution; -inf below 0.

        Args:
            value: numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return lt.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`, from that of the whole distribution.

        Args:
            value: numbers, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        return self.base_dist.cdf(value).mul(2).sub(1)

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles, from those of the upper half of the whole distribution.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Tensor:
        """Compute the entropy, log(2) less than that of the whole distribution, in nats.

        Returns:
            (*batch_shape,).
        """
        return self.base_dist.entropy().sub(math.log(2))


class HalfNormal(_Half):
    """The half-normal distribution of the absolute values of normal numbers around 0.

    Density: sqrt(2 / pi) / scale * exp(-x**2 / (2 * scale**2)), for x >= 0.

    Args:
        scale: the standard deviation of the normal distribution, positive, a number or a tensor (*batch_shape,).
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `scale` is not positive.

    >>> half = torch.distributions.HalfNormal(2.0)
    >>> half.mean, half.cdf(torch.tensor(2.0)), half.log_prob(torch.tensor(1.0))
    (tensor(1.5958), tensor(0.6827), tensor(-1.0439))
    """

    whole = Normal

    @property
    def mean(self) -> Tensor:
        """The mean scale * sqrt(2 / pi)."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Tensor:
        """The variance scale**2 * (1 - 2 / pi)."""
        return self.scale**2 * (1 - 2 / math.pi)


class HalfCauchy(_Half):
    """The half-Cauchy distribution of the absolute values of Cauchy numbers around 0.

    Density: 2 / (pi * scale * (1 + (x / scale)**2)), for x >= 0.

    Args:
        scale: the median, positive, a number or a tensor (*batch_shape,).
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `scale` is not positive.

    >>> half = torch.distributions.HalfCauchy(2.0)
    >>> half.mean, half.cdf(torch.tensor(2.0)), half.icdf(torch.tensor(0.75))
    (tensor(inf), tensor(0.5000), tensor(4.8284))
    """

    whole = Cauchy

    @property
    def mean(self) -> Tensor:
        """Infinity everywhere."""
        return lt.full(self._extended_shape(), math.inf, dtype=self.scale.dtype, device=self.scale.device)

    @property
    def variance(self) -> Tensor:
        """Infinity everywhere."""
        return self.base_dist.variance


class LogNormal(TransformedDistribution):
    """The log-normal distribution of numbers whose logarithms are normal.

    Density: exp(-(log(x) - loc)**2 / (2 * scale**2)) / (x * scale * sqrt(2 * pi)), for x > 0.

    Args:
        loc: the mean of the logarithms, a number or a tensor (*batch_shape,).
        scale: the standard deviation of the logarithms, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `scale` is not positive.

    >>> log_normal = torch.distributions.LogNormal(0.0, 1.0)
    >>> log_normal.mean, log_normal.mode, log_normal.log_prob(torch.tensor(1.0))
    (tensor(1.6487), tensor(0.3679), tensor(-0.9189))
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True
    loc, scale = OfBase("loc"), OfBase("scale")

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean exp(loc + scale**2 / 2)."""
        return af.exp(self.loc + self.scale**2 / 2)

    @property
    def mode(self) -> Tensor:
        """The mode exp(loc - scale**2)."""
        return af.exp(self.loc - self.scale**2)

    @property
    def variance(self) -> Tensor:
        """The variance (exp(scale**2) - 1) * exp(2 * loc + scale**2)."""
        return af.expm1(self.scale**2) * af.exp(2 * self.loc + self.scale**2)

    def entropy(self) -> Tensor:
        """Compute the entropy, that of the logarithms plus `loc`, in nats.

        Returns:
            (*batch_shape,).
        """
        return self.base_dist.entropy() + self.loc


class LogisticNormal(TransformedDistribution):
    """The logistic normal distribution of k shares: normal vectors of k - 1 items, mapped to the simplex by breaking a stick.

    Its density is that of the normal vector divided by the determinant of the Jacobian of `StickBreakingTransform`.

    Args:
        loc: the means of the normal vectors, (*batch_shape, k - 1); a number is taken as a vector of length 1.
        scale: their standard deviations, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `scale` is not positive.

    >>> shares = torch.distributions.LogisticNormal(torch.zeros(2), torch.ones(2))
    >>> shares.event_shape, shares.log_prob(torch.tensor([0.2, 0.3, 0.5]))
    (lamina.Size([3]), tensor(1.2980))
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True

    @property
    def loc(self) -> Tensor:
        """Return the means."""
        expanded: Any = self.base_dist
        loc: Tensor = expanded.base_dist.loc
        return loc

    @property
    def scale(self) -> Tensor:
        """Return the deviations."""
        expanded: Any = self.base_dist
        scale: Tensor = expanded.base_dist.scale
        return scale

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base: Distribution = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args)


class InverseGamma(TransformedDistribution):
    """The inverse gamma distribution of the reciprocals of gamma numbers.

    Density: rate**a * x**(-a - 1) * exp(-rate / x) / gamma(a), with a = concentration and x > 0.

    Args:
        concentration: the shape parameter of the gamma distribution, positive, a number or a tensor (*batch_shape,).
        rate: its inverse scale, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> inverse = torch.distributions.InverseGamma(3.0, 2.0)
    >>> inverse.mean, inverse.mode, inverse.variance
    (tensor(1.), tensor(0.5000), tensor(1.))
    """

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
        """The mean rate / (concentration - 1), infinite for concentrations of at most 1."""
        return lt.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self) -> Tensor:
        """The mode rate / (concentration + 1)."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Tensor:
        """The variance rate**2 / ((a - 1)**2 * (a - 2)) with a = concentration, infinite for a <= 2."""
        a = self.concentration
        return lt.where(a > 2, self.rate**2 / ((a - 1) ** 2 * (a - 2)), math.inf)

    def entropy(self) -> Tensor:
        """Compute the entropy a + log(rate) + lgamma(a) - (1 + a) * digamma(a), with a = concentration, in nats.

        Returns:
            (*batch_shape,).
        """
        a = self.concentration
        return a + af.log(self.rate) + af.lgamma(a) - (1 + a) * af.digamma(a)


class Gumbel(TransformedDistribution):
    """The Gumbel distribution, which the greatest of many independent numbers approaches.

    Density, with y = (x - loc) / scale: exp(-y - exp(-y)) / scale.

    Args:
        loc: the mode, a number or a tensor (*batch_shape,).
        scale: the scale, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `scale` is not positive.

    >>> gumbel = torch.distributions.Gumbel(1.0, 2.0)
    >>> gumbel.mean, gumbel.stddev, gumbel.log_prob(torch.tensor(1.0))
    (tensor(2.1544), tensor(2.5651), tensor(-1.6931))
    """

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
        """The mean loc + scale * 0.5772..., with Euler's constant."""
        return self.loc + self.scale.mul(EULER)

    @property
    def mode(self) -> Tensor:
        """The parameter `loc`."""
        return self.loc

    @property
    def stddev(self) -> Tensor:
        """The standard deviation scale * pi / sqrt(6)."""
        return self.scale.mul(math.pi / math.sqrt(6))

    @property
    def variance(self) -> Tensor:
        """The variance scale**2 * pi**2 / 6."""
        return self.stddev**2

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, y - exp(y) - log(scale) with y = (loc - value) / scale.

        Args:
            value: real numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return y - af.exp(y) - af.log(self.scale)

    def entropy(self) -> Tensor:
        """Compute the entropy log(scale) + 1 + 0.5772..., in nats.

        Returns:
            (*batch_shape,).
        """
        return af.log(self.scale) + (1 + EULER)


class Weibull(TransformedDistribution):
    """The Weibull distribution of lifetimes whose risk of failure changes as a power of time.

    Density, with k = concentration: k / scale * (x / scale)**(k - 1) * exp(-(x / scale)**k), for x > 0.

    Args:
        scale: the time by which a share of 1 - 1 / e has failed, positive, a number or a tensor (*batch_shape,).
        concentration: the shape parameter, positive, likewise; both broadcast. Above 1, the risk rises with time; below, it falls.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> weibull = torch.distributions.Weibull(2.0, torch.tensor([1.0, 2.0]))
    >>> weibull.mean, weibull.cdf(torch.tensor(2.0))
    (tensor([2.0000, 1.7725]), tensor([0.6321, 0.6321]))
    """

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        parts = [PowerTransform(af.reciprocal(self.concentration)), AffineTransform(0, self.scale)]
        super().__init__(Exponential(lt.ones_like(self.scale), validate_args=validate_args), parts, validate_args)

    @property
    def concentration_reciprocal(self) -> Tensor:
        """The exponent 1 / concentration, to which exponential numbers are raised."""
        return af.reciprocal(self.concentration)

    def _moment(self, order: int) -> Tensor:
        return af.exp(af.lgamma(1 + order / self.concentration))

    @property
    def mean(self) -> Tensor:
        """The mean scale * gamma(1 + 1 / concentration)."""
        return self.scale * self._moment(1)

    @property
    def mode(self) -> Tensor:
        """The mode scale * ((k - 1) / k)**(1 / k) with k = concentration, for k >= 1."""
        k = self.concentration
        return self.scale * ((k - 1) / k) ** af.reciprocal(k)

    @property
    def variance(self) -> Tensor:
        """The variance scale**2 * (gamma(1 + 2 / k) - gamma(1 + 1 / k)**2), with k = concentration."""
        return self.scale**2 * (self._moment(2) - self._moment(1) ** 2)

    def entropy(self) -> Tensor:
        """Compute the entropy 0.5772... * (1 - 1 / k) + log(scale / k) + 1, with k = concentration, in nats.

        Returns:
            (*batch_shape,).
        """
        k = self.concentration
        return EULER * (1 - 1 / k) + af.log(self.scale / k) + 1


class Pareto(TransformedDistribution):
    """The Pareto distribution (of the first type): numbers above `scale` whose tail falls as a power.

    Density: alpha * scale**alpha / x**(alpha + 1), for x >= scale.

    Args:
        scale: the smallest value, positive, a number or a tensor (*batch_shape,).
        alpha: the exponent of the tail, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> pareto = torch.distributions.Pareto(1.0, torch.tensor([1.0, 3.0]))
    >>> pareto.mean, pareto.variance, pareto.cdf(torch.tensor(2.0))
    (tensor([   inf, 1.5000]), tensor([   inf, 0.7500]), tensor([0.5000, 0.8750]))
    """

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        parts = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args=validate_args), parts, validate_args)

    @property
    def support(self) -> constraints.Constraint:
        """Numbers of at least `scale`."""
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Tensor:
        """The mean scale * alpha / (alpha - 1), infinite for alpha <= 1."""
        a = lt.clamp(self.alpha, min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Tensor:
        """The parameter `scale`, the smallest value."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """The variance scale**2 * alpha / ((alpha - 1)**2 * (alpha - 2)), infinite for alpha <= 2."""
        a = lt.clamp(self.alpha, min=2)
        return self.scale**2 * a / ((a - 1) ** 2 * (a - 2))

    def entropy(self) -> Tensor:
        """Compute the entropy log(scale / alpha) + 1 + 1 / alpha, in nats.

        Returns:
            (*batch_shape,).
        """
        return af.log(self.scale / self.alpha) + (1 + af.reciprocal(self.alpha))


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution on [0, 1], similar to the beta distribution, but with a cumulative function in closed form.

    Density: a * b * x**(a - 1) * (1 - x**a)**(b - 1), with a = concentration1 and b = concentration0.

    Args:
        concentration1: the exponent a, positive, a number or a tensor (*batch_shape,).
        concentration0: the exponent b, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> kumaraswamy = torch.distributions.Kumaraswamy(2.0, 3.0)
    >>> kumaraswamy.mean, kumaraswamy.variance, kumaraswamy.cdf(torch.tensor(0.5))
    (tensor(0.4571), tensor(0.0410), tensor(0.5781))
    """

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
        """The mean b * gamma(1 + 1 / a) * gamma(b) / gamma(1 + 1 / a + b), with a = concentration1 and b = concentration0."""
        return self._moment(1)

    @property
    def mode(self) -> Tensor:
        """NaN, by the formula of PyTorch, which takes the logarithm of a negative number even where there is a mode."""
        a, b = self.concentration1, self.concentration0
        log_mode = af.reciprocal(b) * af.log1p(-b) - af.log1p(-b * a)
        return af.exp(lt.masked_fill(log_mode, (b < 1) | (a < 1), math.nan))

    @property
    def variance(self) -> Tensor:
        """The variance, from the first two moments in closed form."""
        return self._moment(2) - self.mean**2

    def entropy(self) -> Tensor:
        """Compute the entropy in closed form, with a digamma function and Euler's constant, in nats.

        Returns:
            (*batch_shape,).
        """
        a, b = self.concentration1, self.concentration0
        return 1 - 1 / b + (1 - 1 / a) * (af.digamma(b + 1) + EULER) - af.log(a) - af.log(b)
