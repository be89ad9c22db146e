"""Distributions made of gamma numbers, and of the exponential ones among them: Exponential, Gamma, Chi2, Dirichlet, Beta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all

__all__ = ["Beta", "Chi2", "Dirichlet", "Exponential", "Gamma"]


class Exponential(Distribution):
    """Waiting times for events that come at a rate."""

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return af.reciprocal(self.rate)

    @property
    def mode(self) -> Tensor:
        return lt.zeros_like(self.rate)

    @property
    def stddev(self) -> Tensor:
        return af.reciprocal(self.rate)

    @property
    def variance(self) -> Tensor:
        return self.rate**-2

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.rate.detach().new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return af.log(self.rate) - self.rate * value

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return 1 - af.exp(-self.rate * value)

    def icdf(self, value: Tensor) -> Tensor:
        return -af.log1p(-value) / self.rate

    def entropy(self) -> Tensor:
        return 1.0 - af.log(self.rate)


class Gamma(Distribution):
    """The gamma distribution with a shape `concentration` and a `rate`."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return lt.clamp((self.concentration - 1) / self.rate, min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate**2

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn = af.standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        return lt.clamp(drawn, min=finfo(drawn.dtype).tiny)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        a = self.concentration
        return af.xlogy(a, self.rate) + af.xlogy(a - 1, value) - self.rate * value - af.lgamma(a)

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return af.igamma(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a - af.log(self.rate) + af.lgamma(a) + (1.0 - a) * af.digamma(a)


class Chi2(Gamma):
    """The sum of `df` squares of standard normal numbers."""

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        (given,) = broadcast_all(df)
        super().__init__(0.5 * given, 0.5, validate_args)

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration + self.concentration

    def _parameters(self) -> list[str]:
        return ["concentration", "rate"]


class Dirichlet(Distribution):
    """Shares that add up to 1, from `concentration` (..., shares).

    Raises:
        ValueError: the concentration has no dims, or is not positive.
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
        return self.concentration / lt.sum(self.concentration, -1, keepdim=True)

    @property
    def mode(self) -> Tensor:
        above = lt.clamp(self.concentration - 1, min=0.0)
        mode = above / lt.sum(above, -1, keepdim=True)
        flat = lt.all(self.concentration < 1, -1, keepdim=True)
        corner = af.one_hot_positions(lt.argmax(self.concentration, -1), self.concentration.shape[-1]).to(mode.dtype)
        return lt.where(flat, corner, mode)

    @property
    def variance(self) -> Tensor:
        total = lt.sum(self.concentration, -1, keepdim=True)
        return self.concentration * (total - self.concentration) / (total**2 * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        drawn = af.standard_gamma(self.concentration.expand(self._extended_shape(sample_shape)))
        drawn = lt.clamp(drawn, min=finfo(drawn.dtype).tiny)
        return drawn / lt.sum(drawn, -1, keepdim=True)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        a = self.concentration
        return lt.sum(af.xlogy(a - 1.0, value), -1) + af.lgamma(lt.sum(a, -1)) - lt.sum(af.lgamma(a), -1)

    def entropy(self) -> Tensor:
        a = self.concentration
        k, total = a.shape[-1], lt.sum(a, -1)
        return (lt.sum(af.lgamma(a), -1) - af.lgamma(total) - (k - total) * af.digamma(total)
                - lt.sum((a - 1.0) * af.digamma(a), -1))  # fmt: skip


class Beta(Distribution):
    """The beta distribution: the first of two shares."""

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
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        return self._shares().mode[..., 0]

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total**2 * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self._shares().rsample(sample_shape)[..., 0]

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return self._shares().log_prob(lt.stack([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._shares().entropy()
