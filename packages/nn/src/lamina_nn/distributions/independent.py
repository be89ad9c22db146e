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
    """A distribution whose last batch dims belong to the event: their log-probabilities are added.

    Raises:
        ValueError: there are fewer batch dims.
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
        cut = count - reinterpreted_batch_ndims
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        parts = self.event_shape[: self.reinterpreted_batch_ndims]
        return type(self)(self.base_dist.expand((*batch_shape, *parts)), self.reinterpreted_batch_ndims, False)

    @property
    def has_rsample(self) -> bool:
        return bool(self.base_dist.has_rsample)

    @property
    def has_enumerate_support(self) -> bool:
        return not self.reinterpreted_batch_ndims and bool(self.base_dist.has_enumerate_support)

    @property
    def support(self) -> constraints.Constraint:
        found: constraints.Constraint = self.base_dist.support
        return constraints.independent(found, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else found

    @property
    def mean(self) -> Tensor:
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist!r}, {self.reinterpreted_batch_ndims})"
