"""What all distributions have: shapes, checks, expansion, and sampling without gradients."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Size, Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from .domains.constraints import Constraint, dependent
from .domains.parameters import lazy_property

__all__ = ["Distribution"]


class Distribution:
    """The base class of all distributions: a batch of independent distributions, each of events of one shape.

    As in PyTorch, a subclass defines those of `rsample`, `log_prob`, `cdf`, `icdf`, `enumerate_support`, `entropy` and the moments
    that its distribution has; the others raise NotImplementedError.

    Args:
        batch_shape: the shape of the batch, () for a single distribution.
        event_shape: the shape of one event, () for a number.
        validate_args: True to check parameters and values, False to skip it; None for what `set_default_validate_args` set, at
            first True.

    Attributes:
        arg_constraints: a dict from the name of each parameter to the constraint it has to satisfy.
        support: the constraint of the values.
        has_rsample: whether samples carry gradients to the parameters.
        has_enumerate_support: whether `enumerate_support` lists all values.

    Raises:
        ValueError: a parameter violates its constraint, and arguments are checked.

    >>> normal = torch.distributions.Normal(torch.zeros(3), torch.tensor([1.0, 2.0, 4.0]))
    >>> normal.batch_shape, normal.event_shape, normal.sample((5,)).shape
    (lamina.Size([3]), lamina.Size([]), lamina.Size([5, 3]))
    >>> normal.log_prob(torch.tensor(0.0))
    tensor([-0.9189, -1.6121, -2.3052])
    """

    arg_constraints: ClassVar[dict[str, Constraint]] = {}
    support: Any = None
    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args: bool = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Set whether distributions check parameters and values if they are not told by `validate_args`.

        Args:
            value: True to check, False not to.

        Raises:
            ValueError: `value` is not a bool.
        """
        if value not in (True, False):
            raise ArgumentValueError(f"set_default_validate_args: True or False wanted, not {value!r}")
        Distribution._validate_args = value

    def __init__(
        self, batch_shape: Sequence[int] = (), event_shape: Sequence[int] = (), validate_args: bool | None = None
    ) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                self._check_parameter(name, constraint)

    def _check_parameter(self, name: str, constraint: Constraint) -> None:
        if constraint is dependent or (name not in self.__dict__ and isinstance(getattr(type(self), name, None), lazy_property)):
            return
        value = getattr(self, name)
        if not bool(lt.all(constraint.check(value.detach())).item()):
            raise ArgumentValueError(
                f"Expected parameter {name} (Tensor of shape {tuple(value.shape)}) of distribution {self!r} to satisfy the "
                f"constraint {constraint!r}, but found invalid values:\n{value}"
            )

    def _validate_sample(self, value: Tensor) -> None:
        """Refuse values that do not fit in shape, or lie outside of the support.

        Raises:
            ValueError: they do not fit.
        """
        if not isinstance(value, Tensor):
            raise ArgumentValueError("The value argument to log_prob must be a Tensor")
        shape, whole = tuple(value.shape), self._batch_shape + self._event_shape
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ArgumentValueError(f"The right-most size of value must match event_shape: {shape} vs {tuple(self._event_shape)}.")
        for a, b in zip(reversed(shape), reversed(whole), strict=False):
            if 1 not in (a, b) and a != b:
                raise ArgumentValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {tuple(whole)}.")
        if self.support is None:
            warnings.warn(f"{type(self)} does not define `support` to enable sample validation.", stacklevel=3)
        elif not bool(lt.all(self.support.check(value.detach())).item()):
            raise ArgumentValueError(
                f"Expected value argument (Tensor of shape {shape}) to be within the support ({self.support!r}) of the "
                f"distribution {self!r}, but found invalid values:\n{value}"
            )

    # -- shapes ---------------------------------------------------------------------------------------------------------

    @property
    def batch_shape(self) -> Size:
        """The shape of the batch: one distribution per item."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one event, () for distributions of numbers."""
        return self._event_shape

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _parameters(self) -> list[str]:
        """The names of the parameters that were given or computed, all of them tensors."""
        return [name for name in self.arg_constraints if isinstance(self.__dict__.get(name), Tensor)]

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """Expand the batch to a larger shape; parameters are expanded as views, nothing is copied.

        Args:
            batch_shape: the new batch shape, to which the present one broadcasts.
            _instance: an instance of a subclass to fill, as PyTorch's subclasses hand it on; by default a new one.

        Returns:
            A distribution of the same class, of the new batch shape.
        """
        result = type(self).__new__(type(self)) if _instance is None else _instance
        result.__dict__.update(self.__dict__)
        lead = len(self._batch_shape)
        for name in self._expanded():
            value = self.__dict__[name]
            result.__dict__[name] = value.expand((*batch_shape, *value.shape[lead:]))
        result._batch_shape = Size(batch_shape)
        return result

    def _expanded(self) -> list[str]:
        """The names of the tensors with the batch in front."""
        return self._parameters()

    # -- samples --------------------------------------------------------------------------------------------------------

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).
        """
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples that carry gradients to the parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).

        Raises:
            NotImplementedError: the distribution cannot be reparametrized.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rsample")

    def sample_n(self, n: int) -> Tensor:
        """Draw `n` samples without gradients, as `sample((n,))` does.

        Args:
            n: how many.

        Returns:
            (n, *batch_shape, *event_shape).
        """
        return self.sample((n,))

    # -- what subclasses define -----------------------------------------------------------------------------------------

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, or of the probability of a discrete value.

        Args:
            value: values within the support, (*sample_shape, *batch_shape, *event_shape) or any shape that broadcasts with the
                batch.

        Returns:
            (*sample_shape, *batch_shape).

        Raises:
            NotImplementedError: the class does not define it.
            ValueError: where a class defines it and arguments are checked, values lie outside of the support, or have another
                shape.
        """
        raise NotImplementedError(f"{type(self).__name__} has no log_prob")

    def cdf(self, value: Tensor) -> Tensor:
        """Compute the cumulative distribution function: the probability of a sample of at most `value`.

        Args:
            value: values within the support, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no cdf")

    def icdf(self, value: Tensor) -> Tensor:
        """Compute quantiles, with the inverse of `cdf`.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no icdf")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """List all values of a discrete distribution along a new first dim.

        Args:
            expand: True to repeat the values for the whole batch, False to leave dims of length 1 in its place.

        Returns:
            (values, *batch_shape, *event_shape), with lengths of 1 for the batch if `expand` is False.

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no enumerate_support")

    def entropy(self) -> Tensor:
        """Compute the entropy in nats: the expectation of -log_prob.

        Returns:
            (*batch_shape,).

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no entropy")

    def perplexity(self) -> Tensor:
        """Compute exp(entropy), the number of equally likely values of the same entropy.

        Returns:
            (*batch_shape,).
        """
        return af.exp(self.entropy())

    @property
    def mean(self) -> Tensor:
        """The expectation, (*batch_shape, *event_shape)."""
        raise NotImplementedError(f"{type(self).__name__} has no mean")

    @property
    def mode(self) -> Tensor:
        """The value of the greatest density, (*batch_shape, *event_shape)."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance of every item of an event, (*batch_shape, *event_shape)."""
        raise NotImplementedError(f"{type(self).__name__} has no variance")

    @property
    def stddev(self) -> Tensor:
        """The standard deviation: the square root of the variance."""
        return af.sqrt(self.variance)

    def __repr__(self) -> str:
        parts = [f"{n}: {v if v.numel() == 1 else v.shape}" for n in self._parameters() if (v := self.__dict__[n]) is not None]
        return f"{type(self).__name__}({', '.join(parts)})"


def _listed(values: Tensor, batch_shape: Sequence[int], expand: bool) -> Tensor:
    """Values along a new first dim, before a batch."""
    result = values.reshape(-1, *(1,) * len(batch_shape))
    return result.expand(-1, *batch_shape) if expand else result
