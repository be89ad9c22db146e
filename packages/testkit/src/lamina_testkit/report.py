"""What a run found: per op and dtype, passed or failed, and the level of conformance that this amounts to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from lamina_flatarray.ops import OPS

__all__ = ["LEVELS", "Report"]

LEVELS: Final = {
    0: "memory: allocation, copies and versions",
    1: "every required op that is declared, on row-major operands",
    2: "the same on every layout",
    3: "every op of the table, native, inherited or derived, on every layout",
}


class Report:
    """Outcomes by test, written as JSON.

    Args:
        backend: the name of the backend under test.
    """

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self.outcomes: dict[str, dict[str, Any]] = {}

    def add(self, test: str, level: int, outcome: str, op: str | None = None, dtype: str | None = None) -> None:
        """Note one more outcome: "passed", "failed", "skipped" or "xfailed"."""
        self.outcomes[test] = {"level": level, "outcome": outcome, "op": op, "dtype": dtype}

    @property
    def level(self) -> int:
        """The highest level below which nothing failed; -1 if level 0 did."""
        failed = [o["level"] for o in self.outcomes.values() if o["outcome"] == "failed"]
        return min(failed, default=max(LEVELS) + 1) - 1

    def write(self, path: Path) -> None:
        """Write the report to a file, as JSON."""
        summary = {
            "backend": self.backend,
            "level": self.level,
            "meaning": LEVELS.get(self.level, "none"),
            "required_ops": sum(row.required for row in OPS.values()),
            "outcomes": self.outcomes,
        }
        path.write_text(json.dumps(summary, indent=1) + "\n")
