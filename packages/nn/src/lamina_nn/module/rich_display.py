"""What notebooks show of a module: a table of its parts. Nothing is called."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Final

from lamina_ndarray.rich_display import table

if TYPE_CHECKING:
    from lamina_tensor import Tensor

    from .module import Module

__all__ = ["html"]

_ROWS: Final = 100
"""How many parts are shown."""


def html(module: Module) -> str:
    """A row for each part: its path, class and settings, and the parameters of its own with their shapes."""
    parts = list(module.named_modules())
    rows = [
        (path or "(model)", f"{part._get_name()}({part.extra_repr()})", *_held(part._parameters))
        for path, part in islice(parts, _ROWS)
    ]
    left = [] if len(parts) <= _ROWS else [("...", f"modules left out: {len(parts) - _ROWS:,}", "", "")]
    total = sum(_items(parameter) for parameter in module.parameters())
    head = ("module", "class", "own parameters", "items")
    return table(head, [*rows, *left], f"{module._get_name()}: items in parameters, each counted once: {total:,}", (3,))


def _held(parameters: Mapping[str, Tensor | None]) -> tuple[str, str]:
    held = {name: parameter for name, parameter in parameters.items() if parameter is not None}
    shapes = [f"{name} {tuple(p.shape) if _has_items(p) else '(no shape yet)'}" for name, p in held.items()]
    return ", ".join(shapes), f"{sum(map(_items, held.values())):,}"


def _has_items(parameter: Tensor) -> bool:
    from ..lazy_parameter import is_lazy

    return not is_lazy(parameter)


def _items(parameter: Tensor) -> int:
    return parameter.numel() if _has_items(parameter) else 0
