"""Compiled functions and training steps beside eager ones, PyTorch's and lamina's, and beside jax.jit.

    python benchmarks/compiled.py [--threads 1] [--rounds 5] [--only "gelu;GPT"] [--write benchmarks/results/compiled.md]

Each contender is a process of its own, and they take turns, step by step, and all of that some times; the fastest run of each counts.
lamina compiles training steps whole; of PyTorch's, what computes the loss is compiled. Contenders that are not installed are left out.
How busy the machine was is told as well; `starts.py` tells what compiling costs.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import shlex
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean
from typing import Any

CONTENDERS = ("torch", "torch.compile", "jax.jit", "lamina", "lamina.compile")
WARM = 10  # calls before times count: lamina records two, and times six


def serve(contender: str, threads: int) -> None:
    """Time the steps that are asked for, a line each: the name in, the least seconds of a call out."""
    warnings.simplefilter("ignore")
    made = _steps(contender, threads)
    print(*made, sep="\t", flush=True)
    warm: set[str] = set()
    for line in sys.stdin:
        step = made[line.rstrip("\n")]
        if line not in warm:
            warm.add(line)
            for _ in range(WARM):
                step()
        best, until = math.inf, time.perf_counter() + 0.3
        while time.perf_counter() < until:
            began = time.perf_counter()
            step()
            best = min(best, time.perf_counter() - began)
        print(best, flush=True)


def _steps(contender: str, threads: int) -> dict[str, Callable[[], Any]]:
    if contender == "jax.jit":
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])  # XLA takes as many threads as it may use processors
        from cases import jax_functions, jax_networks

        return {**jax_functions.steps(), **jax_networks.steps()}
    if contender.startswith("torch"):
        import torch as lib
    else:
        import lamina as lib  # type: ignore[no-redef]
    from cases.compiled import steps

    lib.set_num_threads(threads)
    compile = lib.compile if contender.endswith("compile") else lambda function: function
    return steps(lib, compile, whole=contender == "lamina.compile")


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--only", default="", help="parts of names, separated by semicolons")
    options.add_argument("--without", nargs="*", default=[], help="contenders to leave out")
    options.add_argument("--write", type=Path)
    options.add_argument("--serve", choices=CONTENDERS, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        serve(chosen.serve, chosen.threads)
        return
    command = [sys.executable, __file__, "--threads", str(chosen.threads), "--serve"]
    there = [name for name in CONTENDERS if find_spec(name.partition(".")[0]) and name not in chosen.without]
    processes = {
        name: subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for name in there
    }
    names = [_line(process) for process in processes.values()][0].split("\t")  # noqa: RUF015 - all of them are read
    wanted = [part for part in chosen.only.split(";") if part]
    names = [name for name in names if not wanted or any(part in name for part in wanted)]
    best = {name: dict.fromkeys(there, math.inf) for name in names}
    for _ in range(chosen.rounds):  # over all steps, as what else the machine does takes longer than one of them
        for name in names:
            for contender, process in processes.items():
                assert process.stdin is not None
                process.stdin.write(name + "\n")
                process.stdin.flush()
                best[name][contender] = min(best[name][contender], float(_line(process)))
    others = [name for name in there if name != "lamina.compile"]
    rows = [f"| step | {' | '.join(there)} | {' | '.join(f'{name} / lamina.compile' for name in others)} |"]
    rows.append("|---|" + (len(there) + len(others)) * "---:|")
    ratios = [[took[contender] / took["lamina.compile"] for contender in others] for took in best.values()]
    for (name, took), row in zip(best.items(), ratios, strict=True):
        shown = [*[f"{took[contender] * 1e6:.0f}" for contender in there], *[f"{ratio:.2f}" for ratio in row]]
        rows.append(f"| {name} | {' | '.join(shown)} |")
    print("\n".join(rows))
    means = [f"{geometric_mean(column):.2f} times {name}" for name, column in zip(others, zip(*ratios, strict=True), strict=True)]
    told = f"Threads: {chosen.threads}; microseconds. Geometric means: {', '.join(means)}. Load: {os.getloadavg()[0]:.1f}."
    print(told)
    if chosen.write:
        command = shlex.join(["python", "benchmarks/compiled.py", *sys.argv[1:]])
        head = ["# Compiled functions", "", f"    {command}", "", f"{platform.machine()}, {os.cpu_count()} cores. {told}", ""]
        chosen.write.write_text("\n".join([*head, *rows, ""]))
    for process in processes.values():
        assert process.stdin is not None
        process.stdin.close()
        process.wait()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise SystemExit("a contender ended before its time")
    return line.rstrip("\n")


if __name__ == "__main__":
    main()
