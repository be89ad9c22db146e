"""Distributions of counts: Bernoulli, Binomial, Poisson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

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
        """The log odds log(probs / (1 - probs)), computed at the first use."""
        return probs_to_logits(self.probs, True)

    @lazy_property
    def probs(self) -> Tensor:
        """The probability of success, computed at the first use."""
        return logits_to_probs(self.logits, True)

    def _kept(self, probs: Any, logits: Any, *others: Any) -> tuple[Tensor, ...]:
        """Other parameters and the one of both that is given, in one shape; this one is put into the instance.

        Raises:
            ValueError: both are given, or neither.
        """
        _one_of(probs, logits)
        name, parameter = ("logits", logits) if probs is None else ("probs", probs)
        result = broadcast_all(*others, parameter)
        self.__dict__[name] = result[-1]
        return result

    @property
    def param_shape(self) -> Any:
        """The shape of `probs` and `logits`, that of the batch."""
        return self._batch_shape


def _one_of(probs: Any, logits: Any) -> None:
    if (probs is None) == (logits is None):
        raise ArgumentValueError("Either `probs` or `logits` must be specified, but not both.")


class Bernoulli(_Trial):
    """The Bernoulli distribution: 1 with probability `probs`, else 0.

    Probability: probs**x * (1 - probs)**(1 - x), for x in {0, 1}.

    Args:
        probs: the probability of 1 in [0, 1], a number or a tensor (*batch_shape,).
        logits: its log odds instead; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they violate their constraints.

    >>> bernoulli = torch.distributions.Bernoulli(torch.tensor([0.25, 0.5]))
    >>> bernoulli.log_prob(torch.tensor(1.0)), bernoulli.variance
    (tensor([-1.3863, -0.6931]), tensor([0.1875, 0.2500]))
    """

    support = constraints.boolean

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (value,) = self._kept(probs, logits)
        super().__init__(value.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean `probs`."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The likelier value of 0 and 1, or NaN for probabilities of 1/2."""
        return lt.where(self.probs == 0.5, float("nan"), (self.probs >= 0.5).to(self.probs.dtype))

    @property
    def variance(self) -> Tensor:
        """The variance probs * (1 - probs)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw zeros and ones without gradients, in the dtype of `probs`.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        with no_grad():
            return lt.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of 0 or 1 from the log odds.

        Args:
            value: 0 or 1, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return logits * value - af.softplus(logits)

    def entropy(self) -> Tensor:
        """Compute the entropy -p * log(p) - (1 - p) * log(1 - p) with p = probs, in nats.

        Returns:
            (*batch_shape,).
        """
        return af.softplus(self.logits) - self.logits * self.probs

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """List 0 and 1 along a new first dim.

        Args:
            expand: True to repeat the values for the whole batch, False to leave dims of length 1 in its place.

        Returns:
            (2, *batch_shape), or (2, 1, ...) if `expand` is False.
        """
        values = lt.arange(2, dtype=self.probs.dtype, device=self.probs.device)
        return _listed(values, self._batch_shape, expand)


class Binomial(_Trial):
    """The binomial distribution of the number of successes in `total_count` independent trials.

    Probability: n! / (x! * (n - x)!) * probs**x * (1 - probs)**(n - x), with n = total_count.

    Args:
        total_count: the number of trials, an integer of at least 0 or a tensor (*batch_shape,) of such.
        probs: the probability of success in [0, 1], a number or a tensor; it broadcasts with `total_count`.
        logits: its log odds instead; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or a parameter violates its constraint.

    >>> binomial = torch.distributions.Binomial(4, probs=0.25)
    >>> binomial.mean, torch.exp(binomial.log_prob(torch.tensor(1.0)))
    (tensor(1.), tensor(0.4219))
    >>> binomial.enumerate_support()
    tensor([0., 1., 2., 3., 4.])
    """

    arg_constraints = {"total_count": constraints.nonnegative_integer, **_Trial.arg_constraints}

    def __init__(self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        total, value = self._kept(probs, logits, total_count)
        self.total_count = total.to(value.dtype)
        super().__init__(value.shape, (), validate_args)

    @property
    def support(self) -> constraints.Constraint:
        """Integers from 0 to `total_count`."""
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        """The mean total_count * probs."""
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        """The mode floor((total_count + 1) * probs), at most `total_count`."""
        return af.minimum(af.floor((self.total_count + 1) * self.probs), self.total_count)

    @property
    def variance(self) -> Tensor:
        """The variance total_count * probs * (1 - probs)."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw numbers of successes without gradients, in the dtype of the parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return af.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of `value` successes.

        Args:
            value: integers from 0 to total_count, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        ways = af.lgamma(n + 1) - af.lgamma(value + 1) - af.lgamma(n - value + 1)
        return ways + value * self.logits - n * af.softplus(self.logits)

    def entropy(self) -> Tensor:
        """Compute the entropy as a sum over all numbers of successes, in nats.

        Returns:
            (*batch_shape,).

        Raises:
            NotImplementedError: `total_count` is not the same for the whole batch.
        """
        count = int(lt.max(self.total_count).item())
        if not bool(lt.all(self.total_count == count).item()):
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        logs = self.log_prob(self.enumerate_support(False))
        return -lt.sum(af.exp(logs) * logs, 0)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """List the integers from 0 to `total_count` along a new first dim.

        Args:
            expand: True to repeat the values for the whole batch, False to leave dims of length 1 in its place.

        Returns:
            (total_count + 1, *batch_shape), with lengths of 1 for the batch if `expand` is False.

        Raises:
            NotImplementedError: `total_count` is not the same for the whole batch.
        """
        count = int(lt.max(self.total_count).item())
        if not bool(lt.all(self.total_count == count).item()):
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        values = lt.arange(count + 1, dtype=self.total_count.dtype, device=self.total_count.device)
        return _listed(values, self._batch_shape, expand)


class Poisson(Distribution):
    """The Poisson distribution of the number of independent events that occur at `rate` on average.

    Probability: rate**x * exp(-rate) / x!, for x = 0, 1, 2, ...

    Args:
        rate: the expected number, at least 0, a number or a tensor (*batch_shape,).
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `rate` is negative or NaN.

    >>> poisson = torch.distributions.Poisson(3.0)
    >>> poisson.mean, poisson.variance, poisson.log_prob(torch.tensor(2.0))
    (tensor(3.), tensor(3.), tensor(-1.4959))
    """

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The parameter `rate`."""
        return self.rate

    variance = mean

    @property
    def mode(self) -> Tensor:
        """The mode floor(rate)."""
        return af.floor(self.rate)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw counts without gradients, in the dtype of `rate`.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        with no_grad():
            return lt.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of `value` events.

        Args:
            value: integers of at least 0, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return af.xlogy(value, rate) - rate - af.lgamma(value + 1)
