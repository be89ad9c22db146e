"""Run programs: how many, from which seed; prints those that differ, shortened."""

from __future__ import annotations

import sys
import time
import warnings
from random import Random

from . import difference, script, shortest, written


def main(count: int, seed: int = 0, show: int = 20) -> int:
    """Run that many programs; how many of them differ."""
    differing = 0
    begin = time.perf_counter()
    lines = 0
    for i in range(count):
        program, differs = written(Random(f"{seed}-{i}"))
        lines += len(program)
        if differs:
            differing += 1
            if differing <= show:
                short = shortest(program)
                print(f"# program {i} of seed {seed}: {difference(short)}\n{script(short)}", flush=True)
    print(
        f"{count} programs of seed {seed}, {lines} lines, {differing} differences, {time.perf_counter() - begin:.0f} s"
    )
    return differing


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(1 if main(*map(int, sys.argv[1:])) else 0)
