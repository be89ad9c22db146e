"""The built site: complete, documents only, and it loads nothing from other hosts."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import nbformat
import printed
import pytest

from lamina_flatarray.ops import OPS

pytestmark = pytest.mark.xdist_group("site")  # which is built once
ROOT = Path(__file__).parents[2]
LOADED = re.compile(r"""<(?:script|img|iframe|link rel="(?:stylesheet|preconnect|icon)")[^>]* (?:src|href)=["']?(?:https?:)?//""")
LESSONS = [page for page in sorted((ROOT / "docs" / "learn").glob("*.md")) if "as a notebook](" in page.read_text()]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built strictly: a link or an anchor that leads nowhere is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_op_has_a_section(site):
    text = "".join(page.read_text() for page in (site / "look-up" / "ops").rglob("*.html"))
    assert not [name for name in OPS if f'<h2 id="{name}">' not in text]


def test_every_public_name_has_a_section(site):
    api = runpy.run_path(str(ROOT / "docs" / "made" / "api.py"))
    modules = api["pages"]()
    assert len(modules) > 30
    for module in modules:
        text = (site / api["address"](module).removesuffix(".md") / "index.html").read_text()
        owner = module.partition(",")[0]
        assert not [name for name in api["members_of"](module) if f'id="{owner}.{name}"' not in text], module


def test_pages_load_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert pages
    assert not [page.name for page in pages if LOADED.search(page.read_text())]
    assert LOADED.search('<link rel="stylesheet" media="x" href="https://example.org/a.css">')


def test_only_documents_are_published(site):
    assert not list(site.rglob("*.py"))


@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.stem)
def test_a_notebook_has_the_code_of_its_lesson(site, page):
    """Which `test_snippets` runs."""
    made = nbformat.read(site / "learn" / f"{page.stem}.ipynb", as_version=4)
    nbformat.validate(made)
    cells = [cell.source for cell in made.cells if cell.cell_type == "code"]
    assert cells == [block["code"].rstrip("\n") for block in printed.BLOCK.finditer(page.read_text())]


def test_there_are_five_lessons():
    assert len(LESSONS) == 5


def test_every_page_is_in_the_navigation(site):
    """As a link on the home page, which shows all of it."""
    home = (site / "index.html").read_text()
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    addresses = [page.parent if page.name == "index.md" else page.with_suffix("") for page in pages if len(page.parts) > 1]
    assert len(addresses) > 30
    assert not [address for address in addresses if f'href="{address}/"' not in home]
