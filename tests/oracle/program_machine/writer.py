"""A random program as it grows: names, operands, shapes and the steps that are registered."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import torch

from .running import Pair
from .states import shares, tensors

__all__ = ["STEPS", "Writer", "broadcasts_to", "overlaps", "step"]

SHAPES = (
    (),
    (2,),
    (3,),
    (2, 3),
    (3, 2),
    (3, 3),
    (2, 1),
    (1, 3),
    (2, 3, 2),
    (4,),
    (6,),
    (0,),
    (2, 0),
    (1, 1),
    (4, 3),
    (2, 1, 3),
    (2, 3, 2, 2),
    (1, 2, 3, 3),
)
DTYPES = (
    ("float64",) * 6
    + ("float32",) * 6
    + ("int64",) * 3
    + ("bool",) * 2
    + ("bfloat16", "int32", "uint8", "float16", "int8", "complex64", "complex128", "int16")
)
NUMBERS = ("0.5", "-1.5", "2.0", "0.7", "1.0", "2", "-1", "3", "0", "True")
TOO_LARGE = 1e3
TOO_MANY = 300


def broadcasts_to(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether a shape can be read as another."""
    return len(shape) <= len(target) and all(a in (1, b) for a, b in zip(shape[::-1], target[::-1], strict=False))


def overlaps(t: torch.Tensor) -> bool:
    """Whether several of a tensor's indices share an item."""
    if t.numel() < 2 or t.is_contiguous():
        return False
    reach = sum((d - 1) * s for d, s in zip(t.shape, t.stride(), strict=True)) + 1
    return t.numel() > torch.arange(reach).as_strided(t.shape, t.stride()).unique().numel()


Step = Callable[["Writer"], "str | None"]
STEPS: list[tuple[Step, int]] = []
"""Every step, which gives None where there is nothing for it to do, and how often it is taken."""


def step(weight: int) -> Callable[[Step], Step]:
    """Register a step: a function from the program so far to its next line."""

    def register(function: Step) -> Step:
        STEPS.append((function, weight))
        return function

    return register


class Writer:
    """A program as it grows; its lines are run as they are written, so that shapes and memory are known."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.pair = Pair()
        self.count = 0

    @property
    def values(self) -> dict[str, Any]:
        """PyTorch's variables."""
        return self.pair.theirs

    def add(self, line: str) -> bool:
        """Append a line; whether the program may go on."""
        return self.pair.run(line) and all(
            t.numel() <= TOO_MANY
            and (not t.numel() or float(t.detach().abs().max() if t.dtype != torch.bool else 0) < TOO_LARGE)
            for t in tensors(self.values).values()
        )

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"v{self.count}"

    def one(self, choices: Any) -> Any:
        """One of several."""
        return self.random.choice(list(choices))

    def chance(self, percent: float) -> bool:
        """True that often in a hundred."""
        return self.random.random() * 100 < percent

    def pick(self, fits: Callable[[torch.Tensor], bool] = lambda t: True) -> str | None:
        """A variable, rather a late one."""
        names = [n for n, t in tensors(self.values).items() if fits(t)]
        return self.one(names[-4:] if names and self.chance(60) else names) if names else None

    def dtype(self) -> str:
        """A dtype, rather a usual one."""
        return str(self.one(DTYPES))

    def shape(self) -> tuple[int, ...]:
        """A small shape."""
        return tuple(self.one(SHAPES))

    def literal(self, shape: tuple[int, ...], dtype: str) -> str:
        """A tensor written out, but for its last bracket."""
        if 0 in shape:
            return f"torch.zeros({shape}, dtype=torch.{dtype}"

        def items(shape: tuple[int, ...]) -> Any:
            if shape:
                return [items(shape[1:]) for _ in range(shape[0])]
            n = self.random.randint(0 if dtype == "uint8" else -20, 20)
            return n > 0 if dtype == "bool" else n // 4 if "int" in dtype else n / 10

        return f"torch.tensor({items(shape)}, dtype=torch.{dtype}"

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
            return str(self.one(NUMBERS))
        if apart and self.values[name] is target:
            return f"{name}.clone()"
        return name + (
            self.one((" * 0.5", ".sin()", ".clone()", f" * {name}", ".detach()", " > 0.5137"))
            if self.chance(25)
            else ""
        )

    def bounds(self, length: int) -> str:
        """A slice."""
        a, b = (self.one(["", *range(-length, length + 1)]) for _ in range(2))
        return f"{a}:{b}" + (f":{self.one((1, 2, 2, 3))}" if self.chance(40) else "")

    def index(self, shape: tuple[int, ...]) -> str:
        """What goes in brackets and gives a view."""
        parts: list[str] = []
        for length in shape[: self.random.randint(0, len(shape))]:
            if self.chance(10):
                parts.append("None")
            parts.append(
                str(self.random.randint(-length, length - 1)) if length and self.chance(40) else self.bounds(length)
            )
        if not parts or self.chance(10):
            parts.insert(self.random.randint(0, len(parts)), "...")
        return ", ".join(parts)

    def positions(self, shape: tuple[int, ...]) -> str:
        """What goes in brackets and gives a copy."""
        length = shape[0]
        rows = [self.random.randrange(-length, length) for _ in range(self.random.randint(1, 3))] if length else []
        first = f"torch.tensor({rows}, dtype=torch.int64)"
        if len(shape) > 1 and shape[1] and self.chance(60):
            column = self.random.randrange(shape[1])
            return str(self.one((f"{first}, {column}", f"{column}:, {first}" if length >= shape[1] else first, f"{first}, {column}:",
                                 f"{first}, torch.tensor({column})", f"{first}, None", f"..., {first}")))  # fmt: skip
        return first

    def shuffled(self, of: Any) -> list[int]:
        """Numbers in any order."""
        items = list(range(of)) if isinstance(of, int) else list(of)
        self.random.shuffle(items)
        return items

    def axis(self, t: torch.Tensor) -> int:
        """One of a tensor's axes, now and then none of them."""
        n = max(t.ndim, 1)
        return self.random.randrange(-n, n) if not self.chance(1) else n

    def writable(self, fits: Callable[[torch.Tensor], bool] = lambda t: True) -> str | None:
        """A variable whose items lie apart, mostly no leaf that requires gradients."""
        wrong = self.chance(5)
        return self.pick(lambda t: fits(t) and (wrong or not (t.requires_grad and t.is_leaf)) and not overlaps(t))
