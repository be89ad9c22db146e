"""The worst errors of maps in units of the last place: of float32 by float64 kernels, of float64 by mpmath.

    python benchmarks/accuracy.py [--step 997] [--only erf,tan]
    python benchmarks/accuracy.py --float64 [--only erf,lgamma]
    python benchmarks/accuracy.py --convolutions

float32: every `step`-th of the 2**32 patterns, and all near zeros, ones and poles; of two inputs, pairs of such patterns. What
the float64 kernels are off by is nothing here. float64: random items of a range, as many as mpmath takes a few seconds for.
Convolutions: of random images by random filters, the largest error as a share of the largest result, ours and PyTorch's.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "packages" / "backend-cpp" / "tests"))

from native_operands import BACKEND, empty, operand, run

from lamina_flatarray import OPS

Array = np.ndarray[Any, Any]


def ulps(found: Array, exact: Array) -> Array:
    """The distance in units of float32's last place; 0 where both are the same infinity or NaN, infinite where one is."""
    with np.errstate(all="ignore"):
        unit = np.ldexp(1.0, np.maximum(np.frexp(exact)[1] - 24, -149))
        apart = np.abs(found.astype(np.float64) - exact) / unit
        beyond = np.abs(exact) >= np.float64(np.finfo(np.float32).max) * (1 + 2**-25)  # rounded, it is infinite
        same = (np.isnan(found) & np.isnan(exact)) | (np.isinf(found) & beyond & (np.signbit(found) == np.signbit(exact)))
        return np.where(same, 0.0, np.where(np.isfinite(found) & np.isfinite(exact), apart, np.inf))


def patterns(step: int, first: int = 0) -> Array:
    """Every `step`-th float32, and those near 0, 1/2, 1, 2, 4, 8 and small multiples of pi / 2."""
    thin = np.arange(first, 2**32, step, dtype=np.uint32).view(np.float32)
    near = np.concatenate([[0.0, 0.5, 1.0, 2.0, 4.0, 8.0], np.arange(1, 40) * (np.pi / 2)]).astype(np.float32).view(np.uint32)
    close = (near[:, None] + np.arange(-2000, 2000).astype(np.uint32)).ravel().view(np.float32)
    return np.concatenate([thin, close, -close])


def worst(op: str, step: int) -> tuple[float, tuple[float, ...], int]:
    """The worst error, where it is, and over how many items."""
    row, params = OPS[op], {"n": 2} if op == "polygamma" else {}
    inputs = [patterns(step, k) for k in range(row.arity)]
    for k, x in enumerate(inputs[1:], 1):
        inputs[k] = np.random.default_rng(k).permutation(x)
        ordinary = np.random.default_rng(k + 9).standard_normal(x.size // 2).astype(np.float32) * np.float32(9)
        inputs[k][: x.size // 2] = ordinary
        inputs[0][: x.size // 2] = np.roll(ordinary, 1) if op != "pow" else np.abs(np.roll(ordinary, 1))
    found = run(op, empty(inputs[0].shape, "float32"), *map(operand, inputs), **params)
    exact = run(op, empty(inputs[0].shape, "float64"), *(operand(x.astype(np.float64)) for x in inputs), **params)
    apart = ulps(found, exact)
    at = int(np.argmax(apart))
    return float(apart[at]), tuple(float(x[at]) for x in inputs), apart.size


ORDINARY = {  # op: its exact values, and the range of each input
    "pow": (mp.power, (0, 3), (-5, 5)),
    "hypot": (mp.hypot, (-1, 1), (-1, 1)),
    "erf": (mp.erf, (-6, 6)),
    "erfc": (mp.erfc, (-6, 26)),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), (0, 30)),
    "gelu": (lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2, (-36, 8)),
    "erfinv": (mp.erfinv, (-1, 1)),
    "log_ndtr": (lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), (-30, 5)),
    "lgamma": (mp.loggamma, (3, 60)),
    "digamma": (mp.digamma, (1.6, 60)),
    "i0": (lambda x: mp.besseli(0, x), (-30, 30)),
    "i1": (lambda x: mp.besseli(1, x), (-30, 30)),
    "modified_bessel_k0": (lambda x: mp.besselk(0, x), (0.01, 60)),
    "modified_bessel_k1": (lambda x: mp.besselk(1, x), (0.01, 60)),
    "airy_ai": (mp.airyai, (0, 20)),
}
"""Functions away from their zeros, beside which an error of float64 is as large as it likes."""


def worst_of_float64(op: str, count: int = 1500) -> float:
    """The worst error of random items."""
    exactly, *ranges = ORDINARY[op]
    inputs = [np.random.default_rng(k).uniform(low, high, count) for k, (low, high) in enumerate(ranges)]
    found = run(op, empty((count,), "float64"), *map(operand, inputs))
    mp.mp.prec = 160
    exact = [exactly(*map(mp.mpf, items)) for items in zip(*map(np.ndarray.tolist, inputs), strict=True)]
    units = np.ldexp(1.0, np.maximum(np.frexp([float(x) for x in exact])[1] - 53, -1074)).tolist()
    return max(float(abs(mp.mpf(x) - y) / unit) for x, y, unit in zip(found.tolist(), exact, units, strict=True))


CONVOLUTIONS = ((16, 64, 64, 32), (8, 256, 256, 14), (8, 512, 512, 7), (8, 16, 16, 32))
"""Images, their channels, those of the results, and the length of both axes; 3 by 3, with a padding of 1."""


def errors_of_convolutions(images: int, channels: int, outputs: int, length: int) -> list[str]:
    """Ours and PyTorch's, of the results and of the gradients of images and filters."""
    import torch

    import lamina

    rng = np.random.default_rng(0)
    shapes = (images, channels, length, length), (outputs, channels, 3, 3), (images, outputs, length, length)
    drawn = [rng.standard_normal(shape).astype(np.float32) for shape in shapes]

    def found(stack: Any, dtype: str) -> list[Array]:
        x, weight, gradient = (stack.tensor(array, dtype=getattr(stack, dtype)) for array in drawn)
        x.requires_grad_()
        weight.requires_grad_()
        results = stack.nn.functional.conv2d(x, weight, padding=1)
        results.backward(gradient)
        return [results.detach().numpy(), x.grad.numpy(), weight.grad.numpy()]

    exact = found(torch, "float64")
    shares = []
    for ours, theirs, right in zip(found(lamina, "float32"), found(torch, "float32"), exact, strict=True):
        shares += [np.abs(array - right).max() / np.abs(right).max() for array in (ours, theirs)]
    return [f"{share:.1e}" for share in shares]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=997)
    parser.add_argument("--only", default="")
    parser.add_argument("--float64", action="store_true")
    parser.add_argument("--convolutions", action="store_true")
    given = parser.parse_args()
    if given.convolutions:
        for images, channels, outputs, length in CONVOLUTIONS:
            shares = " | ".join(errors_of_convolutions(images, channels, outputs, length))
            print(f"| {images}x{channels}x{length}x{length}, {outputs} of 3x3 | {shares} |", flush=True)
        return
    if given.float64:
        for op in given.only.split(",") if given.only else ORDINARY:
            where = "; ".join(f"{low} to {high}" for low, high in ORDINARY[op][1:])
            print(f"| {op} | {where} | {worst_of_float64(op):.2f} |", flush=True)
        return
    from lamina_ndarray.decompositions.special_functions import FILES

    exact = {op for ops in FILES.values() for op in ops} | {"copysign", "nextafter"}  # float64's results rounded once, and bits
    for op, row in OPS.items():
        rounds = row.rule in ("float", "float_real", "floating", "inexact") or op == "pow"
        wanted = op in given.only.split(",") if given.only else rounds and op not in exact
        if wanted and op in BACKEND.capabilities() and row.family == "map" and row.arity < 3:
            error, where, count = worst(op, given.step if row.arity == 1 else 4 * given.step)
            print(f"| {op} | {error:.2f} | {', '.join(map(repr, where))} | {count:,} |", flush=True)


if __name__ == "__main__":
    main()
