"""The `lamina` command: what is installed, and what is wrong with it."""

from __future__ import annotations

import sys

__all__ = ["app"]


def app() -> None:
    """Entry point of the console script.

    Raises:
        SystemExit: with the status of the command.
    """
    try:
        import typer
    except ImportError:
        sys.exit("lamina: the command line needs typer; install it with: pip install 'lamina[cli]'")
    commands = typer.Typer(help="The lamina tensor stack.", no_args_is_help=True)

    @commands.callback()
    def main() -> None:
        """The lamina tensor stack."""

    @commands.command()
    def doctor() -> None:
        """Which compute backends are installed, which of them work, and what to run where one does not."""
        from lamina_flatarray.doctor import examine

        examine(sys.stdout)

    commands()
