"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..distribution import Distribution
from ..domains import constraints
from ..domains.covariance import Covariance, solved
from ..location_scale import _standard_normal

__all__ = ["MultivariateNormal"]


class MultivariateNormal(Covariance, Distribution):
    """The multivariate normal distribution of vectors of n items with mean `loc` and a full covariance.

    Density: exp(-(x - loc).T @ inv(C) @ (x - loc) / 2) / sqrt((2 * pi)**n * det(C)), with C = covariance_matrix.

    Args:
        loc: the mean, (*batch_shape, n).
        covariance_matrix: a symmetric positive definite tensor (*batch_shape, n, n); exactly one of the three forms is to be given.
        precision_matrix: the inverse of the covariance instead, likewise.
        scale_tril: the lower Cholesky factor of the covariance instead, with a positive diagonal; the fastest of the three.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` has no dims, not exactly one form is given or it has less than two dims, or a parameter violates its
            constraint.

    >>> normal = torch.distributions.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 1.0], [1.0, 2.0]]))
    >>> normal.event_shape, normal.log_prob(torch.tensor([1.0, 1.0]))
    (lamina.Size([2]), tensor(-2.7205))
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc: Tensor, covariance_matrix: Tensor | None = None, precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None, validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        if loc.ndim < 1:
            raise ArgumentValueError("loc must be at least one-dimensional.")
        name, matrix = self._given(
            ValueError, covariance_matrix=covariance_matrix, precision_matrix=precision_matrix, scale_tril=scale_tril
        )
        batch = af.broadcast_arrays(lt.empty((*matrix.shape[:-2], 1)), lt.empty((*loc.shape[:-1], 1)))[0].shape[:-1]
        self.__dict__[name] = matrix.expand((*batch, *matrix.shape[-2:]))
        self.loc = loc.expand((*batch, loc.shape[-1]))
        super().__init__(batch, self.loc.shape[-1:], validate_args)

    @property
    def mean(self) -> Tensor:
        """The parameter `loc`."""
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        """The diagonal of the covariance, (*batch_shape, n)."""
        return lt.sum(self.scale_tril**2, -1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as loc + scale_tril @ eps, with standard normal eps and gradients to the parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, n).
        """
        eps = _standard_normal(self.loc, self._extended_shape(sample_shape))
        return self.loc + lt.squeeze(self.scale_tril @ lt.unsqueeze(eps, -1), -1)

    def _half_log_det(self) -> Tensor:
        return lt.sum(af.log(lt.diagonal(self.scale_tril, dim1=-2, dim2=-1)), -1)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density of each vector by a triangular solve.

        Args:
            value: vectors, (*sample_shape, *batch_shape, n) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        deviation = lt.unsqueeze(value - self.loc, -1)
        lower = self.scale_tril.expand((*deviation.shape[:-2], *self.scale_tril.shape[-2:]))
        distance = lt.sum(lt.squeeze(solved(lower, deviation), -1) ** 2, -1)
        return -0.5 * (self.loc.shape[-1] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self) -> Tensor:
        """Compute the entropy n / 2 * (1 + log(2 * pi)) + log(det(scale_tril)), in nats.

        Returns:
            (*batch_shape,).
        """
        return 0.5 * self.loc.shape[-1] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
