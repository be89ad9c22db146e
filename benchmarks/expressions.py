"""Times many expressions of arrays of 1e5 items beside PyTorch on one thread: what the suite does not list.

    python benchmarks/expressions.py [--only "softmax;.half()"] [--threads 1] [--write benchmarks/results/expressions.md]

The expressions are `cases/expressions.txt`. Above 1 is faster than PyTorch. What asks for gradients is run backward, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import torch
from interleaved import fastest
from pages import publish

import lamina

EXPRESSIONS = Path(__file__).parent / "cases" / "expressions.txt"


def operands(lib: Any) -> dict[str, Any]:
    """The names that expressions use: the library as `torch`, its functional as `F`, and arrays of about 1e5 items."""
    lib.manual_seed(0)
    a, b = lib.rand(100_000) * 0.8 + 0.1, lib.rand(100_000) + 0.5
    m, m2, image = lib.randn(316, 316), lib.randn(316, 316), lib.rand(8, 3, 64, 64)
    i = lib.randint(0, 100, (100_000,))
    return {
        "torch": lib, "F": lib.nn.functional, "a": a, "b": b, "m": m, "m2": m2, "image": image, "i": i,
        "j": lib.randint(1, 50, (100_000,)), "places": lib.randint(0, 316, (316,)), "d": a.double(), "half": a.half(),
        "brain": a.bfloat16(), "pixels": i.to(lib.uint8), "c": lib.complex(a, b), "ranked": lib.sort(b).values,
        "sequence": lib.rand(8, 16, 1000), "grid": lib.rand(8, 32, 32, 2) * 2 - 1,
        "learned": m.clone().requires_grad_(), "bias": lib.randn(316).requires_grad_(), "image_learned": image.clone().requires_grad_(),
    }  # fmt: skip


def step(lib: Any, expression: str, names: dict[str, Any]) -> Callable[[], Any]:
    """A call that evaluates an expression, and its gradients where it has some."""
    evaluate = eval(f"lambda: {expression}", names)  # of this repository's own file
    if not getattr(evaluate(), "requires_grad", False):
        return evaluate  # type: ignore[no-any-return]
    learned = [x for x in names.values() if isinstance(x, lib.Tensor) and x.requires_grad]

    def both_ways() -> None:
        for x in learned:
            x.grad = None
        evaluate().backward()

    return both_ways


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    options.add_argument("--only", default="", help="parts of expressions, separated by semicolons")
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--seconds", type=float, default=0.06, help="for one expression")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    lamina.set_num_threads(chosen.threads)
    ours, theirs, wanted = operands(lamina), operands(torch), [part for part in chosen.only.split(";") if part]
    lines = [
        "# Expressions of 1e5 items", "",
        f"PyTorch {torch.__version__}, threads: {chosen.threads}; our microseconds, and PyTorch's time over ours.", "",
        "    python benchmarks/expressions.py --write benchmarks/results/expressions.md", "",
    ]  # fmt: skip
    ratios: list[float] = []
    for line in EXPRESSIONS.read_text().splitlines():
        if line.startswith("## "):
            lines += ["", line, "", "| expression | us | ratio |", "|---|---:|---:|"]
        elif line and not line.startswith("#") and (not wanted or any(part in line for part in wanted)):
            mine, other = fastest([step(lamina, line, ours), step(torch, line, theirs)], chosen.seconds, 1e-3)
            ratios.append(other / mine)
            shown = f"{ratios[-1]:.2f}" if ratios[-1] >= 1 else f"**{ratios[-1]:.2f}**"
            lines.append(f"| `{line}` | {mine * 1e6:.1f} | {shown} |")
    behind = sum(ratio < 1 for ratio in ratios)
    lines += ["", f"{len(ratios)} ratios, geometric mean {geometric_mean(ratios):.2f}; {behind} below 1.", ""]
    publish("\n".join(lines), chosen.write)


if __name__ == "__main__":
    main()
