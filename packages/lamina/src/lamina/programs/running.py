"""Running a program written for PyTorch: in its own folders `torch` means lamina, and nowhere else.

Nothing called torch is put among the loaded modules, so a third-party package that asks `try: import torch` gets the true
answer. What a program imports by a name that it computes is not seen.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from .respelling import respelled

__all__ = ["run"]


class _Loader(SourceFileLoader):
    """Loads a module of the program. Its bytecode is not cached: another run may want it as it is."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile(respelled(self.get_data(path), path), path, "exec", dont_inherit=True)


class _Finder:
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
        spec.loader = _Loader(spec.loader.name, spec.loader.path)
        spec.cached = None
        return spec


def run(script: str | Path, arguments: Sequence[str] = (), own: Sequence[str | Path] = ()) -> dict[str, Any]:
    """Run a program as `python script.py ...` would.

    Args:
        script: its path.
        arguments: what it finds in `sys.argv`.
        own: folders beside the script's own whose modules are the program's, too, as where it lies in a package's folder
            of examples. They are searched for imports.

    Returns:
        The names that its main module has at the end.

    Raises:
        FileNotFoundError: there is no such file.
        Exception: whatever the program raises.
    """
    file = Path(script).resolve()
    main = ModuleType("__main__")
    main.__dict__.update(__file__=str(file), __builtins__=__builtins__)
    code = compile(respelled(file.read_bytes(), str(file)), str(file), "exec", dont_inherit=True)
    with _at([file.parent, *(Path(folder).resolve() for folder in own)], [str(script), *arguments], main):
        exec(code, main.__dict__)
    return main.__dict__


@contextmanager
def _at(folders: Sequence[Path], arguments: Sequence[str], main: ModuleType) -> Any:
    """The interpreter as the program expects it."""
    finder: Any = _Finder(folders)
    before = (sys.argv, sys.path[:], sys.modules.get("__main__"))
    sys.argv = [*arguments]
    sys.path[0:0] = [str(folder) for folder in folders]
    sys.modules["__main__"] = main
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        sys.argv, sys.path[:] = before[0], before[1]
        if before[2] is not None:
            sys.modules["__main__"] = before[2]
