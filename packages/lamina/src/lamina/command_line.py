"""The `lamina` command: what is installed and what is wrong with it, and PyTorch programs as they are."""

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
    def doctor(strict: bool = typer.Option(False, "--strict", help="Exit with 1 if a backend is broken.")) -> None:
        """Which compute backends are installed, which of them work, and what to run where one does not."""
        from lamina_flatarray.backends.doctor import broken, examine

        sys.exit(1 if broken(examine(sys.stdout)) and strict else 0)

    @commands.command(context_settings={"allow_extra_args": True, "allow_interspersed_args": False})
    def run(
        context: typer.Context,
        script: str,
        own: list[str] = typer.Option([], help="A further folder with modules of the program; may be given again."),
        everywhere: bool = typer.Option(False, "--everywhere", help="In installed packages, too: in the whole process and its children."),
        module: bool = typer.Option(False, "-m", help="With --everywhere: what is run is a module, as by python -m."),
    ) -> None:
        """Run a PyTorch program as it is: within its own folders, `torch` means lamina. What follows it is the program's."""
        if everywhere:
            from . import everywhere as whole_process

            whole_process.as_torch()  # until the process ends: what runs at its exit may want torch
            whole_process.run(script, context.args, module=module)
            return
        if module:
            sys.exit("lamina run: -m runs installed modules, which are lamina's only with --everywhere")
        from .programs import run as run_program

        run_program(script, context.args, own)

    @commands.command()
    def report(
        script: str, package: bool = typer.Option(False, "--package", help="It is the name of an installed package.")
    ) -> None:
        """Which of PyTorch's names a program or a package uses, and whether lamina has them."""
        from .programs import report as names_used
        from .programs import report_package, written

        if package:
            entries = report_package(script)
            print("\n".join(map(str, entries)))
            sys.exit(any(entry.status == "missing" for entry in entries))
        uses = names_used(script)
        print(written(uses))
        sys.exit(any(use.status == "missing" for use in uses))

    from .launching.command import add as add_launch

    add_launch(commands)
    commands()
