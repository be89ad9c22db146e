"""The steps that random programs of tensors are made of: each is a function from the program so far to its next line.

Left out, as PyTorch forbids or confuses what has one meaning here: views made under `no_grad` (they say there that they
require gradients, and have no history), writes into the results of `unbind` and `split`, most writes to tensors several of
whose indices share an item, `x *= x`, other operands that share memory with what is written, writes into the result of
`prod`, and hooks on views (PyTorch drops them once the base is written to).
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import torch

import lamina

__all__ = ["ENDS", "SHAPES", "STEPS", "Writer", "ran", "tensors"]

SHAPES = ((), (2,), (3,), (2, 3), (3, 2), (3, 3), (2, 1), (1, 3), (2, 3, 2), (4,), (6,), (0,), (2, 0))
UNARY = ("sin", "tanh", "sigmoid", "relu", "square", "neg", "abs", "clone", "softplus", "exp", "cos", "log1p")
IN_PLACE_UNARY = ("sin_", "tanh_", "sigmoid_", "relu_", "neg_", "abs_", "square_", "cos_", "exp_")
NUMBERS = ("0.5", "-1.5", "2.0", "0.7", "1.0")
ENDS = ("backward(", "autograd.grad(")
"""What ends a program if it fails: how far gradients had come by then is nobody's promise."""


def tensors(values: dict[str, Any]) -> dict[str, Any]:
    """The variables that are tensors of float64."""
    return {n: v for n, v in values.items() if isinstance(v, (torch.Tensor, lamina.Tensor)) and "float64" in str(v.dtype)}


def ran(line: str, values: dict[str, Any]) -> Exception | None:
    """Run a line; the error that it raised."""
    try:
        exec(line, values)
    except Exception as error:
        return error
    return None


def broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    return len(shape) <= len(target) and all(a in (1, b) for a, b in zip(shape[::-1], target[::-1], strict=False))


def shares(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Whether two tensors have the same memory, or would have if there were items."""
    roots = [t if t._base is None else t._base for t in (a, b)]
    return roots[0] is roots[1] or (a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr() and bool(a.numel()))


def overlaps(t: torch.Tensor) -> bool:
    """Whether several of a tensor's indices share an item."""
    reach = sum((d - 1) * s for d, s in zip(t.shape, t.stride(), strict=True)) + 1
    return t.numel() > 1 and t.numel() > torch.arange(reach).as_strided(t.shape, t.stride()).unique().numel()


STEPS: list[tuple[Callable[[Writer], str | None], int]] = []
"""Every step, which gives None where there is nothing for it to do, and how often it is taken."""


def step(weight: int) -> Any:
    def register(function: Callable[[Writer], str | None]) -> Any:
        STEPS.append((function, weight))
        return function

    return register


class Writer:
    """A program as it grows; its lines are run in PyTorch, so that shapes and memory are known."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.values: dict[str, Any] = {"torch": torch}
        self.count = 0

    def add(self, line: str) -> bool:
        """Append a line; whether the program may go on."""
        self.lines.append(line)
        error = ran(line, self.values)
        for t in tensors(self.values).values():
            t.is_leaf  # renews a view's history: PyTorch 2.13 crashes where `register_hook` is the first to ask for it
        return not (error and any(end in line for end in ENDS)) and all(
            not t.numel() or float(t.detach().abs().max()) < 1e3 for t in tensors(self.values).values()
        )

    def name(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def one(self, choices: Any) -> Any:
        return self.random.choice(list(choices))

    def chance(self, percent: int) -> bool:
        return self.random.randint(1, 100) <= percent

    def pick(self, fits: Callable[[torch.Tensor], bool] = lambda t: True) -> str | None:
        """A variable, rather a late one."""
        names = [n for n, t in tensors(self.values).items() if fits(t)]
        return self.one(names[-4:] if names and self.chance(60) else names) if names else None

    def literal(self, shape: tuple[int, ...]) -> str:
        if 0 in shape:
            return f"torch.zeros({shape}, dtype=torch.float64"
        items = np.array([self.random.randint(-20, 20) / 10 for _ in range(int(np.prod(shape)))]).reshape(shape).tolist()
        return f"torch.tensor({items}, dtype=torch.float64"

    def operand(self, shape: tuple[int, ...], target: torch.Tensor | None = None, apart: bool = False) -> str:
        """What broadcasts to a shape: a variable, something made of one, or a number; now and then something else.

        Of what shares memory with the target, only the target itself is taken, and not even that where `apart`.
        """

        def fits(t: torch.Tensor) -> bool:
            if target is not None and t is not target and shares(t, target):
                return False
            return self.chance(3) or broadcasts_to(tuple(t.shape), shape)

        name = self.pick(fits)
        if name is None or self.chance(25):
            return self.one(NUMBERS)
        if apart and self.values[name] is target:
            return f"{name}.clone()"
        return name + (self.one((" * 0.5", ".sin()", ".clone()", f" * {name}", ".detach()")) if self.chance(25) else "")

    def bounds(self, length: int) -> str:
        a, b = (self.one(["", *range(-length, length + 1)]) for _ in range(2))
        return f"{a}:{b}" + (f":{self.one((1, 2, 2, 3))}" if self.chance(40) else "")

    def index(self, shape: tuple[int, ...]) -> str:
        """What goes in brackets and gives a view."""
        parts: list[str] = []
        for length in shape[: self.random.randint(0, len(shape))]:
            if self.chance(10):
                parts.append("None")
            parts.append(str(self.random.randint(-length, length - 1)) if length and self.chance(40) else self.bounds(length))
        if not parts or self.chance(10):
            parts.insert(self.random.randint(0, len(parts)), "...")
        return ", ".join(parts)

    def positions(self, shape: tuple[int, ...]) -> str:
        """What goes in brackets and gives a copy."""
        length = shape[0]
        rows = [self.random.randrange(length) for _ in range(self.random.randint(1, 3))] if length else []
        if len(shape) > 1 and shape[1] and self.chance(40):
            return f"torch.tensor({rows}, dtype=torch.int64), {self.random.randrange(shape[1])}"
        return f"torch.tensor({rows}, dtype=torch.int64)"

    def view(self, name: str) -> str:
        """An expression for a view of a variable."""
        t = self.values[name]
        shape, n = tuple(t.shape), t.ndim
        if not (t if t._base is None else t._base).is_contiguous():  # the order of a result's items in memory is each library's own affair
            return f"{name}[{self.index(shape)}]"
        ways = [f"[{self.index(shape)}]"] * 4 + [".unsqueeze(0)", ".unsqueeze(-1)", ".squeeze()", ".reshape(-1)", ".view(-1)"]
        ways += [f".expand(2{''.join(f', {d}' for d in shape)})"]
        if n:
            a, b = self.random.randrange(n), self.random.randrange(-n, n)
            ways += [f".transpose({a}, {b})", f".permute({', '.join(map(str, self.shuffled(n)))})", f".squeeze({a})"]
            ways += [f".movedim({a}, {b})", f".flatten({a})"]
            if shape[a]:
                begin = self.random.randrange(shape[a])
                ways += [f".narrow({a}, {begin}, {self.random.randint(0, shape[a] - begin)})", f".select({a}, {begin})"]
                ways += [f".unfold({a}, {self.random.randint(1, shape[a])}, {self.random.randint(1, 2)})"]
            ways += [f".view({', '.join(map(str, self.shuffled(shape)))})", f".reshape({', '.join(map(str, self.shuffled(shape)))})"]
        if n > 1:
            ways += [f".diagonal({self.random.randint(-1, 1)}, {a}, {(a + 1) % n})"] * 2
        if n == 2:
            ways += [".t()", ".T"]
        return name + self.one(ways)

    def shuffled(self, of: Any) -> list[int]:
        items = list(range(of)) if isinstance(of, int) else list(of)
        self.random.shuffle(items)
        return items

    def writable(self, fits: Callable[[torch.Tensor], bool] = lambda t: True) -> str | None:
        """A variable whose items lie apart, mostly no leaf that requires gradients."""
        wrong = self.chance(5)
        return self.pick(lambda t: fits(t) and (wrong or not (t.requires_grad and t.is_leaf)) and not overlaps(t))


@step(4)
def a_leaf(w: Writer) -> str:
    asks = ", requires_grad=True" if w.chance(65) else ""
    return f"{w.name()} = {w.literal(w.one(SHAPES))}{asks})"


@step(8)
def of_one(w: Writer) -> str | None:
    x = w.pick()
    if x is None:
        return None
    op = w.one(UNARY)
    inner = {"exp": f"{x}.tanh().exp()", "log1p": f"({x} * {x}).log1p()", "softplus": f"torch.nn.functional.softplus({x})"}
    return f"{w.name()} = {inner.get(op, f'{x}.{op}()')}"


@step(10)
def of_two(w: Writer) -> str | None:
    x = w.pick()
    if x is None:
        return None
    y = w.operand(tuple(w.values[x].shape))
    form = w.one((
        "{x} + {y}", "{x} * {y}", "{y} - {x}", "{x} * {y}", "{x} / ({x} * {x} + 1)", "torch.maximum({x}, {x} * {y})",
        "torch.where({x} > 0.3137, {x}, {y})", "torch.add({x}, {y} * 1.5, alpha=2)", "{x} ** 2 + {y}", "{x}.sub({y})",
    ))  # fmt: skip
    return f"{w.name()} = " + form.format(x=x, y=f"({y})")


@step(3)
def a_product(w: Writer) -> str | None:
    x = w.pick(lambda t: 0 < t.ndim < 3)
    if x is None:
        return None
    length = w.values[x].shape[-1]
    y = w.pick(lambda t: 0 < t.ndim < 3 and t.shape[-min(t.ndim, 2)] == length)
    return f"{w.name()} = {x} @ {y}" if y else None


@step(5)
def a_reduction(w: Writer) -> str | None:
    x = w.pick()
    if x is None:
        return None
    n = w.values[x].ndim
    axis = w.random.randrange(-n, n) if n else 0
    keep = w.one(("", ", keepdim=True"))
    ways = [".sum()", ".mean()", f".sum({axis}{keep})", f".mean({axis}{keep})", f".cumsum({axis})", f".amax({axis}{keep})"]
    ways += [f".logsumexp({axis}{keep})", f".prod({axis}{keep}) * 1", f".softmax({axis})"] + [f".max({axis}{keep}).values"] * (n > 0)
    return f"{w.name()} = {x}{w.one(ways)}"


@step(14)
def a_view(w: Writer) -> str | None:
    x = w.pick()
    return f"{w.name()} = {w.view(x)}" if x else None


@step(2)
def items_at_positions(w: Writer) -> str | None:
    x = w.pick(lambda t: t.ndim > 0)
    if x is None:
        return None
    return f"{w.name()} = {x}[{w.one((w.positions(tuple(w.values[x].shape)), f'{x} > 0.1137'))}]"


@step(2)
def joined(w: Writer) -> str | None:
    x = w.pick(lambda t: t.ndim > 0)
    return f"{w.name()} = torch.{w.one(('cat', 'stack'))}([{x}, {x} * 2, {x}], 0)" if x else None


@step(3)
def apart_from_the_graph(w: Writer) -> str | None:
    x = w.pick()
    if x is None:
        return None
    y = w.name()
    return w.one((f"{y} = {x}.detach()", f"{y} = {x}.detach().clone().requires_grad_()",
                  f"with torch.no_grad(): {y} = {x} * 2 + 1"))  # fmt: skip


@step(2)
def a_branch(w: Writer) -> str | None:
    x = w.pick()
    if x is None:
        return None
    y = w.operand(tuple(w.values[x].shape))
    return f"{w.name()} = {x} * {y} if float({x}.detach().sum()) > 0.05 else {x}.cos()"


def _target(w: Writer) -> tuple[str, torch.Tensor] | None:
    """An expression for memory to write to, and the tensor that it gives."""
    x = w.writable()
    if x is None:
        return None
    expression = w.view(x) if w.chance(35) else x
    try:
        return expression, eval(expression, dict(w.values))
    except (RuntimeError, IndexError):
        return expression, w.values[x]


def _unrecorded(w: Writer, line: str) -> str:
    """The line, now and then without recording; not where PyTorch would make a view forget what it retains."""
    watched = any(t.retains_grad and t._base is not None for t in tensors(w.values).values())
    return f"with torch.no_grad(): {line}" if w.chance(6) and not watched else line


@step(14)
def a_write(w: Writer) -> str | None:
    found = _target(w)
    if found is None:
        return None
    x, t = found
    shape = tuple(t.shape)
    y = w.operand(shape, t)
    ways = [f"{x}.add_({y})", f"{x}.mul_({w.operand(shape, t, apart=True)})", f"{x}.sub_({y})"]
    ways += [f"{x}.copy_(torch.as_tensor({y}))", f"{x}.{w.one(IN_PLACE_UNARY)}()"]
    ways += [f"{x}.add_(({y}) * 1.5, alpha=2)", f"{x}.div_(({y}) * ({y}) + 1)"]
    if overlaps(t):
        if 0 not in t.stride():
            return None
        return f"{x}.add_({y})" if t.requires_grad or w.chance(50) else f"{x}.fill_({w.one(NUMBERS)})"
    ways += [f"{x}.zero_()", f"{x}.fill_({w.one(NUMBERS)})"]
    ways += [f"{x}.masked_fill_({x} > 0.2137, {w.one(NUMBERS)})", f"{x}.clamp_(-1.0, 1.5)", f"{x}.pow_(2)"]
    if len(shape) == 1 and shape[0]:
        ways.append(f"{x}.index_add_(0, torch.tensor([0, {shape[0] - 1}]), {x}.detach()[:1].expand(2).clone())")
    return _unrecorded(w, w.one(ways))


@step(8)
def an_assignment(w: Writer) -> str | None:
    x = w.writable()
    if x is None:
        return None
    t = w.values[x]
    index = w.index(tuple(t.shape))
    try:
        part = t[eval(f"slicing[{index}]", {"slicing": np.s_})] if t.ndim or index == "..." else t
    except (RuntimeError, IndexError):
        part = t
    y = w.operand(tuple(part.shape), t, apart=True)
    how = "=" if index == "..." else w.one(("=", "=", "+=", "*="))
    return _unrecorded(w, f"{x}[{index}] {how} {y}")


@step(4)
def an_assignment_to_positions(w: Writer) -> str | None:
    x = w.writable(lambda t: t.ndim > 0)
    if x is None:
        return None
    if w.chance(40):
        return _unrecorded(w, f"{x}[{x} > 0.4137] {w.one(('=', '*='))} {w.one(NUMBERS)}")
    distinct = w.shuffled(w.values[x].shape[0])[:2]
    rest = tuple(w.values[x].shape[1:])
    y = w.operand(rest, w.values[x], apart=True)
    return _unrecorded(w, f"{x}[torch.tensor({distinct}, dtype=torch.int64)] {w.one(('=', '+='))} {y}")


@step(3)
def an_augmented_name(w: Writer) -> str | None:
    x = w.writable()
    if x is None:
        return None
    t = w.values[x]
    return f"{x} {w.one(('+=', '*=', '-='))} {w.operand(tuple(t.shape), t, apart=True)}"


@step(3)
def kept_gradients(w: Writer) -> str | None:
    x = w.pick(lambda t: t.requires_grad)
    return f"{x}.retain_grad()" if x else None


@step(2)
def a_hook(w: Writer) -> str | None:
    x = w.pick(lambda t: t.requires_grad and t._base is None)
    return f"{x}.register_hook(lambda g: g * {w.one(NUMBERS)})" if x else None


@step(3)
def a_pass(w: Writer) -> str | None:
    x = w.pick(lambda t: t.requires_grad or w.chance(2))
    return f"({x} * {x}).sum().backward({w.one(('retain_graph=True', 'retain_graph=True', ''))})" if x else None


@step(2)
def gradients_asked_for(w: Writer) -> str | None:
    x, y = w.pick(lambda t: t.requires_grad and t.numel() > 0), w.pick(lambda t: t.requires_grad)
    if x is None or y is None:
        return None
    how = w.one(("create_graph=True", "create_graph=True", "retain_graph=True"))
    found = f"torch.autograd.grad(({x} * {x}).sum(), [{y}], {how}, allow_unused=True)"
    return f"{w.name()}, = [g if g is None else g.clone() for g in {found}]"


@step(1)
def cleared_gradients(w: Writer) -> str | None:
    x = w.pick(lambda t: t.is_leaf and t.grad is not None)
    return f"{x}.grad{w.one(('.zero_()', ' = None'))}" if x else None
