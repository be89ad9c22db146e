"""Ops whose arithmetic is less than their traffic: in cache (1e5 items) and out of it (1e7), beside the measured bandwidth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Memory-bound ops"


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """Elementwise ops, reductions and copies at 1e5 and 1e7 float32 items."""
    found: dict[str, Callable[[], Any]] = {}
    for size, label in ((100_000, "1e5"), (10_000_000, "1e7")):
        lib.manual_seed(0)
        x, y = lib.rand(size) + 0.1, lib.rand(size)
        m, row, pixels = x.view(-1, 1000), lib.rand(1000), (255 * y).to(lib.uint8)
        mask = m > 0.6
        steps: dict[str, Callable[[], Any]] = {
            "add": lambda x=x, y=y: x + y,
            "add_": lambda x=x, y=y: x.add_(y, alpha=0.0),
            "multiply by 2.0": lambda x=x: x * 2.0,
            "add a row": lambda m=m, row=row: m + row,
            "exp": lambda y=y: y.exp(),
            "log": lambda x=x: x.log(),
            "tanh": lambda y=y: y.tanh(),
            "sigmoid": lambda y=y: y.sigmoid(),
            "sqrt": lambda x=x: x.sqrt(),
            "where": lambda x=x, y=y: lib.where(x > y, x, y),
            "relu": lambda x=x: lib.relu(x),
            "gelu": lambda x=x: lib.nn.functional.gelu(x),
            "sum": lambda x=x: x.sum(),
            "sum of columns": lambda m=m: m.sum(0),
            "max of rows": lambda m=m: m.amax(1),
            "variance of rows": lambda m=m: m.var(1),
            "argmax of rows": lambda m=m: m.argmax(1),
            "cumsum of rows": lambda m=m: m.cumsum(1),
            "transposed copy": lambda m=m: m.t().contiguous(),
            "cat": lambda x=x, y=y: lib.cat((x, y)),
            "items under a mask": lambda m=m, mask=mask: m[mask],
            "to float64": lambda x=x: x.double(),
            "to int64": lambda x=x: x.long(),
            "to bfloat16": lambda x=x: x.bfloat16(),
            "uint8 to float32": lambda pixels=pixels: pixels.float(),
            "rand": lambda size=size: lib.rand(size),
            "randn": lambda size=size: lib.randn(size),
        }
        found.update({f"{name}, {label}": step for name, step in steps.items()})
    for size in (100_000, 1_000_000):
        lib.manual_seed(0)
        x = lib.rand(size)
        picks = lib.randint(0, size // 64, (size // 64,))
        table = x[: size // 64 * 64].view(-1, 64)
        found[f"sort, {size:.0e}".replace("e+0", "e")] = lambda x=x: x.sort()
        found[f"topk 10, {size:.0e}".replace("e+0", "e")] = lambda x=x: x.topk(10)
        found[f"rows by index, {size:.0e}".replace("e+0", "e")] = lambda table=table, picks=picks: table[picks]
    square, images, side = lib.rand(512, 512), lib.rand(16, 64, 32, 32), lib.rand(1000)
    found["transposed copy, 512x512"] = lambda: square.t().contiguous()
    found["a margin of 1, 16x64x32x32"] = lambda: lib.nn.functional.pad(images, (1, 1, 1, 1))
    found["a mirrored margin of 1, 16x64x32x32"] = lambda: lib.nn.functional.pad(images, (1, 1, 1, 1), mode="reflect")
    found["pixel_shuffle, 16x64x32x32"] = lambda: lib.nn.functional.pixel_shuffle(images, 2)
    found["outer product, 1000 by 1000"] = lambda: lib.outer(side, side)
    found["channels last, 16x64x32x32"] = lambda: images.permute(0, 2, 3, 1).contiguous()
    lib.manual_seed(0)
    z, w = lib.randn(100_000, dtype=lib.complex64), lib.randn(100_000, dtype=lib.complex64)
    found["multiply, complex, 1e5"] = lambda: z * w
    found["divide, complex, 1e5"] = lambda: z / w
    found["square, complex, 1e5"] = lambda: z**2
    found["angle, 1e5"] = lambda: z.angle()
    bins, places, values = lib.zeros(1000), lib.randint(0, 1000, (100_000,)), lib.rand(100_000)
    columns = lib.randint(0, 512, (100,))
    found["index_add, 1e5 to 1000"] = lambda: bins.index_add(0, places, values)
    found["scatter_add, 1e5 to 1000"] = lambda: bins.scatter_add(0, places, values)
    found["index_select, 1e5 of 1000"] = lambda: bins.index_select(0, places)
    found["columns by index, 512x512"] = lambda: square.index_select(1, columns)
    found["cummax of rows, 512x512"] = lambda: square.cummax(1)
    found["poisson, 1e5"] = lambda: lib.poisson(values)
    gamma = lib.distributions.Gamma(values[:10_000] + 0.5, values[:10_000] + 1)
    found["gamma numbers, 1e4"] = lambda: gamma.sample()
    return found
