"""What notebooks show: facts and texts as HTML in the notebook's own colours. Every text is escaped, and nothing is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .array_fields import ArrayFields

__all__ = ["described", "facts", "table"]


def facts(x: ArrayFields) -> dict[str, str]:
    """What a notebook tells of an array beside its items, by name. No item is read."""
    layout, flat = x.layout, x.flat
    told = {
        "shape": str(tuple(layout.shape)),
        "dtype": x.dtype.name,
        "strides": str(tuple(layout.strides)),
        "device": f"{x.device}, computed by {x.backend.name}",
        "bytes": f"{flat.nbytes:,}",
    }
    low, high = layout.extent() if layout.size else (0, -1)
    if layout.size and (low > 0 or high < flat.size - 1 or not layout.contiguous):
        told["view of"] = f"places {low:,} to {high:,} of a memory of size {flat.size:,}"
    return told


def described(told: Mapping[str, str], text: str = "") -> str:
    """A text, if there is one, and facts by name below it, as HTML."""
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(value)}</td></tr>'
        for name, value in told.items()
    )
    above = f'<pre style="overflow-x:auto">{escape(text)}</pre>' if text else ""
    return f"<div>{above}<table>{rows}</table></div>"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, numbers: Sequence[int] = ()) -> str:
    """A table as HTML; the columns of `numbers` are flush right."""

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ["right" if column in numbers else "left" for column in range(len(cells))]
        return "".join(f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for side, cell in zip(sides, cells, strict=True))

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    return (
        f'<div style="overflow-x:auto"><table><caption style="text-align:left">{escape(caption)}</caption>'
        f"<thead><tr>{line(head, 'th')}</tr></thead><tbody>{body}</tbody></table></div>"
    )
