"""Functions with operands over lists of tensors: a generated file, see `generate/foreach.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..functions.elementwise.binary import pow
from ..linalg.norms import vector_norm
from .lists import along, checked, parallel

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "_foreach_add",
    "_foreach_addcdiv",
    "_foreach_addcmul",
    "_foreach_clamp_max",
    "_foreach_clamp_min",
    "_foreach_clone",
    "_foreach_div",
    "_foreach_lerp",
    "_foreach_max",
    "_foreach_maximum",
    "_foreach_minimum",
    "_foreach_mm",
    "_foreach_mul",
    "_foreach_norm",
    "_foreach_pow",
    "_foreach_powsum",
    "_foreach_sub",
]


def _numbers(scalars: Any, tensors: Sequence[Tensor], value: Any) -> Any:
    """A factor for each tensor: those given, which may be a tensor of them, or the same one."""
    if scalars is None:
        return [value] * len(tensors)
    return scalars if isinstance(scalars, (list, tuple, int, float, complex)) else scalars.tolist()


def _foreach_clone(self: Sequence[Tensor], *, memory_format: Any = None) -> tuple[Tensor, ...]:
    """Copy each tensor, for each tensor of a list.

    Args:
        self: the tensors.
        memory_format: the order of the copies in memory; None for each own.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_clone([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.clone(memory_format=memory_format) for (x,) in parallel("_foreach_clone", self))


def _foreach_max(self: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """Find the largest item, for each tensor of a list.

    Args:
        self: the tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_max([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.max() for (x,) in parallel("_foreach_max", self))


def _foreach_norm(self: Sequence[Tensor], ord: Any = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """Compute the norm of all items, for each tensor of a list.

    Args:
        self: the tensors.
        ord: the order.
        dtype: the dtype to compute in; None for each tensor's own.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_norm([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(vector_norm(x, ord, dtype=dtype) for (x,) in parallel("_foreach_norm", self))


def _foreach_powsum(self: Sequence[Tensor], ord: Any = 2, dtype: Any = None) -> tuple[Tensor, ...]:
    """Sum the absolute values of the items, each to a power, for each tensor of a list.

    Args:
        self: the tensors.
        ord: the order.
        dtype: the dtype to compute in; None for each tensor's own.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_powsum([torch.tensor([1.0, 2.0])]))
    1
    """
    return tuple(x.abs().pow(ord).sum(dtype=dtype) for (x,) in parallel("_foreach_powsum", self))


def _foreach_mm(self: Sequence[Tensor], mat2: Any) -> tuple[Tensor, ...]:
    """Multiply matrices, for each tensor of a list.

    Args:
        self: the tensors.
        mat2: a matrix for each.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_mm([torch.ones(1, 1)], [torch.ones(1, 1)]))
    1
    """
    return tuple(x.mm(y) for x, y in parallel("_foreach_mm", self, mat2))


def _foreach_add(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None, alpha: Any = 1
) -> tuple[Tensor, ...]:
    """Add the operand, times `alpha`, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.
        alpha: a factor of the operand.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_add([torch.tensor([1.0, 2.0])], 1.0))
    1
    """
    pairs = zip(
        checked("_foreach_add", self),
        along("_foreach_add", self, (other, scalar, scalars), tensor=True),
        strict=True,
    )
    return tuple(x.add(y, alpha=alpha) for x, y in pairs)


def _foreach_sub(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None, alpha: Any = 1
) -> tuple[Tensor, ...]:
    """Subtract the operand, times `alpha`, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.
        alpha: a factor of the operand.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_sub([torch.tensor([1.0, 2.0])], 1.0))
    1
    """
    pairs = zip(
        checked("_foreach_sub", self),
        along("_foreach_sub", self, (other, scalar, scalars)),
        strict=True,
    )
    return tuple(x.sub(y, alpha=alpha) for x, y in pairs)


def _foreach_mul(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> tuple[Tensor, ...]:
    """Multiply by the operand, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_mul([torch.tensor([1.0, 2.0])], 2.0))
    1
    """
    pairs = zip(
        checked("_foreach_mul", self),
        along("_foreach_mul", self, (other, scalar, scalars), tensor=True),
        strict=True,
    )
    return tuple(x.mul(y) for x, y in pairs)


def _foreach_div(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> tuple[Tensor, ...]:
    """Divide by the operand, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_div([torch.tensor([1.0, 2.0])], 2.0))
    1
    """
    pairs = zip(
        checked("_foreach_div", self),
        along("_foreach_div", self, (other, scalar, scalars), tensor=True),
        strict=True,
    )
    return tuple(x.div(y) for x, y in pairs)


def _foreach_clamp_max(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> tuple[Tensor, ...]:
    """Take the lesser of each item and the operand, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_clamp_max([torch.tensor([1.0, 2.0])], 1.5))
    1
    """
    pairs = zip(
        checked("_foreach_clamp_max", self),
        along("_foreach_clamp_max", self, (other, scalar, scalars)),
        strict=True,
    )
    return tuple(x.clamp_max(y) for x, y in pairs)


def _foreach_minimum(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> tuple[Tensor, ...]:
    """Take the lesser of each item and the operand, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_minimum([torch.tensor([1.0, 2.0])], 1.5))
    1
    """
    pairs = zip(
        checked("_foreach_minimum", self),
        along("_foreach_minimum", self, (other, scalar, scalars)),
        strict=True,
    )
    return tuple(x.clamp_max(y) for x, y in pairs)


def _foreach_clamp_min(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> tuple[Tensor, ...]:
    """Take the greater of each item and the operand, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_clamp_min([torch.tensor([1.0, 2.0])], 1.5))
    1
    """
    pairs = zip(
        checked("_foreach_clamp_min", self),
        along("_foreach_clamp_min", self, (other, scalar, scalars)),
        strict=True,
    )
    return tuple(x.clamp_min(y) for x, y in pairs)


def _foreach_maximum(
    self: Sequence[Tensor], other: Any = None, *, scalar: Any = None, scalars: Any = None
) -> tuple[Tensor, ...]:
    """Take the greater of each item and the operand, for each tensor of a list.

    Args:
        self: the tensors.
        other: the operand: a number or a tensor for all, or a list of one for each.
        scalar: the operand, if it is a number.
        scalars: numbers, one for each tensor.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_maximum([torch.tensor([1.0, 2.0])], 1.5))
    1
    """
    pairs = zip(
        checked("_foreach_maximum", self),
        along("_foreach_maximum", self, (other, scalar, scalars)),
        strict=True,
    )
    return tuple(x.clamp_min(y) for x, y in pairs)


def _foreach_pow(self: Any, exponent: Any) -> tuple[Tensor, ...]:
    """Raise to the power of the operand, for each tensor of a list.

    Args:
        self: the tensors.
        exponent: the operand: a number for all, or a list of one for each.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_pow([torch.tensor([1.0, 2.0])], 2.0))
    1
    """
    if isinstance(self, (int, float, complex)):
        return tuple(pow(self, y) for y in checked("_foreach_pow", exponent))
    pairs = zip(
        checked("_foreach_pow", self),
        along("_foreach_pow", self, (exponent,)),
        strict=True,
    )
    return tuple(x.pow(y) for x, y in pairs)


def _foreach_addcmul(
    self: Sequence[Tensor], tensor1: Any, tensor2: Any, scalars: Any = None, *, value: Any = 1
) -> tuple[Tensor, ...]:
    """Add `value` times the product of two tensors, for each tensor of a list.

    Args:
        self: the tensors.
        tensor1: a tensor for each.
        tensor2: a tensor for each.
        scalars: numbers, one for each tensor.
        value: a factor for all.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_addcmul([torch.tensor([1.0, 2.0])], [torch.ones(2)], [torch.ones(2)]))
    1
    """
    pairs = zip(
        parallel("_foreach_addcmul", self, tensor1, tensor2),
        along("_foreach_addcmul", self, (_numbers(scalars, self, value),)),
        strict=True,
    )
    return tuple(x.addcmul(a, b, value=y) for (x, a, b), y in pairs)


def _foreach_addcdiv(
    self: Sequence[Tensor], tensor1: Any, tensor2: Any, scalars: Any = None, *, value: Any = 1
) -> tuple[Tensor, ...]:
    """Add `value` times the quotient of two tensors, for each tensor of a list.

    Args:
        self: the tensors.
        tensor1: a tensor for each.
        tensor2: a tensor for each.
        scalars: numbers, one for each tensor.
        value: a factor for all.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_addcdiv([torch.tensor([1.0, 2.0])], [torch.ones(2)], [torch.ones(2)]))
    1
    """
    pairs = zip(
        parallel("_foreach_addcdiv", self, tensor1, tensor2),
        along("_foreach_addcdiv", self, (_numbers(scalars, self, value),)),
        strict=True,
    )
    return tuple(x.addcdiv(a, b, value=y) for (x, a, b), y in pairs)


def _foreach_lerp(
    self: Sequence[Tensor], tensors1: Any, weight: Any = None, *, weights: Any = None
) -> tuple[Tensor, ...]:
    """Go from each item a part of the way to another tensor's, for each tensor of a list.

    Args:
        self: the tensors.
        tensors1: a tensor for each.
        weight: how far to go: a number, or a list of one for each.
        weights: how far to go: a list of tensors.

    Returns:
        A tuple of tensors, one for each of the list.

    Raises:
        TypeError: the arguments are not of the kinds above.
        RuntimeError: a list is empty, or of another length than the first.

    >>> len(torch._foreach_lerp([torch.tensor([1.0, 2.0])], [torch.ones(2)], 0.5))
    1
    """
    pairs = zip(
        parallel("_foreach_lerp", self, tensors1),
        along("_foreach_lerp", self, (weight, weights)),
        strict=True,
    )
    return tuple(x.lerp(a, y) for (x, a), y in pairs)
