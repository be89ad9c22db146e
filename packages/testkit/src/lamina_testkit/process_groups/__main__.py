"""`python -m lamina_testkit.process_groups --transport NAME`, in each of the processes: runs the checks, and tells what failed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial

from lamina_flatarray import process_groups
from lamina_flatarray.process_groups import Communicator

from .checks import ADDING_UP, CHECKS
from .held import HeldByDevice, HeldByHost

__all__ = ["run"]


def run(world: Communicator) -> list[str]:
    """Run all checks with the other processes, and stop at the first that fails here: after it, processes are no longer in step.

    A communicator that reaches devices is checked with bytes on this process's device, too.

    Args:
        world: the communicator of all.

    Returns:
        What failed, as lines; none if all is well.
    """
    for place in _places(world):
        held = HeldByHost if place == "cpu" else partial(HeldByDevice, device=place)
        for check in CHECKS if place == "cpu" else (*CHECKS, *ADDING_UP):
            try:
                check(world, held)
            except Exception as error:
                return [f"rank {world.rank} of {world.size}: {check.__name__} on {place}: {type(error).__name__}: {error}"]
    return []


def _places(world: Communicator) -> list[str]:
    return list(dict.fromkeys(["cpu", world.device_type]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the kit on a transport, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m lamina_testkit.process_groups", description=__doc__)
    parser.add_argument("--transport", default="single", help="the name of the transport (default: single)")
    transport = process_groups.transport(parser.parse_args(arguments).transport)
    place = transport.place()
    if place is None:
        command = " ".join(transport.command(2))
        print(f"nothing that {transport.name} knows of has started this process; start it by: {command}", file=sys.stderr)
        return 2
    world = transport.world()
    failures = run(world)
    if (world.rank, world.size) != (place.rank, place.size):
        failures.append(f"rank {world.rank} of {world.size}: place() says rank {place.rank} of {place.size}")
    for failure in failures:
        print(failure, file=sys.stderr)
    if not failures:
        where = ", ".join(_places(world))
        print(f"rank {world.rank} of {world.size}: {len(CHECKS)} checks passed on {where}", flush=True)
        world.finish()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
