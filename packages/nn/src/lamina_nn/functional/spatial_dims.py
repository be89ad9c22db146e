"""Functions over spatial dims: one number for each of them, and inputs with and without a batch dim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from operator import index
from typing import Any

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

__all__ = ["Lengths", "Numbers", "batched", "like", "numbers_of", "per_dim", "settled"]

Numbers = int | Sequence[int]
"""One number for all spatial dims, or one for each."""
Lengths = tuple[int, ...]


def settled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cache a function of numbers and sequences of numbers; calls with a list are not cached.

    Args:
        function: the function.

    Returns:
        The cached function.
    """
    memoized = lru_cache(1024, typed=True)(function)

    @wraps(function)
    def call(*args: Any) -> Any:
        try:
            return memoized(*args)
        except TypeError:  # a list among them
            return function(*args)

    return call


def numbers_of(value: Any) -> tuple[Any, ...]:
    """Return a number, Python's or NumPy's, as a tuple of it, and a sequence as a tuple.

    Args:
        value: an integer or a sequence.

    Returns:
        A tuple.
    """
    return tuple(value) if hasattr(value, "__len__") else (index(value),)


def per_dim(op: str, name: str, value: Any, rank: int) -> tuple[int, ...]:
    """Return one number for each spatial dim.

    Args:
        op: the function's name, for the message.
        name: the argument's name, for the message.
        value: a number, a sequence of one, or a sequence of one for each dim.
        rank: the number of spatial dims.

    Returns:
        A tuple of `rank` numbers.

    Raises:
        ShapeError: the sequence has another length.
    """
    numbers = (value,) if isinstance(value, int) else tuple(value) if hasattr(value, "__len__") else (index(value),)
    if len(numbers) not in (1, rank):
        raise ShapeError(f"{op}: expected {name} to be a single integer value or a list of {rank} values, but got {list(numbers)}")
    return numbers if len(numbers) == rank else numbers * rank


def batched(input: Tensor, rank: int) -> Tensor:
    """Return the input with a batch dim.

    Args:
        input: (N, C, *spatial), or (C, *spatial).
        rank: the number of spatial dims.

    Returns:
        (N, C, *spatial), N being 1 where the input has no batch.
    """
    return af.unsqueeze(input, 0) if input.ndim == rank + 1 else input


def like(result: Tensor, input: Tensor) -> Tensor:
    """Remove the batch dim of a result if the input has none.

    Args:
        result: (N, C, ...).
        input: the input of the function, with or without a batch dim.

    Returns:
        A tensor of as many dims as the input.
    """
    return result if result.ndim == input.ndim else af.squeeze(result, 0)

