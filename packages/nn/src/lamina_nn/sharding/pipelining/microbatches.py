"""Batches cut into micro-batches, and what comes of these put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

__all__ = ["joined", "split"]


def split(name: str, value: Any, count: int) -> list[Any]:
    """Cut each tensor in lists, tuples and dicts along dim 0.

    Args:
        name: the function that was called.
        value: the tensor, or what holds tensors; anything else goes into each micro-batch as it is, and so do tensors without dims.
        count: how many micro-batches; the first ones have a row more where it does not go up.

    Returns:
        The value for each micro-batch.

    Raises:
        ArgumentValueError: a tensor has fewer rows than there are micro-batches.
    """
    if isinstance(value, Tensor):
        if not value.ndim:
            return [value] * count
        if value.shape[0] < count:
            raise ArgumentValueError(f"{name}: a tensor of {tuple(value.shape)} has fewer rows than there are micro-batches, {count}")
        return list(lt.tensor_split(value, count))
    if isinstance(value, dict):
        items = {key: split(name, item, count) for key, item in value.items()}
        return [{key: parts[i] for key, parts in items.items()} for i in range(count)]
    if type(value) in (list, tuple):
        columns = [split(name, item, count) for item in value]
        return [type(value)(parts[i] for parts in columns) for i in range(count)]
    return [value] * count


def joined(outputs: Sequence[Any]) -> Any:
    """Put the outputs of all micro-batches together, along dim 0.

    Args:
        outputs: of each, a tensor, or a list or tuple of them.
    """
    if isinstance(outputs[0], (list, tuple)):
        return type(outputs[0])(joined(each) for each in zip(*outputs, strict=True))
    return lt.cat(list(outputs)) if isinstance(outputs[0], Tensor) else outputs[0]
