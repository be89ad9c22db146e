"""Cauchy's distribution, which has neither mean nor variance."""

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

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The Cauchy (Lorentz) distribution, whose tails are so heavy that it has neither mean nor variance.

    Density: 1 / (pi * scale * (1 + ((x - loc) / scale)**2)).

    Args:
        loc: the median, a number or a tensor (*batch_shape,).
        scale: the distance from `loc` to either quartile, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `scale` is not positive.

    >>> cauchy = torch.distributions.Cauchy(0.0, 2.0)
    >>> cauchy.cdf(torch.tensor([-2.0, 0.0, 2.0])), cauchy.mean
    (tensor([0.2500, 0.5000, 0.7500]), tensor(nan))
    """

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """NaN, as there is no mean."""
        return lt.full(self._extended_shape(), math.nan, dtype=self.loc.dtype, device=self.loc.device)

    @property
    def mode(self) -> Tensor:
        """The parameter `loc`."""
        return self.loc

    @property
    def variance(self) -> Tensor:
        """Infinity everywhere."""
        return lt.full(self._extended_shape(), math.inf, dtype=self.loc.dtype, device=self.loc.device)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as loc + scale * c, with c from the standard Cauchy distribution and gradients to both parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        noise = self.loc.detach().new_empty(self._extended_shape(sample_shape)).cauchy_()
        return self.loc + noise * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, -log(pi) - log(scale) - log(1 + ((value - loc) / scale)**2).

        Args:
            value: real numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return -math.log(math.pi) - af.log(self.scale) - af.log1p(((value - self.loc) / self.scale) ** 2)

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`, atan((value - loc) / scale) / pi + 1/2.

        Args:
            value: real numbers, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        return af.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles, loc + scale * tan(pi * (value - 1/2)).

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        return af.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self) -> Tensor:
        """Compute the entropy log(4 * pi * scale), in nats.

        Returns:
            (*batch_shape,).
        """
        return math.log(4 * math.pi) + af.log(self.scale)
