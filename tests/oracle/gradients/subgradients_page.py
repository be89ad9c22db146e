"""Writes `docs/understand/subgradients.md` from the table of subgradients. Run it by hand."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["PAGE", "TABLE", "page"]

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "understand" / "subgradients.md"
TABLE = ROOT / "packages" / "tensor" / "tests" / "gradients" / "subgradients.toml"
HEAD = """# Subgradients: where there is no derivative

What the gradient is where a function has a kink, a step, a tie, a pole, or nothing to go by: the same as PyTorch's. Each row
is the gradient of the sum of the result, tested on every backend, in float32 and float64, and against PyTorch.

This page is written by `tests/oracle/gradients/subgradients_page.py` from
`packages/tensor/tests/gradients/subgradients.toml`, and a test fails when it is out of date.
"""


def points() -> list[dict[str, Any]]:
    """The rows of the table."""
    found: list[dict[str, Any]] = tomllib.loads(TABLE.read_text())["point"]
    return found


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    return f"{value:.4g}" if math.isfinite(value) else str(value)


def page() -> str:
    """The page's text."""
    lines = [HEAD]
    for kind in dict.fromkeys(point["kind"] for point in points()):
        lines += [f"## {kind}", "", "| call | at | gradient | why |", "|---|---|---|---|"]
        for point in points():
            if point["kind"] == kind:
                names = [name for name in ("x", "y") if name in point]
                at = ", ".join(f"{name} = {_shown(point[name])}" for name in names)
                gradient = ", ".join(f"{name}: {_shown(point[f'{name}_gradient'])}" for name in names)
                lines.append(f"| `{point['call']}` | {at} | {gradient} | {point.get('why', '')} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page())
