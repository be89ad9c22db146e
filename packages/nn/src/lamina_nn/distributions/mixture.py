"""Mixtures of distributions of one class: one of the last batch dim is drawn, and then a sample of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Size, Tensor, no_grad

from .counts.categories import Categorical
from .distribution import Distribution
from .domains.constraints import Constraint, MixtureSameFamilyConstraint

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture.

    Args:
        mixture_distribution: which component is drawn, how often.
        component_distribution: the components, along the last batch dim.

    Raises:
        ValueError: they are no such distributions, or differ in how many components there are, or in the batch.
    """

    has_rsample = False

    def __init__(
        self, mixture_distribution: Categorical, component_distribution: Distribution, validate_args: bool | None = None
    ) -> None:
        mixture, components = mixture_distribution, component_distribution
        if not isinstance(mixture, Categorical):
            raise ArgumentValueError("The Mixture distribution needs to be an instance of torch.distributions.Categorical")
        if not isinstance(components, Distribution):
            raise ArgumentValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        batch = components.batch_shape[:-1]
        for a, b in zip(reversed(mixture.batch_shape), reversed(batch), strict=False):
            if 1 not in (a, b) and a != b:
                raise ArgumentValueError(
                    f"MixtureSameFamily: batches of {tuple(mixture.batch_shape)} and {tuple(batch)} do not fit"
                )
        if mixture.logits.shape[-1] != components.batch_shape[-1]:
            raise ArgumentValueError(
                f"MixtureSameFamily: probabilities of {mixture.logits.shape[-1]} components, but {components.batch_shape[-1]} of them"
            )
        self._mixture_distribution, self._component_distribution = mixture, components
        super().__init__(batch, components.event_shape, validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._component_distribution = self._component_distribution.expand(
            (*batch_shape, self._component_distribution.batch_shape[-1])
        )
        made._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        made._batch_shape = Size(batch_shape)
        return made

    @property
    def mixture_distribution(self) -> Categorical:
        """Which component is drawn, how often."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components."""
        return self._component_distribution

    @property
    def support(self) -> Constraint:
        return MixtureSameFamilyConstraint(self._component_distribution.support)

    def _average(self, of_components: Tensor) -> Tensor:
        """The mean over components, (*batch, components, *event)."""
        probs = self._mixture_distribution.probs
        dims = len(self._event_shape)
        return lt.sum(probs.reshape((*probs.shape, *(1,) * dims)) * of_components, -1 - dims)

    @property
    def mean(self) -> Tensor:
        return self._average(self._component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        own = self._component_distribution
        return self._average(own.variance) + self._average((own.mean - self._for_each(self.mean)) ** 2)

    def _for_each(self, x: Tensor) -> Tensor:
        """With a dim of length 1 where the components are."""
        return lt.unsqueeze(x, -1 - len(self._event_shape))

    def cdf(self, value: Tensor) -> Tensor:
        return lt.sum(self._component_distribution.cdf(self._for_each(value)) * self._mixture_distribution.probs, -1)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        logs = self._component_distribution.log_prob(self._for_each(value))
        return lt.logsumexp(logs + lt.log_softmax(self._mixture_distribution.logits, -1), -1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            which = self._mixture_distribution.sample(sample_shape)
            drawn = self._component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self._batch_shape)
            which = which.reshape((*which.shape, *(1,) * (drawn.ndim - which.ndim))).expand(
                (*drawn.shape[:dim], 1, *self._event_shape)
            )
            return lt.squeeze(lt.gather(drawn, dim, which), dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
