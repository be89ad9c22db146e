"""Distributions over categories: one drawn, as an index or a one-hot row, or counted over several draws."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Size, Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from ..distribution import Distribution, _listed
from ..domains import constraints
from ..domains.parameters import lazy_property, logits_to_probs, probs_to_logits
from .trials import _one_of

__all__ = ["Categorical", "Multinomial", "OneHotCategorical"]


class _Categories(Distribution):
    """What they have: probabilities or their logarithms along the last dim, made to add up to 1."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}

    def _set(self, probs: Tensor | None, logits: Tensor | None) -> None:
        _one_of(probs, logits)
        name, parameter = ("logits", logits) if probs is None else ("probs", probs)
        if parameter is None or parameter.ndim < 1:
            raise ArgumentValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self.__dict__[name] = parameter - lt.logsumexp(parameter, -1, keepdim=True)
        else:
            self.__dict__[name] = parameter / lt.sum(parameter, -1, keepdim=True)
        self._num_events = parameter.shape[-1]

    @lazy_property
    def logits(self) -> Tensor:
        """The logarithms of the probabilities, (*batch_shape, k), computed at the first use."""
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self) -> Tensor:
        """The probabilities of the categories, (*batch_shape, k), computed at the first use."""
        return logits_to_probs(self.logits)

    @property
    def param_shape(self) -> Size:
        """The shape (*batch_shape, k) of `probs` and `logits`."""
        return Size((*self._batch_shape, self._num_events))

    def _indices(self, sample_shape: Sequence[int]) -> Tensor:
        """Categories drawn: (*sample_shape, *batch_shape)."""
        with no_grad():
            rows = self.probs.reshape(-1, self._num_events)
            indices = lt.multinomial(rows, prod(sample_shape), True)
            return lt.transpose(indices, 0, 1).reshape((*sample_shape, *self._batch_shape))


def _shape_of(x: _Categories) -> tuple[int, ...]:
    parameter = x.__dict__.get("probs", x.__dict__.get("logits"))
    return tuple(parameter.shape)  # type: ignore[union-attr]


class Categorical(_Categories):
    """The categorical distribution of an index from 0 to k - 1, each with its own probability.

    Probability: probs[x], after dividing `probs` by their sum.

    Args:
        probs: weights of at least 0, (*batch_shape, k).
        logits: logarithms of weights instead, likewise; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they have no dims, or violate their constraints.

    >>> categorical = torch.distributions.Categorical(torch.tensor([1.0, 2.0, 5.0]))
    >>> categorical.probs, categorical.mode, categorical.log_prob(torch.tensor([0, 2]))
    (tensor([0.1250, 0.2500, 0.6250]), tensor(2), tensor([-2.0794, -0.4700]))
    """

    has_enumerate_support = True

    def __init__(self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None) -> None:
        self._set(probs, logits)
        super().__init__(_shape_of(self)[:-1], (), validate_args)

    @property
    def support(self) -> constraints.Constraint:
        """Integers from 0 to k - 1."""
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        """NaN, as indices of categories have no mean."""
        return lt.full(self._batch_shape, float("nan"), dtype=self.probs.dtype, device=self.probs.device)

    variance = mean

    @property
    def mode(self) -> Tensor:
        """The index of the greatest probability."""
        return lt.argmax(self.probs, -1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw indices without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape), of dtype int64.
        """
        return self._indices(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        """Select the logarithms of the probabilities of the categories `value`.

        Args:
            value: indices from 0 to k - 1, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        index, logs = af.broadcast_arrays(value.long().unsqueeze(-1), self.logits)
        return lt.gather(logs, -1, index[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        """Compute the entropy -sum(probs * log(probs)) over the categories, in nats.

        Returns:
            (*batch_shape,).
        """
        return -lt.sum(lt.clamp(self.logits, min=finfo(self.logits.dtype).min) * self.probs, -1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """List the indices from 0 to k - 1 along a new first dim.

        Args:
            expand: True to repeat the values for the whole batch, False to leave dims of length 1 in its place.

        Returns:
            (k, *batch_shape) of dtype int64, with lengths of 1 for the batch if `expand` is False.
        """
        return _listed(lt.arange(self._num_events, device=self.probs.device), self._batch_shape, expand)


class OneHotCategorical(_Categories):
    """The categorical distribution of one-hot rows of length k: a 1 at the drawn category, 0 elsewhere.

    Probability: prod(probs**x) over the categories, after dividing `probs` by their sum.

    Args:
        probs: weights of at least 0, (*batch_shape, k).
        logits: logarithms of weights instead, likewise; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: both or neither of `probs` and `logits` are given, or they have no dims, or violate their constraints.

    >>> one_hot = torch.distributions.OneHotCategorical(torch.tensor([1.0, 2.0, 5.0]))
    >>> one_hot.mode, one_hot.log_prob(torch.tensor([0.0, 1.0, 0.0]))
    (tensor([0., 0., 1.]), tensor(-1.3863))
    >>> one_hot.sample((4,)).shape
    lamina.Size([4, 3])
    """

    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(self, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None) -> None:
        self._set(probs, logits)
        shape = _shape_of(self)
        super().__init__(shape[:-1], shape[-1:], validate_args)

    def _index(self) -> Categorical:
        parameters = {name: self.__dict__[name] for name in ("probs", "logits") if name in self.__dict__}
        return Categorical(**dict([next(iter(parameters.items()))]), validate_args=False)

    @property
    def mean(self) -> Tensor:
        """The mean `probs`."""
        return self.probs

    @property
    def mode(self) -> Tensor:
        """The one-hot row of the greatest probability."""
        return self._rows(lt.argmax(self.probs, -1))

    @property
    def variance(self) -> Tensor:
        """The variance probs * (1 - probs) of each item."""
        return self.probs * (1 - self.probs)

    def _rows(self, indices: Tensor) -> Tensor:
        return af.one_hot_positions(indices, self._num_events).to(self.probs.dtype)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw one-hot rows without gradients, in the dtype of `probs`.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, k).
        """
        return self._rows(self._indices(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """Select the logarithm of the probability of the category at which each row is greatest.

        Args:
            value: one-hot rows, (*sample_shape, *batch_shape, k) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        return self._index().log_prob(lt.argmax(value, -1))

    def entropy(self) -> Tensor:
        """Compute the entropy -sum(probs * log(probs)) over the categories, in nats.

        Returns:
            (*batch_shape,).
        """
        return self._index().entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """List the k one-hot rows along a new first dim.

        Args:
            expand: True to repeat the values for the whole batch, False to leave dims of length 1 in its place.

        Returns:
            (k, *batch_shape, k), with lengths of 1 for the batch if `expand` is False.
        """
        n = self._num_events
        rows = lt.eye(n, dtype=self.probs.dtype, device=self.probs.device).reshape(n, *(1,) * len(self._batch_shape), n)
        return rows.expand(n, *self._batch_shape, n) if expand else rows


class Multinomial(_Categories):
    """The multinomial distribution of how often each of k categories occurs in `total_count` draws.

    Probability: n! / prod(x!) * prod(probs**x), with n = total_count and counts x that add up to n.

    Args:
        total_count: the number of draws, one integer for the whole batch.
        probs: weights of the categories, at least 0, (*batch_shape, k).
        logits: logarithms of weights instead, likewise; exactly one of both is to be given.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        NotImplementedError: `total_count` is not an int.
        ValueError: both or neither of `probs` and `logits` are given, or they have no dims, or violate their constraints.

    >>> multinomial = torch.distributions.Multinomial(4, torch.tensor([1.0, 1.0, 2.0]))
    >>> multinomial.mean, torch.exp(multinomial.log_prob(torch.tensor([1.0, 1.0, 2.0])))
    (tensor([1., 1., 2.]), tensor(0.1875))
    >>> torch.sum(multinomial.sample((2,)), -1)
    tensor([4., 4.])
    """

    def __init__(
        self, total_count: int = 1, probs: Tensor | None = None, logits: Tensor | None = None, validate_args: bool | None = None
    ) -> None:
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._set(probs, logits)
        shape = _shape_of(self)
        super().__init__(shape[:-1], shape[-1:], validate_args)

    @property
    def support(self) -> constraints.Constraint:
        """Rows of counts of at least 0 whose sum is at most `total_count`."""
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Tensor:
        """The mean total_count * probs."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Tensor:
        """The variance total_count * probs * (1 - probs) of each count."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw categories `total_count` times and count them, without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, k).
        """
        indices = self._indices((self.total_count, *sample_shape))
        counts = af.one_hot_positions(indices, self._num_events).to(self.probs.dtype)
        return lt.sum(counts, 0)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the probability of rows of counts.

        Args:
            value: rows of counts that add up to total_count, (*sample_shape, *batch_shape, k) or any shape that broadcasts with
                the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        logits, value = af.broadcast_arrays(self.logits, value)
        logits = lt.masked_fill(logits, (value == 0) & (logits == -float("inf")), 0)
        ways = af.lgamma(lt.sum(value, -1) + 1) - lt.sum(af.lgamma(value + 1), -1)
        return ways + lt.sum(logits * value, -1)

    def entropy(self) -> Tensor:
        """Compute the entropy from that of one draw and the binomial distributions of the counts, in nats.

        Returns:
            (*batch_shape,).
        """
        from .trials import Binomial

        n = lt.tensor(float(self.total_count), dtype=self.probs.dtype, device=self.probs.device)
        each = Categorical(probs=self.probs, validate_args=False).entropy()
        single = Binomial(self.total_count, probs=self.probs, validate_args=False)
        values = single.enumerate_support(expand=False)[1:]
        weights = af.exp(single.log_prob(values))
        return n * each - af.lgamma(n + 1) + lt.sum(lt.sum(weights * af.lgamma(values + 1), 0), -1)
