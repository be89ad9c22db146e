"""How long an epoch of data loading takes, as ratios to PyTorch in the same process, and to reading sample by sample.

Run: python benchmarks/loading.py [--backend cpp|numpy] [--samples 60000] [--workers]
"""

import argparse
import random
import time

import torch
import torch.utils.data as theirs
from rich.console import Console
from rich.table import Table

import lamina
import lamina.utils.data as ours


class OneByOne(ours.Dataset, theirs.Dataset):
    """The same samples, without a way to ask for a batch of them."""

    def __init__(self, data):
        self.data = data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return tuple(tensor[i] for tensor in self.data.tensors)


class Work(OneByOne):
    """Samples that take some time to make: half a millisecond of Python."""

    def __getitem__(self, i):
        until = time.perf_counter() + 5e-4
        while time.perf_counter() < until:
            random.random()
        return super().__getitem__(i)


def fastest(runs, times):
    """The shortest time of each, the runs interleaved."""
    best = [float("inf")] * len(runs)
    for _ in range(times):
        for i, run in enumerate(runs):
            start = time.perf_counter()
            run()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def epoch(loader):
    def run():
        for _ in loader:
            pass

    return run


def data(lib, loading, n, kind):
    images = lib.rand(n, 784) if kind == "float32" else lib.randint(0, 256, (n, 784), dtype=lib.uint8)
    return loading.TensorDataset(images, lib.randint(0, 10, (n,)))


def cases(lib, loading, n):
    """Name to (a loader, one that reads sample by sample or None)."""
    found = {}
    for kind, size in (("float32", 64), ("float32", 512), ("uint8", 64)):
        whole = data(lib, loading, n, kind)
        found[f"{kind} 784, shuffled, batches of {size}"] = tuple(
            loading.DataLoader(d, size, shuffle=True) for d in (whole, OneByOne(whole))
        )
    part = loading.Subset(whole, range(0, n, 2))
    found["uint8 784, every second one, batches of 64"] = loading.DataLoader(part, 64, shuffle=True), None
    both = loading.ConcatDataset([whole, whole])
    found["uint8 784, twice, batches of 64"] = loading.DataLoader(both, 64, shuffle=True), None
    return found


def with_workers(lib, loading, n):
    """The same with two processes that stay: batches that are large, and samples that take time."""
    whole = data(lib, loading, n, "float32")
    options = {"num_workers": 2, "persistent_workers": True}
    made = Work(data(lib, loading, 2000, "float32"))
    return {
        "2 workers, float32 784, batches of 512": (loading.DataLoader(whole, 512, **options), None),
        "2 workers, 2,000 samples of 0.5 ms": (loading.DataLoader(made, 64, **options), loading.DataLoader(made, 64)),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backend", default=None)
    options.add_argument("--samples", type=int, default=60_000)
    options.add_argument("--workers", action="store_true")
    options.add_argument("--times", type=int, default=3)
    chosen = options.parse_args()
    torch.set_num_threads(1)
    if chosen.backend:
        lamina.backends.use_backend(chosen.backend)
    make = with_workers if chosen.workers else cases
    mine, others = make(lamina, ours, chosen.samples), make(torch, theirs, chosen.samples)
    backend = lamina.backends.backend_for("cpu").name
    title = f"An epoch of {chosen.samples} samples: lamina ({backend}) against PyTorch {torch.__version__}"
    last = "in this process / with workers" if chosen.workers else "sample by sample / at once"
    table = Table("case", "lamina ms", "PyTorch ms", "ratio", last, title=title)
    for name, (loader, slow) in mine.items():
        best = fastest([epoch(loader), epoch(others[name][0])], chosen.times)
        slower = f"{fastest([epoch(slow)], 1)[0] / best[0]:.1f}" if slow is not None else ""
        table.add_row(name, f"{best[0] * 1e3:.0f}", f"{best[1] * 1e3:.0f}", f"{best[0] / best[1]:.2f}", slower)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
