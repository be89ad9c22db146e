"""Functions over spatial dims: one number for each of them, and inputs with and without a batch dim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch import array_functions as af

__all__ = ["Lengths", "Numbers", "batched", "like", "per_dim", "settled"]

Numbers = int | Sequence[int]
"""One number for all spatial dims, or one for each."""
Lengths = tuple[int, ...]


def settled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers, and of sequences of them, that is worked out once for each choice."""
    known = lru_cache(1024, typed=True)(function)

    @wraps(function)
    def call(*args: Any) -> Any:
        try:
            return known(*args)
        except TypeError:  # a list among them
            return function(*args)

    return call


def per_dim(op: str, name: str, value: Any, rank: int) -> tuple[int, ...]:
    """One number for each spatial dim, from a number, a sequence of one, or a sequence of all.

    Raises:
        ShapeError: there are others.
    """
    numbers = (value,) if isinstance(value, int) else tuple(value)
    if len(numbers) not in (1, rank):
        raise ShapeError(f"{op}: expected {name} to be a single integer value or a list of {rank} values, but got {list(numbers)}")
    return numbers if len(numbers) == rank else numbers * rank


def batched(input: Tensor, rank: int) -> Tensor:
    """The input with a batch dim."""
    return af.unsqueeze(input, 0) if input.ndim == rank + 1 else input


def like(result: Tensor, input: Tensor) -> Tensor:
    """The result without its batch dim if the input had none."""
    return result if result.ndim == input.ndim else af.squeeze(result, 0)

