"""Arithmetic and choice with PyTorch's extra arguments."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd

from .. import array_functions as af
from ..tensor import Tensor, tensor_of

__all__ = ["add", "clamp", "is_tensor", "numel", "sub", "where"]


def is_tensor(x: object) -> bool:
    """Whether x is a Tensor."""
    return isinstance(x, Tensor)


def numel(x: Tensor) -> int:
    """How many items there are."""
    return x.array.layout.size


def add(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """`input + alpha * other`."""
    return af.FUNCTIONS["add"](input, other if alpha == 1 else other * alpha, out=out)


def sub(input: Any, other: Any, *, alpha: float = 1, out: Tensor | None = None) -> Tensor:
    """`input - alpha * other`."""
    return af.FUNCTIONS["subtract"](input, other if alpha == 1 else other * alpha, out=out)


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, else `other`; with the condition alone, where it holds."""
    if input is None and other is None:
        return tuple(map(tensor_of, nd.nonzero(condition.array)))
    return af.FUNCTIONS["where"](condition, input, other)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """`input` held between two bounds: numbers, tensors that broadcast, or None for no bound."""
    return af.clip(input, min, max)
