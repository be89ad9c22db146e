"""Activations that are written over their inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_tensor import Tensor, is_grad_enabled

__all__ = ["written_over"]


def written_over(function: Callable[..., Tensor], input: Tensor, *args: Any, **params: Any) -> Tensor:
    """Write a function's result over its input, of which its gradient sees a copy.

    Args:
        function: what is applied to the input.
        input: the tensor to overwrite.
        args, params: what else the function is called with.

    Returns:
        The input.

    >>> x = torch.tensor([-1.0, 2.0])
    >>> written_over(torch.relu, x) is x
    True
    """
    original = input.clone() if is_grad_enabled() and input.requires_grad else input
    return input.copy_(function(original, *args, **params))
