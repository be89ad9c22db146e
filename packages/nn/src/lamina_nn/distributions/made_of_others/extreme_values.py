"""Distributions of extreme values, made of uniform and exponential numbers."""

from __future__ import annotations

import math
from typing import Any, Final

import lamina_tensor as lt
from lamina_flatarray import finfo
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..domains import constraints
from ..domains.parameters import broadcast_all
from ..gamma_family import Exponential
from ..location_scale import Uniform
from ..maps.elementwise import AffineTransform, ExpTransform, PowerTransform
from ..maps.transformed_distribution import TransformedDistribution

__all__ = ["EULER", "Gumbel", "Weibull"]

EULER: Final = 0.57721566490153286060
"""Euler's constant."""


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
