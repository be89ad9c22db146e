"""A generated program machine: random programs of tensors that must mean the same under real PyTorch and under lamina.

A program is a list of lines: creation, views, arithmetic, writes in place, draws, gradients and mistakes. After each line the
errors, dtypes, shapes, strides, offsets, versions, flags, shared memory, items, gradients and the random state are compared. A hundred
programs run in CI (`test_program_machine.py`); N of another seed, and how many of them differ, by the backend that serves the CPU:

    cd tests/oracle && LAMINA_BACKEND=numpy python -m program_machine N SEED
"""

from __future__ import annotations

from random import Random

from . import computing, creating, differentiating, drawing, layers, positions, viewing, writing
from .running import difference
from .shortening import script, shortest
from .states import tensors
from .writer import STEPS, Writer

__all__ = ["difference", "script", "shortest", "written"]

MODULES = (creating, viewing, computing, layers, positions, drawing, writing, differentiating)


def written(random: Random, length: int = 26) -> tuple[list[str], bool]:
    """A random program, which ends with a backward pass from every variable that has a history; whether it differs."""
    w = Writer(random)
    w.add(f"torch.manual_seed({random.randint(0, 999)})")
    for dtype in ("float64", w.one(("float64", "float32"))):
        w.add(f"{w.name()} = {w.literal(w.shape(), dtype)}, requires_grad=True)")
    kinds, weights = zip(*STEPS, strict=True)
    for kind in random.choices(kinds, weights, k=random.randint(5, length)):
        line = kind(w)
        if line and not w.add(line):
            return w.pair.lines, w.pair.difference is not None
    roots = [n for n, t in tensors(w.values).items() if t.requires_grad and t.is_floating_point()]
    if roots:
        w.add(f"({' + '.join(f'({n} * {n}.cos()).sum()' for n in roots)}).backward()")
    return w.pair.lines, w.pair.difference is not None
