"""Ordinary programs run, on lamina and on PyTorch, and checkers of types find nothing in them."""

import re

import checkers
import pytest

each_program = pytest.mark.parametrize("path", checkers.PROGRAMS, ids=lambda path: path.stem)
each_checker = pytest.mark.parametrize(
    "checker", [pytest.param(checker, marks=pytest.mark.xdist_group(checker)) for checker in checkers.CHECKERS]
)


def run(source, path):
    exec(compile(source, str(path), "exec"), {"__name__": "program"})


@each_program
def test_it_runs(path):
    run(path.read_text(), path)


@each_program
def test_it_is_a_program_of_pytorch(path):
    """What is asked of lamina is what PyTorch does."""
    source = path.read_text()
    if "import lamina_ndarray" in source:
        pytest.skip("a program of arrays, which PyTorch has not")
    source = re.sub(r"^import lamina as torch$", "import torch", source, flags=re.MULTILINE)
    source = re.sub(r"^(from|import) lamina\b", r"\1 torch", source, flags=re.MULTILINE)
    assert "lamina" not in source
    run(source, path)


@each_checker
@each_program
def test_a_checker_finds_nothing(checker, path):
    assert not checkers.of_programs(checker).get(path.stem)


@each_checker
def test_a_checker_finds_mistakes(checker):
    """Where a type is `Any`, a program has no errors, and neither have its mistakes."""
    assert not checkers.missed(checker)
