"""What the tensors of an operation must be, and whether all processes mean the same one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, ProcessGroupError, ShapeError
from lamina_ndarray import NDArray
from lamina_tensor import Tensor
from lamina_tensor.methods.in_place.history import check_writable

from .process_group import ProcessGroup, member_group
from .progress import Steps

__all__ = ["agreed", "alike", "as_many", "tensors_in", "writable"]

_CARD: Final = 256


def tensors_in(name: str, group: Any, *tensors: Any) -> ProcessGroup | None:
    """Return the group of an operation, and look at its tensors.

    Args:
        name: the function that was called.
        group: as it was given.
        tensors: what must be tensors.

    Returns:
        The group, or None if this process is not in it.

    Raises:
        ArgumentValueError: there is no default group.
        ArgumentTypeError: an argument is no tensor.
    """
    members = member_group(name, group)
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ArgumentTypeError(f"{name}: a Tensor wanted, not {type(tensor).__name__}")
    return members


def as_many(name: str, tensors: Sequence[Any], size: int, what: str) -> None:
    """Refuse a list that has not one tensor for each process.

    Raises:
        RuntimeError: its length is wrong.
    """
    if len(tensors) != size:
        raise RuntimeError(f"{name}: {what} of length {size} wanted, a tensor for each process; given {len(tensors)}")


def alike(name: str, targets: Sequence[Tensor], sources: Sequence[Tensor], *, shapes: bool = True) -> None:
    """Refuse tensors that cannot be copied to each other.

    Raises:
        ArgumentValueError: the dtypes differ.
        ShapeError: the shapes differ.
    """
    like = sources[0]
    for tensor in (*targets, *sources):
        if tensor.dtype is not like.dtype:
            raise ArgumentValueError(
                f"{name}: invalid usage of tensors with different dtypes, {tensor.dtype.name} and {like.dtype.name}"
            )
        if shapes and tensor.shape != like.shape:
            raise ShapeError(f"{name}: invalid tensor size (expected {tuple(like.shape)}, got {tuple(tensor.shape)})")


def writable(name: str, *tensors: Tensor) -> None:
    """Refuse to overwrite leaves that require gradients, as a program's own write in place does.

    Raises:
        AutogradError: one of them does.
    """
    for tensor in tensors:
        check_writable(name, tensor)


def agreed(name: str, group: ProcessGroup, steps: Steps, *arrays: NDArray, details: str = "") -> Steps:
    """With TORCH_DISTRIBUTED_DEBUG=DETAIL, see to it first that all processes call the same function with the same shapes and dtypes.

    Args:
        name: the function that was called.
        group: whose processes take part.
        steps: the operation.
        arrays: whose shapes and dtypes are the same in all processes.
        details: what else is.

    Raises:
        ProcessGroupError: they differ; the message says what each process calls.
    """
    if os.environ.get("TORCH_DISTRIBUTED_DEBUG") == "DETAIL" and group.size() > 1:
        shapes = ", ".join(f"{array.dtype.name} {tuple(array.shape)}" for array in arrays)
        mine = np.frombuffer(f"{name}({shapes}{'; ' if details else ''}{details})".encode()[:_CARD].ljust(_CARD), np.uint8)
        cards = np.empty(_CARD * group.size(), np.uint8)
        yield group.communicator.all_gather(cards, mine)
        told = [bytes(card).decode(errors="replace").strip() for card in cards.reshape(-1, _CARD)]
        if len(set(told)) > 1:
            calls = "; ".join(f"rank {rank} calls {call}" for rank, call in zip(group.ranks, told, strict=True))
            raise ProcessGroupError(f"{name}: processes do not call the same: {calls}")
    yield from steps
