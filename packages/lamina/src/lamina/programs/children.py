"""Names by which the processes that a program starts find its main module again, respelled as it is here.

Such a process is told the name of its parent's main module, and imports it. This name says where the program lies.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

from .importing import Finder, Loader

__all__ = ["main_spec"]

__path__: list[str] = []  # so that Python asks for modules below this one
_BEGINNING = f"{__name__}.of_"


def main_spec(script: Path, folders: Sequence[Path]) -> ModuleSpec:
    """The spec of a program's main module, by whose name a child process finds it."""
    name = _BEGINNING + json.dumps([str(script), *map(str, folders)]).encode().hex()
    spec = spec_from_file_location(name, script, loader=Loader(name, str(script)))
    assert spec is not None  # it has a loader
    return spec


class _Found:
    """Gives a child process the main module, and makes the program's other modules importable there."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The main module's spec, if the name is one of these."""
        if not name.startswith(_BEGINNING):
            return None
        script, *folders = map(Path, json.loads(bytes.fromhex(name.removeprefix(_BEGINNING))))
        if not any(isinstance(finder, Finder) for finder in sys.meta_path):
            sys.meta_path.insert(0, Finder(folders))
        return main_spec(script, folders)


sys.meta_path.append(_Found)
