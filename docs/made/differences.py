"""Fills the table of known differences from PyTorch, which the tests of its op database hold true, when the site is built."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path

PAGE = "do/move-from-pytorch.md"
KNOWN = Path(__file__).parents[2] / "tests" / "oracle" / "databases" / "known_differences.toml"


def on_page_markdown(markdown, page, config, files):
    """Put the table where the page wants it."""
    return markdown.replace("<!-- known differences -->", table()) if page.file.src_uri == PAGE else markdown


SECTIONS = {"history": "gradients", "absent": "missing", "strides": "order in memory", "meta": "on the device meta"}
"""Sections of the file that are from names to reasons, and what is told of them."""


def table() -> str:
    """A row for each reason, with the names and kinds of calls that it holds for."""
    found: dict[str, list[str]] = defaultdict(list)
    for section, entries in tomllib.loads(KNOWN.read_text()).items():
        if section in SECTIONS:
            for name, reason in entries.items():
                found[reason].append(f"`{name}` ({SECTIONS[section]})")
        else:
            for name, reasons in entries.items() if section == "derivatives" else [(section, entries)]:
                for kind, reason in reasons.items():
                    found[reason].append(f"`{name}` ({kind})")
    lines = ["| what differs | where |", "|---|---|"]
    lines += [f"| {reason.replace('|', chr(92) + '|')} | {', '.join(where)} |" for reason, where in found.items()]
    return "\n".join(lines)
