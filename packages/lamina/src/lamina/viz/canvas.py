"""`Canvas`: the elements of an SVG document, in colours that can be told and read on light and on dark screens."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

__all__ = ["COLOURS", "Canvas"]

_LIGHT: Final = ("#0550ae", "#953800", "#116329", "#8250df", "#a40e26", "#57606a")
_DARK: Final = ("#79c0ff", "#ffa657", "#7ee787", "#d2a8ff", "#ff7b72", "#c9d1d9")
COLOURS: Final = len(_LIGHT)
"""How many colours there are: the classes `c0`, `c1`, ... are lines of one, `f0`, `f1`, ... areas with a light shade of it."""


def _rules(paper: str, ink: str, faint: str, colours: Sequence[str]) -> str:
    rules = {".paper": f"fill:{paper}", ".ink": f"fill:{ink}", ".faint": f"fill:{faint}", ".line": f"stroke:{faint};fill:none",
             ".box": f"fill:{paper};stroke:{faint}", ".gap": f"fill:none;stroke:{faint};stroke-dasharray:2 3"}  # fmt: skip
    for number, colour in enumerate(colours):
        rules[f".c{number}"] = f"stroke:{colour};fill:none;stroke-width:1.75"
        rules[f".w{number}"] = f"fill:{colour}"
        rules[f".f{number}"] = f"fill:{colour};fill-opacity:.16;stroke:{colour}"
    return "".join(f".lamina-drawing {name}{{{rule}}}" for name, rule in rules.items())


_STYLE: Final = (
    ".lamina-drawing{font:12px ui-monospace,Menlo,Consolas,monospace}" + _rules("#ffffff", "#1f2328", "#57606a", _LIGHT)
    + f"@media(prefers-color-scheme:dark){{{_rules('#161b22', '#e6edf3', '#adb5bf', _DARK)}}}"
)  # fmt: skip


class Canvas:
    """Elements of a drawing, the later ones above the earlier ones. All texts are escaped."""

    def __init__(self) -> None:
        self._elements: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, kind: str, tip: str = "", radius: float = 3) -> None:
        """A rectangle, and what is told where one points to it."""
        title = f"<title>{escape(tip)}</title>" if tip else ""
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
        self._elements.append(f'<rect class="{kind}" {place}>{title}</rect>')

    def text(self, x: float, y: float, words: str, kind: str = "ink", anchor: str = "start") -> None:
        """Words on a line whose start, middle or end is at x."""
        self._elements.append(f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(words)}</text>')

    def path(self, commands: str, kind: str, more: str = "") -> None:
        """A line, in SVG's commands; `more` are further attributes."""
        self._elements.append(f'<path class="{kind}" d="{commands}" {more}/>'.replace(" />", "/>"))

    def arrow(self, commands: str, end: tuple[float, float], angle: float, kind: str) -> None:
        """A line with a head at its end; the angle is the direction of the head in degrees, 90 downwards."""
        self.path(commands, kind)
        self.path("M-6,-3.5L0,0L-6,3.5", kind, f'transform="translate({end[0]:g},{end[1]:g}) rotate({angle:g})"')

    def svg(self, width: float, height: float, title: str, description: str) -> str:
        """The whole as a document of its own."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lamina-drawing" role="img" width="{width:g}" height="{height:g}" '
            f'viewBox="0 0 {width:g} {height:g}"><title>{escape(title)}</title><desc>{escape(description)}</desc><style>{_STYLE}</style>'
            f'<rect class="paper" width="{width:g}" height="{height:g}"/>{"".join(self._elements)}</svg>'
        )
