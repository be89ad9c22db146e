"""Every public function, method and class as it is written in the packages, and what its docstring still lacks."""

import ast
import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import docstring_rules
from sources import trees

KINDS = ("docstring", "args", "returns", "raises", "example")
Function = ast.FunctionDef | ast.AsyncFunctionDef
# Their first lines say what they are: a property has no arguments, and an overload's words stand at its implementation.
PROPERTIES = ("property", "cached_property", "setter", "deleter", "getter")


@dataclass(frozen=True, eq=False)
class Definition:
    """One `def` or `class`."""

    path: Path
    module: str
    qualname: str
    node: Function | ast.ClassDef
    shown: bool  # listed in the `__all__` of its package, or of lamina: it needs an example

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    @property
    def name(self) -> str:
        """What it is called wherever in its package it is written."""
        return f"{self.package}.{self.qualname}"

    @property
    def place(self) -> str:
        return f"{self.module}.{self.qualname}"

    @functools.cached_property
    def lacks(self) -> list[str]:
        """The kinds of what is missing."""
        text = ast.get_docstring(self.node)
        decorated = {_last_name(decorator) for decorator in self.node.decorator_list}
        found = ["docstring"] if docstring_rules.first_sentence(text, self.node.name) else []
        if decorated.intersection(PROPERTIES):
            return found
        if _arguments(self.node) and not docstring_rules.has_section(text, "Args"):
            found.append("args")
        if isinstance(self.node, Function):
            own = list(_own_statements(self.node))
            if _returns(self.node, own) and not docstring_rules.has_section(text, "Returns", "Yields"):
                found.append("returns")
            if _raises(own) and not docstring_rules.has_section(text, "Raises"):
                found.append("raises")
        if self.shown and not docstring_rules.has_example(text):
            found.append("example")
        return found


def _last_name(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _arguments(node: Function | ast.ClassDef) -> bool:
    if isinstance(node, ast.ClassDef):
        own = [n for n in node.body if isinstance(n, Function) and n.name == "__init__"]
        return any(_arguments(n) and not docstring_rules.has_section(ast.get_docstring(n), "Args") for n in own)
    given = node.args
    named = [a.arg for a in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return bool(given.vararg or given.kwarg or [name for name in named if name not in ("self", "cls")])


def _own_statements(node: Function) -> Iterator[ast.AST]:
    """All nodes of a function's body, without those of functions and classes inside."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        found = waiting.pop()
        yield found
        if not isinstance(found, Function | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(found))


def _returns(node: Function, own: list[ast.AST]) -> bool:
    if node.returns is not None:
        return ast.unparse(node.returns).strip("'\"") not in docstring_rules.NOTHING
    return any(isinstance(n, ast.Return) and n.value is not None for n in own)


def _raises(own: list[ast.AST]) -> bool:
    """What says `raise ...` itself; a bare `raise` hands on somebody else's."""
    return any(isinstance(n, ast.Raise) and n.exc is not None for n in own)


def _listed(tree: ast.Module) -> set[str]:
    """The names in `__all__`, as far as it is written out."""
    found = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            found |= {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return found


def _defined(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            if "overload" not in [_last_name(decorator) for decorator in node.decorator_list]:
                yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _defined(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If):
            yield from _defined([*node.body, *node.orelse], prefix)


@functools.cache
def definitions() -> tuple[Definition, ...]:
    """All public ones: neither they nor what they are in begins with an underscore, or an `__all__` lists them."""
    listed: dict[str, set[str]] = {}
    for path, (module, tree) in trees().items():
        package = module.partition(".")[0]
        if path.name == "__init__.py" or package == "lamina":
            listed.setdefault(package, set()).update(_listed(tree))
    face = listed.get("lamina", set())
    return tuple(
        Definition(path, module, qualname, node, qualname in listed.get(module.partition(".")[0], set()) | face)
        for path, (module, tree) in trees().items()
        for qualname, node in _defined(tree.body)
        if not any(part.startswith("_") for part in module.split("."))
        or qualname in listed.get(module.partition(".")[0], set())
    )


def lacking() -> dict[str, Counter[str]]:
    """Package -> how many of its public definitions lack what, beside how many there are (`of`)."""
    found: dict[str, Counter[str]] = {}
    for definition in definitions():
        counts = found.setdefault(definition.package, Counter())
        counts["of"] += 1
        counts.update(definition.lacks)
    return found
