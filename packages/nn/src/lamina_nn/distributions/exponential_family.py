"""Distributions whose density is exp(<statistics, natural parameters> - normalizer): entropy and divergence follow from it."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor, enable_grad, grad

from .distribution import Distribution
from .domains.parameters import sum_rightmost

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """The base class of distributions of the density exp(t(x) . theta - F(theta) + k(x)), with natural parameters theta.

    A subclass defines `_natural_params` (theta), `_log_normalizer` (F) and `_mean_carrier_measure` (the expectation of k), as in
    PyTorch. Entropy and divergence follow from F and its gradient (Nielsen and Nock, 2010, https://arxiv.org/abs/0911.4863).

    Args:
        batch_shape: of the parameters.
        event_shape: of one sample.
        validate_args: whether parameters and samples are checked; None for the default.

    >>> class Waiting(torch.distributions.ExponentialFamily):
    ...     arg_constraints = {"rate": torch.distributions.constraints.positive}
    ...     _mean_carrier_measure = 0.0
    ...     def __init__(self, rate):
    ...         self.rate = rate
    ...         super().__init__(rate.shape)
    ...     _natural_params = property(lambda self: (-self.rate,))
    ...     def _log_normalizer(self, x):
    ...         return -torch.log(-x)
    >>> Waiting(torch.tensor(2.0)).entropy(), torch.distributions.Exponential(2.0).entropy()
    (tensor(0.3069, grad_fn=<SubBackward0>), tensor(0.3069))
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        """The natural parameters: subclasses define them."""
        raise NotImplementedError(f"{type(self).__name__} has no natural parameters")

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        """The logarithm of the normalizer: subclasses define it."""
        raise NotImplementedError(f"{type(self).__name__} has no normalizer")

    @property
    def _mean_carrier_measure(self) -> float:
        """The expectation of what does not depend on the parameters: subclasses define it."""
        raise NotImplementedError(f"{type(self).__name__} has no carrier measure")

    def _normalizer(self) -> tuple[list[Tensor], Tensor, Any]:
        """The natural parameters, the normalizer's logarithm there, and its gradient."""
        with enable_grad():
            leaves = [p.detach().requires_grad_() for p in self._natural_params]
            log_normalizer = self._log_normalizer(*leaves)
            return leaves, log_normalizer, grad(lt.sum(log_normalizer), leaves, create_graph=True)

    def entropy(self) -> Tensor:
        """Compute the entropy F(theta) - theta . grad F(theta) - E[k(x)] by differentiating the log normalizer, in nats.

        Returns:
            (*batch_shape,).
        """
        leaves, log_normalizer, slopes = self._normalizer()
        result = log_normalizer.sub(self._mean_carrier_measure)
        for leaf, slope in zip(leaves, slopes, strict=True):
            result = result - lt.sum((leaf * slope).reshape((*self._batch_shape, -1)), -1)
        return result

    def _divergence(self, other: Any) -> Tensor:
        """From another one of the same class: the normalizer's Bregman divergence.

        Raises:
            NotImplementedError: the other one is of another class.
        """
        if type(self) is not type(other):
            raise NotImplementedError("The divergence between different exponential families cannot be computed so")
        leaves, log_normalizer, slopes = self._normalizer()
        further = other._natural_params
        result = other._log_normalizer(*further) - log_normalizer
        for mine, its, slope in zip(leaves, further, slopes, strict=True):
            term = (its - mine) * slope
            result = result - sum_rightmost(term, term.ndim - log_normalizer.ndim)
        return result
