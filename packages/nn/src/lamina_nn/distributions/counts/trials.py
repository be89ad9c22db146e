"""Distributions of counts: Bernoulli, Binomial, Poisson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor, no_grad

from ..distribution import Distribution, _listed
from ..domains import constraints
from ..domains.parameters import broadcast_all, lazy_property, logits_to_probs, probs_to_logits

__all__ = ["Bernoulli", "Binomial", "Poisson"]


class _Trial(Distribution):
    """What success has: a probability, or its log odds."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    has_enumerate_support = True

    @lazy_property
    def logits(self) -> Tensor:
        """The log odds."""
        return probs_to_logits(self.probs, True)

    @lazy_property
    def probs(self) -> Tensor:
        """The probability."""
        return logits_to_probs(self.logits, True)

    def _kept(self, probs: Any, logits: Any, *others: Any) -> tuple[Tensor, ...]:
        """Other parameters and the one of both that is given, in one shape; this one is put into the instance.

        Raises:
            ValueError: both are given, or neither.
        """
        _one_of(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        found = broadcast_all(*others, given)
        self.__dict__[name] = found[-1]
        return found

    @property
    def param_shape(self) -> Any:
        """The shape of the parameters."""
        return self._batch_shape


def _one_of(probs: Any, logits: Any) -> None:
    if (probs is None) == (logits is None):
        raise ArgumentValueError("Either `probs` or `logits` must be specified, but not both.")


class Bernoulli(_Trial):
    """1 with a probability, else 0."""

    support = constraints.boolean

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (value,) = self._kept(probs, logits)
        super().__init__(value.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        return lt.where(self.probs == 0.5, float("nan"), (self.probs >= 0.5).to(self.probs.dtype))

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            return lt.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return logits * value - af.softplus(logits)

    def entropy(self) -> Tensor:
        return af.softplus(self.logits) - self.logits * self.probs

    def enumerate_support(self, expand: bool = True) -> Tensor:
        values = lt.arange(2, dtype=self.probs.dtype, device=self.probs.device)
        return _listed(values, self._batch_shape, expand)


class Binomial(_Trial):
    """How many of `total_count` trials succeed."""

    arg_constraints = {"total_count": constraints.nonnegative_integer, **_Trial.arg_constraints}

    def __init__(self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        total, value = self._kept(probs, logits, total_count)
        self.total_count = total.to(value.dtype)
        super().__init__(value.shape, (), validate_args)

    @property
    def support(self) -> constraints.Constraint:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return af.minimum(af.floor((self.total_count + 1) * self.probs), self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return af.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        ways = af.lgamma(n + 1) - af.lgamma(value + 1) - af.lgamma(n - value + 1)
        return ways + value * self.logits - n * af.softplus(self.logits)

    def entropy(self) -> Tensor:
        count = int(lt.max(self.total_count).item())
        if not bool(lt.all(self.total_count == count).item()):
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        logs = self.log_prob(self.enumerate_support(False))
        return -lt.sum(af.exp(logs) * logs, 0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        count = int(lt.max(self.total_count).item())
        if not bool(lt.all(self.total_count == count).item()):
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        values = lt.arange(count + 1, dtype=self.total_count.dtype, device=self.total_count.device)
        return _listed(values, self._batch_shape, expand)


class Poisson(Distribution):
    """How many events come at a rate."""

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate

    variance = mean

    @property
    def mode(self) -> Tensor:
        return af.floor(self.rate)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            return lt.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return af.xlogy(value, rate) - rate - af.lgamma(value + 1)
