"""Docstrings as they are written: what they lack grows nowhere, and their examples run."""

import ast
import doctest
import importlib

import docstring_ratchet
import numpy
import pytest
import written_docstrings

import lamina
import lamina_ndarray

LIMITS = docstring_ratchet.allowed()
FAILING = docstring_ratchet.failing_examples()
EXAMPLES = [
    pytest.param(
        definition,
        id=definition.place,
        marks=[pytest.mark.xfail(reason=FAILING[definition.name], strict=True)] if definition.name in FAILING else [],
    )
    for definition in written_docstrings.definitions()
    if ">>>" in (ast.get_docstring(definition.node) or "")
]


@pytest.mark.parametrize("package", written_docstrings.lacking())
@pytest.mark.parametrize("kind", written_docstrings.KINDS)
def test_what_is_lacking_only_falls(package, kind):
    limit = LIMITS.get(package, {}).get(kind, 0)
    of_package = [d for d in written_docstrings.definitions() if d.package == package]
    found = [definition.place for definition in of_package if kind in definition.lacks]
    assert len(found) <= limit, f"{len(found)} lack {kind}, {limit} were allowed, some of: {' '.join(found)}"


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
