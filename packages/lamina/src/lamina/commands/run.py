"""Run a PyTorch program as it is: within its own folders, `torch` means lamina."""

from __future__ import annotations

import sys
from argparse import REMAINDER, ArgumentParser, Namespace

__all__ = ["arguments", "command"]


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina run` takes. What follows the script is the program's.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("--own", action="append", default=[], metavar="FOLDER", help="a further folder with modules of the program")
    parser.add_argument("--everywhere", action="store_true", help="in installed packages, too: in the whole process and its children")
    parser.add_argument("-m", dest="module", action="store_true", help="with --everywhere: SCRIPT is a module, as for python -m")
    parser.add_argument("script", help="the program")
    parser.add_argument("arguments", nargs=REMAINDER, help="what the program finds in sys.argv")


def command(options: Namespace) -> int:
    """Run it.

    Args:
        options: what `arguments` asked for.

    Returns:
        0, if the program comes to its end.

    Raises:
        Exception: whatever the program raises.
    """
    if options.everywhere:
        from .. import everywhere

        everywhere.as_torch()  # until the process ends: what runs at its exit may want torch
        everywhere.run(options.script, options.arguments, module=options.module)
        return 0
    if options.module:
        print("lamina run: -m runs installed modules, which are lamina's only with --everywhere", file=sys.stderr)
        return 1
    from ..programs import run

    run(options.script, options.arguments, options.own)
    return 0
