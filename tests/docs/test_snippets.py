"""Every Python block of the documents runs, those of one page in order and in one namespace, and prints what the page shows.

A page that begins with `<!-- needs device: NAME -->` runs where something serves that device.
"""

import re
import sys
from pathlib import Path

import printed
import pytest

from lamina_flatarray import BackendError, backends

ROOT = Path(__file__).parents[2]
PAGES = [p for pattern in ("README.md", "packages/*/README.md", "examples/*/README.md", "docs/**/*.md") for p in sorted(ROOT.glob(pattern))]
DEVICE = re.compile(r"^<!-- needs device: (\w+) -->$", re.MULTILINE)


@pytest.mark.parametrize(
    "page", [p for p in PAGES if printed.BLOCK.search(p.read_text())], ids=lambda p: str(p.relative_to(ROOT))
)
def test_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "lamina.as_torch(" in page.read_text():  # to be called before anything imports torch, as other tests of this process have
        for module in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
            monkeypatch.delitem(sys.modules, module)
    for device in DEVICE.findall(page.read_text()):
        try:
            backends.backend_for(device)
        except BackendError as cause:
            pytest.skip(str(cause))
    for block, output in printed.run(page):
        shown = block["output"]
        assert shown is None or printed.alike(block["kind"], output, shown), f"{page.name} shows\n{shown}\nnot\n{output}"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("loss 0.13", "loss 0.15", True), ("loss 0.13", "loss 0.16", False), ("97%", "98%", True), ("90%", "98%", False),
     ("3 of 4", "3 of 5", False), ("0.10", "0.1", False), ("-1.0", "1.0", False), ("a 1.0", "b 1.0", False)],
)  # fmt: skip
def test_outputs_that_are_alike(one, other, same):
    assert printed.alike("Output", one, other) is same


def test_pictures_that_are_alike():
    assert printed.alike("Picture", "." * 39 + "#", "." * 40)
    assert not printed.alike("Picture", "." * 35 + "#" * 5, "." * 40) and not printed.alike("Picture", "." * 39, "." * 40)
