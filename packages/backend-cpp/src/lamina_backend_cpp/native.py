"""The compiled module, or why there is none: it is optional, so that installing without a compiler succeeds."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

__all__ = ["MISSING", "module"]

module: Any
MISSING: str | None
"""Why `module` is None, and what to do about it; None where all is well."""

try:
    module, MISSING = import_module("._native", __package__), None
except ImportError as _cause:
    from pathlib import Path

    _told = Path(__file__).with_name("not_built.txt")
    _why = f"was not built: {_told.read_text().strip()}" if _told.exists() else f"is not there, or cannot be loaded: {_cause}"
    module = None
    MISSING = (
        f"its native part {_why}; with a C++17 compiler, ./run kernels builds it in a clone, and elsewhere "
        "pip install --force-reinstall --no-cache-dir --no-deps --no-binary lamina-backend-cpp lamina-backend-cpp"
    )


def _unlike() -> str | None:
    """Why the compiled module does not fit to this lamina_flatarray: they share the numbers of dtypes."""
    from lamina_flatarray.dtypes import DTYPES

    ours: Final = tuple(dtype.name for dtype in DTYPES.values())[: len(module.dtypes)]
    if ours == module.dtypes:
        return None
    return f"its native part numbers dtypes as {module.dtypes}, but lamina_flatarray as {ours}; install it anew"


if module is not None:
    MISSING = _unlike()
