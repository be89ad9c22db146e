"""Functions item by item over lists of tensors, in place: a generated file, see `generate/foreach.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .lists import parallel

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "_foreach_abs_",
    "_foreach_acos_",
    "_foreach_asin_",
    "_foreach_atan_",
    "_foreach_ceil_",
    "_foreach_cos_",
    "_foreach_cosh_",
    "_foreach_erf_",
    "_foreach_erfc_",
    "_foreach_exp_",
    "_foreach_expm1_",
    "_foreach_floor_",
    "_foreach_frac_",
    "_foreach_lgamma_",
    "_foreach_log10_",
    "_foreach_log1p_",
    "_foreach_log2_",
    "_foreach_log_",
    "_foreach_neg_",
    "_foreach_reciprocal_",
    "_foreach_round_",
    "_foreach_rsqrt_",
    "_foreach_sigmoid_",
    "_foreach_sign_",
    "_foreach_sin_",
    "_foreach_sinh_",
    "_foreach_sqrt_",
    "_foreach_tan_",
    "_foreach_tanh_",
    "_foreach_trunc_",
]


def _foreach_abs_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `abs`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_abs_(x) is x
    True
    """
    for (x,) in parallel("_foreach_abs_", self):
        x.abs_()
    return self


def _foreach_acos_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `acos`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_acos_(x) is x
    True
    """
    for (x,) in parallel("_foreach_acos_", self):
        x.acos_()
    return self


def _foreach_asin_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `asin`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_asin_(x) is x
    True
    """
    for (x,) in parallel("_foreach_asin_", self):
        x.asin_()
    return self


def _foreach_atan_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `atan`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_atan_(x) is x
    True
    """
    for (x,) in parallel("_foreach_atan_", self):
        x.atan_()
    return self


def _foreach_ceil_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `ceil`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_ceil_(x) is x
    True
    """
    for (x,) in parallel("_foreach_ceil_", self):
        x.ceil_()
    return self


def _foreach_cos_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `cos`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_cos_(x) is x
    True
    """
    for (x,) in parallel("_foreach_cos_", self):
        x.cos_()
    return self


def _foreach_cosh_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `cosh`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_cosh_(x) is x
    True
    """
    for (x,) in parallel("_foreach_cosh_", self):
        x.cosh_()
    return self


def _foreach_erf_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `erf`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_erf_(x) is x
    True
    """
    for (x,) in parallel("_foreach_erf_", self):
        x.erf_()
    return self


def _foreach_erfc_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `erfc`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_erfc_(x) is x
    True
    """
    for (x,) in parallel("_foreach_erfc_", self):
        x.erfc_()
    return self


def _foreach_exp_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `exp`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_exp_(x) is x
    True
    """
    for (x,) in parallel("_foreach_exp_", self):
        x.exp_()
    return self


def _foreach_expm1_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `expm1`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_expm1_(x) is x
    True
    """
    for (x,) in parallel("_foreach_expm1_", self):
        x.expm1_()
    return self


def _foreach_floor_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `floor`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_floor_(x) is x
    True
    """
    for (x,) in parallel("_foreach_floor_", self):
        x.floor_()
    return self


def _foreach_frac_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `frac`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_frac_(x) is x
    True
    """
    for (x,) in parallel("_foreach_frac_", self):
        x.frac_()
    return self


def _foreach_lgamma_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `lgamma`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_lgamma_(x) is x
    True
    """
    for (x,) in parallel("_foreach_lgamma_", self):
        x.lgamma_()
    return self


def _foreach_log_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `log`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log_(x) is x
    True
    """
    for (x,) in parallel("_foreach_log_", self):
        x.log_()
    return self


def _foreach_log10_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `log10`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log10_(x) is x
    True
    """
    for (x,) in parallel("_foreach_log10_", self):
        x.log10_()
    return self


def _foreach_log1p_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `log1p`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log1p_(x) is x
    True
    """
    for (x,) in parallel("_foreach_log1p_", self):
        x.log1p_()
    return self


def _foreach_log2_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `log2`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log2_(x) is x
    True
    """
    for (x,) in parallel("_foreach_log2_", self):
        x.log2_()
    return self


def _foreach_neg_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `neg`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_neg_(x) is x
    True
    """
    for (x,) in parallel("_foreach_neg_", self):
        x.neg_()
    return self


def _foreach_reciprocal_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `reciprocal`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_reciprocal_(x) is x
    True
    """
    for (x,) in parallel("_foreach_reciprocal_", self):
        x.reciprocal_()
    return self


def _foreach_round_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `round`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_round_(x) is x
    True
    """
    for (x,) in parallel("_foreach_round_", self):
        x.round_()
    return self


def _foreach_rsqrt_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `rsqrt`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_rsqrt_(x) is x
    True
    """
    for (x,) in parallel("_foreach_rsqrt_", self):
        x.rsqrt_()
    return self


def _foreach_sigmoid_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `sigmoid`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sigmoid_(x) is x
    True
    """
    for (x,) in parallel("_foreach_sigmoid_", self):
        x.sigmoid_()
    return self


def _foreach_sign_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `sign`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sign_(x) is x
    True
    """
    for (x,) in parallel("_foreach_sign_", self):
        x.sign_()
    return self


def _foreach_sin_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `sin`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sin_(x) is x
    True
    """
    for (x,) in parallel("_foreach_sin_", self):
        x.sin_()
    return self


def _foreach_sinh_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `sinh`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sinh_(x) is x
    True
    """
    for (x,) in parallel("_foreach_sinh_", self):
        x.sinh_()
    return self


def _foreach_sqrt_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `sqrt`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sqrt_(x) is x
    True
    """
    for (x,) in parallel("_foreach_sqrt_", self):
        x.sqrt_()
    return self


def _foreach_tan_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `tan`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_tan_(x) is x
    True
    """
    for (x,) in parallel("_foreach_tan_", self):
        x.tan_()
    return self


def _foreach_tanh_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `tanh`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_tanh_(x) is x
    True
    """
    for (x,) in parallel("_foreach_tanh_", self):
        x.tanh_()
    return self


def _foreach_trunc_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Compute `trunc`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_trunc_(x) is x
    True
    """
    for (x,) in parallel("_foreach_trunc_", self):
        x.trunc_()
    return self
