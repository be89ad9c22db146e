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
    """A mixture of distributions of one class: a component is drawn, and then a sample of it.

    Density: the sum over the components of their probability times their density.

    Args:
        mixture_distribution: a Categorical over k components, of the mixture's batch shape or one that broadcasts with it.
        component_distribution: the components, a distribution of the batch shape (*batch_shape, k).
        validate_args: whether values are checked; see `Distribution`.

    Raises:
        ValueError: the arguments are not such distributions, or differ in the number of components, or their batches do not
            broadcast.

    >>> weights = torch.distributions.Categorical(torch.tensor([0.25, 0.75]))
    >>> mixture = torch.distributions.MixtureSameFamily(weights, torch.distributions.Normal(torch.tensor([-2.0, 2.0]), 1.0))
    >>> mixture.mean, mixture.variance, mixture.log_prob(torch.tensor(2.0))
    (tensor(1.), tensor(4.), tensor(-1.2065))
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
                f"MixtureSameFamily: probabilities of components: {mixture.logits.shape[-1]}, but components: {components.batch_shape[-1]}"
            )
        self._mixture_distribution, self._component_distribution = mixture, components
        super().__init__(batch, components.event_shape, validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """Expand the batches of the weights and of the components.

        Args:
            batch_shape: the new batch shape, to which the present one broadcasts.
            _instance: unused, for PyTorch's signature.

        Returns:
            A mixture of the new batch shape.
        """
        result = type(self).__new__(type(self))
        result.__dict__.update(self.__dict__)
        result._component_distribution = self._component_distribution.expand(
            (*batch_shape, self._component_distribution.batch_shape[-1])
        )
        result._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        result._batch_shape = Size(batch_shape)
        return result

    @property
    def mixture_distribution(self) -> Categorical:
        """The Categorical that the components are drawn from."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The components, along the last dim of its batch."""
        return self._component_distribution

    @property
    def support(self) -> Constraint:
        """The values that all components can take."""
        return MixtureSameFamilyConstraint(self._component_distribution.support)

    def _average(self, of_components: Tensor) -> Tensor:
        """The mean over components, (*batch, components, *event)."""
        probs = self._mixture_distribution.probs
        dims = len(self._event_shape)
        return lt.sum(probs.reshape((*probs.shape, *(1,) * dims)) * of_components, -1 - dims)

    @property
    def mean(self) -> Tensor:
        """The mean of the components' means, weighted by their probabilities."""
        return self._average(self._component_distribution.mean)

    @property
    def variance(self) -> Tensor:
        """The weighted mean of the components' variances plus the variance of their means (the law of total variance)."""
        own = self._component_distribution
        return self._average(own.variance) + self._average((own.mean - self._for_each(self.mean)) ** 2)

    def _for_each(self, x: Tensor) -> Tensor:
        """With a dim of length 1 where the components are."""
        return lt.unsqueeze(x, -1 - len(self._event_shape))

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the weighted mean of the components' cumulative functions at `value`.

        Args:
            value: values of the components, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        return lt.sum(self._component_distribution.cdf(self._for_each(value)) * self._mixture_distribution.probs, -1)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the weighted sum of the components' densities, by a stable log-sum-exp.

        Args:
            value: values of the components, (*sample_shape, *batch_shape, *event_shape) or any shape that broadcasts with the
                batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        logs = self._component_distribution.log_prob(self._for_each(value))
        return lt.logsumexp(logs + lt.log_softmax(self._mixture_distribution.logits, -1), -1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw a sample of every component and select one of each by its probability, without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).
        """
        with no_grad():
            which = self._mixture_distribution.sample(sample_shape)
            samples = self._component_distribution.sample(sample_shape)
            dim = len(sample_shape) + len(self._batch_shape)
            which = which.reshape((*which.shape, *(1,) * (samples.ndim - which.ndim))).expand(
                (*samples.shape[:dim], 1, *self._event_shape)
            )
            return lt.squeeze(lt.gather(samples, dim, which), dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
