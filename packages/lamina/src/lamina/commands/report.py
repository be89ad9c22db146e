"""Tell which of PyTorch's names a program or a package uses, and whether lamina has them."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..programs.ledger import Entry
    from ..programs.reporting import Use

__all__ = ["arguments", "command"]


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina report` takes.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("script", help="the program; it is read, and not run")
    parser.add_argument("--package", action="store_true", help="SCRIPT is the name of an installed package")
    parser.add_argument("--json", action="store_true", help="print the names as JSON")


def command(options: Namespace) -> int:
    """Print what is used.

    Args:
        options: what `arguments` asked for.

    Returns:
        1 if a name is missing.
    """
    from ..programs import report, report_package, written

    used: Sequence[Entry] | Sequence[Use] = report_package(options.script) if options.package else report(options.script)
    if options.json:
        print(json.dumps([use._asdict() for use in used], indent=1))
    elif options.package:
        print("\n".join(map(str, used)))
    else:
        print(written(report(options.script)))
    return int(any(use.status == "missing" for use in used))
