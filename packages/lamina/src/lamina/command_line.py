"""The `lamina` command: its parser, and the subcommand that is asked for."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

__all__ = ["SUBCOMMANDS", "app", "main"]

SUBCOMMANDS: Final = ("doctor", "demo", "run", "launch", "report", "summary", "bench", "check-backend", "completion")
"""The subcommands, in the order of the help; each is a file in `commands`."""


def app() -> None:
    """Entry point of the console script.

    Raises:
        SystemExit: with the status of the command.
    """
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run a subcommand.

    Args:
        arguments: the words behind `lamina`.

    Returns:
        The exit status.

    Raises:
        SystemExit: the words are wrong, or ask for help.
    """
    parser = ArgumentParser("lamina", description="The lamina tensor stack.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"lamina {version('lamina')}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    words: dict[str, tuple[str, list[str]]] = {}
    for name in SUBCOMMANDS:
        module: Any = import_module(f".commands.{name.replace('-', '_')}", __package__)
        meaning = str(module.__doc__).partition("\n")[0]
        subparser = subparsers.add_parser(name, help=meaning, description=meaning, allow_abbrev=False)
        module.arguments(subparser)
        words[name] = (meaning, [option for action in subparser._actions for option in action.option_strings])
        subparser.set_defaults(command=module.command, words=words)
    options = parser.parse_args(arguments)
    return int(options.command(options))
