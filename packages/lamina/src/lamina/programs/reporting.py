"""Which of PyTorch's names a program uses, and whether lamina has them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .respelling import is_theirs, ours

__all__ = ["Use", "report", "written"]


class Use(NamedTuple):
    """A name of PyTorch that a program uses.

    Attributes:
        name: with the module, such as `torch.nn.Linear`.
        status: "ok", "differs" or "missing".
        note: in what it differs, or what comes nearest to it.
        lines: where it is used.
    """

    name: str
    status: str
    note: str
    lines: tuple[int, ...]


def report(script: str | Path) -> list[Use]:
    """The names of PyTorch that a program uses, in alphabetical order.

    Names that hang on a tensor or a module which the program has made (`x.sum()`) are not seen.

    Args:
        script: its path.

    Raises:
        FileNotFoundError: there is no such file.
        SyntaxError: it is no Python.
    """
    file = Path(script)
    used: dict[str, set[int]] = defaultdict(set)
    for name, line in _used(ast.parse(file.read_bytes(), str(file))):
        used[name].add(line)
    return [Use(name, *_status(name), tuple(sorted(lines))) for name, lines in sorted(used.items())]


def written(uses: Iterable[Use]) -> str:
    """A report as text, a line for each name, and a sum."""
    uses = list(uses)
    width = max((len(use.name) for use in uses), default=0)
    lines = [
        f"{use.status:8} {use.name:{width}}  line {', '.join(map(str, use.lines[:5]))}{f'  ({use.note})' if use.note else ''}"
        for use in uses
    ]
    counts = {status: sum(use.status == status for use in uses) for status in ("ok", "differs", "missing")}
    return "\n".join([*lines, f"{len(uses)} names: " + ", ".join(f"{n} {status}" for status, n in counts.items())])


def _used(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every dotted name that begins with what was imported from torch or torchvision, and its line."""
    meant: dict[str, str] = {}  # what the program calls it -> what PyTorch does
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if is_theirs(alias.name):
                    package = alias.name.partition(".")[0]
                    meant[alias.asname or package] = alias.name if alias.asname else package
                    yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module and is_theirs(node.module):
            for alias in node.names:
                if alias.name != "*":
                    meant[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                    yield f"{node.module}.{alias.name}", node.lineno
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            parts, at = [], node
            while isinstance(at, ast.Attribute):
                parts.append(at.attr)
                at = at.value  # type: ignore[assignment]
            if isinstance(at, ast.Name) and at.id in meant:
                yield ".".join([meant[at.id], *reversed(parts)]), node.lineno


def _status(name: str) -> tuple[str, str]:
    at: Any = import_module("lamina")
    note = ""
    for piece in ours(name).split(".")[1:]:
        try:
            at = _part(at, piece)
        except (AttributeError, ImportError) as error:
            return "missing", str(error).partition("; ")[2]
        own = getattr(at, "differs", "")
        note = own if isinstance(own, str) and own else note
    return ("differs", note) if note else ("ok", "")


def _part(at: Any, piece: str) -> Any:
    """An attribute, or a module that nobody has imported yet."""
    try:
        return getattr(at, piece)
    except AttributeError:
        if not hasattr(at, "__path__"):
            raise
        try:
            return import_module(f"{at.__name__}.{piece}")
        except ModuleNotFoundError:
            pass
        raise
