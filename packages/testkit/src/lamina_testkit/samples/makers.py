"""All makers of inputs by name; an op of the table whose record names none of them fails the import of the kit."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.ops import OPS

from . import axes, elementwise, layers, searches, windows
from .maker import Maker

__all__ = ["MAKERS"]

MAKERS: Final[dict[str, Maker]] = {
    **elementwise.MAKERS, **axes.MAKERS, **searches.MAKERS, **layers.MAKERS, **windows.MAKERS,
}  # fmt: skip
"""Every maker by name."""

if _without := [name for name, op in OPS.items() if op.samples != "apart" and op.samples not in MAKERS]:
    raise LookupError(f"the kit has no maker of inputs for {', '.join(_without)}; see `samples` in their records")

