"""The compiled twins of small files that every op passes through, where the distribution lamina-compiled is installed.

A file that has a twin chooses it at its end, once, when it is imported. `LAMINA_COMPILED=0` leaves all of them to Python.
"""

from __future__ import annotations

import os
from types import ModuleType

from .modes import INTERCEPTING, NO_GRAD, RECORD, WATCHED_NODES, region, switched, word

__all__ = ["MISSING", "compiled", "forget_plans"]

compiled: ModuleType | None
"""The module of twins; None where it is not installed, was not built, or is not wanted."""

MISSING: str | None = None
"""Why the twins are installed, and wanted, and yet not there, and what to do about it; None where all is well."""

try:
    if os.environ.get("LAMINA_COMPILED") == "0":
        raise ModuleNotFoundError("left out by LAMINA_COMPILED=0", name="lamina_compiled")
    import lamina_compiled
except ImportError as _cause:
    import sysconfig

    compiled = None
    if _cause.name != "lamina_compiled" and not sysconfig.get_config_var("Py_GIL_DISABLED"):  # for which it is not built
        MISSING = str(_cause)
else:
    compiled = lamina_compiled
    compiled.use_modes(word, NO_GRAD, INTERCEPTING, WATCHED_NODES, RECORD)
    compiled.use_switched(switched, region)


def forget_plans() -> None:
    """Have calls of functions looked at anew: what they depend on beside their arguments has changed."""
    if compiled is not None:
        compiled.forget_plans()
