"""How much variables vary together: covariances and correlations of the rows of a matrix."""

from __future__ import annotations

import warnings
from typing import Any

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..dispatch.namespace import Array, generic, namespace

__all__ = ["corrcoef", "cov"]


def _check_weights(name: str, weights: Any, count: int, whole: bool) -> None:
    """Raises ShapeError or DTypeError where weights are not one number >= 0 for each observation."""
    xp = namespace(weights)
    if weights.ndim > 1:
        raise ShapeError(f"cov: expected {name} to have one or fewer dimensions but got shape {tuple(weights.shape)}")
    if (weights.dtype.kind not in "ui") if whole else not weights.dtype.is_floating_point:
        kind = "an integral" if whole else "a floating point"
        raise DTypeError(f"cov: expected {name} to have {kind} dtype but got {weights.dtype.name}")
    if weights.ndim and weights.shape[0] != count:
        raise ShapeError(f"cov: expected {name} to have {count} items, one per observation, but got {weights.shape[0]}")
    if bool(xp.any(xp.all_slices(weights) < 0)):
        raise UsageError(f"cov: {name} cannot be negative")


@generic
def cov(input: Array, *, correction: float = 1, fweights: Array | None = None, aweights: Array | None = None) -> Array:
    """Compute the covariances of variables, one per row, with one observation per column.

    Args:
        input: a matrix, or a vector for one variable; integers are taken in the default dtype.
        correction: what is subtracted from the number of observations.
        fweights: integers, how often each observation came; None for once.
        aweights: floating-point numbers, how much each observation counts; None for evenly.

    Returns:
        The matrix of covariances, with as many rows as variables; an array without axes for one variable.

    Raises:
        ShapeError: input has more than 2 axes, or weights are not one number per observation.
        UsageError: weights are negative, or sum to 0.
        DTypeError: input is bool, fweights are not integers, or aweights not floating-point.

    >>> nd.cov(nd.asarray([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    NDArray([[ 1., -1.],
             [-1.,  1.]])
    """
    xp = namespace(input)
    if input.ndim > 2:
        raise ShapeError(f"cov: expected input to have two or fewer dimensions but got shape {tuple(input.shape)}")
    if input.dtype.kind == "b":
        raise DTypeError("cov: bool dtype is not supported for input")
    x = xp.reshape(input, (1, -1)) if input.ndim < 2 else input
    count = x.shape[1]
    weights: Any = None
    if fweights is not None:
        _check_weights("fweights", fweights, count, True)
        weights = fweights
    if aweights is not None:
        _check_weights("aweights", aweights, count, False)
        weights = aweights if weights is None else weights * aweights
    total: Any = count if weights is None else xp.sum(weights)
    if weights is not None and bool(xp.any(xp.equal(xp.all_slices(total), 0))):
        raise UsageError("cov: weights sum to zero, can't be normalized")
    means = xp.sum(x if weights is None else x * weights, 1, True) / total
    degrees = total - correction * (1 if aweights is None else xp.sum(weights * aweights) / total)
    if bool(degrees <= 0) if isinstance(degrees, (int, float)) else bool(xp.any(xp.all_slices(degrees) <= 0)):
        warnings.warn("cov: degrees of freedom is <= 0; the correction is not less than the observations", stacklevel=2)
        degrees = 0 if isinstance(degrees, (int, float)) else xp.where(degrees <= 0, 0.0, degrees)
    distances = x - means
    turned = xp.conj(xp.transpose(distances))
    products = xp.matmul(distances if weights is None else distances * weights, turned)
    covariance = products / degrees
    return xp.reshape(covariance, ()) if covariance.shape == (1, 1) else covariance


@generic
def corrcoef(input: Array) -> Array:
    """Compute the Pearson correlations of variables, one per row, with one observation per column.

    Args:
        input: a matrix, or a vector for one variable; integers are taken in the default dtype.

    Returns:
        The matrix of correlations: covariances divided by both standard deviations, each part between -1 and 1. An
        array
        without axes for one variable.

    Raises:
        ShapeError: input has more than 2 axes.
        DTypeError: input is bool.

    >>> nd.corrcoef(nd.asarray([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]))
    NDArray([[ 1., -1.],
             [-1.,  1.]])
    """
    xp = namespace(input)
    if input.ndim > 2:
        raise ShapeError(f"corrcoef: expected input to have two or fewer dimensions but got {tuple(input.shape)}")
    matrix = cov(input)
    if not matrix.ndim:
        return matrix / matrix
    variances = xp.reshape(matrix, (-1,))[:: matrix.shape[0] + 1]
    deviations = xp.sqrt(xp.real(variances))
    matrix = matrix / xp.unsqueeze(deviations, 1) / deviations
    if not matrix.dtype.is_complex:
        return xp.clip(matrix, -1, 1)
    return xp.clip(xp.real(matrix), -1, 1) + xp.clip(xp.imag(matrix), -1, 1) * 1j
