"""The packages as they are written: every Python file's syntax tree, parsed once."""

import ast
import functools
from pathlib import Path

FOLDERS = sorted((Path(__file__).parents[2] / "packages").glob("*/src"))


@functools.cache
def trees() -> dict[Path, tuple[str, ast.Module]]:
    """File -> the module's name, and its tree."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            module = ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")
            found[path] = module, ast.parse(path.read_text())
    return found
