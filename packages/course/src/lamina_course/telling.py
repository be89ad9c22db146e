"""Marks as text: how far a chapter is, and the first thing that is not right."""

from __future__ import annotations

from collections.abc import Sequence

from .chapters import Chapter
from .expecting import Wrong
from .marking import Mark

__all__ = ["told"]

_STATES = {"right": "right", "to do": "to do", "wrong": "WRONG"}


def told(chapter: Chapter, marks: Sequence[Mark]) -> str:
    """Return a line for each task, and all about the first check that is not right.

    Args:
        chapter: which one it is.
        marks: of all its checks, in order.

    Returns:
        Text of some lines.

    >>> from lamina_course import CHAPTERS
    >>> print(told(CHAPTERS[0], [Mark("itemsize", "example", "...", "right")]))
    chapter 1, memory: bytes, and how to read them as numbers
    <BLANKLINE>
      right  itemsize
    <BLANKLINE>
    1 of 1 checks are right: this chapter is done.
    """
    lines = [f"chapter {chapter.number}, {chapter.name}: {chapter.about}", ""]
    for task in dict.fromkeys(mark.task for mark in marks):
        states = [mark.state for mark in marks if mark.task == task]
        state = next((state for state in ("wrong", "to do") if state in states), "right")
        lines.append(f"  {_STATES[state]}  {task}")
    right = sum(mark.state == "right" for mark in marks)
    first = next((mark for mark in marks if mark.state != "right"), None)
    what_next = ": this chapter is done." if first is None else ". The first that is not:"
    lines += ["", f"{right} of {len(marks)} checks are right{what_next}"]
    if first is not None:
        lines += ["", *_in_words(chapter, _most_telling(first, marks))]
    return "\n".join(lines)


def _most_telling(first: Mark, marks: Sequence[Mark]) -> Mark:
    """The first check of the same task that knows the mistake, as those behind an example may; else the first check itself."""
    if first.state == "to do":
        return first
    same_task = (mark for mark in marks if mark.task == first.task)
    return next((mark for mark in same_task if isinstance(mark.error, Wrong) and mark.error.mistake), first)


def _in_words(chapter: Chapter, mark: Mark) -> list[str]:
    lines = [f"  {mark.task}: {mark.name}", f"    {mark.says}", ""]
    if isinstance(mark.error, Wrong):
        wrong = mark.error
        lines += [f"    asked     {wrong.asked}", f"    expected  {wrong.expected}", f"    came      {wrong.came}"]
        if wrong.mistake:
            lines += ["", f"    Often it is this: {wrong.mistake}."]
        if wrong.drawing:
            lines += ["", "    What is expected, drawn by lamina:", "", *(f"      {line}".rstrip() for line in wrong.drawing.splitlines())]
    elif mark.state == "to do":
        lines.append(f"    to do: {mark.where or mark.task} is not written yet.")
    else:
        lines.append(f"    {type(mark.error).__name__} in {mark.where or 'the file'}: {mark.error}")
    return [*lines, "", f"    hint: python -m lamina_course hint {chapter.number} {mark.task}"]
