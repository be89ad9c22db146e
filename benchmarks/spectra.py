"""Singular values and eigenvectors of float32 matrices: ours beside PyTorch's and SciPy's, and NumPy's, which computes in float64.

All take turns in one process; milliseconds of the fastest run. On one thread.
Run: python benchmarks/spectra.py [--seconds 2] [--write benchmarks/results/spectra.md]
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import numpy as np
import scipy
import scipy.linalg
import torch
from interleaved import fastest
from pages import publish

import lamina

SIZES = 64, 128, 256, 512


def contenders(op: str, matrix: np.ndarray[Any, Any]) -> dict[str, Callable[[], Any]]:
    """Who does it, of one matrix."""
    ours, theirs = lamina.tensor(matrix), torch.tensor(matrix)
    if op == "svd":
        return {
            "lamina": lambda: lamina.linalg.svd(ours),
            "PyTorch": lambda: torch.linalg.svd(theirs),
            "SciPy, float32": lambda: scipy.linalg.svd(matrix),
            "NumPy, float64": lambda: np.linalg.svd(matrix),
        }
    return {
        "lamina": lambda: lamina.linalg.eigh(ours),
        "PyTorch": lambda: torch.linalg.eigh(theirs),
        "SciPy, float32": lambda: scipy.linalg.eigh(matrix, driver="evd"),
        "NumPy, float64": lambda: np.linalg.eigh(matrix),
    }


def main() -> None:
    """Measure, print, and write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=2.0, help="for one size of one op")
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    lamina.set_num_threads(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(0)
    names = list(contenders("svd", np.eye(2, dtype=np.float32)))
    lines = [
        "# Singular values and eigenvectors",
        "",
        f"    python benchmarks/spectra.py --seconds {chosen.seconds:g}",
        "",
        f"{datetime.date.today()}; float32, one thread, milliseconds; PyTorch {torch.__version__}, SciPy {scipy.__version__}, "
        f"NumPy {np.__version__}, {platform.machine()}.",
        "",
        f"| op | {' | '.join(names)} |",
        f"|---|{'---:|' * len(names)}",
    ]
    for op in ("svd", "eigh"):
        for n in SIZES:
            matrix = rng.standard_normal((n, n)).astype(np.float32)
            times = fastest(list(contenders(op, matrix if op == "svd" else matrix + matrix.T).values()), chosen.seconds)
            lines.append(f"| {op}, {n}x{n} | {' | '.join(f'{1e3 * seconds:.2f}' for seconds in times)} |")
    publish("\n".join([*lines, ""]), chosen.write)


if __name__ == "__main__":
    main()
