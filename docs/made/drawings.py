"""Runs the page about drawings when the site is built, and adds the files that its code saves, so that it shows what it draws."""

from __future__ import annotations

import contextlib
import io
import os
import re
import tempfile
from pathlib import Path

from mkdocs.structure.files import File

PAGE = "do/seeing.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def on_files(files, config):
    """Add the drawings, beside their page."""
    text = (Path(config.docs_dir) / PAGE).read_text(encoding="utf-8")
    for name, content in drawn(text).items():
        files.append(File.generated(config, f"{PAGE.rpartition('/')[0]}/{name}", content=content))
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
