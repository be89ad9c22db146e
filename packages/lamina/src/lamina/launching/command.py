"""`lamina launch`: the words of its command line."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

__all__ = ["add"]


def add(commands: "typer.Typer") -> None:
    """Add `launch` to the commands of `lamina`.

    Args:
        commands: the other ones.
    """
    import typer

    @commands.command(context_settings={"allow_extra_args": True, "allow_interspersed_args": False})
    def launch(
        context: typer.Context,
        program: str,
        processes: int = typer.Option(..., "-n", "--processes", min=1, help="How many processes."),
        hosts: str = typer.Option("", help="The machines that they are on, with commas between them; this one by default."),
        restarts: int = typer.Option(0, min=0, help="How often all start anew after one has failed."),
        module: bool = typer.Option(False, "-m", help="What is run is a module, as by python -m."),
    ) -> None:
        """Run a program as several processes that work together. What follows it is the program's."""
        from .job import launch as run_job

        words = [*(["-m"] if module else []), program, *context.args]
        sys.exit(run_job(words, processes, hosts=[host for host in hosts.split(",") if host], restarts=restarts))
