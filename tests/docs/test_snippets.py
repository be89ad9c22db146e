"""Every Python block of the documents runs, those of one page in order and in one namespace.

A page that begins with `<!-- needs device: NAME -->` runs where something serves that device.
"""

import re
from pathlib import Path

import pytest

from lamina_flatarray import BackendError, backends

ROOT = Path(__file__).parents[2]
PAGES = [p for pattern in ("README.md", "packages/*/README.md", "examples/*/README.md", "docs/*.md") for p in sorted(ROOT.glob(pattern))]
DEVICE = re.compile(r"^<!-- needs device: (\w+) -->$", re.MULTILINE)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "page", [p for p in PAGES if BLOCK.search(p.read_text())], ids=lambda p: str(p.relative_to(ROOT))
)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "snippet"}
    text = page.read_text()
    for device in DEVICE.findall(text):
        try:
            backends.backend_for(device)
        except BackendError as cause:
            pytest.skip(str(cause))
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        exec(compile("\n" * line + block[1], str(page), "exec"), names)
