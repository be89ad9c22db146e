"""What a call loses when another process uses a core: lamina beside PyTorch, alone and beside a process that only counts.

Run: python benchmarks/busy.py [--threads 2] [--seconds 2] [--write benchmarks/results/busy.md]
Times are medians, not the least: what waits for a core now and then is what is looked for.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

import torch
from interleaved import REST

import lamina

CASES = {
    "small_ops": ("add", "softmax"),
    "memory_bound": ("add, 1e5", "exp, 1e5", "add, 1e7", "sum of columns, 1e5"),
    "products": ("matmul, square, 128", "matmul, square, 512", "conv2d, LeNet 2, 64x6x14x14, 5x5"),
    "fused": ("layer_norm, 2048x256",),
    "optimizers": ("AdamW, 20 of 64x64",),
    "training_steps": ("MNIST MLP with dropout, 64x784", "LeNet, 64x1x28x28", "GPT of 4 layers, 8x64 tokens"),
}
"""Group of `cases` to names in it."""


@contextmanager
def a_core_in_use() -> Iterator[None]:
    """Have a process count in a `with` block."""
    counting = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        time.sleep(0.3)
        yield
    finally:
        counting.kill()
        counting.wait()


def taken(functions: list[Callable[[], Any]], seconds: float) -> list[float]:
    """Per function, the median seconds of a call; they take turns of 50 ms."""
    calls: list[list[float]] = [[] for _ in functions]
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        for function, own in zip(functions, calls, strict=True):
            time.sleep(REST)
            turn = time.perf_counter() + 0.05
            while time.perf_counter() < turn:
                begin = time.perf_counter()
                function()
                own.append(time.perf_counter() - begin)
    return [median(own) for own in calls]


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--seconds", type=float, default=2.0)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    lamina.set_num_threads(chosen.threads)
    torch.set_num_threads(chosen.threads)
    rows = ["| case | torch, us | beside | times as long | lamina, us | beside | times as long |", "|---|" + 6 * "---:|"]
    print("\n".join(rows), flush=True)
    lost: list[tuple[float, float]] = []
    load = os.getloadavg()[0]
    for group, names in CASES.items():
        ours, theirs = (import_module(f"cases.{group}").cases(lib) for lib in (lamina, torch))
        for name in names:
            alone = taken([theirs[name], ours[name]], chosen.seconds)
            with a_core_in_use():
                beside = taken([theirs[name], ours[name]], chosen.seconds)
            lost.append((beside[0] / alone[0], beside[1] / alone[1]))
            cells = [f"{1e6 * a:.1f} | {1e6 * b:.1f} | {b / a:.2f}" for a, b in zip(alone, beside, strict=True)]
            rows.append(f"| {name} | {' | '.join(cells)} |")
            print(rows[-1], flush=True)
    means = [geometric_mean(column) for column in zip(*lost, strict=True)]
    told = f"Threads: {chosen.threads}. A call takes {means[0]:.2f} times as long with PyTorch, {means[1]:.2f} with lamina."
    print(told)
    if chosen.write:
        command = shlex.join(["python", "benchmarks/busy.py", *sys.argv[1:]])
        machine = f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f} before."
        head = ["# Beside a process that uses a core", "", f"    {command}", "", f"{machine} {told}", ""]
        chosen.write.write_text("\n".join([*head, *rows, ""]))


if __name__ == "__main__":
    main()
