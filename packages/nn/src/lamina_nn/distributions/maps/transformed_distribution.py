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
    """The distribution of a base distribution's samples after one or more transforms.

    Density: p(x) / |det dy / dx| at x = inverse(y), with p the density of the base distribution.

    Args:
        base_distribution: the distribution that is sampled; its batch is expanded where a transform's parameters are larger, and
            its last batch dims join the event where a transform takes whole vectors.
        transforms: a Transform, or a list of such, the first one applied first.
        validate_args: whether values are checked; see `Distribution`.

    Raises:
        ValueError: `transforms` is neither a Transform nor a list of such, or takes more dims than the base distribution has.

    >>> transforms = [torch.distributions.ExpTransform(), torch.distributions.AffineTransform(1.0, 2.0)]
    >>> shifted = torch.distributions.TransformedDistribution(torch.distributions.Normal(0.0, 1.0), transforms)
    >>> shifted.log_prob(torch.tensor(3.0)), shifted.cdf(torch.tensor(3.0))
    (tensor(-1.6121), tensor(0.5000))
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
        base_shape = whole.inverse_shape(reached)
        if tuple(shape) != base_shape:
            base = base.expand(base_shape[: len(base_shape) - dims])
        if domain > dims:
            base = Independent(base, domain - dims)
        self.base_dist = base
        batch_dims = len(reached) - max(codomain, dims + codomain - domain)
        super().__init__(reached[:batch_dims], reached[batch_dims:], validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """Expand the batch of the base distribution and of the parameters.

        Args:
            batch_shape: the new batch shape, to which the present one broadcasts.
            _instance: unused, for PyTorch's signature.

        Returns:
            A distribution of the same class, of the new batch shape.
        """
        shape = ComposeTransform(self.transforms).inverse_shape((*batch_shape, *self.event_shape))
        base = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        result = type(self).__new__(type(self))
        result.__dict__.update(self.__dict__)
        result.base_dist = base
        for name in self._parameters():
            result.__dict__[name] = self.__dict__[name].expand(tuple(batch_shape))
        result._batch_shape = type(self._batch_shape)(batch_shape)
        return result

    @property
    def support(self) -> constraints.Constraint:
        """The codomain of the last transform, of whole events."""
        if not self.transforms:
            own: constraints.Constraint = self.base_dist.support
            return own
        codomain = self.transforms[-1].codomain
        more = len(self.event_shape) - codomain.event_dim
        return constraints.independent(codomain, more) if more > 0 else codomain

    @property
    def has_rsample(self) -> bool:
        """Whether samples of the base distribution carry gradients."""
        return bool(self.base_dist.has_rsample)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples of the base distribution and transform them, without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).
        """
        with no_grad():
            return ComposeTransform(self.transforms)(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples of the base distribution with gradients and transform them.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).
        """
        return ComposeTransform(self.transforms)(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density: the base distribution's at the inverse of `value`, less log |det dy / dx|.

        Args:
            value: values within the support, (*sample_shape, *batch_shape, *event_shape) or any shape that broadcasts with the
                batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
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
        """Compute the base distribution's cumulative function at the inverse of `value`, or 1 minus it if the transforms fall.

        Args:
            value: values within the support, of a shape that broadcasts with the batch.

        Returns:
            Probabilities in [0, 1], of the broadcast shape.
        """
        value = ComposeTransform(self.transforms).inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._rising(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        """Transform quantiles of the base distribution, of 1 minus the probability if the transforms fall.

        Args:
            value: probabilities in [0, 1], of a shape that broadcasts with the batch.

        Returns:
            Quantiles, of the broadcast shape.
        """
        return ComposeTransform(self.transforms)(self.base_dist.icdf(self._rising(value)))
