"""Distributions on the line that are a standard one moved and stretched: Normal, Laplace, Uniform, StudentT."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all
from .gamma_family import Chi2

__all__ = ["Laplace", "Normal", "StudentT", "Uniform"]


class _Symmetric(Distribution):
    """Symmetric around `loc`, where most of it lies, and stretched by `scale`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean


class Normal(_Symmetric):
    """The normal (Gaussian) distribution of numbers with mean `loc` and standard deviation `scale`.

    Density: exp(-(x - loc)**2 / (2 * scale**2)) / (scale * sqrt(2 * pi)).

    Args:
        loc: the mean, a number or a tensor (*batch_shape,).
        scale: the standard deviation, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `scale` is not positive.

    >>> normal = torch.distributions.Normal(1.0, 2.0)
    >>> normal.log_prob(torch.tensor(1.0)), normal.cdf(torch.tensor(3.0)), normal.entropy()
    (tensor(-1.6121), tensor(0.8413), tensor(2.1121))
    """

    @property
    def stddev(self) -> Tensor:
        """The parameter `scale`."""
        return self.scale

    @property
    def variance(self) -> Tensor:
        """The square of `scale`."""
        return self.scale**2

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw normal samples without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return lt.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as loc + eps * scale, with eps from the standard normal distribution and gradients to both parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        return self.loc + _standard_normal(self.loc, self._extended_shape(sample_shape)) * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the normal density, item by item.

        Args:
            value: real numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - af.log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value` with the error function: (1 + erf((value - loc) / (scale * sqrt(2)))) / 2.

        Args:
            value: real numbers, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + af.erf((value - self.loc) / (self.scale * math.sqrt(2))))

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles with the inverse error function: loc + scale * sqrt(2) * erfinv(2 * value - 1).

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        return self.loc + self.scale * af.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        """Compute the entropy 1/2 + log(2 * pi) / 2 + log(scale), in nats.

        Returns:
            (*batch_shape,).
        """
        return 0.5 + 0.5 * math.log(2 * math.pi) + af.log(self.scale)


def _standard_normal(like: Tensor, shape: Sequence[int]) -> Tensor:
    return lt.empty(shape, dtype=like.dtype, device=like.device).normal_()


class Laplace(_Symmetric):
    """The Laplace (double exponential) distribution, symmetric around `loc`.

    Density: exp(-abs(x - loc) / scale) / (2 * scale).

    Args:
        loc: the mean, a number or a tensor (*batch_shape,).
        scale: the mean distance from `loc`, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `scale` is not positive.

    >>> laplace = torch.distributions.Laplace(0.0, 2.0)
    >>> laplace.log_prob(torch.tensor(1.0)), laplace.cdf(torch.tensor(0.0)), laplace.variance
    (tensor(-1.8863), tensor(0.5000), tensor(8.))
    """

    @property
    def variance(self) -> Tensor:
        """The variance 2 * scale**2."""
        return 2 * self.scale**2

    @property
    def stddev(self) -> Tensor:
        """The standard deviation sqrt(2) * scale."""
        return self.scale.mul(math.sqrt(2))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples by the inverse of `cdf` from uniform numbers, with gradients to both parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        u = self.loc.detach().new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * af.sign(u) * af.log1p(-af.abs(u))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, -log(2 * scale) - abs(value - loc) / scale.

        Args:
            value: real numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return -af.log(2 * self.scale) - af.abs(value - self.loc) / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`, which falls off exponentially on both sides of `loc`.

        Args:
            value: real numbers, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        deviation = value - self.loc
        return 0.5 - 0.5 * af.sign(deviation) * af.expm1(-af.abs(deviation) / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles in closed form: loc - scale * sign(value - 1/2) * log(1 - 2 * abs(value - 1/2)).

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        deviation = value - 0.5
        return self.loc - self.scale * af.sign(deviation) * af.log1p(-2 * af.abs(deviation))

    def entropy(self) -> Tensor:
        """Compute the entropy 1 + log(2 * scale), in nats.

        Returns:
            (*batch_shape,).
        """
        return 1 + af.log(2 * self.scale)


class Uniform(Distribution):
    """The uniform distribution of numbers in [low, high).

    Density: 1 / (high - low) within, 0 elsewhere.

    Args:
        low: the lower bound, a number or a tensor (*batch_shape,).
        high: the upper bound, greater than `low`, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `low` is not less than `high`, and arguments are checked.

    >>> uniform = torch.distributions.Uniform(2.0, 6.0)
    >>> uniform.mean, uniform.cdf(torch.tensor(3.0)), uniform.log_prob(torch.tensor(3.0))
    (tensor(4.), tensor(0.2500), tensor(-1.3863))
    """

    arg_constraints = {"low": constraints.dependent, "high": constraints.dependent}
    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, (), validate_args)
        if self._validate_args and not bool(lt.all(self.low < self.high).item()):
            raise ArgumentValueError("Uniform is not defined when low>= high")

    @property
    def support(self) -> constraints.Constraint:
        """The closed interval [low, high]."""
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        """The middle of the interval, (low + high) / 2."""
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        """NaN, as no value is likelier than the others."""
        return self.high.mul(float("nan"))

    @property
    def stddev(self) -> Tensor:
        """The standard deviation (high - low) / sqrt(12)."""
        return (self.high - self.low) / math.sqrt(12)

    @property
    def variance(self) -> Tensor:
        """The variance (high - low)**2 / 12."""
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as low + u * (high - low), with u from [0, 1) and gradients to both bounds.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        u = lt.rand(self._extended_shape(sample_shape), dtype=self.low.dtype, device=self.low.device)
        return self.low + u * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density: -log(high - low) in [low, high), -inf at `high`.

        Args:
            value: numbers in [low, high], (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        inside = (self.low <= value) & (self.high > value)
        return af.log(inside.to(self.low.dtype)) - af.log(self.high - self.low)

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the share of the interval below `value`.

        Args:
            value: numbers in [low, high], of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        return lt.clamp((value - self.low) / (self.high - self.low), min=0, max=1)

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles by linear interpolation between `low` and `high`.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        """Compute the entropy log(high - low), in nats.

        Returns:
            (*batch_shape,).
        """
        return af.log(self.high - self.low)


class StudentT(Distribution):
    """Student's t-distribution with `df` degrees of freedom, shifted to `loc` and scaled by `scale`.

    Density, with y = (x - loc) / scale: gamma((df + 1) / 2) / (gamma(df / 2) * sqrt(pi * df) * scale) * (1 + y**2 / df)**(-(df + 1) / 2).

    Args:
        df: the degrees of freedom, positive, a number or a tensor (*batch_shape,).
        loc: the center, likewise.
        scale: the scale, positive, likewise; all three broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `df` or `scale` is not positive, or `loc` is NaN.

    >>> student = torch.distributions.StudentT(torch.tensor([1.0, 2.0, 4.0]))
    >>> student.mean, student.variance
    (tensor([nan, 0., 0.]), tensor([nan, inf, 2.]))
    >>> student.log_prob(torch.tensor(0.0))
    tensor([-1.1447, -1.0397, -0.9808])
    """

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The parameter `loc`, or NaN for at most one degree of freedom."""
        return lt.where(self.df <= 1, float("nan"), self.loc)

    @property
    def mode(self) -> Tensor:
        """The parameter `loc`."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance scale**2 * df / (df - 2) for df > 2; infinite for 1 < df <= 2, and NaN for df <= 1."""
        finite = self.scale**2 * self.df / (self.df - 2)
        return lt.where(self.df > 2, finite, lt.where(self.df > 1, float("inf"), float("nan")).to(finite.dtype))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as ratios of a normal number and the root of a chi-squared one, with gradients to all parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        x = _standard_normal(self.df, self._extended_shape(sample_shape))
        z = Chi2(self.df, validate_args=False).rsample(sample_shape)
        return self.loc + self.scale * (x * af.rsqrt(z / self.df))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, item by item.

        Args:
            value: real numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        norm = (af.log(self.scale) + 0.5 * af.log(self.df) + 0.5 * math.log(math.pi) + af.lgamma(0.5 * self.df)
                - af.lgamma(0.5 * (self.df + 1)))  # fmt: skip
        return -0.5 * (self.df + 1) * af.log1p(y**2 / self.df) - norm

    def entropy(self) -> Tensor:
        """Compute the entropy in closed form, from digamma functions and the logarithm of a beta function, in nats.

        Returns:
            (*batch_shape,).
        """
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = af.lgamma(half) + math.lgamma(0.5) - af.lgamma(more)
        return af.log(self.scale) + more * (af.digamma(more) - af.digamma(half)) + 0.5 * af.log(self.df) + log_beta
