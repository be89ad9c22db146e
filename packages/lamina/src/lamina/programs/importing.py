"""How a program's own modules are imported: from its folders, respelled."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from .respelling import respelled

__all__ = ["Finder", "Loader"]


class Loader(SourceFileLoader):
    """Loads a module of the program. Its bytecode is not cached: another run may want it as it is."""

    def get_code(self, fullname: str) -> CodeType:
        """Compile the module's source as the program's own, respelled."""
        path = self.get_filename(fullname)
        return compile(respelled(self.get_data(path), path), path, "exec", dont_inherit=True)


class Finder:
    """Finds modules whose source lies in some folders, but not what is installed within them."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The module's spec, if it is the program's own."""
        spec = PathFinder.find_spec(name, [str(folder) for folder in self.folders] if path is None else path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or spec.origin is None:
            return None
        origin = Path(spec.origin).resolve()
        inside = [origin.relative_to(folder).parts for folder in self.folders if origin.is_relative_to(folder)]
        if not inside or "site-packages" in min(inside, key=len):
            return None
        spec.loader = Loader(spec.loader.name, spec.loader.path)
        spec.cached = None
        return spec
