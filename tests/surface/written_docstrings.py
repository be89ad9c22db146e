"""Every function, method and class as it is written in the packages, and what its docstring still lacks.

What users see under a public path says all: its arguments, results, errors, and an example. A method's example may be its class's, but
for Tensor and NDArray, whose methods are as many as functions. What only other files of the packages call says what its name does not.
"""

import ast
import functools
import importlib
import inspect
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import docstring_rules
import namespaces
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
    shown: bool  # users see it
    class_has_example: bool

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
        if decorated.intersection(PROPERTIES) or not self.shown:
            return found
        if _arguments(self.node) and not docstring_rules.has_section(text, "Args"):
            found.append("args")
        if isinstance(self.node, Function):
            own = list(_own_statements(self.node))
            if _returns(self.node, own) and not docstring_rules.has_section(text, "Returns", "Yields"):
                found.append("returns")
            if _raises(own) and not docstring_rules.has_section(text, "Raises"):
                found.append("raises")
        if not self.class_has_example and not docstring_rules.has_example(text):
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


LAYERS = (
    "lamina_flatarray", "lamina_ndarray", "lamina_ndarray.linalg", "lamina_ndarray.fft", "lamina_ndarray.special", "lamina_tensor",
    "lamina_nn", "lamina_nn.gguf", "lamina_nn.training", "lamina_onnx", "lamina_backend_cpp", "lamina_testkit",
    "lamina_course",
)  # fmt: skip


def _shown() -> set[tuple[str, str]]:
    """Module and name of every function and class that a public namespace has, and of the classes that these are made of."""
    shown = set()
    for module in (*(ours for ours, _ in namespaces.modules().values()), *map(importlib.import_module, LAYERS)):
        for name in getattr(module, "__all__", None) or dir(module):
            value = getattr(module, name)
            if name.startswith("_") or isinstance(value, types.ModuleType):
                continue
            for made in inspect.getmro(value) if isinstance(value, type) else (inspect.unwrap(value) if callable(value) else value,):
                home = getattr(made, "__module__", None)
                if isinstance(home, str) and home.startswith("lamina"):
                    shown.add((home, getattr(made, "__qualname__", name)))
    return shown


def _defined(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            if "overload" not in [_last_name(decorator) for decorator in node.decorator_list]:
                yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from _defined(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If):  # what only type checkers see says nothing to readers
            yield from _defined([*([] if ast.unparse(node.test) == "TYPE_CHECKING" else node.body), *node.orelse], prefix)


@functools.cache
def definitions() -> tuple[Definition, ...]:
    """All that do not begin with an underscore, nor what they are in; or that users see all the same."""
    shown = _shown()
    found = []
    for path, (module, tree) in trees().items():
        exemplified: set[str] = set()  # classes with an example
        for qualname, node in _defined(tree.body):
            owner = qualname.rpartition(".")[0]
            if isinstance(node, ast.ClassDef) and docstring_rules.has_example(ast.get_docstring(node)):
                exemplified.add(qualname)
            seen = (module, qualname.partition(".")[0]) in shown
            if seen or not any(part.startswith("_") for part in module.split(".")):
                found.append(Definition(path, module, qualname, node, seen, owner in exemplified and owner not in ("Tensor", "NDArray")))
    return tuple(found)
