"""Bernoulli and categorical distributions whose samples carry gradients: relaxed, or passed straight through.

Maddison et al. 2017, https://arxiv.org/abs/1611.00712; Jang et al. 2017, https://arxiv.org/abs/1611.01144
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import lamina_tensor as lt
from lamina_tensor import Size, Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..distribution import Distribution
from ..domains import constraints
from ..domains.parameters import broadcast_all, clamp_probs
from ..made_of_others.of_base import OfBase
from ..maps.elementwise import ExpTransform, SigmoidTransform
from ..maps.transformed_distribution import TransformedDistribution
from .categories import Categorical, OneHotCategorical
from .trials import _Trial

__all__ = [
    "ExpRelaxedCategorical", "LogitRelaxedBernoulli", "OneHotCategoricalStraightThrough", "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
]  # fmt: skip


class LogitRelaxedBernoulli(_Trial):
    """The distribution of the log odds of `RelaxedBernoulli` (the binary concrete distribution before its sigmoid).

    Density, with l = logits and t = temperature: t * exp(l - t * x) / (1 + exp(l - t * x))**2 (Maddison et al., 2017,
    https://arxiv.org/abs/1611.00712).

    Args:
        temperature: a positive tensor that broadcasts with the parameters; for sampling alone, a number serves as well.
        probs: the probability of 1 in [0, 1], a number or a tensor (*batch_shape,).
        logits: its log odds instead; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they violate their constraints.

    >>> relaxed = torch.distributions.LogitRelaxedBernoulli(torch.tensor(0.5), 0.5)
    >>> relaxed.log_prob(torch.tensor(0.0))
    tensor(-2.0794)
    """

    support = constraints.real
    has_enumerate_support = False

    def __init__(
        self, temperature: Tensor, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self.temperature = temperature
        (value,) = self._kept(probs, logits)
        super().__init__(value.shape, (), validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw logistic numbers, shift them by the log odds and divide them by the temperature; gradients reach the parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        probs = clamp_probs(self.probs.expand(self._extended_shape(sample_shape)))
        u = clamp_probs(lt.rand(probs.shape, dtype=probs.dtype, device=probs.device))
        return (af.log(u) - af.log1p(-u) + af.log(probs) - af.log1p(-probs)) / self.temperature

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, item by item.

        Args:
            value: log odds, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        difference = logits - value * self.temperature
        return af.log(self.temperature) + difference - 2 * af.log1p(af.exp(difference))


class RelaxedBernoulli(TransformedDistribution):
    """The relaxed Bernoulli (binary concrete) distribution of numbers in [0, 1], which carry gradients to `probs` or `logits`.

    Density, with l = logits, t = temperature and y = log(x / (1 - x)): t * exp(l - t * y) / ((1 + exp(l - t * y))**2 * x * (1 - x)).
    At a low temperature samples lie close to 0 or 1 (Maddison et al., 2017; Jang et al., 2017, https://arxiv.org/abs/1611.01144).

    Args:
        temperature: a positive tensor that broadcasts with the parameters; for sampling alone, a number serves as well.
        probs: the probability of 1 in [0, 1], a number or a tensor (*batch_shape,).
        logits: its log odds instead; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they violate their constraints.

    >>> relaxed = torch.distributions.RelaxedBernoulli(torch.tensor(0.5), 0.5)
    >>> relaxed.log_prob(torch.tensor(0.5)), relaxed.rsample((3,)).shape
    (tensor(-0.6931), lamina.Size([3]))
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    temperature, logits, probs = OfBase("temperature"), OfBase("logits"), OfBase("probs")

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args)


class ExpRelaxedCategorical(Distribution):
    """The distribution of the logarithms of `RelaxedOneHotCategorical` (the concrete distribution before its exponential).

    Density, with t = temperature: (k - 1)! * t**(k - 1) * prod(softmax(logits - t * x)) (Maddison et al., 2017).

    Args:
        temperature: a positive tensor (); for sampling alone, a number serves as well.
        probs: weights of at least 0, (*batch_shape, k).
        logits: logarithms of weights instead, likewise; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they have no dims, or violate their constraints.

    >>> relaxed = torch.distributions.ExpRelaxedCategorical(torch.tensor(0.5), torch.tensor([1.0, 1.0, 2.0]))
    >>> relaxed.log_prob(torch.log(torch.tensor([0.2, 0.3, 0.5])))
    tensor(-4.0370)
    """

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.real_vector
    has_rsample = True

    @property
    def logits(self) -> Tensor:
        """Return the logarithms of the probabilities."""
        return self._categorical.logits

    @property
    def probs(self) -> Tensor:
        """Return the probabilities."""
        return self._categorical.probs

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._categorical, self.temperature = Categorical(probs, logits), temperature
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """Expand the batch of the categorical distribution inside.

        Args:
            batch_shape: the new batch shape, to which the present one broadcasts.
            _instance: unused, for PyTorch's signature.

        Returns:
            A distribution of the new batch shape and the same temperature.
        """
        result = type(self).__new__(type(self))
        result.__dict__.update(self.__dict__)
        result._categorical, result._batch_shape = self._categorical.expand(batch_shape), Size(batch_shape)
        return result

    @property
    def param_shape(self) -> Size:
        """The shape (*batch_shape, k) of `probs` and `logits`."""
        return self._categorical.param_shape

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as the log softmax of Gumbel numbers plus `logits`, divided by the temperature; gradients reach the parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, k).
        """
        logits = self.logits
        u = clamp_probs(lt.rand(self._extended_shape(sample_shape), dtype=logits.dtype, device=logits.device))
        return lt.log_softmax((logits - af.log(-af.log(u))) / self.temperature, -1)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density of each row.

        Args:
            value: logarithms of shares, (*sample_shape, *batch_shape, k) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        count = logits.shape[-1]
        scale = af.lgamma(lt.full_like(self.temperature, float(count))) + (count - 1) * af.log(self.temperature)
        return lt.sum(lt.log_softmax(logits - value * self.temperature, -1), -1) + scale


class RelaxedOneHotCategorical(TransformedDistribution):
    """The relaxed one-hot categorical (concrete) distribution of k shares, which carry gradients to `probs` or `logits`.

    Density, with t = temperature: (k - 1)! * t**(k - 1) * prod(softmax(logits - t * log(x)) / x) (Maddison et al., 2017; Jang et al.,
    2017). At a low temperature samples are close to one-hot rows.

    Args:
        temperature: a positive tensor (); for sampling alone, a number serves as well.
        probs: weights of at least 0, (*batch_shape, k).
        logits: logarithms of weights instead, likewise; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they have no dims, or violate their constraints.

    >>> relaxed = torch.distributions.RelaxedOneHotCategorical(torch.tensor(0.5), torch.tensor([1.0, 1.0, 2.0]))
    >>> relaxed.event_shape, relaxed.log_prob(torch.tensor([0.2, 0.3, 0.5]))
    (lamina.Size([3]), tensor(-0.5305))
    """

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
    """The categorical distribution of one-hot rows whose gradients pass straight through to `probs` (Bengio et al., 2013,
    https://arxiv.org/abs/1308.3432).

    Probability: prod(probs**x) over the categories, after dividing `probs` by their sum, as of `OneHotCategorical`.

    Args:
        probs: weights of at least 0, (*batch_shape, k).
        logits: logarithms of weights instead, likewise; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    >>> weights = torch.tensor([0.2, 0.3, 0.5], requires_grad=True)
    >>> rows = torch.distributions.OneHotCategoricalStraightThrough(weights).rsample()
    >>> torch.sum(rows * torch.tensor([1.0, 2.0, 3.0])).backward()
    >>> weights.grad
    tensor([-1.3000, -0.3000,  0.7000])
    """

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw one-hot rows with the gradients of `probs`: the rows plus probs - probs.detach().

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, k).
        """
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
