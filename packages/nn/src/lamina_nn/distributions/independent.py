"""The last dims of a batch as parts of one event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import sum_rightmost

__all__ = ["Independent"]


class Independent(Distribution):
    """A distribution whose last batch dims are taken as dims of the event.

    Density: the product of the base distribution's densities over these dims.

    Args:
        base_distribution: a distribution with a batch.
        reinterpreted_batch_ndims: how many of the last batch dims become dims of the event.
        validate_args: without effect, as the base distribution checks its parameters and values itself.

    Raises:
        ValueError: the base distribution has fewer batch dims.

    >>> rows = torch.distributions.Independent(torch.distributions.Normal(torch.zeros(3, 2), 1.0), 1)
    >>> rows.batch_shape, rows.event_shape
    (lamina.Size([3]), lamina.Size([2]))
    >>> rows.log_prob(torch.zeros(2))
    tensor([-1.8379, -1.8379, -1.8379])
    """

    def __init__(
        self, base_distribution: Distribution, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        count = len(base_distribution.batch_shape)
        if reinterpreted_batch_ndims > count:
            raise ArgumentValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {count}"
            )
        shape = base_distribution.batch_shape + base_distribution.event_shape
        batch_dims = count - reinterpreted_batch_ndims
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        super().__init__(shape[:batch_dims], shape[batch_dims:], validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """Expand the batch of the base distribution in front of the dims that belong to the event.

        Args:
            batch_shape: the new batch shape, to which the present one broadcasts.
            _instance: unused, for PyTorch's signature.

        Returns:
            An `Independent` of the new batch shape.
        """
        parts = self.event_shape[: self.reinterpreted_batch_ndims]
        return type(self)(self.base_dist.expand((*batch_shape, *parts)), self.reinterpreted_batch_ndims, False)

    @property
    def has_rsample(self) -> bool:
        """Whether samples of the base distribution carry gradients."""
        return bool(self.base_dist.has_rsample)

    @property
    def has_enumerate_support(self) -> bool:
        """Whether the values can be listed: not with dims of the batch in the event."""
        return not self.reinterpreted_batch_ndims and bool(self.base_dist.has_enumerate_support)

    @property
    def support(self) -> constraints.Constraint:
        """The base distribution's support, checked for whole events."""
        own: constraints.Constraint = self.base_dist.support
        return constraints.independent(own, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else own

    @property
    def mean(self) -> Tensor:
        """The mean of the base distribution."""
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        """The mode of the base distribution."""
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        """The variance of the base distribution, item by item."""
        return self.base_dist.variance

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples of the base distribution without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).
        """
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples of the base distribution that carry gradients to its parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, *event_shape).
        """
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        """Sum the base distribution's log densities over the dims of the event.

        Args:
            value: values of the base distribution, (*sample_shape, *batch_shape, *event_shape) or any shape that broadcasts
                with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        """Sum the base distribution's entropies over the dims of the event, in nats.

        Returns:
            (*batch_shape,).
        """
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """List the values of the base distribution, if no batch dims belong to the event.

        Args:
            expand: True to repeat the values for the whole batch, False to leave dims of length 1 in its place.

        Returns:
            (values, *batch_shape, *event_shape), with lengths of 1 for the batch if `expand` is False.

        Raises:
            NotImplementedError: batch dims belong to the event.
        """
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist!r}, {self.reinterpreted_batch_ndims})"
