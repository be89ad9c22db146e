"""Functions over spatial dims: one number for each of them, inputs with and without a dim of examples, one text for all ranks."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch import array_functions as af

__all__ = ["batched", "like", "named", "per_dim", "settled"]


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
    """With a dim of examples."""
    return af.unsqueeze(input, 0) if input.ndim == rank + 1 else input


def like(made: Tensor, input: Tensor) -> Tensor:
    """Without the dim of examples if the input had none."""
    return made if made.ndim == input.ndim else af.squeeze(made, 0)


def named(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """A function with its own name and text."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function
