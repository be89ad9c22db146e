"""How long transforms of functions take, as ratios to PyTorch in the same process, and to a loop over the slices: below 1 is faster.

Run: python benchmarks/mapping.py [--backend cpp|numpy] [--threads 1]
"""

import argparse

import torch
from interleaved import fastest
from rich.console import Console
from rich.table import Table

import lamina


def cases(lib):
    """Name to (the function with `vmap`, the same by a loop over slices, or None)."""
    f = lib.func
    lib.manual_seed(0)
    w, v = lib.randn(16, 8), lib.randn(16)
    xs, x = lib.randn(1000, 8), lib.randn(8)

    def loss(w, x):
        return ((w @ x).tanh() * v).sum() ** 2

    def outputs(x):
        return (w @ x).tanh()

    each = f.vmap(f.grad(loss), in_dims=(None, 0))
    return {
        "x * x + 1 over 1000 slices of 8": (lambda: f.vmap(lambda a: a * a + 1)(xs), lambda: lib.stack([a * a + 1 for a in xs])),
        "gradient for each of 1000 samples": (lambda: each(w, xs), lambda: lib.stack([f.grad(loss)(w, a) for a in xs])),
        "jacrev, 16 x 8": (lambda: f.jacrev(outputs)(x), None),
        "jacfwd, 16 x 8": (lambda: f.jacfwd(outputs)(x), None),
        "hessian, 8 x 8": (lambda: f.hessian(lambda a: loss(w, a))(x), None),
        "hessian for each of 1000 samples": (lambda: f.vmap(f.hessian(lambda a: loss(w, a)))(xs), None),
    }


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--backend", default=None)
    options.add_argument("--threads", type=int, default=2)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    lamina.set_num_threads(chosen.threads)
    if chosen.backend:
        lamina.backends.use_backend(chosen.backend)
    ours, theirs = cases(lamina), cases(torch)
    backend = lamina.backends.backend_for("cpu").name
    title = f"lamina ({backend}) against torch.func {torch.__version__}, {chosen.threads} threads"
    table = Table("case", "lamina us", "PyTorch us", "ratio", "ratio to a loop", title=title)
    for name, (mapped, loop) in ours.items():
        best = fastest([mapped, theirs[name][0]])
        looped = f"{best[0] / fastest([loop], seconds=0)[0]:.4f}" if loop else ""
        table.add_row(name, f"{best[0] * 1e6:.0f}", f"{best[1] * 1e6:.0f}", f"{best[0] / best[1]:.2f}", looped)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
