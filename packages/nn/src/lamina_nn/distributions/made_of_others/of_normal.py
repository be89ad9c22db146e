"""Distributions made of normal numbers."""

from __future__ import annotations

from typing import Any

from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..distribution import Distribution
from ..domains import constraints
from ..location_scale import Normal
from ..maps.elementwise import ExpTransform
from ..maps.transformed_distribution import TransformedDistribution
from ..maps.vectors import StickBreakingTransform
from .of_base import OfBase

__all__ = ["LogNormal", "LogisticNormal"]


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
