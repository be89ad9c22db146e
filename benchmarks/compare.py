"""lamina beside PyTorch, in one process, op by op and step by step: PyTorch's time over ours, so above 1 is faster than PyTorch.

Run: python benchmarks/compare.py [--only fused,optimizers] [--threads 2,1] [--backend cpp] [--write docs/understand/performance]
With --write, a page (.md) and its plot (.svg) are written.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import platform
from pathlib import Path
from statistics import geometric_mean

import numpy as np
import torch
from interleaved import fastest
from rich.console import Console

import lamina

Results = dict[str, dict[int, dict[str, tuple[float, float]]]]
"""Group, threads, and case to our seconds and PyTorch's."""

GROUPS = ("small_ops", "memory_bound", "products", "linear_algebra", "fused", "optimizers", "training_steps", "data_and_files")


def measured_limits() -> str:
    """What this machine's memory and arithmetic give at best, by PyTorch's own calls into memory that is there."""
    a, b, c = torch.ones(10_000_000), torch.ones(10_000_000), torch.empty(10_000_000)
    m, n = torch.ones(1024, 1024), torch.empty(1024, 1024)
    add, product = fastest([lambda: torch.add(a, b, out=c), lambda: torch.mm(m, m, out=n)])
    return f"{120e6 / add / 1e9:.1f} GB/s adding 1e7 items, {2 * 1024**3 / product / 1e9:.0f} GFLOP/s in a product of 1024 x 1024"


def compared(group: str, names: list[str], seconds: float) -> dict[str, tuple[float, float]]:
    """Case to our seconds and PyTorch's, for each case of a group whose name has one of `names` in it."""
    module = importlib.import_module(f"cases.{group}")
    ours, theirs = module.cases(lamina), module.cases(torch)
    found = {}
    for name, step in ours.items():
        if not names or any(part in name for part in names):
            mine, other = fastest([step, theirs[name]], seconds)
            found[name] = (mine, other)
    return found


def table(results: Results, notes: list[str]) -> str:
    """All results as Markdown."""
    lines = ["# Performance", "", *notes, ""]
    everything: list[float] = []
    for group, by_threads in results.items():
        threads = list(by_threads)
        title = importlib.import_module(f"cases.{group}").TITLE
        heads = [f"{word}, {n} thread{'s' * (n > 1)}" for n in threads for word in ("us", "ratio")]
        lines += [f"## {title}", "", f"| case | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
        for name in by_threads[threads[0]]:
            cells = []
            for n in threads:
                mine, other = by_threads[n][name]
                ratio = other / mine
                cells += [f"{mine * 1e6:.1f}", f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}**"]
            lines.append(f"| {name} | {' | '.join(cells)} |")
        means = []
        for n in threads:
            ratios = [other / mine for mine, other in by_threads[n].values()]
            everything += ratios
            means += ["", f"{geometric_mean(ratios):.2f}"]
        lines += [f"| geometric mean | {' | '.join(means)} |", ""]
    behind = sum(ratio < 1 for ratio in everything)
    lines += [f"All {len(everything)} ratios: geometric mean {geometric_mean(everything):.2f}; {behind} below 1.", ""]
    return "\n".join(lines)


def plot(results: Results, path: Path) -> None:
    """A bar for each case, on a logarithmic axis, to the right of 1 where lamina is faster."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.fonttype"] = "none"  # text as text: the file is a tenth
    names = [(group, name) for group, by_threads in results.items() for name in next(iter(by_threads.values()))]
    figure = Figure(figsize=(8, 0.17 * len(names) + 1))
    axes = figure.subplots()
    for i, (group, name) in enumerate(reversed(names)):
        for j, by_name in enumerate(results[group].values()):
            mine, other = by_name[name]
            ratio = other / mine
            colour = ("tab:green", "tab:olive")[j % 2] if ratio >= 1 else ("tab:red", "tab:orange")[j % 2]
            axes.barh(i - 0.2 + 0.4 * j, ratio - 1, 0.38, left=1, color=colour)
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), [name for _, name in reversed(names)], fontsize=6)
    axes.set_xlabel("PyTorch's time over ours")
    axes.margins(y=0.005)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", default=",".join(GROUPS), help="groups, separated by commas")
    options.add_argument("--cases", default="", help="parts of case names, separated by semicolons")
    options.add_argument("--threads", default="2,1")
    options.add_argument("--backend", default="cpp")
    options.add_argument("--seconds", type=float, default=0.6, help="for one case")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    lamina.backends.use_backend(chosen.backend)
    results: Results = {}
    notes = [
        f"{datetime.date.today()}; PyTorch {torch.__version__}, NumPy {np.__version__}, Python {platform.python_version()}, "
        f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start; the {chosen.backend} backend.",
        "",
        "Our microseconds for one call, and the ratio: PyTorch's time over ours, the least of many interleaved runs of each. Above 1 is",
        "faster than PyTorch; what is below is bold.",
        "",
        f"    python benchmarks/compare.py --only {chosen.only} --threads {chosen.threads} --seconds {chosen.seconds}",
        "",
    ]
    for n in map(int, chosen.threads.split(",")):
        torch.set_num_threads(n)
        lamina.set_num_threads(n)
        notes.append(f"- {n} thread{'s' * (n > 1)}: {measured_limits()}")
        for group in chosen.only.split(","):
            found = compared(group, [part for part in chosen.cases.split(";") if part], chosen.seconds)
            if found:
                results.setdefault(group, {})[n] = found
    written = table(results, notes)
    Console().print(written, markup=False, soft_wrap=True)
    if chosen.write:
        plotted = f"{chosen.write.name}.svg"
        link = f"[![PyTorch's time over ours]({plotted})]({plotted})"
        opened = f"{link}\n\nThe picture opens by itself, large enough to be read; the tables have its numbers."
        page = written.replace("## ", f"{opened}\n\n## ", 1)
        chosen.write.with_suffix(".md").write_text(page)
        plot(results, chosen.write.with_suffix(".svg"))


if __name__ == "__main__":
    main()
