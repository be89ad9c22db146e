"""Parameters of distributions: numbers and tensors in one shape, probabilities and their logarithms, values made when asked for."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, Self, overload

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, enable_grad
from lamina_tensor.dispatch.tensor_functions import af

__all__ = ["broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits", "sum_rightmost"]


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Broadcast tensors and numbers to one shape; numbers take the dtype and device of the first tensor.

    Args:
        values: tensors and Python numbers.

    Returns:
        A tuple of tensors of one shape; without any tensor, of the default dtype.

    Raises:
        ValueError: a value is neither a tensor nor a number.

    >>> broadcast_all(torch.zeros(2), 1.0)
    (tensor([0., 0.]), tensor([1., 1.]))
    """
    if not all(isinstance(v, (Tensor, Real)) for v in values):
        raise ArgumentValueError(f"Input arguments must all be instances of Number or Tensor, not {[type(v).__name__ for v in values]}")
    first = next((v for v in values if isinstance(v, Tensor)), None)
    dtype, device = (None, None) if first is None else (first.dtype, first.device)
    tensors = [v if isinstance(v, Tensor) else lt.tensor(float(v), dtype=dtype, device=device) for v in values]
    return lt.broadcast_tensors(*tensors)


def clamp_probs(probs: Tensor) -> Tensor:
    """Clamp probabilities to [eps, 1 - eps], with the epsilon of their dtype.

    Args:
        probs: probabilities of any shape.

    Returns:
        A tensor of the same shape and dtype.

    >>> bool(clamp_probs(torch.tensor(1.0)) < 1)
    True
    """
    eps = finfo(probs.dtype).eps
    return lt.clamp(probs, min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Convert probabilities to logits: their logarithms, or their log odds if they are binary.

    Args:
        probs: probabilities; those of categories lie along the last dim.
        is_binary: True for probabilities of success, False for those of categories.

    Returns:
        A tensor of the same shape, finite even for probabilities of 0 and 1.

    >>> probs_to_logits(torch.tensor(0.5), is_binary=True)
    tensor(0.)
    """
    clamped = clamp_probs(probs)
    return af.log(clamped) - af.log1p(-clamped) if is_binary else af.log(clamped)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Convert logits to probabilities, by a sigmoid if they are binary, else by a softmax along the last dim.

    Args:
        logits: log odds, or logarithms of weights along the last dim.
        is_binary: True for log odds.

    Returns:
        A tensor of the same shape.

    >>> logits_to_probs(torch.tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """
    return af.sigmoid(logits) if is_binary else lt.softmax(logits, -1)


def sum_rightmost(value: Tensor, count: int) -> Tensor:
    """Sum over the last `count` dims.

    Args:
        value: a tensor of at least `count` dims.
        count: how many, 0 to return `value` as it is.

    Returns:
        A tensor of `count` dims less.
    """
    return lt.sum(value, tuple(range(-count, 0))) if count else value


class lazy_property:
    """A property that is computed at its first use, with gradients enabled, and then stored in the instance.

    Args:
        wrapped: the method that computes it.

    >>> class Circle:
    ...     @lazy_property
    ...     def area(self):
    ...         return torch.tensor(3.0)
    >>> Circle().area
    tensor(3.)
    """

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
