"""Runs pages with drawings when the site is built, and adds the files that their code saves, so that they show what they draw."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path

from mkdocs.structure.files import File

PAGES = ("do/seeing.md", "learn/course.md")
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def on_files(files, config):
    """Add the drawings, beside their pages."""
    for page in PAGES:
        text = (Path(config.docs_dir) / page).read_text(encoding="utf-8")
        for name, content in drawn(text).items():
            files.append(File.generated(config, f"{page.rpartition('/')[0]}/{name}", content=content))
    return files


def drawn(text: str) -> dict[str, str]:
    """The files that the code of a page saves, by name."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            exec("\n".join(BLOCK.findall(text)), {"__name__": "page"})
        finally:
            os.chdir(before)
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir()) if path.suffix in (".svg", ".html")}
