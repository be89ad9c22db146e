"""Adds to pages what those want who read them by keyboard or by ear, and the theme leaves out; site.js adds it to what browsers make."""

from __future__ import annotations

import re

CHANGES = {
    "<pre><span></span><code>": '<pre><span></span><code tabindex="0">',  # it scrolls: so the keyboard must reach it
    'data-md-component="search" role="dialog"': 'data-md-component="search" role="dialog" aria-label="Search"',
}
# Where a section has a page of its own, the label that names its list has no words; the list's title has them.
TITLE = r'( aria-expanded="\w+">\s*<label class="md-nav__title" for="__nav_[\d_]+">\s*<span[^>]*></span>\s*)([^<]+?)(\s*</label>)'
UNNAMED = re.compile('aria-labelledby="__nav_[0-9_]+_label"' + TITLE)

# A part of a page's own contents may have the name of a part of the site's: a landmark's name is to be its own.
PART = re.compile(r'(<nav class="md-nav" aria-label=")([^"]+">)')


def on_post_page(output, page, config):
    """Change one page."""
    for theirs, ours in CHANGES.items():
        output = output.replace(theirs, ours)
    return PART.sub(r"\1On this page: \2", UNNAMED.sub(r'aria-label="\2"\1\2\3', output))
