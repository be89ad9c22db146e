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


def _foreach_abs_(self: Sequence[Tensor]) -> None:
    """Compute `abs`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_abs_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_abs_", self):
        x.abs_()


def _foreach_acos_(self: Sequence[Tensor]) -> None:
    """Compute `acos`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_acos_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_acos_", self):
        x.acos_()


def _foreach_asin_(self: Sequence[Tensor]) -> None:
    """Compute `asin`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_asin_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_asin_", self):
        x.asin_()


def _foreach_atan_(self: Sequence[Tensor]) -> None:
    """Compute `atan`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_atan_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_atan_", self):
        x.atan_()


def _foreach_ceil_(self: Sequence[Tensor]) -> None:
    """Compute `ceil`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_ceil_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_ceil_", self):
        x.ceil_()


def _foreach_cos_(self: Sequence[Tensor]) -> None:
    """Compute `cos`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_cos_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_cos_", self):
        x.cos_()


def _foreach_cosh_(self: Sequence[Tensor]) -> None:
    """Compute `cosh`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_cosh_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_cosh_", self):
        x.cosh_()


def _foreach_erf_(self: Sequence[Tensor]) -> None:
    """Compute `erf`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_erf_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_erf_", self):
        x.erf_()


def _foreach_erfc_(self: Sequence[Tensor]) -> None:
    """Compute `erfc`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_erfc_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_erfc_", self):
        x.erfc_()


def _foreach_exp_(self: Sequence[Tensor]) -> None:
    """Compute `exp`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_exp_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_exp_", self):
        x.exp_()


def _foreach_expm1_(self: Sequence[Tensor]) -> None:
    """Compute `expm1`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_expm1_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_expm1_", self):
        x.expm1_()


def _foreach_floor_(self: Sequence[Tensor]) -> None:
    """Compute `floor`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_floor_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_floor_", self):
        x.floor_()


def _foreach_frac_(self: Sequence[Tensor]) -> None:
    """Compute `frac`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_frac_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_frac_", self):
        x.frac_()


def _foreach_lgamma_(self: Sequence[Tensor]) -> None:
    """Compute `lgamma`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_lgamma_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_lgamma_", self):
        x.lgamma_()


def _foreach_log_(self: Sequence[Tensor]) -> None:
    """Compute `log`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_log_", self):
        x.log_()


def _foreach_log10_(self: Sequence[Tensor]) -> None:
    """Compute `log10`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log10_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_log10_", self):
        x.log10_()


def _foreach_log1p_(self: Sequence[Tensor]) -> None:
    """Compute `log1p`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log1p_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_log1p_", self):
        x.log1p_()


def _foreach_log2_(self: Sequence[Tensor]) -> None:
    """Compute `log2`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_log2_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_log2_", self):
        x.log2_()


def _foreach_neg_(self: Sequence[Tensor]) -> None:
    """Compute `neg`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_neg_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_neg_", self):
        x.neg_()


def _foreach_reciprocal_(self: Sequence[Tensor]) -> None:
    """Compute `reciprocal`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_reciprocal_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_reciprocal_", self):
        x.reciprocal_()


def _foreach_round_(self: Sequence[Tensor]) -> None:
    """Compute `round`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_round_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_round_", self):
        x.round_()


def _foreach_rsqrt_(self: Sequence[Tensor]) -> None:
    """Compute `rsqrt`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_rsqrt_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_rsqrt_", self):
        x.rsqrt_()


def _foreach_sigmoid_(self: Sequence[Tensor]) -> None:
    """Compute `sigmoid`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sigmoid_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_sigmoid_", self):
        x.sigmoid_()


def _foreach_sign_(self: Sequence[Tensor]) -> None:
    """Compute `sign`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sign_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_sign_", self):
        x.sign_()


def _foreach_sin_(self: Sequence[Tensor]) -> None:
    """Compute `sin`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sin_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_sin_", self):
        x.sin_()


def _foreach_sinh_(self: Sequence[Tensor]) -> None:
    """Compute `sinh`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sinh_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_sinh_", self):
        x.sinh_()


def _foreach_sqrt_(self: Sequence[Tensor]) -> None:
    """Compute `sqrt`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sqrt_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_sqrt_", self):
        x.sqrt_()


def _foreach_tan_(self: Sequence[Tensor]) -> None:
    """Compute `tan`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_tan_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_tan_", self):
        x.tan_()


def _foreach_tanh_(self: Sequence[Tensor]) -> None:
    """Compute `tanh`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_tanh_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_tanh_", self):
        x.tanh_()


def _foreach_trunc_(self: Sequence[Tensor]) -> None:
    """Compute `trunc`, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        None. The tensors themselves are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_trunc_(x)
    >>> x[0].shape
    lamina.Size([2])
    """
    for (x,) in parallel("_foreach_trunc_", self):
        x.trunc_()
