"""Samples of one distribution sent through transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor, no_grad

from ..distribution import Distribution
from ..domains import constraints
from ..domains.parameters import sum_rightmost
from ..independent import Independent
from .transforms import ComposeTransform, Transform

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """What comes out of one or more transforms of a distribution's samples.

    Raises:
        ValueError: the transforms are none, or want more dims than there are.
    """

    def __init__(
        self, base_distribution: Distribution, transforms: Transform | list[Transform], validate_args: bool | None = None
    ) -> None:
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(self.transforms, list) or not all(isinstance(t, Transform) for t in self.transforms):
            raise ArgumentValueError(f"transforms must be a Transform or list, but was {transforms}")
        base = base_distribution
        whole = ComposeTransform(self.transforms)
        shape, dims = base.batch_shape + base.event_shape, len(base.event_shape)
        domain, codomain = whole.domain.event_dim, whole.codomain.event_dim
        if len(shape) < domain:
            raise ArgumentValueError(f"base_distribution needs to have shape with size at least {domain}, but got {shape}.")
        reached = whole.forward_shape(shape)
        wanted = whole.inverse_shape(reached)
        if tuple(shape) != wanted:
            base = base.expand(wanted[: len(wanted) - dims])
        if domain > dims:
            base = Independent(base, domain - dims)
        self.base_dist = base
        cut = len(reached) - max(codomain, dims + codomain - domain)
        super().__init__(reached[:cut], reached[cut:], validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        shape = ComposeTransform(self.transforms).inverse_shape((*batch_shape, *self.event_shape))
        base = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.base_dist = base
        for name in self._parameters():
            made.__dict__[name] = self.__dict__[name].expand(tuple(batch_shape))
        made._batch_shape = type(self._batch_shape)(batch_shape)
        return made

    @property
    def support(self) -> constraints.Constraint:
        if not self.transforms:
            own: constraints.Constraint = self.base_dist.support
            return own
        found = self.transforms[-1].codomain
        more = len(self.event_shape) - found.event_dim
        return constraints.independent(found, more) if more > 0 else found

    @property
    def has_rsample(self) -> bool:
        return bool(self.base_dist.has_rsample)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            return ComposeTransform(self.transforms)(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return ComposeTransform(self.transforms)(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        stretched: Tensor | float = 0.0
        dims, y = len(self.event_shape), value
        for part in reversed(self.transforms):
            x = part.inv(y)
            dims += part.domain.event_dim - part.codomain.event_dim
            stretched = stretched - sum_rightmost(part.log_abs_det_jacobian(x, y), dims - part.domain.event_dim)
            y = x
        return stretched + sum_rightmost(self.base_dist.log_prob(y), dims - len(self.base_dist.event_shape))

    def _rising(self, value: Tensor) -> Tensor:
        sign = ComposeTransform(self.transforms).sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value: Tensor) -> Tensor:
        value = ComposeTransform(self.transforms).inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._rising(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return ComposeTransform(self.transforms)(self.base_dist.icdf(self._rising(value)))
