"""How long small eager ops take, as ratios to PyTorch in the same process: below 1 is faster than PyTorch.

Each case runs in both libraries in turn, many times, and the fastest run of each counts: the machine may be shared.
Run: python benchmarks/eager.py [--backend cpp|numpy] [--threads 1]
"""

import argparse
import time

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

import lamina


def fastest(functions, number, rounds):
    """Per function, the least seconds per call over interleaved rounds of `number` calls."""
    best = [float("inf")] * len(functions)
    clock = time.perf_counter
    for _ in range(rounds):
        for i, function in enumerate(functions):
            begin = clock()
            for _ in range(number):
                function()
            best[i] = min(best[i], (clock() - begin) / number)
    return best


def cases(lib):
    """Name to a function that does one step of it, in `lib` (PyTorch or lamina)."""
    x, y = lib.ones(10), lib.ones(10)
    xg, yg = lib.ones(10, requires_grad=True), lib.ones(10, requires_grad=True)
    m, n = lib.ones(16, 16), lib.ones(16, 16)

    def chain():
        z = xg
        for _ in range(10):
            z = z * yg + xg
        z.sum().backward()

    lib.manual_seed(0)
    model = lib.nn.Sequential(
        lib.nn.Linear(2, 16), lib.nn.ReLU(), lib.nn.Linear(16, 16), lib.nn.ReLU(), lib.nn.Linear(16, 1)
    )
    optimizer = lib.optim.SGD(model.parameters(), lr=0.01)
    data, target = lib.randn(32, 2), lib.randn(32, 1)
    loss_function = lib.nn.MSELoss()

    def step():
        loss = loss_function(model(data), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return {
        "add, 10 items": lambda: x + y,
        "add, 10 items, recorded": lambda: xg + yg,
        "multiply by 2.0": lambda: x * 2.0,
        "multiply by 2.0, recorded": lambda: xg * 2.0,
        "transpose (16, 16)": lambda: m.transpose(0, 1),
        "x[3]": lambda: x[3],
        "matmul (16, 16)": lambda: m @ n,
        "sum, 10 items": lambda: x.sum(),
        "20 ops and backward": chain,
        "training step 2-16-16-1": step,
    }


def against_numpy():
    """The same for NumPy, where it has the op."""
    x, y, m = np.ones(10, np.float32), np.ones(10, np.float32), np.ones((16, 16), np.float32)
    return {
        "add, 10 items": lambda: x + y,
        "multiply by 2.0": lambda: x * 2.0,
        "transpose (16, 16)": lambda: m.transpose(1, 0),
        "x[3]": lambda: x[3],
        "matmul (16, 16)": lambda: m @ m,
        "sum, 10 items": lambda: x.sum(),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backend", default=None)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--rounds", type=int, default=60)
    options.add_argument("--number", type=int, default=300)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    if chosen.backend:
        lamina.backends.use_backend(chosen.backend)
    ours, theirs, plain = cases(lamina), cases(torch), against_numpy()
    backend = lamina.backends.backend_for("cpu").name
    title = f"lamina ({backend}) against PyTorch {torch.__version__}, {chosen.threads} threads"
    table = Table("case", "lamina us", "PyTorch us", "ratio", "NumPy us", "ratio to NumPy", title=title)
    for name, function in ours.items():
        heavy = 10 if "backward" in name or "step" in name else 1
        functions = [function, theirs[name], *([plain[name]] if name in plain else [])]
        best = fastest(functions, chosen.number // heavy, chosen.rounds)
        numpy_cells = [f"{best[2] * 1e6:.2f}", f"{best[0] / best[2]:.2f}"] if len(best) > 2 else ["", ""]
        table.add_row(name, f"{best[0] * 1e6:.2f}", f"{best[1] * 1e6:.2f}", f"{best[0] / best[1]:.2f}", *numpy_cells)
    Console().print(table)


if __name__ == "__main__":
    main()
