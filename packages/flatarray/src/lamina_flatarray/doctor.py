"""The doctor: a report for people on every backend, what is wrong with it, and the command to run next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

from . import registry
from .contract import PROTOCOL
from .errors import BackendError
from .status import STATES, BackendStatus

__all__ = ["examine", "main"]


def examine(to: TextIO | None = None, *, traces: bool = True) -> list[BackendStatus]:
    """Load every installed backend, each on its own, and write what came of it.

    Args:
        to: where to; standard output by default.
        traces: whether whole tracebacks follow.

    Returns:
        The state of each.
    """
    out = sys.stdout if to is None else to
    print(f"lamina_flatarray speaks protocol {PROTOCOL[0]}.0 to {PROTOCOL[0]}.{PROTOCOL[1]}", file=out)
    for line in registry.status():
        if line.state == "not loaded":
            print(f"loading {line.name} ...", file=out, flush=True)  # whoever hangs or crashes is named before
            try:
                registry.backend(line.name)
            except BackendError:
                continue  # its state tells
    found = registry.status()
    for line in found:
        who = f"{line.distribution} {line.version}".strip()
        print(f"\n{line.name}: {line.state} ({STATES[line.state]})", file=out)
        print(f"  serves {line.device_type}; {who}", file=out)
        if line.reason:
            print(f"  {line.reason}", file=out)
        if traces and line.traceback:
            print("    " + line.traceback.rstrip().replace("\n", "\n    "), file=out)
    try:
        print(f"\ncpu is served by {registry.backend_for('cpu').name}", file=out)
    except BackendError as failure:
        print(f"\ncpu is not served: {failure}", file=out)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: `python -m lamina_flatarray [--strict]`; strict exits with 1 if one is broken."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if set(words) - {"--strict"}:
        print("usage: python -m lamina_flatarray [--strict]", file=sys.stderr)
        return 2
    broken = [line for line in examine() if line.state in ("failed", "refused", "duplicate")]
    return 1 if broken and "--strict" in words else 0
