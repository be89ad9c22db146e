"""Fills the table of lamina's classes of errors from their definitions when the site is built."""

from __future__ import annotations

from lamina_flatarray import errors

PAGE = "look-up/errors.md"


def on_page_markdown(markdown, page, config, files):
    """Put the table where the page wants it."""
    return markdown.replace("<!-- classes -->", table()) if page.file.src_uri == PAGE else markdown


def table() -> str:
    """A row for each class: what it also is, so that programs catch it, and what it means."""
    lines = ["| class | is also | means |", "|---|---|---|"]
    for name in errors.__all__:
        kind = getattr(errors, name)
        bases = ", ".join(f"`{base.__name__}`" for base in kind.__bases__ if base is not Exception)
        meaning = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
        lines.append(f"| `{name}` | {bases} | {meaning} |")
    return "\n".join(lines)
