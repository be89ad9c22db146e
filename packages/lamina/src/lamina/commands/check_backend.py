"""Ask the conformance kit whether a backend means the same as the reference."""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["arguments", "command"]


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina check-backend` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("name", help="the backend's name")
    parser.add_argument("--level", help="run up to this level, as `core`")
    parser.add_argument("-k", dest="chosen", metavar="EXPRESSION", help="only tests whose names match, as pytest's -k")
    parser.add_argument("--json", action="store_true", help="print the kit's report as JSON; what pytest says goes to standard error")


def command(options: Namespace) -> int:
    """Run the kit in a process of its own, and print what each level came to.

    Args:
        options: what `arguments` asked for.

    Returns:
        What pytest exits with: 0 if everything passed.
    """
    from .tables import show

    if find_spec("lamina_testkit") is None:
        print("lamina check-backend: the kit is not installed: pip install lamina-testkit", file=sys.stderr)
        return 1
    with TemporaryDirectory() as folder:
        file = Path(folder) / "report.json"
        kit = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "lamina_testkit", "--lamina-report", str(file)]
        chosen = [*(["--lamina-level", options.level] if options.level else []), *(["-k", options.chosen] if options.chosen else [])]
        done = subprocess.run(
            [sys.executable, *kit, "--backend", options.name, *chosen], stdout=sys.stderr if options.json else None, check=False
        )
        if not file.exists():
            return done.returncode
        report = json.loads(file.read_text())
    if options.json:
        print(json.dumps(report, indent=1))
        return done.returncode
    outcomes = ("passed", "failed", "skipped", "not declared")
    rows = [(level, facts["state"], *(str(facts[outcome]) for outcome in outcomes)) for level, facts in report["levels"].items()]
    show(("level", "state", *outcomes), rows, numbers=range(2, 6))
    return done.returncode
