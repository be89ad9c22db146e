"""An assertion as a function, which programs that are traced elsewhere call in place of the statement."""

from __future__ import annotations

from typing import Any

from .dispatch.torch_function import torch_function

__all__: list[str] = []


@torch_function
def _assert(condition: Any, message: str) -> None:
    """Check a condition.

    Args:
        condition: anything that has a truth value, such as a tensor of one item.
        message: what the error says.

    Raises:
        AssertionError: the condition is false.

    >>> torch._assert(torch.tensor(1) < 2, "1 is less than 2")
    """
    if not condition:
        raise AssertionError(message)
