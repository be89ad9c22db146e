"""Where in the user's code something happened: the frames of the stack that are not lamina's own."""

from __future__ import annotations

import sys
from types import FrameType

from lamina_flatarray.twins import compiled

__all__ = ["Site", "Sites", "call_site", "call_sites", "shown_sites"]

Site = tuple[str, int]
"""File and line."""

Sites = tuple[tuple[str, int, str], ...]
"""File, line and name of the function of each frame, the outermost first."""


def _user_frame(frame: FrameType | None) -> FrameType | None:
    while frame is not None and frame.f_globals.get("__name__", "").startswith("lamina"):
        frame = frame.f_back
    return frame


def call_site() -> Site | None:
    """File and line of the innermost call that is not lamina's own; None if there is none."""
    frame = _user_frame(sys._getframe(1))
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


if compiled is not None:
    call_site = compiled.call_site


def call_sites() -> Sites:
    """Every call on the stack that is not lamina's own."""
    sites = []
    frame = _user_frame(sys._getframe(1))
    while frame is not None:
        sites.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = _user_frame(frame.f_back)
    return tuple(reversed(sites))


def shown_sites(sites: Sites) -> str:
    """The calls as Python shows a traceback."""
    import traceback  # only errors want it

    frames = [(file, line, name, None) for file, line, name in sites]
    return "".join(traceback.StackSummary.from_list(frames).format()).rstrip()
