"""`graph`: what was recorded behind tensors, drawn in layers from the leaves above to the results below. Nothing recurses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ArgumentTypeError
from lamina_nn.profiling import profile as Profile  # an argument has its name
from lamina_tensor import Tensor
from lamina_tensor.transforms.graph_view import show_graph

from .canvas import Canvas
from .drawing import Drawing

if TYPE_CHECKING:
    from lamina_tensor.transforms.graph_view import GraphView, Step

__all__ = ["graph"]

_LINE: Final = 16
_LONGEST: Final = 26
"""Characters of a line in a box; one that points to it is told all."""
_LANE: Final = 14
"""What a line takes of the width where it passes by a layer."""
_SWEEPS: Final = 4
"""How often the order within layers is improved."""

Slot = tuple[int, int]
"""The number of a step, and its layer; or a layer further down that the step's line passes."""


def graph(
    tensors: Tensor | Iterable[Tensor], names: Any = None, *, saved: bool = False, profile: Profile | None = None, limit: int = 60
) -> Drawing[GraphView]:
    """Draw the graph that a backward pass would go through: leaves above, results below.

    Args:
        tensors: a loss, or one or several other results.
        names: what to call leaves and results: a module, or a dict from names to tensors, which may be nested.
        saved: whether boxes tell how many bytes each op keeps for its gradient; the text always does.
        profile: a profile of the forward pass, whose mean time for each kind of kernel is shown.
        limit: how many ops and leaves are drawn at most, the latest ones, and how many lines of text there are.

    Returns:
        The drawing; its `data` is the whole graph, whose `to_dot()` and `to_mermaid()` are for other programs.

    Raises:
        TypeError: what is given is no tensor, nor several.
        ValueError: `limit` is less than 1.

    >>> model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    >>> drawing = torch.viz.graph(model(torch.ones(4, 3)).sum(), model)
    >>> print(drawing)
    #5 SumBackward0: float32[]
    #4 ReluBackward0: float32[4, 2], saves 32 B
    #3 AddmmBackward0: float32[4, 2], saves 48 B
    ├─ 0.weight: float32[2, 3]
    └─ 0.bias: float32[2]
    saves 80 B in all
    """
    if limit < 1:
        raise ValueError(f"graph: limit={limit}; it must be at least 1")
    tensors = [tensors] if isinstance(tensors, Tensor) or not isinstance(tensors, Iterable) else list(tensors)
    wrong = [x for x in tensors if not isinstance(x, Tensor)]
    if wrong:
        raise ArgumentTypeError(f"graph: {type(wrong[0]).__name__} given; it wants a tensor, or several")
    view = show_graph(tensors, names)
    times = {} if profile is None else {sums.key: (sums.cpu_time, sums.count) for sums in profile.key_averages()}
    shown = view.steps[-limit:]
    left = len(view.steps) - len(shown)
    title = f"The graph behind {'a result' if len(view.roots) == 1 else f'{len(view.roots)} results'}"
    drawn = f"; the latest {limit:,} are drawn, {left:,} earlier ones are left out" if left else ""
    description = f"ops and leaves: {len(view.steps):,}{drawn}"
    boxes = {step.number: _Box(step, saved, times) for step in shown}
    svg = _drawn(shown, boxes, title, description)
    lines = view.to_text().split("\n")
    if len(lines) > limit + 1:
        lines = [*lines[:limit], f"... lines left out: {len(lines) - limit - 1:,}", lines[-1]]
    kernels = {step.kernel for step in view.steps}
    lines += [f"{key}: {_time(*told)}" for key, told in times.items() if key in kernels]
    return Drawing(title, svg, "\n".join(lines), view)


def _time(microseconds: float, count: int) -> str:
    return f"{microseconds:,.1f} us" + (f", mean of {count}" if count > 1 else "")


class _Box:
    """What is written of a step, and how much room it takes."""

    def __init__(self, step: Step, saved: bool, times: dict[str, tuple[float, int]]) -> None:
        kinds, *kept = step.details
        self.lines = [step.title, kinds, *(kept if saved else []), *([_time(*times[step.kernel])] if step.kernel in times else [])]
        self.tip = f"#{step.number} " + ", ".join(self.lines)
        self.lines = [line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…" for line in self.lines]
        self.width = 7.4 * max(map(len, self.lines)) + 14
        self.height = _LINE * len(self.lines) + 8
        self.kind = "f0" if step.op else "f2"

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        canvas.box(x - self.width / 2, y, self.width, self.height, self.kind, self.tip, 4 if self.kind == "f0" else 12)
        for number, line in enumerate(self.lines):
            canvas.text(x, y + _LINE * (number + 1), line, "faint" if number else "ink", "middle")


def _drawn(shown: Sequence[Step], boxes: dict[int, _Box], title: str, description: str) -> str:
    layer = _layers(shown)
    arrows = [(source, step.number) for step in shown for source, _ in step.inputs if source in boxes]
    lines = {line for source, user in arrows for line in _passed(source, user, layer)}
    places: dict[int, list[Slot]] = defaultdict(list)
    for slot in sorted({(n, layer[n]) for n in boxes} | {slot for line in lines for slot in line}):
        places[slot[1]].append(slot)
    _ordered(places, lines)
    widths = {slot: boxes[slot[0]].width if layer[slot[0]] == slot[1] else _LANE for slots in places.values() for slot in slots}
    totals = {at: sum(widths[slot] + _LANE for slot in slots) for at, slots in places.items()}
    width = max(*totals.values(), 330) + 30
    x: dict[Slot, float] = {}
    y: dict[int, float] = {}
    tall = {at: max([boxes[n].height for n, own in slots if layer[n] == own], default=0) for at, slots in places.items()}
    bottom = 58.0
    for at in sorted(places, reverse=True):
        left, y[at] = (width - totals[at]) / 2, bottom
        for slot in places[at]:
            x[slot] = left + (widths[slot] + _LANE) / 2
            left += widths[slot] + _LANE
        bottom += tall[at] + 28
    canvas = Canvas()
    canvas.text(12, 20, title)
    for number, part in enumerate(description.split("; ")):
        canvas.text(12, 36 + 14 * number, part, "faint")
    for start, end in sorted(lines):
        begin = y[start[1]] + (boxes[start[0]].height if layer[start[0]] == start[1] else tall[start[1]])
        middle = (begin + y[end[1]]) / 2
        commands = f"M{x[start]:g},{begin:g}C{x[start]:g},{middle:g} {x[end]:g},{middle:g} {x[end]:g},{y[end[1]]:g}"
        if layer[end[0]] == end[1]:
            canvas.arrow(commands, (x[end], y[end[1]]), 90, "line")
        else:  # past a layer, whose boxes it stands beside
            canvas.path(f"{commands}v{tall[end[1]]:g}", "line")
    for number, box in boxes.items():
        box.draw(canvas, x[number, layer[number]], y[layer[number]])
    return canvas.svg(width, bottom, title, description)


def _layers(shown: Sequence[Step]) -> dict[int, int]:
    """Per step how many layers lie below it: one more than below the highest of its users."""
    layer = {step.number: 0 for step in shown}
    for step in reversed(shown):
        for source, _ in step.inputs:
            if source in layer:
                layer[source] = max(layer[source], layer[step.number] + 1)
    return layer


def _passed(source: int, user: int, layer: dict[int, int]) -> Iterable[tuple[Slot, Slot]]:
    """The pieces of a line from layer to layer; lines of one source share them as far as they go together."""
    slots = [(source, at) for at in range(layer[source], layer[user], -1)]
    return zip(slots, [*slots[1:], (user, layer[user])], strict=True)


def _ordered(places: dict[int, list[Slot]], lines: set[tuple[Slot, Slot]]) -> None:
    """Put those of each layer below or above what they are joined to, in the mean, so that few lines cross."""
    joined: dict[bool, dict[Slot, list[Slot]]] = {True: defaultdict(list), False: defaultdict(list)}
    for start, end in sorted(lines):
        joined[True][end].append(start)
        joined[False][start].append(end)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        where: dict[Slot, float] = {}
        for at in sorted(places, reverse=downwards):
            slots = places[at]
            own = {slot: (i + 0.5) / len(slots) for i, slot in enumerate(slots)}
            means = {slot: fmean([where[other] for other in joined[downwards][slot]] or [own[slot]]) for slot in slots}
            slots.sort(key=means.__getitem__)
            where.update({slot: (i + 0.5) / len(slots) for i, slot in enumerate(slots)})
