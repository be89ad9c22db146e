"""Adds to pages what those want who read them by keyboard or by ear, and the theme leaves out."""

from __future__ import annotations

CHANGES = {
    "<pre><span></span><code>": '<pre><span></span><code tabindex="0">',  # it scrolls: so the keyboard must reach it
    'data-md-component="search" role="dialog"': 'data-md-component="search" role="dialog" aria-label="Search"',
}


def on_post_page(output, page, config):
    """Change one page."""
    for theirs, ours in CHANGES.items():
        output = output.replace(theirs, ours)
    return output
