"""Show the compute backends that are installed, which of them work, and what to run where one does not."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from io import StringIO

__all__ = ["arguments", "command"]


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina doctor` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("--strict", action="store_true", help="exit with 1 if something is wrong")
    parser.add_argument("--json", action="store_true", help="print the state of each backend as JSON")


def command(options: Namespace) -> int:
    """Load each backend and tell what came of it.

    Args:
        options: what `arguments` asked for.

    Returns:
        The exit status.
    """
    from lamina_flatarray.backends.doctor import broken, examine

    statuses = examine(StringIO() if options.json else sys.stdout)
    wrong = broken(statuses)
    if options.json:
        print(json.dumps({"backends": [status.as_dict() for status in statuses], "wrong": wrong}, indent=1))
    return 1 if wrong and options.strict else 0
