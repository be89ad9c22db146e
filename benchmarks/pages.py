"""Pages of results: printed, and written where that is asked for."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

__all__ = ["publish"]


def publish(page: str, file: Path | None) -> None:
    """Print a page of Markdown, as it is written.

    Args:
        page: its text.
        file: where to write it; None for nowhere.
    """
    Console().print(page, markup=False, soft_wrap=True)
    if file:
        file.write_text(page)
