"""Writes `docs/look-up/mistakes.md`: what people do wrong, and what PyTorch and lamina say."""

from __future__ import annotations

import textwrap
from pathlib import Path

import torch

import lamina

from . import data_and_files, dtypes, gradients, models, shapes
from .mistake import Mistake, mistakes, text_of

__all__ = ["PAGE", "SUBJECTS", "page"]

PAGE = Path(__file__).parents[3] / "docs" / "look-up" / "mistakes.md"
SUBJECTS = (shapes, dtypes, gradients, models, data_and_files)
LONGEST = 700
HEAD = """# Mistakes that people make

{count} programs that are wrong, what PyTorch says of each, what lamina says, and what mends it. Search this page for the message that you
got. Errors are of the same built-in family in both.

This page is written by `tests/oracle/mistakes/mistakes_page.py`, and a test fails when it is out of date.
"""


def _told(mistake: Mistake, name: str, module: object) -> str:
    error = mistake.told(module)
    assert error is not None
    text = text_of(error)
    shown = text if len(text) <= LONGEST else textwrap.shorten(text, LONGEST, placeholder=" ...")
    return f"{name}: `{type(error).__name__}`\n\n```text\n{shown}\n```\n"


def _entry(mistake: Mistake) -> str:
    told = f"{_told(mistake, 'PyTorch', torch)}\n{_told(mistake, 'lamina', lamina)}"
    return f"### {mistake.title}\n\n```py\n{mistake.source}\n```\n\n{told}\n{mistake.mend}\n"


def page() -> str:
    """The page's text."""
    count = sum(len(mistakes(subject)) for subject in SUBJECTS)
    parts = [HEAD.format(count=count)]
    for subject in SUBJECTS:
        parts += [f"## {(subject.__doc__ or '').rstrip('.')}\n", *map(_entry, mistakes(subject))]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
