"""What compiling costs before it pays: the first call, and the three calls before repetitions begin, in fresh processes.

Run: python benchmarks/starts.py [--rounds 3] [--write benchmarks/results/starts.md]
The last column is of processes that find what a process before recorded, in the folder that LAMINA_COMPILE_CACHE names.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = (
    "layer norm by hand, 512x768, with gradients", "tiny MLP on moons, 32x2", "MNIST MLP with dropout, 64x784", "LeNet, 64x1x28x28",
    "GPT of 4 layers, 8x64 tokens", "U-Net, 4x1x32x32",
)  # fmt: skip
PROGRAM = """
import sys, time
sys.path.insert(0, {folder!r})
import lamina
from cases.compiled import steps
lamina.set_num_threads(1)
step = steps(lamina, lamina.compile if {compiled} else lambda function: function, whole={compiled})[{name!r}]
def timed(count):
    begin = time.perf_counter()
    for _ in range(count):
        step()
    return time.perf_counter() - begin
first = timed(1)
print(first, first + timed(2))
"""


def started(name: str, compiled: bool, rounds: int, cache: str = "") -> list[float]:
    """The least seconds of a first call, and of three."""
    program = PROGRAM.format(folder=str(Path(__file__).parent), compiled=compiled, name=name)
    environment = {**os.environ, "LAMINA_COMPILE_CACHE": cache}
    runs = [
        subprocess.run([sys.executable, "-c", program], check=True, env=environment, capture_output=True, text=True).stdout.split()
        for _ in range(rounds)
    ]
    return [min(map(float, column)) for column in zip(*runs, strict=True)]


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    rows = ["| step | first call, eager, ms | compiled | three calls, eager | compiled | recorded before |", "|---|" + 5 * "---:|"]
    print("\n".join(rows), flush=True)
    for name in NAMES:
        with tempfile.TemporaryDirectory() as cache:
            eager, compiled = started(name, False, chosen.rounds), started(name, True, chosen.rounds)
            started(name, True, 1, cache)
            known = started(name, True, chosen.rounds, cache)
        told = (eager[0], compiled[0], eager[1], compiled[1], known[1])
        rows.append(f"| {name} | {' | '.join(f'{1e3 * seconds:.1f}' for seconds in told)} |")
        print(rows[-1], flush=True)
    if chosen.write:
        command = shlex.join(["python", "benchmarks/starts.py", *sys.argv[1:]])
        head = ["# Before repetitions begin", "", f"    {command}", "", f"{platform.machine()}, {os.cpu_count()} cores; one thread.", ""]
        chosen.write.write_text("\n".join([*head, *rows, ""]))


if __name__ == "__main__":
    main()
