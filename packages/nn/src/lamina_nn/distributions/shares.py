"""Shares of a whole, which are gamma numbers by their sum: Dirichlet, and Beta of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo, float64
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all

__all__ = ["Beta", "Dirichlet"]


class Dirichlet(Distribution):
    """The Dirichlet distribution of k shares that are positive and add up to 1.

    Density: gamma(sum(a)) / prod(gamma(a)) * prod(x**(a - 1)), with a = concentration.

    Args:
        concentration: a tensor (*batch_shape, k) of positive numbers; the greater their sum, the nearer samples lie to the mean.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `concentration` has no dims, or is not positive.

    >>> dirichlet = torch.distributions.Dirichlet(torch.tensor([1.0, 2.0, 5.0]))
    >>> dirichlet.mean, dirichlet.mode
    (tensor([0.1250, 0.2500, 0.6250]), tensor([0.0000, 0.2000, 0.8000]))
    >>> dirichlet.sample((4,)).shape
    lamina.Size([4, 3])
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.ndim < 1:
            raise ArgumentValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean: the shares of the concentrations in their sum."""
        return self.concentration / lt.sum(self.concentration, -1, keepdim=True)

    @property
    def mode(self) -> Tensor:
        """The shares of concentration - 1, at least 0; the corner of the greatest where all are below 1, NaN where the greatest is 1."""
        above = lt.clamp(self.concentration - 1, min=0.0)
        mode = above / lt.sum(above, -1, keepdim=True)
        flat = lt.all(self.concentration < 1, -1, keepdim=True)
        corner = af.one_hot_positions(lt.argmax(self.concentration, -1), self.concentration.shape[-1]).to(mode.dtype)
        return lt.where(flat, corner, mode)

    @property
    def variance(self) -> Tensor:
        """The variance of each share, mean * (1 - mean) / (sum(concentration) + 1)."""
        total = lt.sum(self.concentration, -1, keepdim=True)
        return self.concentration * (total - self.concentration) / (total**2 * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw gamma numbers and divide them by their sum, with gradients to `concentration`.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, k).
        """
        dtype = self.concentration.dtype
        samples = af.standard_gamma(self.concentration.to(float64).expand(self._extended_shape(sample_shape)))
        samples = lt.clamp(samples, min=finfo(float64).tiny)
        shares = (samples / lt.sum(samples, -1, keepdim=True)).to(dtype)
        return lt.clamp(shares, min=finfo(dtype).tiny, max=1 - finfo(dtype).eps / 2)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density at each vector of shares.

        Args:
            value: points of the simplex, (*sample_shape, *batch_shape, k) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        a = self.concentration
        return lt.sum(af.xlogy(a - 1.0, value), -1) + af.lgamma(lt.sum(a, -1)) - lt.sum(af.lgamma(a), -1)

    def entropy(self) -> Tensor:
        """Compute the entropy in closed form, from log-gamma and digamma functions, in nats.

        Returns:
            (*batch_shape,).
        """
        a = self.concentration
        k, total = a.shape[-1], lt.sum(a, -1)
        return (lt.sum(af.lgamma(a), -1) - af.lgamma(total) - (k - total) * af.digamma(total)
                - lt.sum((a - 1.0) * af.digamma(a), -1))  # fmt: skip


class Beta(Distribution):
    """The beta distribution of numbers in [0, 1].

    Density: x**(a - 1) * (1 - x)**(b - 1) * gamma(a + b) / (gamma(a) * gamma(b)), with a = concentration1 and b = concentration0.

    Args:
        concentration1: the weight of 1, positive, a number or a tensor (*batch_shape,).
        concentration0: the weight of 0, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> beta = torch.distributions.Beta(3.0, 2.0)
    >>> beta.mean, beta.mode, beta.log_prob(torch.tensor(0.5))
    (tensor(0.6000), tensor(0.6667), tensor(0.4055))
    """

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        super().__init__(self.concentration1.shape, (), validate_args)

    def _shares(self) -> Dirichlet:
        return Dirichlet(lt.stack([self.concentration1, self.concentration0], -1), validate_args=False)

    @property
    def mean(self) -> Tensor:
        """The mean concentration1 / (concentration1 + concentration0)."""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        """The mode (a - 1) / (a + b - 2) for parameters above 1, else the end of the greater one, or NaN where the greater is 1."""
        return self._shares().mode[..., 0]

    @property
    def variance(self) -> Tensor:
        """The variance a * b / ((a + b)**2 * (a + b + 1)), with a = concentration1 and b = concentration0."""
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total**2 * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw the first of two Dirichlet shares, with gradients to both parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        return self._shares().rsample(sample_shape)[..., 0]

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, item by item.

        Args:
            value: numbers in [0, 1], (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return self._shares().log_prob(lt.stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        """Compute the entropy, that of the Dirichlet distribution of `value` and 1 - `value`, in nats.

        Returns:
            (*batch_shape,).
        """
        return self._shares().entropy()
