"""Which of PyTorch's names a program uses, and whether lamina has them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from .respelling import is_theirs, ours

__all__ = ["Use", "attribute", "dotted", "meanings", "names_used", "report", "status_of", "written"]


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
    for name, line in names_used(ast.parse(file.read_bytes(), str(file))):
        used[name].add(line)
    return [Use(name, *status_of(name), tuple(sorted(lines))) for name, lines in sorted(used.items())]


def written(uses: Iterable[Use]) -> str:
    """A report as text, a line for each name, and a sum."""
    uses = list(uses)
    width = max((len(use.name) for use in uses), default=0)
    lines = [
        f"{use.status:8} {use.name:{width}}  line {', '.join(map(str, use.lines[:5]))}{f'  ({use.note})' if use.note else ''}"
        for use in uses
    ]
    counts = {status: sum(use.status == status for use in uses) for status in ("ok", "differs", "missing")}
    return "\n".join([*lines, f"names: {len(uses)}; " + ", ".join(f"{status} {n}" for status, n in counts.items())])


def names_used(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every dotted name that begins with what was imported from torch or torchvision, and its line."""
    for node in ast.walk(tree):
        for name, _ in _imported(node):
            yield name, node.lineno  # type: ignore[attr-defined]
    meant = meanings(tree)
    inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner and (full := dotted(node, meant)):
            yield full, node.lineno


def meanings(tree: ast.Module) -> dict[str, str]:
    """What a program calls that which it imported from torch or torchvision -> what PyTorch calls it."""
    meant: dict[str, str] = {}
    for node in ast.walk(tree):
        for name, bound in _imported(node):
            meant[bound] = name if bound != name.partition(".")[0] else bound
    return meant


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What a statement imports from torch or torchvision, and the name that it binds."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if is_theirs(alias.name):
                yield alias.name, alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module and is_theirs(node.module):
        for alias in node.names:
            if alias.name != "*":
                yield f"{node.module}.{alias.name}", alias.asname or alias.name


def dotted(node: ast.expr, meant: dict[str, str]) -> str | None:
    """PyTorch's name of what an expression says, if it is a dotted name that begins with something imported from it."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([meant[node.id], *reversed(parts)]) if isinstance(node, ast.Name) and node.id in meant else None


def status_of(name: str) -> tuple[str, str]:
    """Whether lamina has a name of PyTorch's ("ok", "differs" or "missing"), and a note of it."""
    try:
        *_, note = _notes(name)
    except (AttributeError, ImportError) as error:
        return "missing", str(error).partition("; ")[2]
    return ("differs", note) if note else ("ok", "")


def attribute(name: str) -> Any:
    """What lamina has under a name of PyTorch's.

    Raises:
        AttributeError: it has no such name.
    """
    at: Any = import_module("lamina")
    for piece in ours(name).split(".")[1:]:
        at = _part(at, piece)
    return at


def _notes(name: str) -> Iterator[str]:
    """What is noted of a name, step by step from the top."""
    at: Any = import_module("lamina")
    note = ""
    yield note
    for piece in ours(name).split(".")[1:]:
        at = _part(at, piece)
        own = getattr(at, "differs", "")
        note = own if isinstance(own, str) and own else note
        yield note


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
