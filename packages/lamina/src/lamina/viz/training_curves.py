"""`curves`: what a run has measured, as lines over its steps; values of one kind, such as train_loss and val_loss, share a panel."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import floor, isfinite, log10, nan
from os import PathLike, fspath
from re import split
from typing import Any, Final, TypeAlias

from lamina_flatarray import ArgumentTypeError, ArgumentValueError

from .canvas import COLOURS, Canvas
from .drawing import Drawing

__all__ = ["Series", "curves", "read_history", "told"]

Series: TypeAlias = dict[str, list[tuple[float, float]]]
"""Name -> pairs of step and value."""

_LEFT, _WIDTH, _HEIGHT = 58, 290, 130
_BARS: Final = "▁▂▃▄▅▆▇█"


def read_history(history: Any, x: str = "step") -> Series:
    """Read what a run has measured.

    Args:
        history: a dict from names to sequences of numbers; a sequence of rows, each a dict from names to numbers; or the path of a file of
            such rows: `.jsonl`, with a JSON object in each line, or `.csv`, with names in the first line.
        x: the name of the steps, if the history has it; else values are counted from 0.

    Returns:
        A dict from names to lists of (step, value). What is no number is left out.

    Raises:
        ValueError: the file has another ending, or the steps are not as many as the values.
        TypeError: the history is none of these.

    >>> torch.viz.read_history([{"step": 10, "loss": 2.0}, {"step": 20, "loss": 1.0}])
    {'loss': [(10.0, 2.0), (20.0, 1.0)]}
    """
    if isinstance(history, (str, PathLike)):
        history = _rows(fspath(history))
    elif isinstance(history, Iterable) and not isinstance(history, Mapping):
        history = list(history)
    if isinstance(history, Mapping):
        columns = {str(name): list(values) for name, values in history.items()}
        length = len(columns.get(x, ()))
        wrong = [name for name, values in columns.items() if x in columns and len(values) != length]
        if wrong:
            raise ArgumentValueError(f"read_history: values of {wrong[0]!r}: {len(columns[wrong[0]])}, but of {x!r}: {length}")
        steps = columns.get(x, range(max(map(len, columns.values()), default=0)))
        pairs = ((name, step, value) for name, values in columns.items() for step, value in zip(steps, values, strict=False))
    elif isinstance(history, list) and all(isinstance(row, Mapping) for row in history):
        pairs = ((str(name), row.get(x, at), value) for at, row in enumerate(history) for name, value in row.items())
    else:
        raise ArgumentTypeError(f"read_history: {type(history).__name__} given; it wants a dict, rows that are dicts, or a path")
    found: Series = {}
    for name, step, value in pairs:
        numbers = _number(step), _number(value)
        if name != x and None not in numbers:
            found.setdefault(name, []).append(numbers)  # type: ignore[arg-type]  # neither is None
    return found


def _rows(path: str) -> list[dict[str, Any]]:
    if not path.endswith((".jsonl", ".csv")):
        raise ArgumentValueError(f"read_history: {path!r} given; its name must end with .jsonl or .csv")
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file)) if path.endswith(".csv") else [json.loads(line) for line in file if line.strip()]


def _number(value: Any) -> float | None:
    """A value as a number; None for what is none: a text, a tensor of several items, an empty cell."""
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        return None


def curves(history: Any, title: str = "Training curves", *, x: str = "step", log: bool = False) -> Drawing[Series]:
    """Draw what a run has measured, over its steps.

    Names that end in the same word, as `train_loss` and `val/loss`, share a panel. Of more steps than the drawing is wide the least and the
    greatest value at each place are drawn. A line breaks where values are NaN or infinite, and a dot marks a value that stands alone.

    Args:
        history: what `read_history` reads: a dict, rows, or the path of a `.jsonl` or `.csv` file.
        title: what stands above.
        x: the name of the steps in the history.
        log: whether values are drawn by their logarithms; those that are not above 0 are left out then.

    Returns:
        The drawing; its `data` is a dict from names to lists of (step, value).

    Raises:
        ValueError: the file has another ending, or the steps are not as many as the values.
        TypeError: the history is none of these.

    >>> print(torch.viz.curves({"loss": [4.0, 2.0, 1.0]}))
    Training curves
    loss  █▃▁  4 -> 1, least 1, greatest 4, values: 3
    """
    found = read_history(history, x)
    canvas = Canvas()
    canvas.text(8, 20, title)
    y = 30.0
    for word, names in groupby(sorted(found, key=_last_word), key=_last_word):
        y = _panel(canvas, {name: found[name] for name in names}, word, y, x, log)
    lines = [title, *(f"{name:{max(map(len, found))}}  {_bars(pairs)}  {told(pairs)}" for name, pairs in found.items())]
    description = "; ".join(f"{name}: {told(pairs)}" for name, pairs in found.items())
    return Drawing(title, canvas.svg(360, y + 6, title, description), "\n".join(lines), found)


def _last_word(name: str) -> str:
    return split(r"[/_.\s-]", name)[-1]


def told(pairs: Sequence[tuple[float, float]]) -> str:
    """First, last, least and greatest value, and how many there are."""
    finite = [value for _, value in pairs if isfinite(value)] or [nan]
    odd = sum(not isfinite(value) for _, value in pairs)
    return f"{pairs[0][1]:.4g} -> {pairs[-1][1]:.4g}, least {min(finite):.4g}, greatest {max(finite):.4g}, values: {len(pairs):,}" + (
        f", not finite: {odd:,}" if odd else ""
    )


def _bars(pairs: Sequence[tuple[float, float]]) -> str:
    values = [pairs[i * len(pairs) // min(len(pairs), 40)][1] for i in range(min(len(pairs), 40))]
    finite = [value for value in values if isfinite(value)]
    if not finite:
        return "?" * len(values)
    least, most = min(finite), max(finite)
    return "".join(_BARS[min(7, int(8 * _share(value, least, most)))] if isfinite(value) else "?" for value in values)


def _share(value: float, low: float, high: float) -> float:
    """How far a value is from low to high, from 0 to 1; halves do not overflow."""
    span = high / 2 - low / 2
    return (value / 2 - low / 2) / span if span else 0.0


def _panel(canvas: Canvas, series: Series, word: str, y: float, x: str, log: bool) -> float:
    """Lines of one kind, their axes, and what colour each has. Returns where the panel ends."""
    def seen(value: float) -> float:
        return (log10(value) if value > 0 else nan) if log and isfinite(value) else value

    lines = {name: [(step, seen(value)) for step, value in sorted(pairs)] for name, pairs in series.items()}
    steps = [step for pairs in lines.values() for step, _ in pairs if isfinite(step)] or [0.0]
    values = [value for pairs in lines.values() for _, value in pairs if isfinite(value)] or [0.0]
    left, right, low, high = min(steps), max(steps), min(values), max(values)
    canvas.text(8, y + 16, word + (", logarithmic" if log else ""), "faint")
    y += 26
    for part in (0.0, 0.5, 1.0):
        level = low * (1 - part) + high * part
        canvas.path(f"M{_LEFT},{y + _HEIGHT * (1 - part):g}h{_WIDTH}", "line", 'stroke-opacity=".35"')
        canvas.text(_LEFT - 6, y + _HEIGHT * (1 - part) + 4, f"{10**level if log else level:.3g}", "faint", "end")
    for part, anchor in ((0.0, "start"), (1.0, "end")):
        canvas.text(_LEFT + _WIDTH * part, y + _HEIGHT + 16, f"{right if part else left:g}", "faint", anchor)
    canvas.text(_LEFT + _WIDTH / 2, y + _HEIGHT + 16, x, "faint", "middle")
    end = y + _HEIGHT + 34
    for number, (name, pairs) in enumerate(lines.items()):
        known = [(step, value) for step, value in pairs if isfinite(step)]
        placed = [(_LEFT + _WIDTH * _share(step, left, right), y + _HEIGHT * (1 - _share(value, low, high))) for step, value in known]
        dashes = f'stroke-linecap="round" stroke-dasharray="{("none", "6 4", "1 4")[number // COLOURS % 3]}"'
        canvas.path(_commands(placed), f"c{number % COLOURS}", dashes)
        canvas.path(f"M8,{end - 4:g}h20", f"c{number % COLOURS}", dashes)
        words = f": {series[name][0][1]:.4g} -> {series[name][-1][1]:.4g}"
        canvas.text(34, end, (name if len(name) <= 22 else name[:21] + "…") + words, f"w{number % COLOURS}")
        end += 16
    return end


def _commands(placed: Iterable[tuple[float, float]]) -> str:
    """A line through points in SVG's commands, of each column of pixels its first, least, greatest and last."""
    written: list[str] = []
    joined = False
    for _, column in groupby(placed, key=lambda point: (floor(point[0]), isfinite(point[1]))):
        points = list(column)
        if not isfinite(points[0][1]):
            joined = False
            continue
        heights = [height for _, height in points]
        if len(points) > 4:
            points = [points[0], (points[0][0], min(heights)), (points[0][0], max(heights)), points[-1]]
        for across, height in points:
            written.append(f"{'L' if joined else 'M'}{across:.1f},{height:.1f}{'' if joined else 'h0'}")
            joined = True
    return "".join(written) or "M0,0"
