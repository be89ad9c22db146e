"""The command line: `python -m lamina_testkit badge|table|bisect ...`."""

from __future__ import annotations

import argparse
import json
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from lamina_flatarray import BackendError
from lamina_flatarray.backends import registry

from .badge import badge, table
from .bisecting import bisect

__all__: list[str] = []


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands.

    Args:
        arguments: the words behind `python -m lamina_testkit`; those of the process by default.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m lamina_testkit", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    badge_command = commands.add_parser("badge", help="write a badge of a report")
    badge_command.add_argument("report", type=Path, help="what --lamina-report wrote")
    badge_command.add_argument("svg", type=Path, help="where the badge goes")
    several = commands.add_parser("table", help="print reports side by side, as a table of Markdown")
    several.add_argument("reports", type=Path, nargs="+", help="what --lamina-report wrote")
    where = commands.add_parser("bisect", help="name the first op of a script whose result differs from the reference's")
    where.add_argument("script", type=Path, help="a Python file; if it has a function `program(device)`, that is what runs")
    where.add_argument("--backend", required=True, help="the backend that it is run on")
    options = parser.parse_args(arguments)
    if options.command == "bisect":
        return _bisected(options.script, options.backend)
    if options.command == "badge":
        options.svg.write_text(badge(json.loads(options.report.read_text())))
        return 0
    print(table([json.loads(path.read_text()) for path in options.reports]), end="")
    return 0


def _bisected(script: Path, backend: str) -> int:
    """Say which op differs; the exit status is 1 if one does."""
    try:
        chosen = registry.backend(backend)
    except BackendError as failure:
        print(f"--backend {backend}: {failure}", file=sys.stderr)
        return 2
    program = runpy.run_path(str(script)).get("program") if "def program(" in script.read_text() else None
    finding = bisect(program or (lambda device: runpy.run_path(str(script), run_name="__main__")), backend=chosen)
    print(f"every kernel call of {backend} is as the reference's" if finding is None else finding)
    return 0 if finding is None else 1


if __name__ == "__main__":
    sys.exit(main())
