"""A program's imports of torch and torchvision, respelled as imports of lamina; nothing else in it changes."""

from __future__ import annotations

import ast
from typing import Final

__all__ = ["is_theirs", "ours", "respelled", "theirs"]

_OURS: Final = {"torch": "lamina", "torchvision": "lamina.vision"}


def is_theirs(module: str) -> bool:
    """Whether a module's name is torch's or torchvision's, or that of a part of them."""
    return module.partition(".")[0] in _OURS


def ours(module: str) -> str:
    """Our name of a module of theirs: `lamina.nn` of `torch.nn`."""
    package, dot, part = module.partition(".")
    return _OURS[package] + dot + part


def theirs(module: str) -> str:
    """Their name of a module of ours: `torch.nn` of `lamina.nn`."""
    package, place = max(_OURS.items(), key=lambda pair: f"{module}.".startswith(f"{pair[1]}.") * len(pair[1]))
    return package + module.removeprefix(place)


class _Respelling(ast.NodeTransformer):
    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """`import torch.nn as nn` is `import lamina.nn as nn`; `import torch.nn` also binds `torch`."""
        statements: list[ast.stmt] = []
        for alias in node.names:
            if not is_theirs(alias.name):
                statements.append(ast.Import([alias]))
                continue
            package = alias.name.partition(".")[0]
            if alias.asname is None and alias.name != package:
                statements.append(ast.Import([ast.alias(ours(alias.name), package)]))  # loads the part; the next line rebinds
            bound = alias.asname or package
            name = alias.name if alias.asname else package
            statements.append(ast.Import([ast.alias(ours(name), bound)]))
        return [ast.copy_location(statement, node) for statement in statements]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """`from torch.nn import Linear` is `from lamina.nn import Linear`."""
        if node.level == 0 and node.module is not None and is_theirs(node.module):
            return ast.copy_location(ast.ImportFrom(ours(node.module), node.names, 0), node)
        return node


def respelled(source: str | bytes, path: str) -> ast.Module:
    """A program as a syntax tree whose imports of torch and torchvision are imports of lamina, on the lines where they were.

    Raises:
        SyntaxError: it is no Python.
    """
    program: ast.Module = _Respelling().visit(ast.parse(source, path))
    return ast.fix_missing_locations(program)
