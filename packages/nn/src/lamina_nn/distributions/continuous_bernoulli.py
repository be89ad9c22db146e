"""The continuous Bernoulli distribution: a density on [0, 1] of Bernoulli's form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .counts.trials import _one_of
from .domains import constraints
from .domains.parameters import broadcast_all, clamp_probs, lazy_property, logits_to_probs, probs_to_logits
from .exponential_family import ExponentialFamily

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(ExponentialFamily):
    """The continuous Bernoulli distribution on [0, 1] (Loaiza-Ganem and Cunningham, 2019, https://arxiv.org/abs/1907.06845).

    Density: c * probs**x * (1 - probs)**(1 - x), with c = 2 * atanh(1 - 2 * probs) / (1 - 2 * probs), or 2 for probs = 1/2.

    Args:
        probs: the parameter in [0, 1], a number or a tensor (*batch_shape,); it is not the mean.
        logits: the log odds of `probs` instead; exactly one of both is to be given.
        lims: between these two probabilities, around 1/2, series replace the closed forms, which cancel there.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given; or `validate_args` is given and `probs` lies outside of [0, 1].

    >>> continuous = torch.distributions.ContinuousBernoulli(torch.tensor([0.2, 0.5]))
    >>> continuous.mean, continuous.log_prob(torch.tensor(0.0))
    (tensor([0.3880, 0.5000]), tensor([0.6143, 0.0000]))
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0.0

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        _one_of(probs, logits)
        if probs is None:
            (parameter,) = (self.logits,) = broadcast_all(logits)
        else:
            (parameter,) = broadcast_all(probs)
            if validate_args is not None and not bool(lt.all(constraints.unit_interval.check(parameter)).item()):
                raise ArgumentValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(parameter)
        self._lims = lims
        super().__init__(parameter.shape, (), validate_args)

    @lazy_property
    def logits(self) -> Tensor:
        """The log odds of `probs`, computed at the first use.

        Returns:
            (*batch_shape,).
        """
        return probs_to_logits(self.probs, True)

    @lazy_property
    def probs(self) -> Tensor:
        """The parameter as a probability, held off 0 and 1 by the dtype's epsilon.

        Returns:
            (*batch_shape,).
        """
        return clamp_probs(logits_to_probs(self.logits, True))

    @property
    def param_shape(self) -> Any:
        """The shape of `probs` and `logits`, that of the batch."""
        return self._batch_shape

    def _stable(self) -> Tensor:
        """Where the closed forms may be used."""
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _kept_off(self) -> Tensor:
        """The probabilities, with another one where series are used."""
        return lt.where(self._stable(), self.probs, self._lims[0])

    def _cont_bern_log_norm(self) -> Tensor:
        """The logarithm of what makes the density integrate to 1."""
        p = self._kept_off()
        low, high = lt.where(p <= 0.5, p, 0.0), lt.where(p >= 0.5, p, 1.0)
        width = lt.where(p <= 0.5, af.log1p(-2.0 * low), af.log(2.0 * high - 1.0))
        closed = af.log(af.abs(af.log1p(-p) - af.log(p))) - width
        x = (self.probs - 0.5) ** 2
        return lt.where(self._stable(), closed, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self) -> Tensor:
        """The mean p / (2 * p - 1) + 1 / (2 * atanh(1 - 2 * p)) with p = probs, or its Taylor series around 1/2."""
        p, x = self._kept_off(), self.probs - 0.5
        closed = p / (2.0 * p - 1.0) + 1.0 / (af.log1p(-p) - af.log(p))
        return lt.where(self._stable(), closed, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x)

    @property
    def variance(self) -> Tensor:
        """The variance in closed form, or its Taylor series around probs = 1/2."""
        p, x = self._kept_off(), (self.probs - 0.5) ** 2
        closed = p * (p - 1.0) / (1.0 - 2.0 * p) ** 2 + 1.0 / (af.log1p(-p) - af.log(p)) ** 2
        return lt.where(self._stable(), closed, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples with `icdf` from uniform numbers, with gradients to the parameter.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        return self.icdf(lt.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, the Bernoulli form plus the log normalizer.

        Args:
            value: numbers in [0, 1], (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return logits * value - af.softplus(logits) + self._cont_bern_log_norm()

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the probability of at most `value`, which is `value` itself around probs = 1/2.

        Args:
            value: numbers in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        if self._validate_args:
            self._validate_sample(value)
        p = self._kept_off()
        closed = (p**value * (1.0 - p) ** (1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        inside = lt.where(self._stable(), closed, value)
        return lt.where(value <= 0.0, 0.0, lt.where(value >= 1.0, 1.0, inside))

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles in closed form; around probs = 1/2 they are the probabilities themselves.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        p = self._kept_off()
        closed = (af.log1p(-p + value * (2.0 * p - 1.0)) - af.log1p(-p)) / (af.log(p) - af.log1p(-p))
        return lt.where(self._stable(), closed, value)

    def entropy(self) -> Tensor:
        """Compute the entropy, minus the expectation of `log_prob`, in nats.

        Returns:
            (*batch_shape,).
        """
        none, one = af.log1p(-self.probs), af.log(self.probs)
        return self.mean * (none - one) - self._cont_bern_log_norm() - none
