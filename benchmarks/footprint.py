"""What a user pays besides time per step: import time, installed size, and the peak memory of training, beside PyTorch's.

Each number comes from fresh processes, in turn; the least of several counts. Editable installs are measured where their source lies.
Run: python benchmarks/footprint.py [--rounds 5] [--write benchmarks/results/footprint.md]
"""

from __future__ import annotations

import argparse
import datetime
import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path

from pages import publish

STACKS = {
    "lamina": ("lamina", "lamina_nn", "lamina_tensor", "lamina_ndarray", "lamina_flatarray", "lamina_backend_cpp"),
    "torch": ("torch", "torchgen", "sympy", "networkx", "jinja2", "mpmath", "fsspec"),
}
"""The packages that each brings, besides NumPy and what both have."""

IMPORT = "import time; begin = time.perf_counter(); import {module}; print(time.perf_counter() - begin)"
TRAIN = """
import sys
sys.path.insert(0, {folder!r})
import {module} as lib
from cases.training_steps import networks
lib.set_num_threads(2)
def train(model, optimizer, loss_of_batch):
    def step():
        loss = loss_of_batch()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if {compiled}:
        step = lib.compile(step)
    for _ in range(6):
        step()
    return step
memory = lambda field: int(open("/proc/self/status").read().partition(field + ":")[2].split()[0]) * 1024
made = networks(lib)
train(*next(iter(made.values()))())  # what a first step loads is no network's own
before = memory("VmRSS")
step = train(*made[{name!r}]())
peak = memory("VmHWM")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak is counted anew: proc(5)
for _ in range(4):
    step()
print(peak - before, memory("VmHWM") - before)
"""


def least(program: str, rounds: int) -> list[float]:
    """The least of each of the numbers that a program prints, each time in a process of its own."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", program]
    told = [subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout.split() for _ in range(rounds)]
    return [min(map(float, numbers)) for numbers in zip(*told, strict=True)]


def installed(package: str) -> int:
    """Bytes of a package's files, without bytecode; 0 where it is not installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return 0
    folder = Path(spec.submodule_search_locations[0])
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc")


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    folder = str(Path(__file__).parent)
    sys.path.insert(0, folder)
    import torch
    from cases.training_steps import networks

    sizes = {name: sum(map(installed, packages)) for name, packages in STACKS.items()}
    times = {module: least(IMPORT.format(module=module), chosen.rounds)[0] for module in ("numpy", "lamina", "torch")}
    lines = [
        "# What lamina takes, beside PyTorch",
        "",
        f"{datetime.date.today()}; PyTorch {torch.__version__}, Python {platform.python_version()}, {platform.machine()}; "
        f"`python benchmarks/footprint.py --rounds {chosen.rounds}`.",
        "",
        "| | lamina | lamina.compile | PyTorch |",
        "|---|---:|---:|---:|",
        f"| import, s (NumPy alone {times['numpy']:.2f}) | {times['lamina']:.2f} | | {times['torch']:.2f} |",
        f"| installed, MB | {sizes['lamina'] / 1e6:.1f} | | {sizes['torch'] / 1e6:.1f} |",
    ]
    for name in list(networks(torch))[1:]:
        contenders = ("lamina", False), ("lamina", True), ("torch", False)
        programs = [TRAIN.format(folder=folder, module=module, name=name, compiled=compiled) for module, compiled in contenders]
        peaks = [least(program, chosen.rounds) for program in programs]
        for what, numbers in zip(("", ": later steps"), zip(*peaks, strict=True), strict=True):
            told = " | ".join(f"{number / 1e6:.1f}" for number in numbers)
            lines.append(f"| peak memory of training beyond a tiny network's, {name}{what}, MB | {told} |")
    publish("\n".join([*lines, ""]), chosen.write)


if __name__ == "__main__":
    main()
