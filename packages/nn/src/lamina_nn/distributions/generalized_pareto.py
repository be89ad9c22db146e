"""The distribution of what lies beyond a high threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """The generalized Pareto distribution, which models how far values exceed a high threshold `loc`.

    Density, with z = (x - loc) / scale and k = concentration: (1 + k * z)**(-1 / k - 1) / scale, or exp(-z) / scale for k = 0.
    It reaches to infinity for k >= 0, and to loc - scale / k for k < 0.

    Args:
        loc: the threshold, a number or a tensor (*batch_shape,).
        scale: the scale, positive, likewise.
        concentration: how heavy the tail is, likewise; all three broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `scale` is not positive, or another parameter is NaN.

    >>> tails = torch.distributions.GeneralizedPareto(0.0, 1.0, torch.tensor([-0.5, 0.0, 0.5]))
    >>> tails.mean, tails.cdf(torch.tensor(1.0))
    (tensor([0.6667, 1.0000, 2.0000]), tensor([0.7500, 0.6321, 0.5556]))
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, (), validate_args)

    @property
    def support(self) -> constraints.Constraint:
        """The interval from `loc` to infinity, or to loc - scale / concentration for a negative concentration."""
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, lt.where(self.concentration < 0, end, math.inf))

    def _cases(self) -> tuple[Tensor, Tensor]:
        """Where the concentration is 0, and the concentration with 1 in its place there."""
        zero = af.isclose(self.concentration, lt.zeros_like(self.concentration))
        return zero, lt.where(zero, lt.ones_like(self.concentration), self.concentration)

    @property
    def mean(self) -> Tensor:
        """The mean loc + scale / (1 - concentration), or NaN for concentrations of 1 and more."""
        finite = self.concentration < 1
        return lt.where(finite, self.loc + self.scale / (1 - lt.where(finite, self.concentration, 0.5)), math.nan)

    @property
    def mode(self) -> Tensor:
        """The threshold `loc`."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """The variance scale**2 / ((1 - k)**2 * (1 - 2 * k)) with k = concentration, or NaN for k >= 1/2."""
        finite = self.concentration < 0.5
        k = lt.where(finite, self.concentration, 0.25)
        return lt.where(finite, self.scale**2 / ((1 - k) ** 2 * (1 - 2 * k)), math.nan)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples with `icdf` from uniform numbers, with gradients to all parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        return self.icdf(lt.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, item by item.

        Args:
            value: numbers within the support, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        zero, k = self._cases()
        power = 1 / k + lt.ones_like(z)
        return -af.log(self.scale) - lt.where(zero, z, lt.where(power == 0, power, power * af.log1p(k * z)))

    def log_survival_function(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of more than `value`.

        Args:
            value: numbers within the support, of a shape that broadcasts with the batch.

        Returns:
            Logarithms of probabilities, of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        z = (value - self.loc) / self.scale
        zero, k = self._cases()
        return lt.where(zero, -z, -af.log1p(k * z) / k)

    def log_cdf(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of at most `value`.

        Args:
            value: numbers within the support, of a shape that broadcasts with the batch.

        Returns:
            Logarithms of probabilities, of the broadcast shape.
        """
        return af.log1p(-af.exp(self.log_survival_function(value)))

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`: 1 - (1 + k * z)**(-1 / k), or 1 - exp(-z) for k = 0.

        Args:
            value: numbers within the support, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        return af.exp(self.log_cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles: loc + scale * ((1 - value)**-k - 1) / k, or loc - scale * log(1 - value) for k = 0.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        zero, k = self._cases()
        rest = af.log1p(-value)
        return lt.where(zero, self.loc - self.scale * rest, self.loc + self.scale / k * af.expm1(-k * rest))

    def entropy(self) -> Tensor:
        """Compute the entropy log(scale) + concentration + 1, in nats.

        Returns:
            (*batch_shape,).
        """
        return (af.log(self.scale) + self.concentration + 1).expand(self._batch_shape)
