"""Gamma numbers, and those of them that have names of their own: Exponential, Gamma, Chi2."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import finfo
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all

__all__ = ["Chi2", "Exponential", "Gamma"]


class Exponential(Distribution):
    """The exponential distribution of waiting times between events that occur at a constant rate.

    Density: rate * exp(-rate * x), for x >= 0.

    Args:
        rate: events per unit of time, positive, a number or a tensor (*batch_shape,).
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `rate` is not positive.

    >>> exponential = torch.distributions.Exponential(torch.tensor([0.5, 2.0]))
    >>> exponential.mean, exponential.cdf(torch.tensor(1.0))
    (tensor([2.0000, 0.5000]), tensor([0.3935, 0.8647]))
    """

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean 1 / rate."""
        return af.reciprocal(self.rate)

    @property
    def mode(self) -> Tensor:
        """Zero, where the density is greatest."""
        return lt.zeros_like(self.rate)

    @property
    def stddev(self) -> Tensor:
        """The standard deviation 1 / rate, equal to the mean."""
        return af.reciprocal(self.rate)

    @property
    def variance(self) -> Tensor:
        """The variance 1 / rate**2."""
        return self.rate**-2

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw standard exponential numbers and divide them by `rate`, which gradients reach.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        return self.rate.detach().new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, log(rate) - rate * value.

        Args:
            value: numbers >= 0, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return af.log(self.rate) - self.rate * value

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`, 1 - exp(-rate * value).

        Args:
            value: numbers >= 0, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        return 1 - af.exp(-self.rate * value)

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles, -log(1 - value) / rate.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        return -af.log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        """Compute the entropy 1 - log(rate), in nats.

        Returns:
            (*batch_shape,).
        """
        return 1.0 - af.log(self.rate)


class Gamma(Distribution):
    """The gamma distribution with the shape parameter `concentration` and the inverse scale `rate`.

    Density: rate**a * x**(a - 1) * exp(-rate * x) / gamma(a), with a = concentration and x >= 0.

    Args:
        concentration: the shape parameter, positive, a number or a tensor (*batch_shape,).
        rate: the inverse of the scale, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> gamma = torch.distributions.Gamma(3.0, 2.0)
    >>> gamma.mean, gamma.variance, gamma.cdf(torch.tensor(1.5))
    (tensor(1.5000), tensor(0.7500), tensor(0.5768))
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean concentration / rate."""
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        """The mode (concentration - 1) / rate, at least 0."""
        return lt.clamp((self.concentration - 1) / self.rate, min=0)

    @property
    def variance(self) -> Tensor:
        """The variance concentration / rate**2."""
        return self.concentration / self.rate**2

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw positive samples, with implicit gradients to `concentration` and direct ones to `rate`.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        shape = self._extended_shape(sample_shape)
        samples = af.standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        return lt.clamp(samples, min=finfo(samples.dtype).tiny)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, item by item.

        Args:
            value: numbers >= 0, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        a = self.concentration
        return af.xlogy(a, self.rate) + af.xlogy(a - 1, value) - self.rate * value - af.lgamma(a)

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`, the regularized lower incomplete gamma function of rate * value.

        Args:
            value: numbers >= 0, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        return af.igamma(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        """Compute the entropy a - log(rate) + lgamma(a) + (1 - a) * digamma(a), with a = concentration, in nats.

        Returns:
            (*batch_shape,).
        """
        a = self.concentration
        return a - af.log(self.rate) + af.lgamma(a) + (1.0 - a) * af.digamma(a)


class Chi2(Gamma):
    """The chi-squared distribution of the sum of the squares of `df` standard normal numbers.

    Density: x**(df / 2 - 1) * exp(-x / 2) / (2**(df / 2) * gamma(df / 2)), for x >= 0: that of Gamma(df / 2, 1 / 2).

    Args:
        df: the degrees of freedom, positive, not necessarily an integer; a number or a tensor (*batch_shape,).
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `df` is not positive.

    >>> chi2 = torch.distributions.Chi2(4.0)
    >>> chi2.mean, chi2.variance, chi2.log_prob(torch.tensor(2.0))
    (tensor(4.), tensor(8.), tensor(-1.6931))
    """

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        (degrees,) = broadcast_all(df)
        super().__init__(0.5 * degrees, 0.5, validate_args)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom, twice the concentration."""
        return self.concentration + self.concentration

    def _parameters(self) -> list[str]:
        return ["concentration", "rate"]
