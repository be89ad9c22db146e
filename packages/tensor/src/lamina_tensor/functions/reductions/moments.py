"""Variances and standard deviations over dims, alone and with the mean, and how much variables vary together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from .dims import Dims, dims_or_all

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["corrcoef", "cov", "std", "std_mean", "var", "var_mean"]


def _dims_and_correction(dim: Dims, unbiased: bool, correction: float | None) -> tuple[Dims, float]:
    """The dims, and what is subtracted from the number of items: `var(x, True)` means `unbiased`."""
    if dim.__class__ is bool:
        dim, unbiased = None, bool(dim)
    return dims_or_all(dim), (1 if unbiased else 0) if correction is None else correction


def _check_inexact(op: str, input: Tensor) -> None:
    dtype = input.array.flat.dtype
    if not dtype.is_inexact:
        raise DTypeError(f"{op}(): only supports floating point and complex dtypes, but got {dtype!r}")


@torch_function
def var(
    input: Tensor, dim: Dims | bool = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Compute the variance over dims: the squared distances from the mean, summed and divided by `n - correction`.

    Args:
        input: floating-point or complex items.
        dim: the dim or dims to reduce; all for None. A bool in its place is `unbiased`.
        unbiased: whether the correction is 1 (Bessel's), else 0.
        keepdim: whether reduced dims stay, with length 1.
        correction: what is subtracted from the number of items; `unbiased` decides for None.
        out: a tensor to write the result to.

    Returns:
        The variances, real: input's shape without the reduced dims; NaN where there are too few items.

    Raises:
        DTypeError: input is neither floating-point nor complex.

    >>> torch.var(torch.tensor([1.0, 2.0, 3.0, 4.0]), correction=0)
    tensor(1.2500)
    """
    _check_inexact("var", input)
    dims, degrees = _dims_and_correction(dim, unbiased, correction)
    result = af.var(input, dims, keepdim, correction=degrees)
    return result if out is None else written("var", out, result, casts=True)


@torch_function
def std(
    input: Tensor, dim: Dims | bool = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Compute the standard deviation over dims: the root of the variance.

    Args:
        input: floating-point or complex items.
        dim: the dim or dims to reduce; all for None. A bool in its place is `unbiased`.
        unbiased: whether the correction is 1 (Bessel's), else 0.
        keepdim: whether reduced dims stay, with length 1.
        correction: what is subtracted from the number of items; `unbiased` decides for None.
        out: a tensor to write the result to.

    Returns:
        The standard deviations, real: input's shape without the reduced dims; NaN where there are too few items.

    Raises:
        DTypeError: input is neither floating-point nor complex.

    >>> torch.std(torch.tensor([[1.0, 3.0], [2.0, 6.0]]), dim=1, correction=0)
    tensor([1., 2.])
    """
    _check_inexact("std", input)
    dims, degrees = _dims_and_correction(dim, unbiased, correction)
    result = af.std(input, dims, keepdim, correction=degrees)
    return result if out is None else written("std", out, result, casts=True)


@torch_function
def var_mean(
    input: Tensor, dim: Dims | bool = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None
) -> tuple[Tensor, Tensor]:
    """Compute the variance and the mean over dims.

    Args:
        input: floating-point or complex items.
        dim: the dim or dims to reduce; all for None. A bool in its place is `unbiased`.
        unbiased: whether the correction is 1 (Bessel's), else 0.
        keepdim: whether reduced dims stay, with length 1.
        correction: what is subtracted from the number of items; `unbiased` decides for None.

    Returns:
        The variances and the means, both of input's shape without the reduced dims.

    Raises:
        DTypeError: input is neither floating-point nor complex.

    >>> torch.var_mean(torch.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    _check_inexact("var_mean", input)
    dims, degrees = _dims_and_correction(dim, unbiased, correction)
    return af.var(input, dims, keepdim, correction=degrees), af.mean(input, dims, keepdim)


@torch_function
def std_mean(
    input: Tensor, dim: Dims | bool = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None
) -> tuple[Tensor, Tensor]:
    """Compute the standard deviation and the mean over dims.

    Args:
        input: floating-point or complex items.
        dim: the dim or dims to reduce; all for None. A bool in its place is `unbiased`.
        unbiased: whether the correction is 1 (Bessel's), else 0.
        keepdim: whether reduced dims stay, with length 1.
        correction: what is subtracted from the number of items; `unbiased` decides for None.

    Returns:
        The standard deviations and the means, both of input's shape without the reduced dims.

    Raises:
        DTypeError: input is neither floating-point nor complex.

    >>> torch.std_mean(torch.tensor([1.0, 3.0]), correction=0)
    (tensor(1.), tensor(2.))
    """
    _check_inexact("std_mean", input)
    dims, degrees = _dims_and_correction(dim, unbiased, correction)
    return af.std(input, dims, keepdim, correction=degrees), af.mean(input, dims, keepdim)


@torch_function(autocast="lower")  # it is a product
def cov(input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """Estimate the covariance matrix of variables, one a row, from observations, one a column.

    Args:
        input: a matrix (variables, observations), or a vector of observations of one variable.
        correction: what is subtracted from the number of observations.
        fweights: how often each observation counts: integers, one per observation.
        aweights: the weight of each observation: floating-point numbers, one per observation.

    Returns:
        The covariances (variables, variables); without dims for one variable.

    Raises:
        ShapeError: input has more than two dims; weights are not one number >= 0 per observation, or sum to 0.
        DTypeError: input is boolean, fweights are not integers, or aweights not floating-point.

    >>> torch.cov(torch.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    return af.cov(input, correction=correction, fweights=fweights, aweights=aweights)


@torch_function
def corrcoef(input: Tensor) -> Tensor:
    """Estimate the correlation matrix of variables, one a row, from observations, one a column.

    Args:
        input: a matrix (variables, observations), or a vector of observations of one variable.

    Returns:
        Pearson's correlation coefficients (variables, variables), between -1 and 1; without dims for one variable.

    Raises:
        ShapeError: input has more than two dims.
        DTypeError: input is boolean.

    >>> torch.corrcoef(torch.tensor([[0.0, 1.0, 2.0], [4.0, 2.0, 0.0]]))
    tensor([[ 1., -1.],
            [-1.,  1.]])
    """
    return af.corrcoef(input)
