"""The learner's own package: made in a folder, imported from there."""

from __future__ import annotations

import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import ModuleType
from typing import Any, Final

from .chapters import BLANK

__all__ = ["PACKAGE", "Stack", "begin"]

PACKAGE: Final = "stack"
"""The name of the learner's package."""


def begin(folder: Path) -> None:
    """Write the blank package into a folder, which is made if it is not there.

    Args:
        folder: the learner's.

    Raises:
        FileExistsError: there is a package in it already, which stays as it is.

    >>> begin(Path("mine"))
    >>> sorted(path.name for path in Path("mine", "stack").iterdir())[:3]
    ['__init__.py', 'arrays.py', 'backend.py']
    """
    if (folder / PACKAGE).exists():
        raise FileExistsError(f"{folder / PACKAGE} is there already, and stays as it is: name another folder")
    copytree(BLANK, folder / PACKAGE, ignore=ignore_patterns("__pycache__"))


class Stack:
    """The learner's modules by name, each imported when it is first asked for: as it is in its file now.

    Args:
        folder: where the package is.

    Raises:
        FileNotFoundError: it is not there.

    >>> begin(Path("yours"))
    >>> Stack(Path("yours")).strides.__name__
    'stack.strides'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve() / PACKAGE
        if not (self.folder / "__init__.py").exists():
            raise FileNotFoundError(f"there is no folder {PACKAGE!r} in {folder}: python -m lamina_course new FOLDER makes one")
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]
        self._path = str(self.folder.parent)
        invalidate_caches()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.module(name)

    def module(self, name: str) -> ModuleType:
        """Import a module of the learner's.

        Args:
            name: the chapter's name.

        Returns:
            The module.
        """
        sys.path.insert(0, self._path)
        try:
            return import_module(f"{PACKAGE}.{name}")
        finally:
            sys.path.remove(self._path)
