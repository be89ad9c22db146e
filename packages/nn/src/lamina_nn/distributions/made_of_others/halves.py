"""Halves of distributions that are even: sizes of their numbers."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from ..cauchy import Cauchy
from ..domains import constraints
from ..location_scale import Normal
from ..maps.elementwise import AbsTransform
from ..maps.transformed_distribution import TransformedDistribution
from .of_base import OfBase

__all__ = ["HalfCauchy", "HalfNormal"]


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
