"""The built site: complete, documents only, and it loads nothing from other hosts."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lamina_flatarray.ops import OPS

pytestmark = pytest.mark.xdist_group("site")  # which is built once
ROOT = Path(__file__).parents[2]
LOADED = re.compile(r"""<(?:script|img|iframe|link rel="(?:stylesheet|preconnect|icon)")[^>]* (?:src|href)=["']?(?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_op_is_on_the_page_of_ops(site):
    text = (site / "ops" / "index.html").read_text()
    assert not [name for name in OPS if f"<code>{name}</code>" not in text]


def test_pages_load_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert pages
    assert not [page.name for page in pages if LOADED.search(page.read_text())]
    assert LOADED.search('<link rel="stylesheet" media="x" href="https://example.org/a.css">')


def test_only_documents_are_published(site):
    assert not list(site.rglob("*.py"))
