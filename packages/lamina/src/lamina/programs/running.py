"""Running a program written for PyTorch: in its own folders `torch` means lamina, and nowhere else.

Nothing called torch is put among the loaded modules, so a third-party package that asks `try: import torch` gets the true
answer. What a program imports by a name that it computes is not seen.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from multiprocessing import get_all_start_methods
from pathlib import Path
from types import ModuleType
from typing import Any

from lamina_nn.data.with_workers import started_by

from .children import main_spec
from .importing import Finder
from .respelling import respelled

__all__ = ["can_be_imported", "run"]


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
    folders = [file.parent, *(Path(folder).resolve() for folder in own)]
    main = ModuleType("__main__")
    main.__dict__.update(__file__=str(file), __builtins__=__builtins__, __spec__=main_spec(file, folders))
    tree = respelled(file.read_bytes(), str(file))
    code = compile(tree, str(file), "exec", dont_inherit=True)
    with _at(folders, [str(script), *arguments], main), nullcontext() if can_be_imported(tree) else started_by("fork"):
        exec(code, main.__dict__)
    return main.__dict__


def can_be_imported(tree: ast.Module) -> bool:
    """Whether workers may import the program: what does not look at `__name__` would run whole in each. Such programs rely on
    being forked; where there is no fork, as on Windows, PyTorch does not run them, either."""
    return "fork" not in get_all_start_methods() or any(
        isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(tree)
    )


@contextmanager
def _at(folders: Sequence[Path], arguments: Sequence[str], main: ModuleType) -> Iterator[None]:
    """The interpreter as the program expects it."""
    finder: Any = Finder(folders)
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
