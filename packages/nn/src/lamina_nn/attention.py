"""PyTorch's choice between ways to compute attention, accepted: here there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

__all__ = ["SDPBackend", "sdpa_kernel"]


class SDPBackend(IntEnum):
    """Name the ways in which PyTorch computes attention; lamina has one.

    Args:
        value: the number of one of them.

    >>> torch.nn.attention.SDPBackend.MATH.value
    0
    """

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends: list[SDPBackend] | SDPBackend, set_priority: bool = False) -> Iterator[dict[str, Any]]:
    """Accept a choice of ways to compute attention, in a `with` block: every choice gives the same result.

    Args:
        backends: an `SDPBackend`, or a list of them.
        set_priority: without effect.

    Returns:
        A context manager.

    Raises:
        AssertionError: backends is neither an `SDPBackend` nor a list.

    >>> q = torch.zeros(1, 2, 4)
    >>> with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
    ...     torch.nn.functional.scaled_dot_product_attention(q, q, q).shape
    lamina.Size([1, 2, 4])
    """
    if not isinstance(backends, (list, SDPBackend)):
        raise AssertionError(f"Backend must be an instance of SDPBackend or a list of them, got {type(backends).__name__}")
    yield {}
