"""Makes a notebook of each lesson when the site is built: the code of the page, and its text between."""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
from mkdocs.structure.files import File

LESSON = re.compile(r"^\[Download this lesson as a notebook\]\((?P<name>[\w-]+\.ipynb)\)\n\n", re.MULTILINE)
OUTPUT = re.compile(r'^```text title="(?:Output|Picture)"\n.*?^```\n\n?', re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")


def on_files(files, config):
    """Add the notebooks, beside their pages."""
    for page in sorted((Path(config.docs_dir) / "learn").glob("*.md")):
        text = page.read_text()
        if lesson := LESSON.search(text):
            files.append(File.generated(config, f"learn/{lesson['name']}", content=notebook(text)))
    return files


def notebook(text: str) -> str:
    """Write a page as a notebook: without its outputs, which it makes itself, and without links into the site."""
    text = LINK.sub(r"\1", OUTPUT.sub("", LESSON.sub("", text)))
    made = jupytext.reads(text, fmt="md")
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    for place, cell in enumerate(made.cells):
        cell["id"] = str(place)  # not a random one: two builds of one page are the same
    return jupytext.writes(made, fmt="ipynb")
