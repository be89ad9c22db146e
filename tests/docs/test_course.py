"""What the page about the course says of its chapters is so."""

import ast
import re
from pathlib import Path

from lamina_course import CHAPTERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "learn" / "course.md").read_text()
SOLUTIONS = ROOT / "packages" / "course" / "tests" / "stack"


def lengths():
    """Of each task in our solution, the lines below the docstring."""
    for chapter in CHAPTERS:
        text = (SOLUTIONS / f"{chapter.name}.py").read_text()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and text.splitlines()[node.lineno - 1].endswith("# task"):
                yield node.end_lineno - node.body[0].end_lineno


def test_the_table_counts_the_functions():
    rows = re.findall(r"^\| \[(\d)\. .+\| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    assert [(int(number), int(functions)) for number, functions, _ in rows] == [(each.number, len(each.tasks())) for each in CHAPTERS]
    assert f"{sum(len(each.tasks()) for each in CHAPTERS)} short functions" in PAGE
    assert f"about {sum(int(hours) for _, _, hours in rows)} hours" in PAGE


def test_most_functions_are_as_short_as_it_says():
    assert sum(length < 10 for length in lengths()) > 0.8 * len(list(lengths()))
