"""What an array op costs beside NumPy's, for small and large operands: NumPy's time over ours, so 1 is as fast as NumPy.

NumPy and the backends take turns in one process, many times, and the fastest run of each counts: the machine may be shared.
Run: python benchmarks/arrays.py [--backends numpy,cpp] [--rounds 40] [--only sort,cat] [--write benchmarks/results/NAME.md]
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # NumPy's own loops use one thread; its matmul is held to it here

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import backends

SMALL, LARGE = 10, 1_000_000
WANTED = 0.9
"""The least ratio for large operands on the numpy backend."""

Case = Callable[[], Any]


def operands(items: int) -> dict[str, np.ndarray[Any, Any]]:
    """NumPy arrays of about so many items, as vectors and as matrices."""
    rng = np.random.default_rng(0)
    rows = 5 if items == SMALL else 1000
    side = 3 if items == SMALL else 512
    x = rng.random(items, np.float32)
    return {
        "x": x,
        "y": rng.random(items, np.float32),
        "m": rng.random((rows, items // rows), np.float32),
        "row": rng.random(items // rows, np.float32),
        "mask": x < 0.5,
        "picks": rng.integers(0, items, items),
        "a": rng.random((side, side), np.float32),
        "b": rng.random((side, side), np.float32),
        "gaps": rng.random(2 * items, np.float32),
    }


def of_numpy(o: dict[str, Any]) -> dict[str, Case]:
    """Name to one step of it in NumPy."""
    x, y, m, row, mask, picks, a, b = (o[k] for k in ("x", "y", "m", "row", "mask", "picks", "a", "b"))
    wide, target, half = o["gaps"], x.copy(), len(x) // 2

    def assign() -> None:
        target[1:] = 2.0

    return {
        "add": lambda: x + y,
        "multiply by a number": lambda: x * 2.0,
        "exp": lambda: np.exp(x),
        "sum": lambda: x.sum(),
        "max over axis 0": lambda: m.max(0),
        "max over axis 1": lambda: m.max(1),
        "matmul": lambda: a @ b,
        "transpose": lambda: m.transpose(1, 0),
        "getitem, an integer": lambda: x[3],
        "getitem, a slice": lambda: x[1:half],
        "getitem, positions": lambda: x[picks],
        "getitem, a mask": lambda: x[mask],
        "setitem, a slice": assign,
        "where": lambda: np.where(mask, x, y),
        "cat": lambda: np.concatenate((x, y)),
        "sort, with positions": lambda: x[np.argsort(x, kind="stable")],
        "cumsum": lambda: x.cumsum(),
        "add, broadcasting a row": lambda: m + row,
        "add, strided": lambda: wide[::2] + wide[1::2],
    }


def of_arrays(o: dict[str, Any]) -> dict[str, Case]:
    """The same in lamina_ndarray, on the backend in force."""
    x, y, m, row, mask, picks, a, b, wide = (
        nd.asarray(o[k], copy=True) for k in ("x", "y", "m", "row", "mask", "picks", "a", "b", "gaps")
    )
    target, half = nd.copy(x), x.shape[0] // 2

    def assign() -> None:
        target[1:] = 2.0

    return {
        "add": lambda: x + y,
        "multiply by a number": lambda: x * 2.0,
        "exp": lambda: nd.exp(x),
        "sum": lambda: nd.sum(x),
        "max over axis 0": lambda: nd.max(m, 0),
        "max over axis 1": lambda: nd.max(m, 1),
        "matmul": lambda: a @ b,
        "transpose": lambda: nd.transpose(m, 0, 1),
        "getitem, an integer": lambda: x[3],
        "getitem, a slice": lambda: x[1:half],
        "getitem, positions": lambda: x[picks],
        "getitem, a mask": lambda: x[mask],
        "setitem, a slice": assign,
        "where": lambda: nd.where(mask, x, y),
        "cat": lambda: nd.concat((x, y)),
        "sort, with positions": lambda: nd.sort(x),
        "cumsum": lambda: nd.cumsum(x, 0),
        "add, broadcasting a row": lambda: m + row,
        "add, strided": lambda: wide[::2] + wide[1::2],
    }


def fastest(functions: list[Case], rounds: int) -> list[float]:
    """Per function, the least seconds per call over interleaved rounds."""
    clock = time.perf_counter
    counts = []
    for function in functions:  # also warms up
        begin = clock()
        function()
        once = clock() - begin
        begin = clock()
        function()
        once = min(once, clock() - begin)
        counts.append(max(1, min(300, int(3e-4 / max(once, 1e-7)))))
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, (function, number) in enumerate(zip(functions, counts, strict=True)):
            function()  # so that each begins with its own operands in the cache
            begin = clock()
            for _ in range(number):
                function()
            best[i] = min(best[i], (clock() - begin) / number)
    return best


def table(items: int, names: list[str], rounds: int, only: list[str]) -> list[str]:
    """A table in Markdown for operands of so many items."""
    o = operands(items)
    plain, ours = of_numpy(o), []
    for name in names:
        with backends.use_backend(name):
            ours.append(of_arrays(o))
    lines = [
        f"| {items:,} items | NumPy us | {' | '.join(f'{n} us | {n} ratio' for n in names)} |",
        f"|---|---:|{'---:|---:|' * len(names)}",
    ]
    for case, function in plain.items():
        if only and not any(word in case for word in only):
            continue
        times = fastest([function, *(cases[case] for cases in ours)], rounds)
        cells = []
        for name, took in zip(names, times[1:], strict=True):
            ratio = times[0] / took
            missed = items == LARGE and name == "numpy" and ratio < WANTED
            cells.append(f"{took * 1e6:.2f} | {'**' * missed}{ratio:.2f}{'**' * missed}")
        lines.append(f"| {case} | {times[0] * 1e6:.2f} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    return lines


def main() -> None:
    """Measure, print, and write where asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backends", default="numpy,cpp")
    options.add_argument("--rounds", type=int, default=40)
    options.add_argument("--only", default="")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    names = chosen.backends.split(",")
    only = [word for word in chosen.only.split(",") if word]
    text = [
        "# Array ops beside NumPy's",
        "",
        f"{datetime.date.today()}; NumPy {np.__version__}, Python {platform.python_version()}, {platform.machine()}, "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} from other work at the start; NumPy and the numpy backend run "
        "on one thread, the cpp backend on as many as it takes by default.",
        "",
        "Microseconds for one call, the least of many interleaved runs; the ratio is NumPy's time over ours, so above 1 is "
        f"faster than NumPy. What misses {WANTED} for large operands on the numpy backend is bold.",
        "`getitem, an integer` makes a view here and a number in NumPy.",
        "",
        f"    python benchmarks/arrays.py --backends {chosen.backends} --rounds {chosen.rounds}",
    ]
    for items in (SMALL, LARGE):
        text += ["", *table(items, names, chosen.rounds, only)]
    if chosen.write:
        chosen.write.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
