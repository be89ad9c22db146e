"""Overhead: ops and layers on a few items, where the path to the kernel is all that costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TITLE = "Small ops"


def cases(lib: Any) -> dict[str, Callable[[], Any]]:
    """Ops on 10 items and 16 x 16 matrices, unrecorded and recorded, views, layers, and short chains with backward."""
    F = lib.nn.functional
    x, y, z = lib.ones(10), lib.ones(10), lib.ones(10)
    xg, yg = lib.ones(10, requires_grad=True), lib.ones(10, requires_grad=True)
    m, n = lib.ones(16, 16), lib.ones(16, 16)
    mask, images, logits = x > 2, lib.ones(4, 3, 8, 8), lib.ones(8, 5)
    classes = lib.tensor([0, 1, 2, 3, 4, 0, 1, 2])
    table, layer_norm, batch_norm = lib.nn.Embedding(20, 8), lib.nn.LayerNorm(16), lib.nn.BatchNorm1d(16)
    rows, picks, one = lib.ones(100, 8), lib.tensor([3, 1, 4, 1, 5]), lib.ones(())

    def chain() -> None:
        total = xg
        for _ in range(10):
            total = total * yg + xg
        total.sum().backward()

    def write() -> None:
        m[2, 3] = 1.0

    def write_masked() -> None:
        x[mask] = 1.0

    return {
        "add": lambda: x + y,
        "add, recorded": lambda: xg + yg,
        "add_": lambda: x.add_(0.0),
        "add_ with alpha": lambda: x.add_(y, alpha=0.0),
        "sub with alpha": lambda: x.sub(y, alpha=0.5),
        "addcmul_": lambda: x.addcmul_(y, y, value=0.0),
        "lerp_": lambda: x.lerp_(y, 0.0),
        "clamp_": lambda: z.clamp_(0.0, 1.0),
        "copy_": lambda: z.copy_(y),
        "normal_": lambda: z.normal_(),
        "uniform_": lambda: z.uniform_(),
        "multiply by 2.0": lambda: x * 2.0,
        "multiply by 2.0, recorded": lambda: xg * 2.0,
        "x > 0": lambda: x > 0,
        "exp": lambda: x.exp(),
        "clamp": lambda: x.clamp(0.0, 1.0),
        "where": lambda: lib.where(x > 0, x, y),
        "sum": lambda: x.sum(),
        "sum, recorded": lambda: xg.sum(),
        "max": lambda: x.max(),
        "any": lambda: mask.any(),
        "equal": lambda: lib.equal(x, y),
        "cumsum": lambda: x.cumsum(0),
        "topk": lambda: x.topk(3),
        "nonzero": lambda: mask.nonzero(),
        "roll": lambda: x.roll(1),
        "roll, recorded": lambda: xg.roll(1),
        "mean, recorded": lambda: xg.mean(),
        "max over an axis": lambda: m.max(1),
        "argmax": lambda: m.argmax(1),
        "softmax": lambda: lib.softmax(m, -1),
        "cat": lambda: lib.cat((x, y)),
        "cat, recorded": lambda: lib.cat((xg, yg)),
        "stack": lambda: lib.stack((x, y)),
        "zeros": lambda: lib.zeros(10),
        "zeros_like": lambda: lib.zeros_like(x),
        "empty": lambda: lib.empty(10),
        "arange": lambda: lib.arange(10),
        "tensor of a list": lambda: lib.tensor([1.0, 2.0, 3.0]),
        "item": lambda: one.item(),
        "transpose": lambda: m.transpose(0, 1),
        "reshape": lambda: m.reshape(8, 32),
        "x[3]": lambda: x[3],
        "x[2:5]": lambda: x[2:5],
        "x[2:5], recorded": lambda: xg[2:5],
        "view, recorded": lambda: xg.view(2, 5),
        "rows by index": lambda: rows[picks],
        "matmul": lambda: m @ n,
        "dot": lambda: x.dot(y),
        "linear": lambda: F.linear(m, n, m[0]),
        "mm": lambda: m.mm(n),
        "1.0 - x": lambda: 1.0 - x,
        "chunk": lambda: m.chunk(2),
        "unbind": lambda: m.unbind(),
        "flatten": lambda: images.flatten(1),
        "x[mask]": lambda: x[mask],
        "x[mask] = 1.0": write_masked,
        "x[2, 3] = 1.0": write,
        "masked_fill": lambda: x.masked_fill(mask, 0.0),
        "to its own device": lambda: x.to("cpu"),
        "tolist": lambda: x.tolist(),
        "tensor of a number": lambda: lib.tensor(3.0),
        "randn": lambda: lib.randn(10),
        "rand": lambda: lib.rand(10),
        "randint": lambda: lib.randint(0, 5, (10,)),
        "embedding": lambda: table(picks),
        "layer_norm": lambda: layer_norm(m),
        "batch_norm": lambda: batch_norm(m),
        "cross_entropy": lambda: F.cross_entropy(logits, classes),
        "max_pool2d": lambda: F.max_pool2d(images, 2),
        "20 ops and backward": chain,
    }
