"""`Drawing`: what every function here gives, as SVG, as a page of HTML, and as text for terminals."""

from __future__ import annotations

from html import escape
from os import PathLike
from pathlib import Path
from typing import Generic, TypeVar

from lamina_flatarray import ArgumentValueError

__all__ = ["Drawing", "page"]

T = TypeVar("T")

_PAGE_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem }
pre, .wide { overflow-x: auto } pre { font-size: 13px }
table { border-collapse: collapse } th, td { padding: .15rem .6rem .15rem 0; font-variant-numeric: tabular-nums }
"""


class Drawing(Generic[T]):
    """Hold a drawing in three forms, and what it was made from.

    Args:
        title: what it shows.
        svg: the picture, an SVG document of its own.
        text: the same for terminals.
        data: what was drawn, for programs.

    Attributes:
        title, svg, text, data: as given.

    >>> drawing = torch.viz.layout(torch.ones(2, 3).T)
    >>> drawing.title
    'float32 of shape (3, 2) and strides (1, 3)'
    >>> drawing.svg.startswith("<svg"), str(drawing) == drawing.text
    (True, True)
    """

    def __init__(self, title: str, svg: str, text: str, data: T) -> None:
        self.title, self.svg, self.text, self.data = title, svg, text, data

    @property
    def html(self) -> str:
        """Return a page that needs no other file: the picture, and the text below it."""
        text = f"<details><summary>As text</summary><pre>{escape(self.text)}</pre></details>"
        return page(self.title, f'<div class="wide">{self.svg}</div>{text}')

    def save(self, path: str | PathLike[str]) -> None:
        """Write the drawing to a file.

        Args:
            path: the file; it is written as its name ends: `.svg`, `.html`, or `.txt`.

        Raises:
            ValueError: its name ends otherwise.

        >>> torch.viz.layout(torch.ones(3)).save("layout.svg")
        """
        suffix = Path(path).suffix
        if suffix not in (".svg", ".html", ".txt"):
            raise ArgumentValueError(f"Drawing.save: {str(path)!r} given; its name must end with .svg, .html or .txt")
        text = {".svg": self.svg, ".html": self.html, ".txt": self.text + "\n"}[suffix]
        Path(path).write_text(text, encoding="utf-8")

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return f'<div style="overflow-x:auto">{self.svg}</div>'


def page(title: str, body: str) -> str:
    """A page of HTML that needs no other file; the body is HTML, the title a text."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_PAGE_STYLE}</style></head><body><h1>{escape(title)}</h1>{body}</body></html>\n"
    )
