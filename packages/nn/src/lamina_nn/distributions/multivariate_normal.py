"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.array_functions as af
from lamina_tensor import Tensor

from . import constraints
from .distribution import Distribution
from .location_scale import _standard_normal
from .parameters import lazy_property

__all__ = ["MultivariateNormal"]


def _solved(lower: Tensor, b: Tensor) -> Tensor:
    found: Tensor = af.linalg.solve_triangular(lower, b, upper=False)
    return found


def _factor_of_inverse(matrix: Tensor) -> Tensor:
    """The Cholesky factor of a matrix's inverse."""
    flipped = af.linalg.cholesky(lt.flip(matrix, (-2, -1)))
    lower = lt.transpose(lt.flip(flipped, (-2, -1)), -2, -1)
    return _solved(lower, lt.eye(lower.shape[-1], dtype=lower.dtype, device=lower.device).expand(lower.shape))


class MultivariateNormal(Distribution):
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
            raise ValueError("loc must be at least one-dimensional.")
        given: dict[str, Any] = {
            "covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril
        }  # fmt: skip
        found = {name: value for name, value in given.items() if value is not None}
        if len(found) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = found.items()
        if matrix.ndim < 2:
            raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = af.broadcast_arrays(lt.empty((*matrix.shape[:-2], 1)), lt.empty((*loc.shape[:-1], 1)))[0].shape[:-1]
        self.__dict__[name] = matrix.expand((*batch, *matrix.shape[-2:]))
        self.loc = loc.expand((*batch, loc.shape[-1]))
        super().__init__(batch, self.loc.shape[-1:], validate_args)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The Cholesky factor of the covariance."""
        if "covariance_matrix" in self.__dict__:
            return af.linalg.cholesky(self.covariance_matrix)
        return _factor_of_inverse(self.precision_matrix)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance."""
        return self.scale_tril @ lt.transpose(self.scale_tril, -2, -1)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance."""
        eye = lt.eye(self.loc.shape[-1], dtype=self.loc.dtype, device=self.loc.device).expand(self.scale_tril.shape)
        inverse = _solved(self.scale_tril, eye)
        return lt.transpose(inverse, -2, -1) @ inverse

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
        distance = lt.sum(lt.squeeze(_solved(lower, off), -1) ** 2, -1)
        return -0.5 * (self.loc.shape[-1] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self) -> Tensor:
        return 0.5 * self.loc.shape[-1] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
