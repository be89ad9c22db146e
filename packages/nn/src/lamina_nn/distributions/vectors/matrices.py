"""Distributions of matrices: of covariances (Wishart), and of Cholesky factors of correlations (LKJ)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from ..distribution import Distribution
from ..domains import constraints
from ..domains.covariance import Covariance
from ..domains.parameters import broadcast_all
from ..exponential_family import ExponentialFamily
from ..gamma_family import Chi2
from ..shares import Beta

__all__ = ["LKJCholesky", "Wishart"]


class LKJCholesky(Distribution):
    """The LKJ distribution of the lower Cholesky factors L of correlation matrices (Lewandowski et al., 2009,
    https://doi.org/10.1016/j.jmva.2009.04.008).

    Density: proportional to the product of L[i, i]**(dim - i + 2 * (concentration - 1)) for i = 2, ..., dim, counted from 1; so the
    correlation matrix R = L @ L.T has a density proportional to det(R)**(concentration - 1).

    Args:
        dim: the number of rows, at least 2.
        concentration: positive, a number or a tensor (*batch_shape,); 1 for a uniform density of correlation matrices, greater
            for matrices closer to the identity.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `dim` is less than 2, or `concentration` is not positive.

    >>> lkj = torch.distributions.LKJCholesky(3, 1.0)
    >>> lkj.log_prob(torch.eye(3))
    tensor(-1.5963)
    >>> lkj.sample((4,)).shape
    lamina.Size([4, 3, 3])
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise ArgumentValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw Cholesky factors by the onion method, row by row from beta and normal numbers, without gradients.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape, dim, dim).
        """
        with no_grad():
            own = self.concentration
            before = lt.clamp(lt.arange(-1, self.dim - 1, dtype=own.dtype, device=own.device), min=0)
            lengths = Beta(
                before + 0.5, lt.unsqueeze(own + 0.5 * (self.dim - 2), -1) - 0.5 * before, validate_args=False
            )
            y = lengths.sample(sample_shape)
            lower = lt.tril(lt.randn(self._extended_shape(sample_shape), dtype=y.dtype, device=y.device), -1)
            rows = lower / lt.norm(lower, dim=-1, keepdim=True)
            first = lt.arange(self.dim, device=own.device).reshape(-1, 1) == 0
            below = af.sqrt(lt.unsqueeze(y, -1)) * lt.where(first, 0.0, rows)
            rest = lt.clamp(1 - lt.sum(below**2, -1), min=finfo(below.dtype).tiny)
            return below + lt.diag_embed(af.sqrt(rest))

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the normalized density of each factor.

        Args:
            value: lower Cholesky factors with rows of length 1, (*sample_shape, *batch_shape, dim, dim) or any shape that
                broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        own, n = self.concentration, self.dim - 1
        order = self.dim - lt.arange(2, self.dim + 1, device=own.device) + 2 * lt.unsqueeze(own - 1, -1)
        unscaled = lt.sum(order * af.log(lt.diagonal(value, dim1=-2, dim2=-1)[..., 1:]), -1)
        alpha = own + 0.5 * n
        return unscaled - 0.5 * n * math.log(math.pi) - af.special.multigammaln(alpha - 0.5, n) + af.lgamma(alpha) * n


class Wishart(Covariance, ExponentialFamily):
    """The Wishart distribution of n x n matrices: for an integer `df`, the sum of x @ x.T over `df` normal vectors x of covariance V.

    Density: det(X)**((df - n - 1) / 2) * exp(-trace(inv(V) @ X) / 2) / (2**(df * n / 2) * det(V)**(df / 2) * multigamma(df / 2, n)).

    Args:
        df: the degrees of freedom, greater than n - 1, a number or a tensor (*batch_shape,).
        covariance_matrix: V, symmetric and positive definite, (*batch_shape, n, n); exactly one of the three forms is to be given.
        precision_matrix: the inverse of V instead, likewise.
        scale_tril: the lower Cholesky factor of V instead, with a positive diagonal.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        AssertionError: not exactly one of the three forms is given.
        ValueError: it has less than two dims, `df` is not greater than n - 1, or a parameter violates its constraint.

    >>> wishart = torch.distributions.Wishart(4.0, torch.eye(2))
    >>> wishart.mean
    tensor([[4., 0.],
            [0., 4.]])
    >>> wishart.log_prob(torch.eye(2)), wishart.entropy()
    (tensor(-4.2242), tensor(6.3014))
    """

    arg_constraints = {
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
        "df": constraints.greater_than(0),
    }
    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0.0

    def __init__(
        self, df: Any, covariance_matrix: Tensor | None = None, precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None, validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        name, matrix = self._given(
            AssertionError, covariance_matrix=covariance_matrix, precision_matrix=precision_matrix, scale_tril=scale_tril
        )
        degrees = df if isinstance(df, Tensor) else lt.tensor(float(df), dtype=matrix.dtype, device=matrix.device)
        batch = lt.broadcast_shapes(matrix.shape[:-2], degrees.shape)
        self.df, n = degrees.expand(batch), matrix.shape[-1]
        if bool(lt.any(self.df <= n - 1).item()):
            raise ArgumentValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        if bool(lt.any(self.df < n).item()):
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        self.__dict__[name] = matrix.expand((*batch, n, n))
        super().__init__(batch, (n, n), validate_args)

    def _degrees(self) -> Tensor:
        return lt.unsqueeze(lt.unsqueeze(self.df, -1), -1)

    @property
    def mean(self) -> Tensor:
        """The mean df * V."""
        return self._degrees() * self.covariance_matrix

    @property
    def mode(self) -> Tensor:
        """The mode (df - n - 1) * V, or NaN for df <= n + 1."""
        factor = self._degrees() - self._event_shape[-1] - 1
        return lt.where(factor <= 0, math.nan, factor) * self.covariance_matrix

    @property
    def variance(self) -> Tensor:
        """The variance df * (V[i, j]**2 + V[i, i] * V[j, j]) of each item."""
        v = self.covariance_matrix
        d = lt.diagonal(v, dim1=-2, dim2=-1)
        return self._degrees() * (v**2 + lt.unsqueeze(d, -1) * lt.unsqueeze(d, -2))

    def _drawn(self, sample_shape: Sequence[int]) -> Tensor:
        """By Bartlett's decomposition."""
        n, lower = self._event_shape[-1], self.scale_tril
        counts = lt.arange(n, dtype=lower.dtype, device=lower.device)
        lengths = Chi2(lt.unsqueeze(self.df, -1) - counts, validate_args=False).rsample(sample_shape)
        noise = lt.diag_embed(lt.clamp(af.sqrt(lengths), min=finfo(lower.dtype).eps))
        shape = (*sample_shape, *self._batch_shape)
        normal = lt.randn((*shape, n * (n - 1) // 2), dtype=lower.dtype, device=lower.device)
        places = lt.nonzero(lt.tril(lt.ones((n, n), device=lower.device), -1).reshape(n * n))[:, 0]
        blank = lt.zeros((*shape, n * n), dtype=lower.dtype, device=lower.device)
        factor = lower @ (noise + lt.index_add(blank, -1, places, normal).reshape((*shape, n, n)))
        return factor @ lt.transpose(factor, -2, -1)

    def rsample(self, sample_shape: Sequence[int] = (), max_try_correction: int | None = None) -> Tensor:
        """Draw samples by Bartlett's decomposition, with gradients to the parameters.

        As in PyTorch, so that the same seed draws the same numbers, the first samples that are positive definite are drawn once more;
        then those that are singular, up to `max_try_correction` times in all.

        Args:
            sample_shape: how many samples, as dims before those of the batch.
            max_try_correction: how often samples are drawn again, 10 times for None; a warning tells if singular ones are left.

        Returns:
            (*sample_shape, *batch_shape, n, n), symmetric.
        """
        samples = self._drawn(sample_shape)
        flat = samples.reshape((-1, *self._batch_shape, *self._event_shape))
        rows = lt.nonzero(self._any_of_batch(self.support.check(flat)))[:, 0]
        for _ in range(10 if max_try_correction is None else max_try_correction):
            if not rows.shape[0]:
                break
            redrawn = self._drawn(rows.shape)
            flat = flat.index_copy(0, rows, redrawn)
            rows = rows[lt.nonzero(self._any_of_batch(~self.support.check(redrawn)))[:, 0]]
        if rows.shape[0]:
            warnings.warn("Singular sample detected.", stacklevel=2)
        return flat.reshape(samples.shape)

    def _any_of_batch(self, flags: Tensor) -> Tensor:
        """Whether a sample has one set for any distribution of the batch."""
        return lt.any(flags.reshape((flags.shape[0], -1)), 1)

    def _half_log_det(self) -> Tensor:
        return lt.sum(af.log(lt.diagonal(self.scale_tril, dim1=-2, dim2=-1)), -1)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density of each matrix.

        Args:
            value: positive definite matrices, (*sample_shape, *batch_shape, n, n) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        nu, n = self.df, self._event_shape[-1]
        trace = lt.sum(lt.diagonal(lt.cholesky_solve(value, self.scale_tril), dim1=-2, dim2=-1), -1)
        return (-nu * (n * math.log(2) / 2 + self._half_log_det()) - af.special.multigammaln(nu / 2, n)
                + (nu - n - 1) / 2 * af.linalg.slogdet(value)[1] - trace / 2)  # fmt: skip

    def entropy(self) -> Tensor:
        """Compute the entropy in closed form, from digamma and multivariate log-gamma functions, in nats.

        Returns:
            (*batch_shape,).
        """
        nu, n = self.df, self._event_shape[-1]
        halves = lt.arange(n, dtype=nu.dtype, device=nu.device) / 2
        slope = lt.sum(af.digamma(lt.unsqueeze(nu / 2, -1) - halves), -1)
        return ((n + 1) * (n * math.log(2) / 2 + self._half_log_det()) + af.special.multigammaln(nu / 2, n)
                - (nu - n - 1) / 2 * slope + nu * n / 2)  # fmt: skip

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x, y), n = natural_params, self._event_shape[-1]
        half = y + (n + 1) / 2
        result: Tensor = half * (math.log(2) * n - af.linalg.slogdet(-2 * x)[1]) + af.special.multigammaln(half, n)
        return result
