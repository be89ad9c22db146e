"""Run at the start of each Python below a process in which `torch` is lamina: makes it so here, once torch is first asked for.

lamina itself is not loaded before: most such processes want none of it.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

TYPE_CHECKING = False  # typing itself is not loaded for this
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _WhenWanted:
    """Stands at the front of `sys.meta_path` until somebody asks for torch, or for what is installed."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """What the alias finds, if torch or a part of it is wanted."""
        return self._alias(lambda alias: alias.find_spec(name, path, target)) if name.partition(".")[0] == "torch" else None

    def find_distributions(self, context: Any) -> Any:
        """What the alias says of torch, if that or all there is is wanted."""
        if context.name is not None and context.name.lower() != "torch":
            return []
        return self._alias(lambda alias: alias.find_distributions(context)) or []

    def _alias(self, ask: Callable[[Any], Any]) -> Any:
        sys.meta_path.remove(self)
        try:
            from lamina.everywhere import as_torch
        except ModuleNotFoundError:  # a Python without lamina: torch means there what it always does
            return None
        as_torch()
        return ask(sys.meta_path[0])


_finder: Any = _WhenWanted()
sys.meta_path.insert(0, _finder)

_here = os.path.dirname(__file__)
sys.path[:] = [folder for folder in sys.path if folder != _here]
_hidden = PathFinder.find_spec("sitecustomize")
if _hidden and _hidden.loader:  # this file stands before one that would have been run
    sys.modules["sitecustomize"] = module_from_spec(_hidden)
    _hidden.loader.exec_module(sys.modules["sitecustomize"])
