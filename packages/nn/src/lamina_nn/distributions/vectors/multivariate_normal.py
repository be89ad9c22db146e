"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ..distribution import Distribution
from ..domains import constraints
from ..domains.covariance import Covariance, solved
from ..location_scale import _standard_normal

__all__ = ["MultivariateNormal"]


class MultivariateNormal(Covariance, Distribution):
    """Vectors around `loc` with a covariance, given as it is, by its inverse or by its Cholesky factor.

    Raises:
        ValueError: not exactly one of the three is given, or it is no matrix, or a parameter lies outside.
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
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        return lt.sum(self.scale_tril**2, -1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        eps = _standard_normal(self.loc, self._extended_shape(sample_shape))
        return self.loc + lt.squeeze(self.scale_tril @ lt.unsqueeze(eps, -1), -1)

    def _half_log_det(self) -> Tensor:
        return lt.sum(af.log(lt.diagonal(self.scale_tril, dim1=-2, dim2=-1)), -1)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        off = lt.unsqueeze(value - self.loc, -1)
        lower = self.scale_tril.expand((*off.shape[:-2], *self.scale_tril.shape[-2:]))
        distance = lt.sum(lt.squeeze(solved(lower, off), -1) ** 2, -1)
        return -0.5 * (self.loc.shape[-1] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self) -> Tensor:
        return 0.5 * self.loc.shape[-1] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
