"""Random functions of tensors, with views, writes in place and gradients, that must give the same bits compiled as eagerly.

Some run in CI (`test_random_functions.py`); N seeds from SEED on, and how many functions differ, by the backend that serves the CPU:

    cd packages/lamina/tests && LAMINA_BACKEND=cpp python -m compiling.random_functions N SEED
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any, NamedTuple

import lamina as torch
from lamina.nn import functional as F

__all__ = ["RandomFunction", "difference", "shortest", "written"]

CALLS = 5
SHAPES = (
    [(4, 4)] * 3, [(6, 6), (6, 6), (6,)], [(3, 5), (5, 3), (1, 5)], [(40, 40), (40, 40), (40,)], [(8, 16), (16,), (8, 1)],
    [(2, 3, 4), (3, 4), (4,)], [(130, 130)] * 3,
)  # fmt: skip

MAPS = """
    {v}.relu() | {v}.tanh() | {v}.sigmoid() | {v} * 0.5 + 1 | {v}.abs().sqrt() | -{v} | {v}.square() | {v}.clamp(-2, 2).exp() | F.gelu({v})
    | {v}.sin() | {v} / 3 | 2 - {v} | {v}.clone() | {v}.contiguous() | {v}.double().float() | {v}.half().float() | F.silu({v}) | {v} * {v}
    | ({v} > 0).float() | {v}.detach() * 1.5 | torch.where({v} > 0, {v}, 0.1) | {v}.floor() | torch.log1p({v}.abs()) | {v}.pow(2)
    | {v}.masked_fill({v} < 0, 0.5) | F.dropout({v}, 0.3)
"""
PAIRS = """
    {v} + {w} | {v} * {w} | {v} - {w} | torch.maximum({v}, {w}) | torch.where({v} > {w}, {v}, {w}) | torch.addcmul({v}, {v}, {w})
    | torch.lerp({v}, {w}, 0.3) | torch.atan2({v}, {w}) | {v} / ({w}.abs() + 1) | ({v} < {w}).float() * {v} | torch.hypot({v}, {w})
"""
VIEWS = """
    {v}.t() | {v}.transpose(0, -1) | {v}.flip(0) | {v}[1:] | {v}[..., ::2] | {v}.reshape(-1) | {v}[:, 1:] | {v}.unsqueeze(0)
    | {v}.roll(1, 0) | {v}.narrow(0, 0, 2) | {v}.mT | {v}.squeeze() | {v}[0] | {v}[-1] | {v}.expand(3, *{v}.shape)
    | {v}.view({v}.shape[0], -1) | {v}.movedim(0, -1) | {v}.diagonal() | {v}.rot90() | {v}[:, :3].flip(1) | {v}.unfold(0, 2, 1)
    | {v}.chunk(2)[1] | {v}.split(2)[0]
"""
REDUCTIONS = """
    {v}.sum() | {v}.sum(0) | {v}.mean(-1, keepdim=True) | {v}.amax(-1) | {v}.softmax(-1) | {v}.cumsum(0) | {v}.log_softmax(0)
    | {v}.amax(0, keepdim=True) | {v}.var(-1, keepdim=True) | {v}.sum(-1, keepdim=True) | {v}.norm() | {v}.mean() | {v}.logsumexp(-1)
    | F.layer_norm({v}, {v}.shape[-1:]) | {v}.prod(-1) | {v}.sort(-1)[0] | {v}.max(0)[0] | {v}.cumprod(-1) | {v}.argmax(-1).float()
"""
PRODUCTS = "{v} @ {w} | {v} @ {w}.t() | torch.matmul({v}, {w}.mT) | F.linear({v}, {w}) | torch.outer({v}.flatten()[:5], {w}.flatten()[:7])"
JOINS = "torch.cat([{v}, {w}]) | torch.stack([{v}, {w}]) | torch.cat([{v}, {w}], -1) | torch.cat([{v}, {v}.flip(0)])"
POSITIONS = """
    {v}[torch.tensor([0, 1, 0])] | {v}[:, torch.tensor([1, 0])] | {v}.gather(0, torch.zeros_like({v}, dtype=torch.int64))
    | {v}.index_select(0, torch.tensor([1, 1])) | {v}.index_add(0, torch.tensor([0]), {v}[1:2])
"""
WRITES = """
    {v}.add_({w}) | {v}[0] = {w}[-1] | {v}[1:].mul_(2) | {v}.t().mul_({w}) | {v}.relu_() | {v}.copy_({w}) | {v}[..., 0] = 1.0 | {v}.zero_()
    | {v}.sub_({w}, alpha=0.5) | {v}.clamp_(min=-1) | {v}.mul_({v}) | {v}[:1] += {w}[1:2] | {v}.flip(0).add_(1) | {v}[:1] += {v}[1:2]
"""
KINDS = {MAPS: 6, PAIRS: 6, VIEWS: 4, REDUCTIONS: 2, PRODUCTS: 1, JOINS: 0.6, POSITIONS: 0.5, WRITES: 1.5}
NAMES: dict[str, Any] = {"torch": torch, "F": F}


class RandomFunction(NamedTuple):
    """A function of tensors of these shapes, line by line, and the names of its results; whether these are differentiated, too."""

    shapes: list[tuple[int, ...]]
    lines: list[str]
    results: list[str]
    with_gradients: bool

    def source(self) -> str:
        """Its definition."""
        given, results = ", ".join(f"x{i}" for i in range(len(self.shapes))), ", ".join(self.results)
        end = [f"return [{results}]"]
        if self.with_gradients:
            end = [
                f"loss = sum([(i + 1) * x.float().sum() for i, x in enumerate([{results}])])",
                f"slopes = torch.autograd.grad(loss, [{given}], allow_unused=True)",
                f"return [loss, *[x for x in slopes if x is not None], {results}]",
            ]
        return "\n    ".join([f"def f({given}):", *self.lines, *end])

    def made(self) -> Callable[..., list[torch.Tensor]]:
        """The function."""
        names = dict(NAMES)
        exec(self.source(), names)
        function: Callable[..., list[torch.Tensor]] = names["f"]
        return function

    def given(self, seed: int) -> list[torch.Tensor]:
        """Random arguments."""
        torch.manual_seed(seed)
        return [torch.randn(*shape).requires_grad_(self.with_gradients) for shape in self.shapes]


def written(seed: int, *, writes: bool, with_gradients: bool) -> RandomFunction:
    """A random function whose lines run, of at most 30 lines.

    Args:
        seed: what is drawn of.
        writes: whether some lines write in place.
        with_gradients: whether the results are differentiated.
    """
    random = Random(seed)
    shapes = random.choice(SHAPES)
    torch.manual_seed(seed)
    values = {f"x{i}": torch.randn(*shape) for i, shape in enumerate(shapes)}
    lines: list[str] = []
    length = random.choice((4, 8, 16, 30))
    for _ in range(12 * length):
        if len(lines) == length:
            break
        names = list(values)
        v, w = (random.choice(names[-6:] if random.random() < 0.7 else names) for _ in range(2))
        (kind,) = random.choices([*KINDS], [*KINDS.values()])
        line, name = random.choice(kind.split(" | ")).strip().format(v=v, w=w), f"v{len(lines)}"
        if kind is WRITES and (not writes or v.startswith("x")):
            continue
        try:
            exec(line if kind is WRITES else f"{name} = {line}", {**NAMES, **values}, found := {})
        except Exception:  # of shapes that do not fit, for one
            continue
        if kind is WRITES:
            lines.append(line)
        elif 0 < found[name].numel() <= 40_000:
            values[name] = found[name]
            lines.append(f"{name} = {line}")
    own = [name for name in values if name.startswith("v")]
    return RandomFunction([*shapes], lines, random.sample(own, min(3, len(own))), with_gradients)


def same(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Whether two tensors have the same bits, any two NaN being the same, and carry gradients alike."""
    alike = x.shape == y.shape and x.dtype == y.dtype and x.requires_grad == y.requires_grad
    return alike and bool(((x == y) | (x.isnan() & y.isnan())).all())


def difference(function: RandomFunction, seed: int = 0) -> str | None:
    """What is different where a function is compiled; None where nothing is, or the function itself fails.

    Args:
        function: the function.
        seed: of its arguments.
    """
    eager = function.made()
    try:
        results = [eager(*function.given(seed + call)) for call in range(CALLS)]
    except Exception:
        return None
    compiled = torch.compile(function.made())
    for call, expected in enumerate(results):
        try:
            with warnings.catch_warnings(action="ignore"):  # that it runs eagerly, as when a result shares memory with an argument
                found = compiled(*function.given(seed + call))
        except Exception as error:
            return f"call {call}: {type(error).__name__}: {error}"
        wrong = [i for i, (x, y) in enumerate(zip(found, expected, strict=True)) if not same(x, y)]
        if wrong:
            return f"call {call}: results {wrong} differ"
    return None


def shortest(function: RandomFunction) -> RandomFunction:
    """A function that differs, without the lines and results that do not matter for that.

    Args:
        function: one that differs.
    """

    def shorter() -> Iterator[RandomFunction]:
        for i in reversed(range(len(function.lines))):
            yield function._replace(lines=function.lines[:i] + function.lines[i + 1 :])
        for i in range(len(function.results) if len(function.results) > 1 else 0):
            yield function._replace(results=function.results[:i] + function.results[i + 1 :])

    while True:
        other = next((one for one in shorter() if difference(one)), None)
        if other is None:
            return function
        function = other


def main() -> None:
    """Run as many seeds as the command says, and tell what differs."""
    count, first = map(int, sys.argv[1:])
    warnings.simplefilter("ignore")
    different = 0
    for seed, writes, with_gradients in product(range(first, first + count), (False, True), (False, True)):
        function = written(seed, writes=writes, with_gradients=with_gradients)
        if difference(function):
            different += 1
            less = shortest(function)
            print(f"seed {seed}, writes {writes}: {difference(less)}; shapes {less.shapes}\n{less.source()}\n", flush=True)
    print(f"{4 * count} functions, {different} of which differ")


if __name__ == "__main__":
    main()
