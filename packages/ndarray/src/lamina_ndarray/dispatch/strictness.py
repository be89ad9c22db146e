"""What strict mode refuses: operands of other ranks spread, items copied unasked.

What lamina's own functions do on the way (a bias that is added, a layer that reshapes) is theirs; only a call that the user wrote is
refused, which the frames between that call and the op tell.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Final

from lamina_flatarray import ShapeError
from lamina_flatarray.modes import INSIDE, STRICT, switch, word

from ..layouts.layout import Layout

__all__ = ["SPELLINGS", "exchanged", "is_strict", "refuse_copy", "refuse_ranks", "turned"]

SPELLINGS: Final = {f"lamina_ndarray.{name}" for name in (
    "array", "dispatch.namespace", "elementwise.activations", "elementwise.arithmetic", "elementwise.array_api_edges",
    "elementwise.binary_parts", "elementwise.bits", "elementwise.checked_operands", "elementwise.choosing", "elementwise.closeness",
    "elementwise.comparison", "elementwise.dispatcher", "elementwise.exponential", "elementwise.general", "elementwise.generic",
    "elementwise.rounding", "elementwise.special_functions", "products.distances.dist",
    "shapes.rearranging.flatten", "shapes.views", "special.closed_forms",
)}  # fmt: skip
"""Modules, or functions of them, that hand a user's operands on to one op as they are; a storey above adds its own."""


def is_strict() -> bool:
    """Whether strict mode is on in this thread or task."""
    return bool(word.get() & STRICT)


def turned(on: bool) -> bool:
    """Set whether it is on in this thread or task; whether it was."""
    return switch(STRICT, on)


def exchanged(module: ModuleType, name: str, checking: Any) -> None:
    """Have `checking` stand in a module by the name of what it does the work of: it asks by itself whether the mode is on."""
    setattr(module, name, checking)


def _written_by_user() -> bool:
    """Whether the op that asks is what the user's code calls, and no part of something that it calls."""
    frame = sys._getframe(3)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        package = module.partition(".")[0]
        if package != "lamina" and not package.startswith("lamina_"):
            return True
        if module not in SPELLINGS and f"{module}.{frame.f_code.co_name}" not in SPELLINGS:
            return False
        frame = frame.f_back  # type: ignore[assignment]
    return True


def _refuses() -> bool:
    return word.get() & (STRICT | INSIDE) == STRICT and _written_by_user()


def refuse_ranks(*shapes: tuple[int, ...]) -> None:
    """Refuse operands with different numbers of axes, none of which is 0, in strict mode.

    Raises:
        ShapeError: these are such.
    """
    if len({len(shape) for shape in shapes} - {0}) > 1 and _refuses():
        raise ShapeError(
            f"shapes {' and '.join(map(str, shapes))} have different numbers of axes, which strict mode does not "
            "broadcast; give an operand axes of length 1 where it is to be repeated: x[None], x[:, None] or unsqueeze"
        )


def refuse_copy(layout: Layout) -> None:
    """Refuse to copy what `reshape` cannot view, in strict mode.

    Raises:
        ShapeError: it would have to be copied.
    """
    if not layout.contiguous and _refuses():
        raise ShapeError(
            f"reshape: shape {layout.shape} with strides {layout.strides} cannot be read in another shape without copying "
            "all items, which strict mode refuses; write contiguous().reshape(...) where a copy is meant"
        )
