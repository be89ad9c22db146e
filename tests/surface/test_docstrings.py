"""Docstrings as they are written: they lack nothing, and their examples run."""

import ast
import doctest
import importlib

import numpy
import pytest
import written_docstrings

import lamina
import lamina_ndarray

EXAMPLES = [
    pytest.param(definition, id=definition.place)
    for definition in written_docstrings.definitions()
    if ">>>" in (ast.get_docstring(definition.node) or "")
]


@pytest.mark.parametrize("package", sorted({definition.package for definition in written_docstrings.definitions()}))
@pytest.mark.parametrize("kind", written_docstrings.KINDS)
def test_none_is_lacking(package, kind):
    of_package = [definition for definition in written_docstrings.definitions() if definition.package == package]
    assert not [definition.place for definition in of_package if kind in definition.lacks]


@pytest.mark.parametrize("definition", EXAMPLES)
def test_example(definition, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = vars(importlib.import_module(definition.module))  # as doctest gives them; what users write stands in `torch` or `nd`
    names = {**own, "np": numpy, "torch": lamina, "nd": lamina_ndarray, "__name__": "example"}
    text = ast.get_docstring(definition.node)
    line = definition.node.body[0].lineno
    parsed = doctest.DocTestParser().get_doctest(text, names, definition.place, str(definition.path), line)
    failed = []
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    doctest.DocTestRunner(optionflags=flags, verbose=False).run(parsed, out=failed.append)
    assert not failed, "".join(failed)
