"""Running a program in a process in which `torch` is lamina for everybody."""

from __future__ import annotations

import ast
import os
import runpy
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from lamina_nn.data.with_workers import started_by

from ..programs.running import can_be_imported
from .aliasing import as_torch

__all__ = ["run"]


def run(program: str | Path, arguments: Sequence[str] = (), *, module: bool = False) -> dict[str, Any]:
    """Run a program as `python program.py ...` or `python -m program ...` would, with `torch` being lamina in all it imports.

    Args:
        program: its path, or the name of a module.
        arguments: what it finds in `sys.argv`.
        module: whether it is the name of a module.

    Returns:
        The names that its main module has at the end.

    Raises:
        FileNotFoundError: there is no such file.
        RuntimeError: a real PyTorch is loaded already.
        Exception: whatever the program raises.
    """
    argv, path = sys.argv, sys.path[:]
    sys.argv = [str(program), *arguments]
    try:
        with as_torch():
            if module:
                sys.path.insert(0, os.getcwd())
                return runpy.run_module(str(program), run_name="__main__", alter_sys=True)
            file = Path(program).resolve()
            sys.path.insert(0, str(file.parent))
            tree = ast.parse(file.read_bytes(), str(file))
            with nullcontext() if can_be_imported(tree) else started_by("fork"):
                return runpy.run_path(str(program), run_name="__main__")
    finally:
        sys.argv, sys.path[:] = argv, path
