"""Functions with operands over lists of tensors, in place: a generated file, see `generate/foreach.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .at_once import added, held_above, held_below, multiplied, subtracted
from .lists import along, checked, parallel

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "_foreach_add_",
    "_foreach_addcdiv_",
    "_foreach_addcmul_",
    "_foreach_clamp_max_",
    "_foreach_clamp_min_",
    "_foreach_copy_",
    "_foreach_div_",
    "_foreach_lerp_",
    "_foreach_maximum_",
    "_foreach_minimum_",
    "_foreach_mul_",
    "_foreach_pow_",
    "_foreach_sub_",
    "_foreach_zero_",
]


def _numbers(scalars: Any, tensors: Sequence[Tensor], value: Any) -> Any:
    """A factor for each tensor: those given, which may be a tensor of them, or the same one."""
    if scalars is None:
        return [value] * len(tensors)
    return scalars if isinstance(scalars, (list, tuple, int, float, complex)) else scalars.tolist()


def _foreach_zero_(self: Sequence[Tensor]) -> Sequence[Tensor]:
    """Set all items to zero, for each tensor of a list in place.

    Args:
        self: the tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_zero_(x) is x
    True
    """
    for (x,) in parallel("_foreach_zero_", self):
        x.zero_()
    return self


def _foreach_copy_(self: Sequence[Tensor], src: Any, non_blocking: bool = False) -> Sequence[Tensor]:
    """Take over the items of `src`, for each tensor of a list in place.

    Args:
        self: the tensors.
        src: a tensor for each.
        non_blocking: accepted and ignored, as for `copy_`.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_copy_(x, [torch.ones(2)]) is x
    True
    """
    for x, y in parallel("_foreach_copy_", self, src):
        x.copy_(y, non_blocking)
    return self


def _foreach_add_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None, alpha: Any = 1
) -> Sequence[Tensor]:
    """Add the operand, times `alpha`, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.
        alpha: a factor of the operand.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_add_(x, 1.0) is x
    True
    """
    tensors = checked("_foreach_add_", self)
    operands = along("_foreach_add_", self, (other, scalar, scalars), tensor=True)
    if added(tensors, operands, alpha):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.add_(y, alpha=alpha)
    return self


def _foreach_sub_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None, alpha: Any = 1
) -> Sequence[Tensor]:
    """Subtract the operand, times `alpha`, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.
        alpha: a factor of the operand.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_sub_(x, 1.0) is x
    True
    """
    tensors = checked("_foreach_sub_", self)
    operands = along("_foreach_sub_", self, (other, scalar, scalars))
    if subtracted(tensors, operands, alpha):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.sub_(y, alpha=alpha)
    return self


def _foreach_mul_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> Sequence[Tensor]:
    """Multiply by the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_mul_(x, 2.0) is x
    True
    """
    tensors = checked("_foreach_mul_", self)
    operands = along("_foreach_mul_", self, (other, scalar, scalars), tensor=True)
    if multiplied(tensors, operands):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.mul_(y)
    return self


def _foreach_div_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> Sequence[Tensor]:
    """Divide by the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_div_(x, 2.0) is x
    True
    """
    pairs = zip(
        checked("_foreach_div_", self),
        along("_foreach_div_", self, (other, scalar, scalars), tensor=True),
        strict=True,
    )
    for x, y in pairs:
        x.div_(y)
    return self


def _foreach_clamp_max_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> Sequence[Tensor]:
    """Take the lesser of each item and the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_clamp_max_(x, 1.5) is x
    True
    """
    tensors = checked("_foreach_clamp_max_", self)
    operands = along("_foreach_clamp_max_", self, (other, scalar, scalars))
    if held_below(tensors, operands):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.clamp_max_(y)
    return self


def _foreach_minimum_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> Sequence[Tensor]:
    """Take the lesser of each item and the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_minimum_(x, 1.5) is x
    True
    """
    tensors = checked("_foreach_minimum_", self)
    operands = along("_foreach_minimum_", self, (other, scalar, scalars))
    if held_below(tensors, operands):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.clamp_max_(y)
    return self


def _foreach_clamp_min_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> Sequence[Tensor]:
    """Take the greater of each item and the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_clamp_min_(x, 1.5) is x
    True
    """
    tensors = checked("_foreach_clamp_min_", self)
    operands = along("_foreach_clamp_min_", self, (other, scalar, scalars))
    if held_above(tensors, operands):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.clamp_min_(y)
    return self


def _foreach_maximum_(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> Sequence[Tensor]:
    """Take the greater of each item and the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_maximum_(x, 1.5) is x
    True
    """
    tensors = checked("_foreach_maximum_", self)
    operands = along("_foreach_maximum_", self, (other, scalar, scalars))
    if held_above(tensors, operands):
        return self
    for x, y in zip(tensors, operands, strict=True):
        x.clamp_min_(y)
    return self


def _foreach_pow_(self: Sequence[Tensor], exponent: Any) -> Sequence[Tensor]:
    """Raise to the power of the operand, for each tensor of a list in place.

    Args:
        self: the tensors.
        exponent: the operand: a number for all, or a list of one for each.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_pow_(x, 2.0) is x
    True
    """
    pairs = zip(
        checked("_foreach_pow_", self),
        along("_foreach_pow_", self, (exponent,)),
        strict=True,
    )
    for x, y in pairs:
        x.pow_(y)
    return self


def _foreach_addcmul_(
    self: Sequence[Tensor], tensor1: Any, tensor2: Any, scalars: Any = None, *, value: Any = 1
) -> Sequence[Tensor]:
    """Add `value` times the product of two tensors, for each tensor of a list in place.

    Args:
        self: the tensors.
        tensor1: a tensor for each.
        tensor2: a tensor for each.
        scalars: numbers, one for each tensor.
        value: a factor for all.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_addcmul_(x, [torch.ones(2)], [torch.ones(2)]) is x
    True
    """
    pairs = zip(
        parallel("_foreach_addcmul_", self, tensor1, tensor2),
        along("_foreach_addcmul_", self, (_numbers(scalars, self, value),)),
        strict=True,
    )
    for (x, a, b), y in pairs:
        x.addcmul_(a, b, value=y)
    return self


def _foreach_addcdiv_(
    self: Sequence[Tensor], tensor1: Any, tensor2: Any, scalars: Any = None, *, value: Any = 1
) -> Sequence[Tensor]:
    """Add `value` times the quotient of two tensors, for each tensor of a list in place.

    Args:
        self: the tensors.
        tensor1: a tensor for each.
        tensor2: a tensor for each.
        scalars: numbers, one for each tensor.
        value: a factor for all.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_addcdiv_(x, [torch.ones(2)], [torch.ones(2)]) is x
    True
    """
    pairs = zip(
        parallel("_foreach_addcdiv_", self, tensor1, tensor2),
        along("_foreach_addcdiv_", self, (_numbers(scalars, self, value),)),
        strict=True,
    )
    for (x, a, b), y in pairs:
        x.addcdiv_(a, b, value=y)
    return self


def _foreach_lerp_(
    self: Sequence[Tensor], tensors1: Any, weight: Any = None, *, weights: Any = None
) -> Sequence[Tensor]:
    """Go from each item a part of the way to another tensor's, for each tensor of a list in place.

    Args:
        self: the tensors.
        tensors1: a tensor for each.
        weight: how far to go: a number, or a list of one for each.
        weights: how far to go: a list of tensors.

    Returns:
        The list that was given, whose tensors are changed.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> x = [torch.tensor([1.0, 2.0])]
    >>> torch._foreach_lerp_(x, [torch.ones(2)], 0.5) is x
    True
    """
    pairs = zip(
        parallel("_foreach_lerp_", self, tensors1),
        along("_foreach_lerp_", self, (weight, weights)),
        strict=True,
    )
    for (x, a), y in pairs:
        x.lerp_(a, y)
    return self
