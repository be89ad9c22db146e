"""What a page quotes of a file stands there: a block below a line "From `path`:" is part of that file, word for word."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUOTATION = re.compile(r"^From `([^`]+)`:\n\n```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted((ROOT / "docs").rglob("*.md"))
QUOTATIONS = [(page.name, *found.groups()) for page in PAGES for found in QUOTATION.finditer(page.read_text())]


def test_there_are_some():
    assert len(QUOTATIONS) >= 3


@pytest.mark.parametrize(("page", "path", "text"), QUOTATIONS, ids=[f"{page}-{path}" for page, path, _ in QUOTATIONS])
def test_a_quotation_is_true(page, path, text):
    assert text in (ROOT / path).read_text(), f"{page} quotes what {path} does not say"
