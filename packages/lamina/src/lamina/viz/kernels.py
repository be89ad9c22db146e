"""`compiled`: the kernels that a compiled function became, how much memory each moves, and why it is one of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ArgumentValueError

from ..compiler import explanations
from .canvas import Canvas
from .drawing import Drawing

if TYPE_CHECKING:
    from lamina_ndarray.programs.program import KernelCall
    from lamina_tensor.compiling.way import Explanation

__all__ = ["compiled"]

_TITLE: Final = "Kernels of a compiled function"
_BAR: Final = 300
_ROW: Final = 46
_LONGEST: Final = 80
_PASSES: Final = ("forward", "backward")


def compiled(function: Callable[..., Any], limit: int = 60) -> Drawing[list[Explanation]]:
    """Draw the kernels that a compiled function became: per kernel the ops that it does, and the bytes that it reads and writes.

    A bar is what a kernel moves, the dotted outline around it what its ops would move one by one. Where neighbours are not one kernel, the
    reason stands between them.

    Args:
        function: what `torch.compile` returned.
        limit: how many kernels of a pass are drawn and told at most.

    Returns:
        The drawing; its `data` is what became of each kind of arguments, whose `steps` are all kernels.

    Raises:
        TypeError: the function is not compiled.
        ValueError: it was not called yet, or `limit` is less than 1.

    >>> f = torch.compile(lambda x: (x * 2 + 1).tanh().sum(0) * 3)
    >>> for _ in range(4):
    ...     y = f(torch.ones(50, 40))
    >>> last = torch.viz.compiled(f).data[0].steps[0][-1]
    >>> last.ops, last.shape
    (('multiply',), (40,))
    """
    if limit < 1:
        raise ArgumentValueError(f"compiled: limit={limit}; it must be at least 1")
    ways = explanations("compiled", function)
    if not ways:
        raise ArgumentValueError("compiled: the function was not called yet")
    lines: list[str] = []
    canvas = Canvas()
    canvas.text(12, 20, _TITLE)
    bottom = 40.0
    for way in ways:
        lines.append(str(way))
        canvas.text(12, bottom, _short(str(way)), "faint")
        bottom += 22
        for name, steps in zip(_PASSES, way.steps, strict=False):
            moved = f"{sum(step.nbytes for step in steps):,} bytes moved, {sum(step.nbytes_apart for step in steps):,} op by op"
            lines.append(f"  {name}: {moved}")
            lines += _told(steps[:limit])
            canvas.text(12, bottom, f"{name}: {moved}")
            bottom = _drawn(canvas, steps[:limit], bottom + 10)
            if len(steps) > limit:
                lines.append(f"    ... kernels left out: {len(steps) - limit:,}")
                canvas.text(12, bottom, f"... kernels left out: {len(steps) - limit:,}", "faint")
                bottom += 22
    description = f"kernels: {sum(len(steps) for way in ways for steps in way.steps):,}"
    return Drawing(_TITLE, canvas.svg(640, bottom + 8, _TITLE, description), "\n".join(lines), ways)


def _kind(step: KernelCall) -> str:
    return f"{step.dtype}{list(step.shape)}"


def _bytes(step: KernelCall) -> str:
    return f"{step.nbytes:,} B" + (f" instead of {step.nbytes_apart:,} B" if step.nbytes < step.nbytes_apart else "")


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _told(steps: Sequence[KernelCall]) -> list[str]:
    names = ["+".join(step.ops) for step in steps]
    first, second = (max(map(len, column), default=0) for column in (names, [_kind(step) for step in steps]))
    return [
        f"    {name:{first}}  {_kind(step):{second}}  {_bytes(step)}" + (f"  ({step.apart})" if step.apart else "")
        for name, step in zip(names, steps, strict=True)
    ]


def _drawn(canvas: Canvas, steps: Sequence[KernelCall], top: float) -> float:
    most = max((step.nbytes_apart for step in steps), default=1) or 1
    for step in steps:
        if step.apart:
            canvas.text(36, top + 11, _short(step.apart), "faint")
            top += 18
        name = "+".join(step.ops)
        tip = f"{name}: {_kind(step)}, {_bytes(step)}"
        canvas.text(24, top + 12, _short(f"{name}  {_kind(step)}"))
        if step.nbytes < step.nbytes_apart:
            canvas.box(24, top + 18, max(_BAR * step.nbytes_apart / most, 2), 12, "gap", tip)
        canvas.box(24, top + 18, max(_BAR * step.nbytes / most, 2), 12, "f0" if len(step.ops) > 1 else "f5", tip)
        canvas.text(34 + _BAR, top + 28, _bytes(step), "faint")
        top += _ROW
    return top + 14
