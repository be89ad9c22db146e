"""Marks: each check of a chapter, passed, to do or wrong."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Literal

from .chapters import Chapter, Task
from .examples import example
from .expecting import Wrong
from .learner import Stack

__all__ = ["Check", "Checks", "Mark", "mark"]

Check = Callable[[Stack], None]
"""Compares something with lamina, and raises Wrong where it differs. Its name and its docstring say what it is about."""
Checks = Mapping[str, Sequence[Check]]
"""By task, the checks behind its example, the simplest first."""


@dataclass(frozen=True)
class Mark:
    """What came of one check.

    Attributes:
        task: the function that is checked.
        name: the check's name.
        says: what it asks for.
        state: "right"; "to do", if a function that is needed is not written yet; or "wrong".
        where: the function that is not written, or that raised an error, and its line; "" of others.
        error: what was raised; None if all is right.

    >>> Mark("itemsize", "example", "the example in its docstring", "right").where
    ''
    """

    task: str
    name: str
    says: str
    state: Literal["right", "to do", "wrong"]
    where: str = ""
    error: BaseException | None = None


def mark(chapter: Chapter, folder: Path) -> Iterator[Mark]:
    """Run the checks of a chapter on the learner's code, one after the other.

    Args:
        chapter: which one.
        folder: the learner's, as `python -m lamina_course new` makes it.

    Yields:
        A mark for each check, in the order in which they teach.

    >>> from lamina_course import CHAPTERS
    >>> from lamina_course.learner import begin
    >>> begin(Path("course"))
    >>> first = next(mark(CHAPTERS[0], Path("course")))
    >>> first.task, first.name, first.state
    ('itemsize', 'example', 'to do')
    """
    stack = Stack(folder)
    checks: Checks = import_module(f".checks.{chapter.name}", __package__).CHECKS
    for task in chapter.tasks():
        if ">>>" in task.says:
            yield _marked(stack, task, "example", "the example in its docstring", partial(_example, stack, chapter, task))
        for check in checks.get(task.name, ()):
            says = " ".join((check.__doc__ or "").split())
            yield _marked(stack, task, check.__name__.replace("_", " "), says, partial(check, stack))


def _example(stack: Stack, chapter: Chapter, task: Task) -> None:
    example(task, stack.module(chapter.name))


def _marked(stack: Stack, task: Task, name: str, says: str, run: Callable[[], None]) -> Mark:
    try:
        run()
    except Wrong as wrong:
        return Mark(task.name, name, says, "wrong", "", wrong)
    except NotImplementedError as missing:
        return Mark(task.name, name, says, "to do", _place(stack, missing), missing)
    except Exception as error:  # whatever the learner's code raises is told, and does not end the course
        return Mark(task.name, name, says, "wrong", _place(stack, error), error)
    return Mark(task.name, name, says, "right")


def _place(stack: Stack, error: BaseException) -> str:
    """The innermost function of the learner's that an error came from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == stack.folder]
    return f"`{frames[-1].name}` in {stack.folder.name}/{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
