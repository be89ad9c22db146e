"""What the documentation promises: examples run, public names have one, and nothing else is shown by `dir`."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

import pytest

import lamina_flatarray
from lamina_flatarray import backends, random

ROOT = Path(lamina_flatarray.__file__).parent
MODULES = [m.name for m in pkgutil.walk_packages([str(ROOT)], "lamina_flatarray.") if not m.name.endswith("__main__")]


@pytest.mark.parametrize("name", ["lamina_flatarray", *MODULES])
def test_examples_run(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert outcome.failed == 0


@pytest.mark.parametrize("module", [lamina_flatarray, backends, random], ids=lambda module: module.__name__)
def test_public_names_have_an_example_and_no_others_are_shown(module: ModuleType) -> None:
    for name in module.__all__:
        value = getattr(module, name)
        if callable(value) and hasattr(value, "__module__") and not (isinstance(value, type) and issubclass(value, Exception)):
            own = value.__module__.startswith("lamina_flatarray")
            assert not own or ">>>" in (value.__doc__ or ""), name
    others = {name for name in dir(module) if not name.startswith("_")} - set(module.__all__)
    assert all(isinstance(getattr(module, name), ModuleType) for name in others), others


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_public_function_method_and_class_says_what_it_does(path: Path) -> None:
    silent, containers = [], [ast.parse(path.read_text())]
    while containers:
        for node in containers.pop().body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                if not ast.get_docstring(node) and not any("setter" in ast.unparse(d) for d in node.decorator_list):
                    silent.append(node.name)
                if isinstance(node, ast.ClassDef):
                    containers.append(node)
    assert silent == []
