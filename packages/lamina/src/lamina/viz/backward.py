"""`backward_steps`: a backward pass, node by node: the gradient that each is given, its size, and how long the node takes."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot, isfinite, log10
from time import perf_counter
from typing import Any, NamedTuple

from lamina_flatarray import ArgumentTypeError, complex128, float64
from lamina_tensor import Tensor
from lamina_tensor.autograd.node import Node
from lamina_tensor.transforms.graph_view import edges_behind, show_graph

from .canvas import Canvas
from .drawing import Drawing

__all__ = ["BackwardStep", "backward_steps"]


class BackwardStep(NamedTuple):
    """What a node of the graph, or a leaf, was given in a backward pass.

    Attributes:
        number: its number in the graph, as `graph` shows it.
        node: its name, or that of a leaf.
        gradients: dtype and shape of each gradient that it was given.
        norm: the root of the sum of the squares of all of them, in float64.
        seconds: how long it took, until the next was given its gradient; a device was not waited for.

    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> torch.viz.backward_steps((x * x).sum()).data[-1].norm  # of 2 * x
    10.0
    """

    number: int
    node: str
    gradients: tuple[tuple[str, tuple[int, ...]], ...]
    norm: float
    seconds: float

    @property
    def kinds(self) -> str:
        """Return dtypes and shapes as a text."""
        return ", ".join(f"{dtype}{list(shape)}" for dtype, shape in self.gradients)


def backward_steps(
    loss: Tensor, names: Any = None, *, gradient: Tensor | None = None, retain_graph: bool | None = None, limit: int = 60
) -> Drawing[tuple[BackwardStep, ...]]:
    """Run `loss.backward()`, and tell what each node was given, in the order of the pass.

    Leaves get the gradients that they always get, bit for bit.

    Args:
        loss: where to begin.
        names: what to call leaves: a module, or a dict from names to tensors, which may be nested.
        gradient: the gradient to begin with; None for a loss of one item, which begins with 1.
        retain_graph: whether what was saved stays for another pass.
        limit: how many steps are drawn at most, the first ones; and how many lines of text there are.

    Returns:
        The drawing; its `data` are all steps.

    Raises:
        RuntimeError: as `backward` does; the hooks are taken away again.
        TypeError: the loss is no tensor.
        ValueError: `limit` is less than 1.

    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> steps = torch.viz.backward_steps((x * x).sum(), {"x": x}).data
    >>> [(step.node, step.kinds, round(step.norm, 4)) for step in steps]
    [('SumBackward0', 'float32[]', 1.0), ('MulBackward0', 'float32[2]', 1.4142), ('x', 'float32[2]', 10.0)]
    """
    if limit < 1:
        raise ValueError(f"backward_steps: limit={limit}; it must be at least 1")
    if not isinstance(loss, Tensor):
        raise ArgumentTypeError(f"backward_steps: {type(loss).__name__} given; it wants a tensor")
    steps: list[BackwardStep] = []
    begun = 0.0

    def ended() -> None:
        if steps:
            steps[-1] = steps[-1]._replace(seconds=perf_counter() - begun)

    def see(number: int, name: str, gradients: Any) -> None:
        nonlocal begun
        ended()
        given = [g for g in gradients if g is not None]
        steps.append(BackwardStep(number, name, tuple((g.dtype.name, tuple(g.shape)) for g in given), hypot(*map(_norm, given)), 0.0))
        begun = perf_counter()

    handles = []
    try:
        for edge, step in zip(edges_behind([loss]), show_graph(loss, names).steps, strict=True):
            if isinstance(edge, Node) or edge.requires_grad:
                handles.append(_hooked(edge, step.number, step.title, see))
        loss.backward(gradient, retain_graph=retain_graph)
        ended()
    finally:
        for handle in handles:
            handle.remove()
    return Drawing("A backward pass", _drawn(steps[:limit], len(steps)), _text(steps, limit), tuple(steps))


def _hooked(edge: Any, number: int, name: str, see: Callable[[int, str, Any], None]) -> Any:
    if isinstance(edge, Node):
        return edge.register_prehook(lambda given: see(number, name, given))
    return edge.register_hook(lambda g: see(number, name, (g,)))


def _norm(g: Tensor) -> float:
    g = g.detach()
    if g.is_sparse:
        g = g.coalesce().values()
    return float(g.to(complex128 if g.is_complex() else float64).abs().square().sum().sqrt())


def _text(steps: list[BackwardStep], limit: int) -> str:
    cells = [("step", "node", "gradient", "norm", "us")]
    cells += [(f"#{s.number}", s.node, s.kinds, f"{s.norm:.4g}", f"{s.seconds * 1e6:.1f}") for s in steps[:limit]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    sides = (">", "<", "<", ">", ">")
    lines = ["  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)) for row in cells]
    return "\n".join([*lines, *([f"... steps left out: {len(steps) - limit:,}"] if len(steps) > limit else [])])


def _drawn(shown: list[BackwardStep], count: int) -> str:
    """A line and a bar for each step; bars are logarithmic."""
    sizes = [log10(step.norm) for step in shown if step.norm and isfinite(step.norm)]
    least, span = (min(sizes), max(1.0, max(sizes) - min(sizes))) if sizes else (0.0, 1.0)
    canvas = Canvas()
    canvas.text(8, 20, "A backward pass: norms of gradients")
    told = f"steps: {count:,}" + (f", of which the first {len(shown):,} are drawn" if count > len(shown) else "")
    canvas.text(8, 36, f"{told}; bars are logarithmic", "faint")
    y = 44.0
    for step in shown:
        words = f"#{step.number} {step.node} {step.kinds}"
        canvas.text(8, y + 14, words if len(words) <= 46 else words[:45] + "…")
        if step.norm and isfinite(step.norm):
            canvas.box(8, y + 19, 8 + 240 * (log10(step.norm) - least) / span, 9, "f0", f"{words}: {step.norm:.6g}", 2)
        canvas.text(352, y + 28, f"{step.norm:.3g}", "ink" if isfinite(step.norm) else "w4", "end")
        y += 36
    description = f"The norms of the gradients of {len(shown)} of {count} steps, in the order of the pass."
    return canvas.svg(360, y + 4, "A backward pass", description)
