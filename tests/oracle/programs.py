"""Random programs of leaves, views, writes in place and gradients: lines that run alike under real PyTorch and under lamina.

A program is a list of lines. `written` makes one, `difference` runs it in both and says where they part, `shortest` leaves
out what a difference does not need, `script` is what a person runs. From a shell, N programs and how many of them differ:

    python tests/oracle/programs.py N [seed]
"""

from __future__ import annotations

import sys
import warnings
from random import Random
from typing import Any

import numpy as np
import torch
from program_steps import ENDS, SHAPES, STEPS, Writer, ran, tensors

import lamina


def written(random: Random, length: int = 14) -> list[str]:
    """A random program, which ends with a backward pass from every variable that has a history."""
    w = Writer(random)
    for _ in range(2):
        w.add(f"{w.name()} = {w.literal(w.one(SHAPES[1:9]))}, requires_grad=True)")
    kinds, weights = zip(*STEPS, strict=True)
    for kind in random.choices(kinds, weights, k=random.randint(3, length)):
        line = kind(w)
        if line and not w.add(line):
            return w.lines
    roots = [n for n, t in tensors(w.values).items() if t.requires_grad]
    if roots:
        w.add(f"({' + '.join(f'({n} * {n}.cos()).sum()' for n in roots)}).backward()")
    return w.lines


def _unequal(name: str, what: str, expected: Any, observed: Any) -> str | None:
    if (expected is None) != (observed is None):
        return f"{what} of {name}: PyTorch has {expected}, lamina {observed}"
    if expected is None:
        return None
    a, b = expected.detach().numpy(), observed.detach().numpy()
    if a.shape != b.shape or not np.allclose(a, b, rtol=1e-8, atol=1e-9, equal_nan=True):
        return f"{what} of {name}: PyTorch has {a.tolist()}, lamina {b.tolist()}"
    return None


def _compared(theirs: dict[str, Any], ours: dict[str, Any], gradients: bool) -> str | None:
    """The first variable in which the two libraries are not at one."""
    mine = tensors(ours)
    for name, expected in tensors(theirs).items():
        observed = mine.get(name)
        if observed is None:
            return f"{name}: PyTorch has a tensor, lamina {ours.get(name)!r}"
        for flag in ("requires_grad", "is_leaf", "retains_grad"):
            if getattr(expected, flag) != getattr(observed, flag):
                return f"{flag} of {name}: PyTorch has {getattr(expected, flag)}, lamina {getattr(observed, flag)}"
        found = _unequal(name, "the items", expected, observed)
        if found is None and gradients and (expected.is_leaf or expected.retains_grad):
            found = _unequal(name, "the gradient", expected.grad, observed.grad)
        if found is not None:
            return found
    return None


def difference(lines: list[str]) -> str | None:
    """Where the two libraries part, line and all; None where they agree from beginning to end."""
    theirs: dict[str, Any] = {"torch": torch}
    ours: dict[str, Any] = {"torch": lamina}
    for number, line in enumerate(lines, 1):
        expected, observed = ran(line, theirs), ran(line, ours)
        at = f"line {number}, {line}: "
        if (expected is None) != (observed is None):
            return f"{at}PyTorch raises {expected!r}, lamina {observed!r}"
        if expected is not None and not isinstance(observed, type(expected)):
            return f"{at}PyTorch raises {expected!r}, lamina {observed!r}, which is no {type(expected).__name__}"
        ended = expected is not None and any(end in line for end in ENDS)
        found = _compared(theirs, ours, gradients=not ended)
        if found is not None:
            return at + found
        if ended:
            return None
    return None


def shortest(lines: list[str]) -> list[str]:
    """The program without the lines that its difference does not need."""

    def differs(some: list[str]) -> bool:
        found = difference(some)
        return found is not None and "NameError" not in found

    i = len(lines) - 1
    while i >= 0:
        fewer = lines[:i] + lines[i + 1 :]
        if differs(fewer):
            lines = fewer
        i -= 1
    return lines


def script(lines: list[str]) -> str:
    """A program as a file to run: as it stands with lamina, without the first three words with PyTorch."""
    return "\n".join(["import lamina as torch", *lines, ""])


def main(count: int, seed: int = 0) -> int:
    """Run that many programs; how many of them differ."""
    differing = 0
    for i in range(count):
        lines = written(Random(f"{seed}-{i}"))
        if difference(lines) is not None:
            differing += 1
            lines = shortest(lines)
            print(f"# program {i} of seed {seed}: {difference(lines)}\n{script(lines)}")
    print(f"{count} programs, {differing} differences")
    return differing


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(1 if main(*map(int, sys.argv[1:])) else 0)
