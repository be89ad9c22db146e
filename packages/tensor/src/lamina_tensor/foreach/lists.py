"""What the functions over lists of tensors are given: lists of one length, and numbers or tensors that go along with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError, UsageError

from ..tensor_fields import AnyTensor

__all__ = ["along", "checked", "parallel"]


def checked(op: str, tensors: Any) -> Sequence[Any]:
    """A list of tensors.

    Raises:
        TypeError: it is none.
        RuntimeError: it is empty.
    """
    if not isinstance(tensors, (list, tuple)) or not all(isinstance(x, AnyTensor) for x in tensors):
        raise ArgumentTypeError(f"{op}(): argument 'self' must be tuple of Tensors, not {type(tensors).__name__}")
    if not tensors:
        raise UsageError(f"{op}(): Tensor list must have at least one tensor.")
    return tensors


def parallel(op: str, tensors: Any, *others: Any) -> list[tuple[Any, ...]]:
    """The items of lists of tensors, side by side.

    Raises:
        TypeError: one is no list of tensors.
        RuntimeError: one is empty, or of another length than the first.
    """
    lists = [checked(op, tensors), *(checked(op, other) for other in others)]
    for other in lists[1:]:
        if len(other) != len(tensors):
            raise UsageError(f"{op}(): Tensor lists must have the same number of tensors, got {len(tensors)} and {len(other)}")
    return list(zip(*lists, strict=True))


def along(op: str, tensors: Sequence[Any], operands: Sequence[Any], *, tensor: bool = False) -> Sequence[Any]:
    """The one operand among those that may be given, for each tensor: itself if it is a number, or a tensor without dims that stands for
    one; `tensor` says whether it may require gradients.

    Raises:
        TypeError: none is given, or several are, or it is of another kind.
        RuntimeError: it is a list of another length, or a tensor of several items.
    """
    one, *more = [x for x in operands if x is not None] or [None]
    if more:
        raise ArgumentTypeError(f"{op}(): takes one operand beside the tensors, but got {len(more) + 1}")
    if isinstance(one, (int, float, complex)):
        return [one] * len(tensors)
    if isinstance(one, AnyTensor):
        if one.array.layout.ndim:
            raise UsageError(f"{op}(): scalar tensor expected to be 0 dim but it has {one.array.layout.ndim} dimensions")
        if tensor or not one.requires_grad:
            return [one] * len(tensors)
    if not isinstance(one, (list, tuple)) or not all(isinstance(x, (AnyTensor, int, float, complex)) for x in one):
        raise ArgumentTypeError(f"{op}(): the operand must be a number, or a list of numbers or tensors, not {type(one).__name__}")
    if len(one) != len(tensors):
        raise UsageError(f"{op}(): Tensor list must have same number of elements as the operand's, got {len(tensors)} and {len(one)}")
    return one
