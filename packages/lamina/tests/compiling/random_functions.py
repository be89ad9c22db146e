"""Random functions of tensors, with views, writes in place and gradients, that must give the same bits compiled as eagerly.

Some run in CI (`test_random_functions.py`); N seeds from SEED on, of four functions each, and how many of these differ:

    cd packages/lamina/tests && LAMINA_BACKEND=cpp python -m compiling.random_functions N SEED [--lengths] [--two-lengths] [--recompute]
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

import lamina as torch
from lamina.nn import functional as F
from lamina_ndarray.programs import recomputing

__all__ = ["OTHER_LENGTHS", "SAME_LENGTHS", "TWO_LENGTHS", "RandomFunction", "difference", "runs", "shortest", "written"]

LENGTHS = (9, 4)
"""Axes of these lengths may have others, in other calls."""
SAME_LENGTHS = (LENGTHS,) * 5
OTHER_LENGTHS = (*[(n, 4) for n in (2, 9, 30, 64) for _ in range(7)], *[(n, 4) for n in (3, 17, 40, 63, 2, 9, 100, 5, 33)])
"""Compiled at four lengths, a function is at those between them, too."""
_PAIRS = ((2, 5), (30, 7), (8, 40), (16, 16), (3, 30), (20, 9), (25, 35), (11, 3))
_OTHER_PAIRS = ((5, 6), (9, 9), (10, 20), (20, 30), (24, 8), (2, 5), (28, 7), (40, 50), (13, 12))
TWO_LENGTHS = (*[each for each in _PAIRS for _ in range(7)], *_OTHER_PAIRS)
"""The same where two lengths vary, each by itself."""

SHAPES = (
    [(9, 4), (4, 5), (4,)], [(9, 9), (9,)], [(3, 9), (9,), (9, 2)], [(2, 9, 4), (4, 4)], [(9, 3, 4), (4,), (3, 4)],
    [(4, 4)] * 3, [(6, 6), (6, 6), (6,)], [(3, 5), (5, 3), (1, 5)], [(40, 40), (40, 40), (40,)], [(8, 16), (16,), (8, 1)],
    [(2, 3, 4), (3, 4), (4,)], [(130, 130)] * 3,
)  # fmt: skip

MAPS = """
    {v}.relu() | {v}.tanh() | {v}.sigmoid() | {v} * 0.5 + 1 | {v}.abs().sqrt() | -{v} | {v}.square() | {v}.clamp(-2, 2).exp() | F.gelu({v})
    | {v}.sin() | {v} / 3 | 2 - {v} | {v}.clone() | {v}.contiguous() | {v}.double().float() | {v}.half().float() | F.silu({v}) | {v} * {v}
    | ({v} > 0).float() | {v}.detach() * 1.5 | torch.where({v} > 0, {v}, 0.1) | {v}.floor() | torch.log1p({v}.abs()) | {v}.pow(2)
    | {v}.masked_fill({v} < 0, 0.5) | F.dropout({v}, 0.3) | {v}.half() | {v}.double() | {v}.bfloat16() | {v}.int() | {v}.long()
    | {v}.float() | {v} > 0 | {v}.isnan() | {v} // 2 | {v} % 3 | {v}.clamp(min=0) | torch.complex({v}, {v}) | {v}.real | {v}.round()
    | {v}.bool() | {v}.sign() | F.elu({v}) | F.softplus({v}) | torch.erf({v}) | {v}.reciprocal() | {v} + 1 | torch.rsqrt({v}.abs() + 1)
"""
PAIRS = """
    {v} + {w} | {v} * {w} | {v} - {w} | torch.maximum({v}, {w}) | torch.where({v} > {w}, {v}, {w}) | torch.addcmul({v}, {v}, {w})
    | torch.lerp({v}, {w}, 0.3) | torch.atan2({v}, {w}) | {v} / ({w}.abs() + 1) | ({v} < {w}).float() * {v} | torch.hypot({v}, {w})
    | {v}.to({w}.dtype) + {w} | {v} == {w} | torch.minimum({v}, {w}) | {v} ** 2 + {w} | torch.sub({v}, {w}, alpha=2) | ({v} > 0) & ({w} > 0)
    | torch.copysign({v}, {w}) | torch.fmod({v}, {w}.abs() + 1) | F.mse_loss({v}, {w}) | F.smooth_l1_loss({v}, {w}, reduction="none")
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
    | {v}.sum((0, 1)) | {v}.any(0) | {v}.all() | {v}.amin(-1) | {v}.topk(2)[0] | {v}.std(0) | {v}.mean((-1, -2)) | {v}.unique()
    | {v}.count_nonzero(0) | F.normalize({v}, dim=-1) | {v}.cummax(0)[0]
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

    def given(self, seed: int, lengths: tuple[int, int] = LENGTHS) -> list[torch.Tensor]:
        """Random arguments, and of which lengths."""
        torch.manual_seed(seed)
        other = dict(zip(LENGTHS, lengths, strict=True))
        shapes = [[other.get(n, n) for n in shape] for shape in self.shapes]
        return [torch.randn(*shape).requires_grad_(self.with_gradients) for shape in shapes]


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


def runs(function: RandomFunction, lengths: Sequence[tuple[int, int]] = SAME_LENGTHS) -> list[list[torch.Tensor]] | None:
    """What a function gives at each call; None where one fails.

    Args:
        function: the function.
        lengths: of axes of the lengths 9 and 4, call by call.
    """
    eager = function.made()
    try:
        return [eager(*function.given(*call)) for call in enumerate(lengths)]
    except Exception:
        return None


def difference(function: RandomFunction, lengths: Sequence[tuple[int, int]] = SAME_LENGTHS) -> str | None:
    """What is different where a function is compiled; None where nothing is, or the function itself fails.

    Args:
        function: the function.
        lengths: of axes of the lengths 9 and 4, call by call.
    """
    compiled = torch.compile(function.made())
    for call, expected in enumerate(runs(function, lengths) or ()):
        try:
            with warnings.catch_warnings(action="ignore"):  # that it runs eagerly, as when a result shares memory with an argument
                found = compiled(*function.given(call, lengths[call]))
        except Exception as error:
            return f"call {call}: {type(error).__name__}: {error}"
        wrong = [i for i, (x, y) in enumerate(zip(found, expected, strict=True)) if not same(x, y)]
        if wrong:
            return f"call {call}: results {wrong} differ"
    return None


def shortest(function: RandomFunction, lengths: Sequence[tuple[int, int]] = SAME_LENGTHS) -> RandomFunction:
    """A function that differs, without the lines and results that do not matter for that.

    Args:
        function: one that differs.
        lengths: at which it does.
    """

    def shorter() -> Iterator[RandomFunction]:
        for i in reversed(range(len(function.lines))):
            yield function._replace(lines=function.lines[:i] + function.lines[i + 1 :])
        for i in range(len(function.results) if len(function.results) > 1 else 0):
            yield function._replace(results=function.results[:i] + function.results[i + 1 :])

    while True:
        other = next((one for one in shorter() if difference(one, lengths)), None)
        if other is None:
            return function
        function = other


def main() -> None:
    """Run as many seeds as the command says, and tell what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("first", type=int)
    parser.add_argument("--lengths", action="store_true", help="call each function at 11 lengths")
    parser.add_argument("--two-lengths", action="store_true", help="call each function at 17 pairs of lengths")
    parser.add_argument("--recompute", action="store_true", help="compute cheap results again however little memory that saves")
    chosen = parser.parse_args()
    lengths = TWO_LENGTHS if chosen.two_lengths else OTHER_LENGTHS if chosen.lengths else SAME_LENGTHS
    recomputing._LITTLE = 0 if chosen.recompute else recomputing._LITTLE
    warnings.simplefilter("ignore")
    ran = different = 0
    for seed, writes, with_gradients in product(range(chosen.first, chosen.first + chosen.count), (False, True), (False, True)):
        function = written(seed, writes=writes, with_gradients=with_gradients)
        ran += runs(function, lengths) is not None
        if difference(function, lengths):
            different += 1
            less = shortest(function, lengths)
            print(f"seed {seed}, writes {writes}: {difference(less, lengths)}; shapes {less.shapes}\n{less.source()}\n", flush=True)
    print(f"{ran} functions of {4 * chosen.count} run, {different} of which differ")


if __name__ == "__main__":
    main()
