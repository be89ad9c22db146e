"""Tables: by rich on a terminal, where it is installed, and as plain text elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["show"]


def show(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> None:
    """Print a table.

    Args:
        head: what stands over each column.
        rows: the cells.
        numbers: which columns are flush right.
    """
    if sys.stdout.isatty():
        try:
            from rich import box
            from rich.console import Console
            from rich.table import Table
            from rich.text import Text
        except ImportError:
            pass
        else:
            table = Table(box=box.SIMPLE)
            for place, title in enumerate(head):
                table.add_column(title, justify="right" if place in numbers else "left", overflow="fold")
            for row in rows:
                table.add_row(*(Text(cell) for cell in row))
            Console().print(table)
            return
    widths = [max(len(cell) for cell in column) for column in zip(head, *rows, strict=True)]
    for line in (head, ["-" * width for width in widths], *rows):
        padded = (f"{cell:{'>' if place in numbers else '<'}{widths[place]}}" for place, cell in enumerate(line))
        print("  ".join(padded).rstrip())
