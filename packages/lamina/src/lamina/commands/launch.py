"""Run a program as several processes that work together."""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser, Namespace

__all__ = ["arguments", "command"]


def arguments(parser: ArgumentParser) -> None:
    """Say what `lamina launch` takes. What follows the program is the program's.

    Args:
        parser: the subcommand's own.
    """
    parser.add_argument("-n", "--processes", type=int, required=True, metavar="N", help="how many processes")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--hosts", default="", help="the machines that they are on, with commas between them (default: this one)")
    where.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster that is to place them; local: one of this machine")
    parser.add_argument("--restarts", type=int, default=0, metavar="N", help="how often all start anew after one has failed")
    parser.add_argument("-m", dest="module", action="store_true", help="PROGRAM is a module, as for python -m")
    parser.add_argument("program", help="the program")
    parser.add_argument("arguments", nargs=REMAINDER, help="what the program finds in sys.argv")


def command(options: Namespace) -> int:
    """Start the processes, and watch them to their end.

    Args:
        options: what `arguments` asked for.

    Returns:
        0 if all came to their end; else the exit status of the one that failed.
    """
    from ..launching.job import launch

    if options.processes < 1 or options.restarts < 0:
        raise SystemExit(f"lamina launch: -n wants 1 or more, and --restarts 0 or more, not {options.processes} and {options.restarts}")
    words = [*(["-m"] if options.module else []), options.program, *options.arguments]
    hosts = [host for host in options.hosts.split(",") if host] if options.ray is None else [options.ray]
    return launch(words, options.processes, hosts=hosts, transport=None if options.ray is None else "ray", restarts=options.restarts)
