"""`python -m lamina_testkit.fusing_engines --engine NAME [--backend cpp]`: runs the checks, and tells what failed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from lamina_flatarray import fusing_engines
from lamina_flatarray.backends import registry
from lamina_flatarray.contract import Backend
from lamina_flatarray.fusing_engines import FusingEngine

from .checks import CHECKS

__all__ = ["run"]


def run(engine: FusingEngine, backend: Backend) -> list[str]:
    """Run all checks.

    Args:
        engine: what is checked.
        backend: a backend of the CPU, whose kernels tell the bits.

    Returns:
        What failed, a line for each check.
    """
    failed = []
    for check in CHECKS:
        try:
            check(engine, backend)
        except Exception as error:
            failed.append(f"{engine.name}: {check.__name__}: {type(error).__name__}: {error}")
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the kit on an engine, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m lamina_testkit.fusing_engines", description=__doc__)
    parser.add_argument("--engine", required=True, help="the name of the engine")
    parser.add_argument("--backend", default="cpp", help="whose kernels it is compared with (default: cpp)")
    chosen = parser.parse_args(arguments)
    failed = run(fusing_engines.engine(chosen.engine), registry.backend(chosen.backend))
    for line in failed:
        print(line, file=sys.stderr)
    if not failed:
        print(f"{chosen.engine}: all {len(CHECKS)} checks passed beside {chosen.backend}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
