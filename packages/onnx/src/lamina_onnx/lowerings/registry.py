"""The table of lowerings: for a function's name, the function that writes a call of it as nodes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from ..entering import F, enters

__all__ = ["IGNORED", "LOWERINGS", "lowers", "taken"]

LOWERINGS: Final[dict[str, Callable[..., Any]]] = {}
"""A function's name -> its lowering, which takes the graph and, by the function's own names, those arguments that it serves. What it
returns are names of tensors in the form of the function's results."""

IGNORED: Final = frozenset({
    "out", "device", "layout", "requires_grad", "pin_memory", "memory_format", "non_blocking", "copy", "inplace", "_stacklevel",
    "sparse", "scale_grad_by_freq", "generator",
})  # fmt: skip
"""Arguments that change nothing about the values of a result."""


def lowers(*names: str) -> Callable[[F], F]:
    """Decorate the lowering of the functions of these names."""
    return enters(LOWERINGS, names)


def taken(lowering: Callable[..., Any]) -> frozenset[str]:
    """The names of the arguments that a lowering serves."""
    return frozenset(list(inspect.signature(lowering).parameters)[1:])
