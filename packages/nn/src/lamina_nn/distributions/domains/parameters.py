"""Parameters of distributions: numbers and tensors in one shape, probabilities and their logarithms, values made when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, overload

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, enable_grad

__all__ = ["broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits", "sum_rightmost"]


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Tensors and numbers in one shape; numbers in the dtype of the first tensor.

    Raises:
        ValueError: a value is neither.
    """
    if not all(isinstance(v, (Tensor, int, float)) for v in values):
        raise ArgumentValueError(f"Input arguments must all be instances of Number or Tensor, not {[type(v).__name__ for v in values]}")
    first = next((v for v in values if isinstance(v, Tensor)), None)
    dtype, device = (None, None) if first is None else (first.dtype, first.device)
    made = [v if isinstance(v, Tensor) else lt.tensor(float(v), dtype=dtype, device=device) for v in values]
    return lt.broadcast_tensors(*made)


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities off 0 and 1 by what the dtype resolves."""
    eps = finfo(probs.dtype).eps
    return lt.clamp(probs, min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Logarithms of probabilities; of a binary one, the log odds."""
    clamped = clamp_probs(probs)
    return af.log(clamped) - af.log1p(-clamped) if is_binary else af.log(clamped)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """The probabilities of log odds, or of logarithms along the last dim."""
    return af.sigmoid(logits) if is_binary else lt.softmax(logits, -1)


def sum_rightmost(value: Tensor, count: int) -> Tensor:
    """The sum over this many last dims."""
    return lt.sum(value, tuple(range(-count, 0))) if count else value


class lazy_property:
    """A property that is computed when it is first asked for, and kept."""

    def __init__(self, wrapped: Callable[[Any], Tensor]) -> None:
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Tensor: ...
    def __get__(self, instance: object, owner: type | None = None) -> Tensor | Self:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        instance.__dict__[self.name] = value
        return value
