"""Overhead: ops on a few items, where the path to the kernel is all that costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Small ops"


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """Ops on 10 items and 16 x 16 matrices, unrecorded and recorded, views, and short chains with backward."""
    x, y = lib.ones(10), lib.ones(10)
    xg, yg = lib.ones(10, requires_grad=True), lib.ones(10, requires_grad=True)
    m, n = lib.ones(16, 16), lib.ones(16, 16)
    rows, picks, one = lib.ones(100, 8), lib.tensor([3, 1, 4, 1, 5]), lib.ones(())

    def chain() -> None:
        z = xg
        for _ in range(10):
            z = z * yg + xg
        z.sum().backward()

    return {
        "add": lambda: x + y,
        "add, recorded": lambda: xg + yg,
        "add_": lambda: x.add_(0.0),
        "multiply by 2.0": lambda: x * 2.0,
        "multiply by 2.0, recorded": lambda: xg * 2.0,
        "x > 0": lambda: x > 0,
        "exp": lambda: x.exp(),
        "clamp": lambda: x.clamp(0.0, 1.0),
        "where": lambda: lib.where(x > 0, x, y),
        "sum": lambda: x.sum(),
        "mean, recorded": lambda: xg.mean(),
        "max over an axis": lambda: m.max(1),
        "argmax": lambda: m.argmax(1),
        "softmax": lambda: lib.softmax(m, -1),
        "cat": lambda: lib.cat((x, y)),
        "stack": lambda: lib.stack((x, y)),
        "zeros": lambda: lib.zeros(10),
        "tensor of a list": lambda: lib.tensor([1.0, 2.0, 3.0]),
        "item": lambda: one.item(),
        "transpose": lambda: m.transpose(0, 1),
        "reshape": lambda: m.reshape(8, 32),
        "x[3]": lambda: x[3],
        "x[2:5]": lambda: x[2:5],
        "rows by index": lambda: rows[picks],
        "matmul": lambda: m @ n,
        "linear": lambda: lib.nn.functional.linear(m, n, m[0]),
        "20 ops and backward": chain,
    }
