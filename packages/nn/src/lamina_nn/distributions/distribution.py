"""What all distributions have: shapes, checks, expansion, and sampling without gradients."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Size, Tensor, no_grad

from .domains.constraints import Constraint, dependent
from .domains.parameters import lazy_property

__all__ = ["Distribution"]


class Distribution:
    """A batch of distributions of events. As in PyTorch, a subclass defines those of `rsample`, `log_prob`, `cdf`, `icdf`,
    `enumerate_support`, `entropy` and the moments that its distribution has; the others raise NotImplementedError.

    Args:
        batch_shape: how many there are.
        event_shape: the shape of one event.
        validate_args: whether parameters and values are checked; by default what `set_default_validate_args` said, at first yes.

    Attributes:
        arg_constraints: where the parameters lie, by name.
        has_rsample: whether samples carry gradients to the parameters.
        has_enumerate_support: whether all values can be listed.

    Raises:
        ValueError: a parameter lies elsewhere.
    """

    arg_constraints: ClassVar[dict[str, Constraint]] = {}
    support: Any = None
    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args: bool = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether parameters and values are checked where nothing else is said."""
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
        shape, wanted = tuple(value.shape), self._batch_shape + self._event_shape
        if shape[len(shape) - len(self._event_shape) :] != self._event_shape:
            raise ArgumentValueError(f"The right-most size of value must match event_shape: {shape} vs {tuple(self._event_shape)}.")
        for a, b in zip(reversed(shape), reversed(wanted), strict=False):
            if 1 not in (a, b) and a != b:
                raise ArgumentValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {tuple(wanted)}.")
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
        """How many distributions there are."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one event."""
        return self._event_shape

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> Size:
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _parameters(self) -> list[str]:
        """The names of the parameters that were given or computed, all of them tensors."""
        return [name for name in self.arg_constraints if isinstance(self.__dict__.get(name), Tensor)]

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """The same distributions, repeated to a larger batch."""
        made = type(self).__new__(type(self)) if _instance is None else _instance
        made.__dict__.update(self.__dict__)
        lead = len(self._batch_shape)
        for name in self._expanded():
            value = self.__dict__[name]
            made.__dict__[name] = value.expand((*batch_shape, *value.shape[lead:]))
        made._batch_shape = Size(batch_shape)
        return made

    def _expanded(self) -> list[str]:
        """The names of the tensors with the batch in front."""
        return self._parameters()

    # -- samples --------------------------------------------------------------------------------------------------------

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Samples (*sample_shape, *batch_shape, *event_shape), without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Samples that carry gradients to the parameters.

        Raises:
            NotImplementedError: there is no way to make such.
        """
        raise NotImplementedError(f"{type(self).__name__} has no rsample")

    def sample_n(self, n: int) -> Tensor:
        """n samples."""
        return self.sample((n,))

    # -- what subclasses define -----------------------------------------------------------------------------------------

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability, at values."""
        raise NotImplementedError(f"{type(self).__name__} has no log_prob")

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of no more than a value."""
        raise NotImplementedError(f"{type(self).__name__} has no cdf")

    def icdf(self, value: Tensor) -> Tensor:
        """The inverse of `cdf`."""
        raise NotImplementedError(f"{type(self).__name__} has no icdf")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values, along a new first dim."""
        raise NotImplementedError(f"{type(self).__name__} has no enumerate_support")

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        raise NotImplementedError(f"{type(self).__name__} has no entropy")

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return af.exp(self.entropy())

    @property
    def mean(self) -> Tensor:
        """The expectation."""
        raise NotImplementedError(f"{type(self).__name__} has no mean")

    @property
    def mode(self) -> Tensor:
        """The most probable value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The expected squared distance from the mean."""
        raise NotImplementedError(f"{type(self).__name__} has no variance")

    @property
    def stddev(self) -> Tensor:
        """The root of the variance."""
        return af.sqrt(self.variance)

    def __repr__(self) -> str:
        parts = [f"{n}: {v if v.numel() == 1 else v.shape}" for n in self._parameters() if (v := self.__dict__[n]) is not None]
        return f"{type(self).__name__}({', '.join(parts)})"


def _listed(values: Tensor, batch_shape: Sequence[int], expand: bool) -> Tensor:
    """Values along a new first dim, before a batch."""
    found = values.reshape(-1, *(1,) * len(batch_shape))
    return found.expand(-1, *batch_shape) if expand else found
