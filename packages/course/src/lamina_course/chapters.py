"""The chapters, in order: what each is about, and the tasks in its file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["BLANK", "CHAPTERS", "Chapter", "Task"]

BLANK: Final = Path(__file__).parent / "_blank"
"""The package that a learner is given."""


@dataclass(frozen=True)
class Task:
    """One function that the learner writes.

    Attributes:
        name: its name in the chapter's file, with that of its class.
        says: its docstring.
    """

    name: str
    says: str


@dataclass(frozen=True)
class Chapter:
    """One chapter of the course.

    Attributes:
        number: from 1 on.
        name: that of its file, without the ending.
        about: what it is about, in a few words.

    >>> print(CHAPTERS[1].number, CHAPTERS[1].name, [task.name for task in CHAPTERS[1].tasks()][:3])
    2 strides ['size_of', 'row_major', 'place']
    """

    number: int
    name: str
    about: str

    def tasks(self) -> list[Task]:
        """Return what is to be written, in the order of the file.

        Returns:
            A list of tasks.
        """
        text = (BLANK / f"{self.name}.py").read_text(encoding="utf-8")
        return list(_tasks(ast.parse(text).body, text.splitlines()))


def _tasks(body: list[ast.stmt], lines: list[str], owner: str = "") -> Iterator[Task]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tasks(node.body, lines, f"{node.name}.")
        elif isinstance(node, ast.FunctionDef) and lines[node.lineno - 1].endswith("# task"):
            yield Task(owner + node.name, ast.get_docstring(node) or "")


CHAPTERS: Final = (
    Chapter(1, "memory", "bytes, and how to read them as numbers"),
    Chapter(2, "strides", "views that copy nothing"),
    Chapter(3, "arrays", "broadcasting, functions item by item, sums and products"),
    Chapter(4, "backend", "lamina computes with your kernels"),
    Chapter(5, "gradients", "the trail of what was computed, and the way back"),
    Chapter(6, "training", "modules, optimizers, and two moons"),
)
"""All of them."""
