"""Factorizations and what is made of them, norms and transforms, of a small matrix, a stack of small ones and one of 256 rows; spectra."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Linear algebra and transforms"

SIZES = {"5x5": (5, 5), "100 of 8x8": (100, 8, 8), "256x256": (256, 256)}


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """Float32, nothing recorded."""
    linalg, found = lib.linalg, {}
    lib.manual_seed(0)
    for name, shape in SIZES.items():
        n = shape[-1]
        a, b = lib.randn(*shape), lib.randn(*shape[:-1], 4)
        square = a @ a.transpose(-2, -1) + n * lib.eye(n)
        lower = linalg.cholesky(square)
        found |= {
            f"lu_factor, {name}": lambda a=a: linalg.lu_factor(a),
            f"det, {name}": lambda a=a: linalg.det(a),
            f"cholesky, {name}": lambda square=square: linalg.cholesky(square),
            f"solve, {name}": lambda square=square, b=b: linalg.solve(square, b),
            f"solve_triangular, {name}": lambda lower=lower, b=b: linalg.solve_triangular(lower, b, upper=False),
            f"inv, {name}": lambda square=square: linalg.inv(square),
            f"qr, {name}": lambda a=a: linalg.qr(a),
            f"svd, {name}": lambda a=a: linalg.svd(a),
            f"eigh, {name}": lambda square=square: linalg.eigh(square),
            f"norms of rows, {name}": lambda a=a: linalg.vector_norm(a, dim=-1),
            f"rfft of rows, {name}": lambda a=a: lib.fft.rfft(a),
        }
    small, middle, tall = lib.randn(64, 64), lib.randn(128, 128), lib.randn(1000, 50)
    symmetric = small + small.t()
    found |= {
        "eigh, 64x64": lambda: linalg.eigh(symmetric),
        "eigvalsh, 64x64": lambda: linalg.eigvalsh(symmetric),
        "svd, 128x128": lambda: linalg.svd(middle),
        "svdvals, 128x128": lambda: linalg.svdvals(middle),
        "svd, 1000x50": lambda: linalg.svd(tall, full_matrices=False),
    }
    return found
