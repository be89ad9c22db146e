"""Functions item by item over lists of tensors: a generated file, see `generate/foreach.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .lists import parallel

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "_foreach_abs",
    "_foreach_acos",
    "_foreach_asin",
    "_foreach_atan",
    "_foreach_ceil",
    "_foreach_cos",
    "_foreach_cosh",
    "_foreach_erf",
    "_foreach_erfc",
    "_foreach_exp",
    "_foreach_expm1",
    "_foreach_floor",
    "_foreach_frac",
    "_foreach_lgamma",
    "_foreach_log",
    "_foreach_log10",
    "_foreach_log1p",
    "_foreach_log2",
    "_foreach_neg",
    "_foreach_reciprocal",
    "_foreach_round",
    "_foreach_rsqrt",
    "_foreach_sigmoid",
    "_foreach_sign",
    "_foreach_sin",
    "_foreach_sinh",
    "_foreach_sqrt",
    "_foreach_tan",
    "_foreach_tanh",
    "_foreach_trunc",
]


def _foreach_abs(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `abs`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_abs([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.abs() for (x,) in parallel("_foreach_abs", self))


def _foreach_acos(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `acos`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_acos([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.acos() for (x,) in parallel("_foreach_acos", self))


def _foreach_asin(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `asin`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_asin([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.asin() for (x,) in parallel("_foreach_asin", self))


def _foreach_atan(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `atan`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_atan([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.atan() for (x,) in parallel("_foreach_atan", self))


def _foreach_ceil(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `ceil`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_ceil([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.ceil() for (x,) in parallel("_foreach_ceil", self))


def _foreach_cos(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `cos`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_cos([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.cos() for (x,) in parallel("_foreach_cos", self))


def _foreach_cosh(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `cosh`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_cosh([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.cosh() for (x,) in parallel("_foreach_cosh", self))


def _foreach_erf(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `erf`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_erf([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.erf() for (x,) in parallel("_foreach_erf", self))


def _foreach_erfc(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `erfc`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_erfc([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.erfc() for (x,) in parallel("_foreach_erfc", self))


def _foreach_exp(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `exp`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_exp([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.exp() for (x,) in parallel("_foreach_exp", self))


def _foreach_expm1(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `expm1`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_expm1([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.expm1() for (x,) in parallel("_foreach_expm1", self))


def _foreach_floor(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `floor`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_floor([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.floor() for (x,) in parallel("_foreach_floor", self))


def _foreach_frac(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `frac`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_frac([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.frac() for (x,) in parallel("_foreach_frac", self))


def _foreach_lgamma(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `lgamma`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_lgamma([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.lgamma() for (x,) in parallel("_foreach_lgamma", self))


def _foreach_log(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `log`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_log([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.log() for (x,) in parallel("_foreach_log", self))


def _foreach_log10(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `log10`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_log10([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.log10() for (x,) in parallel("_foreach_log10", self))


def _foreach_log1p(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `log1p`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_log1p([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.log1p() for (x,) in parallel("_foreach_log1p", self))


def _foreach_log2(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `log2`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_log2([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.log2() for (x,) in parallel("_foreach_log2", self))


def _foreach_neg(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `neg`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_neg([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.neg() for (x,) in parallel("_foreach_neg", self))


def _foreach_reciprocal(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `reciprocal`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_reciprocal([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.reciprocal() for (x,) in parallel("_foreach_reciprocal", self))


def _foreach_round(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `round`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_round([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.round() for (x,) in parallel("_foreach_round", self))


def _foreach_rsqrt(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `rsqrt`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_rsqrt([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.rsqrt() for (x,) in parallel("_foreach_rsqrt", self))


def _foreach_sigmoid(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `sigmoid`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_sigmoid([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.sigmoid() for (x,) in parallel("_foreach_sigmoid", self))


def _foreach_sign(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `sign`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_sign([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.sign() for (x,) in parallel("_foreach_sign", self))


def _foreach_sin(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `sin`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_sin([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.sin() for (x,) in parallel("_foreach_sin", self))


def _foreach_sinh(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `sinh`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_sinh([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.sinh() for (x,) in parallel("_foreach_sinh", self))


def _foreach_sqrt(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `sqrt`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_sqrt([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.sqrt() for (x,) in parallel("_foreach_sqrt", self))


def _foreach_tan(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `tan`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_tan([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.tan() for (x,) in parallel("_foreach_tan", self))


def _foreach_tanh(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `tanh`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_tanh([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.tanh() for (x,) in parallel("_foreach_tanh", self))


def _foreach_trunc(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Compute `trunc`, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_trunc([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.trunc() for (x,) in parallel("_foreach_trunc", self))
