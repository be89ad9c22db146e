"""A covariance by any of three: as it is, by its inverse, or by its Cholesky factor; the other two follow when they are asked for."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .parameters import lazy_property

__all__ = ["Covariance", "solved"]


def solved(lower: Tensor, b: Tensor) -> Tensor:
    """Solve lower @ x = b for lower triangular matrices.

    Args:
        lower: (..., n, n).
        b: (..., n, m).

    Returns:
        x, (..., n, m).
    """
    result: Tensor = af.linalg.solve_triangular(lower, b, upper=False)
    return result


def _inverse(lower: Tensor) -> Tensor:
    return solved(lower, lt.eye(lower.shape[-1], dtype=lower.dtype, device=lower.device).expand(lower.shape))


def _factor_of_inverse(matrix: Tensor) -> Tensor:
    """The Cholesky factor of a matrix's inverse."""
    flipped = af.linalg.cholesky(lt.flip(matrix, (-2, -1)))
    return _inverse(lt.transpose(lt.flip(flipped, (-2, -1)), -2, -1))


class Covariance:
    """A mix-in for distributions with a covariance, of which one of three forms is stored and the other two are computed on demand.

    >>> precision = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
    >>> normal = torch.distributions.MultivariateNormal(torch.zeros(2), precision_matrix=precision)
    >>> normal.covariance_matrix
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """

    @staticmethod
    def _given(error: type[Exception], **forms: Tensor | None) -> tuple[str, Tensor]:
        """The one form that is given, and its name.

        Raises:
            Exception: `error`, for not exactly one.
            ValueError: it is no matrix.
        """
        present = [(name, value) for name, value in forms.items() if value is not None]
        if len(present) != 1:
            raise error("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = present
        if matrix.ndim < 2:
            raise ArgumentValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        return name, matrix

    @lazy_property
    def scale_tril(self) -> Tensor:
        """The lower Cholesky factor of the covariance, computed at the first use.

        Returns:
            (*batch_shape, n, n), lower triangular with a positive diagonal.
        """
        if "covariance_matrix" in self.__dict__:
            return af.linalg.cholesky(self.covariance_matrix)
        return _factor_of_inverse(self.precision_matrix)

    @lazy_property
    def covariance_matrix(self) -> Tensor:
        """The covariance scale_tril @ scale_tril.T, computed at the first use.

        Returns:
            (*batch_shape, n, n), symmetric and positive definite.
        """
        return self.scale_tril @ lt.transpose(self.scale_tril, -2, -1)

    @lazy_property
    def precision_matrix(self) -> Tensor:
        """The inverse of the covariance, computed at the first use from its Cholesky factor.

        Returns:
            (*batch_shape, n, n), symmetric and positive definite.
        """
        inverse = _inverse(self.scale_tril)
        return lt.transpose(inverse, -2, -1) @ inverse
