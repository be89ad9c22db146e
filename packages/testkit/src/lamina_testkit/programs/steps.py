"""The steps that random programs are made of: each is a function from the draft so far to its next line, or "" for none."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .writing import Draft

__all__ = ["STEPS"]

Step = Callable[["Draft"], str]

STEPS: Final[list[tuple[Step, int]]] = []
"""Every step, and how often it is taken."""

_UNARY: Final = ("tanh", "sigmoid", "sin", "cos", "relu", "abs", "square", "neg", "exp", "erf", "expm1", "sign", "atan")
_REDUCTIONS: Final = ("sum", "mean", "amax", "amin", "logsumexp")
_IN_PLACE: Final = ("mul_(0.5)", "add_(0.25)", "tanh_()", "neg_()", "relu_()", "sin_()", "clamp_(-1.0, 1.0)")


def _step(weight: int) -> Callable[[Step], Step]:
    def register(function: Step) -> Step:
        STEPS.append((function, weight))
        return function

    return register


@_step(6)
def unary(draft: Draft) -> str:
    """A function item by item."""
    x = draft.one()
    return f"{draft.name()} = {x}.{draft.random.choice(_UNARY)}()" if x else ""


@_step(2)
def in_their_domain(draft: Draft) -> str:
    """Roots, logarithms and quotients of positive numbers."""
    x = draft.one()
    how = draft.random.choice((f"({x}.abs() + 0.5).sqrt()", f"{x}.abs().log1p()", f"1 / ({x}.abs() + 1)", f"({x}.abs() + 0.25) ** 1.5"))
    return f"{draft.name()} = {how}" if x else ""


@_step(6)
def binary(draft: Draft) -> str:
    """Two tensors of one shape, or of shapes that broadcast."""
    a = draft.one()
    b = draft.like(a) if draft.random.random() < 0.6 else draft.one()
    how = draft.random.choice(("{} + {}", "{} - {}", "{} * {}", "lt.maximum({}, {})", "lt.minimum({}, {})", "{} / ({}.abs() + 1)"))
    return f"{draft.name()} = {how.format(a, b)}" if a and b else ""


@_step(3)
def with_numbers(draft: Draft) -> str:
    """A tensor and a number on either side."""
    x, number = draft.one(), draft.random.choice(("0.5", "-1.5", "2", "3"))
    how = draft.random.choice(("{x} * {n}", "{n} - {x}", "{x} + {n}", "{x} / {n}", "{x} ** 2"))
    return f"{draft.name()} = {how.format(x=x, n=number)}" if x else ""


@_step(4)
def reduction(draft: Draft) -> str:
    """Along one axis, or of all items."""
    x = draft.one(axes=1)
    if not x:
        return ""
    axis = draft.random.randrange(draft.variables[x].ndim)
    keep = draft.random.choice((", keepdim=True", ""))
    how = f"{draft.random.choice(_REDUCTIONS)}({axis}{keep})" if draft.random.random() < 0.8 else "sum()"
    return f"{draft.name()} = {x}.{how}"


@_step(2)
def along_an_axis(draft: Draft) -> str:
    """Scans, softmax, sorts."""
    x = draft.one(axes=1)
    if not x:
        return ""
    axis = draft.random.randrange(draft.variables[x].ndim)
    how = draft.random.choice((f"{x}.cumsum({axis})", f"lt.softmax({x}, {axis})", f"{x}.sort({axis})[0]", f"{x}.var({axis})"))
    return f"{draft.name()} = {how}"


@_step(4)
def product(draft: Draft) -> str:
    """Matrix products, also of transposed operands."""
    x = draft.one(axes=2)
    if not x:
        return ""
    rows = draft.variables[x].shape[-1]
    other = draft.literal((rows, draft.random.choice((1, 2, 5)))) if draft.random.random() < 0.5 else f"{x}.transpose(-1, -2)"
    return f"{draft.name()} = {x} @ {other} * 0.25"


@_step(8)
def view(draft: Draft) -> str:
    """Another view of the same memory."""
    x = draft.one(axes=1)
    if not x:
        return ""
    shape = draft.variables[x].shape
    ways = [f"{x}[1:]", f"{x}[..., ::2]", f"{x}.unsqueeze(0)", f"{x}.reshape(-1)", f"{x}[-1]", f"{x}[..., 1:]"]
    ways += [f"{x}.expand(2, {', '.join(['-1'] * len(shape))})"]
    if len(shape) > 1:
        ways += [f"{x}.transpose(0, -1)", f"{x}.transpose(0, 1)[1:]", f"{x}.diagonal()", f"{x}.movedim(0, -1)"]
    return f"{draft.name()} = {draft.random.choice(ways)}"


@_step(2)
def rearranged(draft: Draft) -> str:
    """Copies of items in another order."""
    x = draft.one(axes=1)
    if not x:
        return ""
    ways = ("{x}.flip(0)", "{x}.roll(1, 0)", "lt.cat([{x}, {x} * 2])", "lt.stack([{x}, {x}.neg()], -1)", "{x}[[0, -1, 0]]", "{x}.clone()")
    return f"{draft.name()} = {draft.random.choice(ways).format(x=x)}"


@_step(5)
def in_place(draft: Draft) -> str:
    """A tensor written over, whole or in part."""
    x = draft.one()
    if not x:
        return ""
    other = draft.one()
    ways = [f"{x}.{draft.random.choice(_IN_PLACE)}", f"{x}.add_({draft.like(x) or x}.detach().clone())"]
    if draft.variables[x].ndim:
        ways += [f"{x}[0] = 0.75", f"{x}[..., -1] *= 0.5", f"{x}[::2] = {other}.detach().sum() * 0.125", f"{x}[1:].neg_()"]
    return draft.random.choice(ways)


@_step(2)
def chosen(draft: Draft) -> str:
    """Choices by a condition."""
    x = draft.one()
    y = draft.like(x) if x else ""
    ways = (f"lt.where({x} > 0.3, {x}, {y})", f"{x}.masked_fill({y} < 0.1, 0.5)", f"lt.where({x}.abs() >= {y}, {y} * 2, 0.5)")
    return f"{draft.name()} = {draft.random.choice(ways)}" if x and y else ""


@_step(2)
def whole_numbers(draft: Draft) -> str:
    """Tensors of int64, out of floating ones and of each other."""
    if not draft.whole:
        return ""
    k, x = draft.one("i"), draft.one(axes=1)
    if not k or draft.random.random() < 0.5:
        ways = (f"({x} * 3.3).floor().to(dtypes.int64)", f"({x} > 0.1).sum(0)", f"{x}.argmax(0)")
        return f"{draft.name()} = {draft.random.choice(ways)}" if x else ""
    among = ("{k} % 3", "{k} * 2 - {j}", "{k} // 2", "({k} & 5) | 1", "{k}.sum()", "{k}.abs().to(dtypes.{dtype}) * 0.5")
    return f"{draft.name()} = {draft.random.choice(among).format(k=k, j=draft.like(k, 'i'), dtype=draft.dtype)}"
