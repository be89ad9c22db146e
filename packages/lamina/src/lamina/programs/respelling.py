"""A program's imports of torch, respelled as imports of lamina; nothing else in it changes."""

from __future__ import annotations

import ast

__all__ = ["is_torch", "respelled"]


def is_torch(module: str) -> bool:
    """Whether a module's name is torch's, or that of a part of it."""
    return module == "torch" or module.startswith("torch.")


def _ours(module: str) -> str:
    return "lamina" + module.removeprefix("torch")


class _Respelling(ast.NodeTransformer):
    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """`import torch.nn as nn` is `import lamina.nn as nn`; `import torch.nn` also binds `torch`."""
        made: list[ast.stmt] = []
        for alias in node.names:
            if not is_torch(alias.name):
                made.append(ast.Import([alias]))
                continue
            if alias.asname is None and alias.name != "torch":
                made.append(
                    ast.Import([ast.alias(_ours(alias.name), "torch")])
                )  # loads the part; the next line rebinds
            bound = alias.asname or "torch"
            name = alias.name if alias.asname else "torch"
            made.append(ast.Import([ast.alias(_ours(name), bound)]))
        return [ast.copy_location(statement, node) for statement in made]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """`from torch.nn import Linear` is `from lamina.nn import Linear`."""
        if node.level == 0 and node.module is not None and is_torch(node.module):
            return ast.copy_location(ast.ImportFrom(_ours(node.module), node.names, 0), node)
        return node


def respelled(source: str | bytes, path: str) -> ast.Module:
    """A program as a syntax tree whose imports of torch are imports of lamina, on the lines where they were.

    Raises:
        SyntaxError: it is no Python.
    """
    return ast.fix_missing_locations(_Respelling().visit(ast.parse(source, path)))
