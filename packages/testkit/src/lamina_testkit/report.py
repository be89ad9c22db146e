"""What a run found, level by level, as JSON: how many cases passed, failed, or were not declared, and all that did not pass."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from .levels import LEVELS

__all__ = ["OUTCOMES", "Report", "reached"]

OUTCOMES: Final = ("passed", "failed", "xfailed", "skipped", "not declared")
"""What may come of a case. One that is skipped has no meaning for the backend, whatever it declares."""


class Report:
    """Outcomes by test.

    Args:
        backend: the name of the backend under test.

    >>> report = Report("mine")
    >>> report.add("test_kernel[add-float32]", "core", "passed")
    >>> report.summary()["level"]
    'core'
    """

    def __init__(self, backend: str) -> None:
        self.backend = backend
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.serves_more: list[str] = []

    def add(self, test: str, level: str, outcome: str, op: str | None = None, dtype: str | None = None, why: str = "") -> None:
        """Note one more outcome.

        Args:
            test: the test's name.
            level: a key of LEVELS.
            outcome: one of OUTCOMES.
            op: the op that it is about, if it is about one.
            dtype: the name of its dtype.
            why: the reason of a skip.
        """
        self.outcomes[test] = {"level": level, "outcome": outcome, "op": op, "dtype": dtype, "why": why}

    def summary(self) -> dict[str, Any]:
        """Return the report as plain data.

        Returns:
            A dict with `backend`, `level` (those that are reached, in one line), `levels` (of each its meaning, its state and how
            often there was which outcome), `serves_more` (kernels that do right what is not declared), `not_declared` (ops and dtypes
            that were not judged) and `outcomes` (what failed, and was known to fail).
        """
        counts = {level: Counter(o["outcome"] for o in self.outcomes.values() if o["level"] == level) for level in LEVELS}
        states = {level: _state(count) for level, count in counts.items()}
        levels = {
            level: {"meaning": LEVELS[level], "state": states[level], **{name: counts[level][name] for name in OUTCOMES}}
            for level in LEVELS
        }
        return {
            "backend": self.backend,
            "level": reached(states),
            "levels": levels,
            "serves_more": sorted(self.serves_more),
            "not_declared": sorted({f"{o['op']}-{o['dtype']}" for o in self.outcomes.values() if o["outcome"] == "not declared"}),
            "outcomes": {test: outcome for test, outcome in self.outcomes.items() if outcome["outcome"] in ("failed", "xfailed")},
        }

    def write(self, path: Path) -> None:
        """Write the report to a file, as JSON.

        Args:
            path: of the file.
        """
        path.write_text(json.dumps(self.summary(), indent=1) + "\n")


def _state(count: Counter[str]) -> str:
    if count["failed"]:
        return "failed"
    if count["passed"]:
        return "reached"
    return "not declared" if count["not declared"] else "not run"


def reached(states: dict[str, str]) -> str:
    """Return the levels that are reached, in one line: "core +int", or "none" where the first one is not.

    Args:
        states: of each level "reached", "failed", "not declared" or "not run".

    >>> reached({"core": "reached", "int": "failed", "random": "reached"})
    'core +random'
    """
    first, *others = LEVELS
    if states.get(first) != "reached":
        return "none"
    return " ".join([first, *(f"+{level}" for level in others if states.get(level) == "reached")])
