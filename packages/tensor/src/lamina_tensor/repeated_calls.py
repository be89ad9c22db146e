"""Calls of public functions, and of gradient rules, are repeated by compiled code, from plans that `compiling/call_plans.py` finds."""

from __future__ import annotations

from collections.abc import Callable
from types import EllipsisType, NoneType
from typing import Any, Final

from lamina_flatarray import Device, DType
from lamina_flatarray.devices import chosen
from lamina_flatarray.modes import INFERENCE, INSIDE, NO_GRAD
from lamina_flatarray.twins import compiled

from .devices.memory_formats import layout, memory_format
from .tensor_fields import viewing

__all__ = ["CONSTANTS", "REPEATED_UNDER", "plan_found"]

CONSTANTS: Final = frozenset({bool, str, NoneType, EllipsisType, DType, Device, memory_format, layout})
"""Classes of what stays what it is: such arguments are told by identity."""

REPEATED_UNDER: Final = NO_GRAD | INFERENCE
"""The modes that may be on while a call is repeated; in others Python makes it. In a backward pass, INSIDE is on as well."""


def plan_found(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Make a call, and find its plan; the first search imports what it takes.

    Args:
        function: what is called.
        args, kwargs: what it is called with.

    Returns:
        As `compiling.call_plans.plan_found`.
    """
    from .compiling import call_plans

    return call_plans.plan_found(function, args, kwargs)


if compiled is not None:
    compiled.use_plans(plan_found, viewing, CONSTANTS, chosen, REPEATED_UNDER, INSIDE)
