"""Random programs written: step after step, each tried on the reference, until a backward pass ends them."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import backends
from lamina_flatarray.devices import Device

from .program import Program, variables_on
from .steps import STEPS

__all__ = ["Draft", "written"]

_GREATEST: Final = 100.0  # beyond, rounding errors would hide all else
_SHAPES: Final = ((3, 4), (4, 3), (5,), (2, 3, 4), (1, 4), (3, 1), (9,), (), (17, 2), (2, 2))


class Draft:
    """A program as it grows, and its variables as the reference computes them.

    Args:
        random: what is chosen from.
        dtype: the name of the dtype of its floating tensors.
        whole: whether it may have tensors of int64.
    """

    def __init__(self, random: Random, dtype: str, whole: bool) -> None:
        self.random = random
        self.dtype = dtype
        self.whole = whole
        self.lines: list[str] = []
        self.variables: dict[str, Any] = variables_on("cpu")

    def tensors(self, kinds: str = "f") -> dict[str, Any]:
        """The variables of these kinds of dtypes: f, i or b."""
        return {n: v for n, v in self.variables.items() if isinstance(v, lt.Tensor) and v.dtype.kind in kinds}

    def one(self, kinds: str = "f", axes: int = 0) -> str:
        """One variable, rather a late one, with at least so many axes; "" if there is none."""
        names = [n for n, v in self.tensors(kinds).items() if v.ndim >= axes]
        return self.random.choice(names[-4:] if self.random.random() < 0.6 else names) if names else ""

    def like(self, name: str, kinds: str = "f") -> str:
        """A variable of the same shape, which may be the same one; "" for none."""
        if not name:
            return ""
        shape = self.variables[name].shape
        return self.random.choice([n for n, v in self.tensors(kinds).items() if v.shape == shape] or [""])

    def literal(self, shape: tuple[int, ...], more: str = "") -> str:
        """New items of a shape."""
        items = [round(self.random.uniform(-2, 2), 2) for _ in range(int(np.prod(shape)))]
        values = np.array(items, np.float64).reshape(shape).tolist()
        array = f"lt.zeros({shape}" if 0 in shape else f"lt.tensor({values}"
        return f"{array}, dtype=dtypes.{self.dtype}, device=device{more})"

    def name(self) -> str:
        """A name for the next variable."""
        return f"v{sum(n[0] == 'v' for n in self.variables)}"

    def add(self, line: str) -> bool:
        """Take a line if the reference runs it, and no number becomes large or undefined."""
        before = dict(self.variables)
        try:
            exec(line, self.variables)
        except Exception:
            self.variables = before
            return False
        for value in self.tensors("f").values():
            if value.numel() and not float(value.detach().abs().max()) < _GREATEST:
                return False
        self.lines.append(line)
        return True


def written(seed: int | str, dtype: str = "float32", whole: bool = True, length: int = 14) -> Program:
    """Return a random program, the same one for the same arguments.

    Args:
        seed: what it is chosen by.
        dtype: the name of the dtype of its floating tensors.
        whole: whether it may have tensors of int64 as well.
        length: how many steps are tried at most.

    Returns:
        A program that the reference runs to its end.
    """
    random = Random(f"lamina {seed}")
    with backends.use_backend("numpy"), Device("cpu"):
        draft = _drafted(random, dtype, whole, random.randint(4, length))
        roots = [name for name, value in draft.tensors().items() if value.requires_grad and not value.is_leaf]
        if roots:
            draft.add(f"({' + '.join(f'({name} * {name}.cos()).sum()' for name in roots[-4:])}).backward()")
    return Program(tuple(draft.lines))


def _drafted(random: Random, dtype: str, whole: bool, length: int) -> Draft:
    draft = Draft(random, dtype, whole)
    shapes = [*random.sample(_SHAPES, 3), *([(0, 3)] if random.random() < 0.1 else [])]
    for shape in shapes:
        wants = ", requires_grad=True" if random.random() < 0.7 else ""
        line = f"{draft.name()} = {draft.literal(shape, wants)}"
        exec(line, draft.variables)
        draft.lines.append(line)
    kinds, weights = zip(*STEPS, strict=True)
    for step in random.choices(kinds, weights, k=length):
        line = step(draft)
        if line and not draft.add(line):  # what it wrote in place is there, so that all is run anew
            draft.variables = {**variables_on("cpu"), **Program(tuple(draft.lines))("cpu")}
    return draft
