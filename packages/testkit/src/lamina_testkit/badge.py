"""Reports for readers: a badge as a small SVG, and a table of several backends in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

from .levels import LEVELS

__all__ = ["badge", "table"]

_LETTER: Final = 6.5  # the mean width of a letter, in pixels
_MARGIN: Final = 6


def badge(report: dict[str, Any]) -> str:
    """Return a badge that names the backend and the levels that it reached.

    Args:
        report: what `--lamina-report` wrote, as read from JSON.

    Returns:
        The text of an SVG file.

    >>> "core +int" in badge({"backend": "mine", "level": "core +int"})
    True
    """
    left, right = f"lamina: {report['backend']}", report["level"]
    failed = any(level["failed"] for level in report.get("levels", {}).values())
    colour = "#b3261e" if failed or right == "none" else "#2e7d32"
    widths = [round(len(text) * _LETTER) + 2 * _MARGIN for text in (left, right)]
    whole = sum(widths)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img" aria-label="{escape(f"{left}: {right}")}">\n'
        f'<rect width="{whole}" height="20" rx="3" fill="{colour}"/>\n'
        f'<path d="M3 0h{widths[0] - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444"/>\n'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\n'
        f'<text x="{_MARGIN}" y="14" textLength="{widths[0] - 2 * _MARGIN}">{escape(left)}</text>\n'
        f'<text x="{widths[0] + _MARGIN}" y="14" textLength="{widths[1] - 2 * _MARGIN}">{escape(right)}</text>\n'
        "</g>\n</svg>\n"
    )


def table(reports: Sequence[dict[str, Any]]) -> str:
    """Return a table of Markdown: a row for each level, a column for each backend.

    Args:
        reports: what `--lamina-report` wrote, as read from JSON.

    Returns:
        Lines of Markdown. A cell has the cases that passed, and those that failed or were not declared where there are any.
    """
    lines = ["| level | " + " | ".join(report["backend"] for report in reports) + " |", "|---" * (len(reports) + 1) + "|"]
    for level, meaning in LEVELS.items():
        lines.append(f"| **{level}**: {meaning} | " + " | ".join(_cell(report["levels"][level]) for report in reports) + " |")
    lines.append("| reached | " + " | ".join(report["level"] for report in reports) + " |")
    return "\n".join(lines) + "\n"


def _cell(level: dict[str, Any]) -> str:
    counted = [f"{level[outcome]} {outcome}" for outcome in ("passed", "failed", "xfailed", "not declared") if level[outcome]]
    return ", ".join(counted) or level["state"]
