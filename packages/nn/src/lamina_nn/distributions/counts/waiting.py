"""Distributions of how many trials come before something happens: Geometric, NegativeBinomial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from ..domains import constraints
from ..domains.parameters import broadcast_all
from ..gamma_family import Gamma
from .trials import _Trial

__all__ = ["Geometric", "NegativeBinomial"]


class Geometric(_Trial):
    """The geometric distribution of the number of failures before the first success.

    Probability: (1 - probs)**x * probs, for x = 0, 1, 2, ...

    Args:
        probs: the probability of success in (0, 1], a number or a tensor (*batch_shape,).
        logits: its log odds instead; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they violate their constraints.

    >>> geometric = torch.distributions.Geometric(0.25)
    >>> geometric.mean, geometric.variance, torch.exp(geometric.log_prob(torch.tensor(2.0)))
    (tensor(3.), tensor(12.), tensor(0.1406))
    """

    support = constraints.nonnegative_integer
    has_enumerate_support = False

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (value,) = self._kept(probs, logits)
        super().__init__(value.shape, (), validate_args)
        if self._validate_args and probs is not None and not bool(lt.all(value > 0).item()):
            raise ArgumentValueError(f"Expected parameter probs of {self!r} to be positive but found invalid values:\n{value}")

    @property
    def mean(self) -> Tensor:
        """The mean 1 / probs - 1."""
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        """Zero, the likeliest number of failures."""
        return lt.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        """The variance (1 - probs) / probs**2."""
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw numbers of failures without gradients, by rounding exponential numbers down.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        with no_grad():
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.probs.dtype).tiny, 1)
            return af.floor(af.log(u) / af.log1p(-self.probs))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of `value` failures.

        Args:
            value: integers of at least 0, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        failing = lt.masked_fill(probs, (probs == 1) & (value == 0), 0.0)  # 0 * log(0) is to be 0
        return value * af.log1p(-failing) + af.log(self.probs)

    def entropy(self) -> Tensor:
        """Compute the entropy, that of a single trial divided by `probs`, in nats.

        Returns:
            (*batch_shape,).
        """
        return (af.softplus(self.logits) - self.logits * self.probs) / self.probs


class NegativeBinomial(_Trial):
    """The negative binomial distribution of the number of successes before `total_count` failures.

    Probability: gamma(n + x) / (gamma(n) * x!) * probs**x * (1 - probs)**n, with n = total_count and x = 0, 1, 2, ...

    Args:
        total_count: the number of failures, at least 0 and not necessarily an integer; a number or a tensor (*batch_shape,).
        probs: the probability of success in [0, 1), likewise; it broadcasts with `total_count`.
        logits: its log odds instead; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or a parameter violates its constraint.

    >>> negative = torch.distributions.NegativeBinomial(2, probs=0.25)
    >>> negative.mean, negative.variance, torch.exp(negative.log_prob(torch.tensor(1.0)))
    (tensor(0.6667), tensor(0.8889), tensor(0.2812))
    """

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer
    has_enumerate_support = False

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        total, value = self._kept(probs, logits, total_count)
        self.total_count = total.to(value.dtype)
        super().__init__(value.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean total_count * probs / (1 - probs)."""
        return self.total_count * af.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        """The mode floor((total_count - 1) * probs / (1 - probs)), at least 0."""
        return lt.clamp(af.floor((self.total_count - 1) * af.exp(self.logits)), min=0.0)

    @property
    def variance(self) -> Tensor:
        """The variance total_count * probs / (1 - probs)**2."""
        return self.mean / af.sigmoid(-self.logits)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw numbers of successes without gradients: Poisson counts whose rates are gamma numbers.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        with no_grad():
            rates = Gamma(self.total_count, af.exp(-self.logits), validate_args=False)
            return lt.poisson(rates.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of `value` successes, 0 for no successes before no failures.

        Args:
            value: integers of at least 0, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        n, x = self.total_count, self.logits
        ways = af.lgamma(n + value) - af.lgamma(1.0 + value) - af.lgamma(n)
        ways = lt.masked_fill(ways, n + value == 0.0, 0.0)  # nothing out of nothing is certain
        return ways - n * af.softplus(x) - value * af.softplus(-x)
