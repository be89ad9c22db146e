"""The normal distribution of vectors whose covariance is a matrix of low rank and a diagonal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..distribution import Distribution
from ..domains import constraints
from ..domains.covariance import solved
from ..domains.parameters import lazy_property
from ..location_scale import _standard_normal

__all__ = ["LowRankMultivariateNormal"]


def _transposed(x: Tensor) -> Tensor:
    return lt.transpose(x, -2, -1)


class LowRankMultivariateNormal(Distribution):
    """The multivariate normal distribution of vectors whose covariance is a matrix of low rank plus a diagonal.

    Density: that of `MultivariateNormal` with the covariance C = cov_factor @ cov_factor.T + diag(cov_diag). Determinant and inverse of
    C are computed from matrices of the factor's rank (the matrix determinant lemma, Woodbury's identity).

    Args:
        loc: the mean, (*batch_shape, n).
        cov_factor: (*batch_shape, n, rank); a rank much lower than n pays off.
        cov_diag: the diagonal, positive, (*batch_shape, n); the batches broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter has too few dims, their shapes do not fit, or a parameter violates its constraint.

    >>> normal = torch.distributions.LowRankMultivariateNormal(torch.zeros(2), torch.ones(2, 1), torch.ones(2))
    >>> normal.covariance_matrix
    tensor([[2., 1.],
            [1., 2.]])
    >>> normal.log_prob(torch.tensor([1.0, 1.0]))
    tensor(-2.7205)
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc: Tensor, cov_factor: Tensor, cov_diag: Tensor, validate_args: bool | None = None) -> None:
        if loc.ndim < 1:
            raise ArgumentValueError("loc must be at least one-dimensional.")
        n = loc.shape[-1]
        if cov_factor.ndim < 2 or cov_factor.shape[-2] != n:
            raise ArgumentValueError(
                f"cov_factor must be a batch of matrices with shape {n} x m, not {tuple(cov_factor.shape)}"
            )
        if cov_diag.shape[-1:] != (n,):
            raise ArgumentValueError(f"cov_diag must be a batch of vectors with shape ({n},), not {tuple(cov_diag.shape)}")
        try:
            batch = lt.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            shapes = f"loc {tuple(loc.shape)}, cov_factor {tuple(cov_factor.shape)}, cov_diag {tuple(cov_diag.shape)}"
            raise ArgumentValueError(f"Incompatible batch shapes: {shapes}") from error
        self.loc, self.cov_diag = loc.expand((*batch, n)), cov_diag.expand((*batch, n))
        self.cov_factor = cov_factor.expand((*batch, *cov_factor.shape[-2:]))
        super().__init__(batch, (n,), validate_args)

    def _capacitance(self) -> Tensor:
        """The Cholesky factor of 1 + factor.T @ (factor / diagonal)."""
        w = self.cov_factor
        eye = lt.eye(w.shape[-1], dtype=w.dtype, device=w.device)
        return af.linalg.cholesky(_transposed(w) @ (w / lt.unsqueeze(self.cov_diag, -1)) + eye)

    def _half_log_det(self) -> Tensor:
        diagonal = lt.diagonal(self._capacitance(), dim1=-2, dim2=-1)
        return lt.sum(af.log(diagonal), -1) + 0.5 * lt.sum(af.log(self.cov_diag), -1)

    @property
    def mean(self) -> Tensor:
        """The parameter `loc`."""
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        """The diagonal of the covariance, (*batch_shape, n)."""
        return lt.sum(self.cov_factor**2, -1) + self.cov_diag

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance cov_factor @ cov_factor.T + diag(cov_diag), computed at the first use.

        Returns:
            (*batch_shape, n, n).
        """
        return self.cov_factor @ _transposed(self.cov_factor) + lt.diag_embed(self.cov_diag)

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower Cholesky factor of the covariance, computed at the first use.

        Returns:
            (*batch_shape, n, n).
        """
        return af.linalg.cholesky(self.covariance_matrix)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance, computed at the first use by Woodbury's identity.

        Returns:
            (*batch_shape, n, n).
        """
        across = _transposed(self.cov_factor / lt.unsqueeze(self.cov_diag, -1))
        part = solved(self._capacitance(), across)
        return lt.diag_embed(af.reciprocal(self.cov_diag)) - _transposed(part) @ part

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw samples as loc + cov_factor @ eps1 + sqrt(cov_diag) * eps2, with standard normal eps, and gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, n).
        """
        shape = self._extended_shape(sample_shape)
        of_factor = _standard_normal(self.loc, (*shape[:-1], self.cov_factor.shape[-1]))
        own = _standard_normal(self.loc, shape)
        moved = lt.squeeze(self.cov_factor @ lt.unsqueeze(of_factor, -1), -1)
        return self.loc + moved + af.sqrt(self.cov_diag) * own

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density of each vector without the full covariance.

        Args:
            value: vectors, (*sample_shape, *batch_shape, n) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        deviation = value - self.loc
        across = _transposed(self.cov_factor) @ lt.unsqueeze(deviation / self.cov_diag, -1)
        lower = self._capacitance()
        inside = solved(lower.expand((*across.shape[:-2], *lower.shape[-2:])), across)
        distance = lt.sum(deviation**2 / self.cov_diag, -1) - lt.sum(lt.squeeze(inside, -1) ** 2, -1)
        return -0.5 * (self.loc.shape[-1] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self) -> Any:
        """Compute the entropy n / 2 * (1 + log(2 * pi)) + log(det(C)) / 2, with C the covariance, in nats.

        Returns:
            (*batch_shape,).
        """
        return 0.5 * self.loc.shape[-1] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
