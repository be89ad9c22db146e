"""Hints: a Markdown file for each chapter, a section for each task, in it paragraphs that say more and more."""

from __future__ import annotations

from pathlib import Path

from ..chapters import Chapter

__all__ = ["hints"]


def hints(chapter: Chapter) -> dict[str, list[str]]:
    """Return all hints of a chapter.

    Args:
        chapter: which one.

    Returns:
        By task, paragraphs: a nudge, then more.

    >>> from lamina_course import CHAPTERS
    >>> hints(CHAPTERS[0])["itemsize"][0]
    'The bits stand in the name; a byte has 8 of them. Two names have none, and take one byte.'
    """
    text = (Path(__file__).parent / f"{chapter.name}.md").read_text(encoding="utf-8")
    found = {}
    for section in text.split("\n## ")[1:]:
        task, _, rest = section.partition("\n")
        found[task.strip()] = [paragraph.strip("\n") for paragraph in rest.split("\n\n") if paragraph.strip()]
    return found
