"""Bernoulli and categorical distributions whose samples carry gradients: relaxed, or passed straight through.

Maddison et al. 2017, https://arxiv.org/abs/1611.00712; Jang et al. 2017, https://arxiv.org/abs/1611.01144
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_tensor import Size, Tensor

from ..distribution import Distribution
from ..domains import constraints
from ..domains.parameters import broadcast_all, clamp_probs
from ..made_of_others import OfBase
from ..maps.elementwise import ExpTransform, SigmoidTransform
from ..maps.transformed_distribution import TransformedDistribution
from .categories import Categorical, OneHotCategorical
from .trials import _Trial

__all__ = [
    "ExpRelaxedCategorical", "LogitRelaxedBernoulli", "OneHotCategoricalStraightThrough", "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
]  # fmt: skip


class LogitRelaxedBernoulli(_Trial):
    """The log odds of `RelaxedBernoulli`."""

    support = constraints.real
    has_enumerate_support = False

    def __init__(
        self, temperature: Tensor, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.temperature = temperature
        (value,) = self._kept(probs, logits)
        super().__init__(value.shape, (), validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        probs = clamp_probs(self.probs.expand(self._extended_shape(sample_shape)))
        u = clamp_probs(lt.rand(probs.shape, dtype=probs.dtype, device=probs.device))
        return (af.log(u) - af.log1p(-u) + af.log(probs) - af.log1p(-probs)) / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        off = logits - value * self.temperature
        return af.log(self.temperature) + off - 2 * af.log1p(af.exp(off))


class RelaxedBernoulli(TransformedDistribution):
    """Numbers within [0, 1], nearly 0 or 1 at a low temperature, with gradients to `probs` or `logits`."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    temperature, logits, probs = OfBase("temperature"), OfBase("logits"), OfBase("probs")

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args)


class ExpRelaxedCategorical(Distribution):
    """The logarithms of `RelaxedOneHotCategorical`."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.real_vector
    has_rsample = True
    logits = property(lambda self: self._categorical.logits, doc="The logarithms of the probabilities.")
    probs = property(lambda self: self._categorical.probs, doc="The probabilities.")

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._categorical, self.temperature = Categorical(probs, logits), temperature
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._categorical, made._batch_shape = self._categorical.expand(batch_shape), Size(batch_shape)
        return made

    @property
    def param_shape(self) -> Size:
        """The shape of the parameters."""
        return self._categorical.param_shape

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        logits = self.logits
        u = clamp_probs(lt.rand(self._extended_shape(sample_shape), dtype=logits.dtype, device=logits.device))
        return lt.log_softmax((logits - af.log(-af.log(u))) / self.temperature, -1)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        count = logits.shape[-1]
        scale = af.lgamma(lt.full_like(self.temperature, float(count))) + (count - 1) * af.log(self.temperature)
        return lt.sum(lt.log_softmax(logits - value * self.temperature, -1), -1) + scale


class RelaxedOneHotCategorical(TransformedDistribution):
    """Shares, nearly a one-hot row at a low temperature, with gradients to `probs` or `logits`."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True
    temperature, logits, probs = OfBase("temperature"), OfBase("logits"), OfBase("probs")

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """One-hot rows, whose gradients go straight to the probabilities. Bengio et al. 2013, https://arxiv.org/abs/1308.3432"""

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
