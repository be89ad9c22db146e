"""Powers of gamma, exponential and uniform numbers."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..domains import constraints
from ..domains.parameters import broadcast_all
from ..gamma_family import Exponential, Gamma
from ..location_scale import Uniform
from ..maps.elementwise import AffineTransform, ExpTransform, PowerTransform
from ..maps.transformed_distribution import TransformedDistribution
from .extreme_values import EULER
from .of_base import OfBase

__all__ = ["InverseGamma", "Kumaraswamy", "Pareto"]


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
