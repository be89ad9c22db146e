"""What strict mode refuses: operands of other ranks spread, items copied unasked; and how its checks come into the ops.

While it is off everywhere, nothing of it runs: the functions that check stand in their modules only while somebody has it
on. What lamina's own functions do on the way (a bias that is added, a layer that reshapes) is theirs; only a call that the
user wrote is refused, which the frames between that call and the op tell.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextvars import ContextVar
from types import ModuleType
from typing import Any, Final

from lamina_flatarray import ShapeError

from ..array import NDArray
from ..elementwise import map_makers, map_signatures
from ..layouts import layout
from ..layouts.broadcast import broadcast_shapes
from ..shapes import views

__all__ = ["SPELLINGS", "exchanged", "is_strict", "turned"]

SPELLINGS: Final = {f"lamina_ndarray.{name}" for name in (
    "dispatch.namespace", "elementwise.array_api_edges", "elementwise.binary_parts", "elementwise.closeness",
    "elementwise.generic", "elementwise.map_makers", "elementwise.map_signatures", "operators", "products.distances.dist",
    "shapes.rearranging.flatten", "shapes.views", "special.closed_forms",
)}  # fmt: skip
"""Modules, or functions of them, that hand a user's operands on to one op as they are; a storey above adds its own."""


class _Users:
    """Counts the contexts that are strict: each holds one of these, and so do the tasks that inherit it."""

    count = 0

    def __init__(self) -> None:
        with _lock:
            _Users.count += 1
            _exchange()

    def __del__(self) -> None:
        with _lock:
            _Users.count -= 1
            _exchange()


_lock: Final = threading.RLock()
_user: Final[ContextVar[_Users | None]] = ContextVar("strict", default=None)
_exchanges: Final[list[tuple[ModuleType, str, Any, Any]]] = []
_exchanged = False


def is_strict() -> bool:
    """Whether strict mode is on in this thread or task."""
    return _user.get() is not None


def turned(on: bool) -> bool:
    """Set whether it is on in this thread or task; whether it was."""
    before = is_strict()
    if on is not before:
        _user.set(_Users() if on else None)
    return before


def exchanged(module: ModuleType, name: str, checking: Any) -> None:
    """Have `checking` stand in a module by the name of what it does the work of, while anybody is strict."""
    global _exchanged
    with _lock:
        _exchanges.append((module, name, getattr(module, name), checking))
        if _exchanged:
            setattr(module, name, checking)


def _exchange() -> None:
    global _exchanged
    on = _Users.count > 0
    if on is _exchanged:
        return
    _exchanged = on
    for module, name, plain, checking in _exchanges:
        setattr(module, name, checking if on else plain)
    if on:
        layout._forget()  # pairs of layouts that are known to meet are not looked at again


def _written_by_user() -> bool:
    """Whether the op that is running is what the user's code calls, and no part of something that it calls."""
    frame = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        package = module.partition(".")[0]
        if package != "lamina" and not package.startswith("lamina_"):
            return True
        if module not in SPELLINGS and f"{module}.{frame.f_code.co_name}" not in SPELLINGS:
            return False
        frame = frame.f_back  # type: ignore[assignment]
    return True


# -- the functions that check ---------------------------------------------------------------------------------------------


def _checked_shapes(*shapes: Sequence[int], op: str = "broadcast") -> tuple[int, ...]:
    ranks = {len(shape) for shape in shapes} - {0}
    if len(ranks) > 1 and is_strict() and _written_by_user():
        raise ShapeError(
            f"{op}: shapes {' and '.join(map(str, shapes))} have different numbers of axes, which strict mode does not "
            "broadcast; give an operand axes of length 1 where it is to be repeated: x[None], x[:, None] or unsqueeze"
        )
    return broadcast_shapes(*shapes, op=op)


def _never_met(x: Any, y: Any) -> None:
    """In the place of what is remembered of two layouts: the general way is taken, which asks for the shapes."""


def _checked_copy(x: NDArray) -> NDArray:
    if not x.layout.contiguous and is_strict() and _written_by_user():
        raise ShapeError(
            f"reshape: shape {x.layout.shape} with strides {x.layout.strides} cannot be read in another shape without copying "
            "all items, which strict mode refuses; write contiguous().reshape(...) where a copy is meant"
        )
    return views.contiguous(x)


exchanged(map_makers, "broadcast_shapes", _checked_shapes)
exchanged(map_makers, "_met", _never_met)
exchanged(map_signatures, "_all_met", _never_met)
exchanged(views, "_laid_out", _checked_copy)
