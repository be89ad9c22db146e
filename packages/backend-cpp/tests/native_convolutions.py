"""Convolution and its transposes as sums written tap by tap in NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

Shape = tuple[int, ...]


def windows(x: Any, kernel: Shape, stride: Shape, padding: Shape, dilation: Shape, fill: float = 0) -> dict[Shape, Any]:
    """Per tap, what every window sees there: views of x with `fill` around."""
    wide = np.pad(x, [(0, 0), (0, 0), *[(p, p) for p in padding]], constant_values=fill)
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(wide.shape[2:], kernel, stride, dilation, strict=True)]
    return {
        tap: wide[(..., *[slice(t * d, t * d + (c - 1) * s + 1, s) for t, d, c, s in zip(tap, dilation, counts, stride, strict=True)])]
        for tap in itertools.product(*map(range, kernel))
    }


def by_hand(x: Any, weight: Any, gradient: Any, stride: Shape, padding: Shape, dilation: Shape, groups: int) -> tuple[Any, Any, Any]:
    """The convolution, and its transposes at a gradient if there is one."""
    wide = np.zeros((*x.shape[:2], *[n + 2 * p for n, p in zip(x.shape[2:], padding, strict=True)]))
    wide[(..., *[slice(p, p + n) for n, p in zip(x.shape[2:], padding, strict=True)])] = x
    n, outputs, each = x.shape[0], weight.shape[0], weight.shape[1]
    to_wide, to_weight, y = np.zeros(wide.shape), np.zeros(weight.shape), 0.0
    seen = windows(wide, weight.shape[2:], stride, (0,) * len(stride), dilation)
    places = windows(to_wide, weight.shape[2:], stride, (0,) * len(stride), dilation)
    counts = next(iter(seen.values())).shape[2:]
    places_each = int(np.prod(counts))
    for tap in seen:
        v = seen[tap].reshape(n, groups, each, places_each)
        w = weight[(..., *tap)].reshape(groups, outputs // groups, each)
        y = y + np.einsum("ngcl,goc->ngol", v, w)
        if gradient is not None:
            g = gradient.reshape(n, groups, outputs // groups, places_each)
            to_weight[(..., *tap)] = np.einsum("ngcl,ngol->goc", v, g).reshape(outputs, each)
            at = [slice(t * d, t * d + (c - 1) * s + 1, s) for t, d, c, s in zip(tap, dilation, gradient.shape[2:], stride, strict=True)]
            to_wide[(..., *at)] += np.einsum("ngol,goc->ngcl", g, w).reshape(places[tap].shape)
    inner = tuple(slice(p, p + k) for p, k in zip(padding, x.shape[2:], strict=True))
    return y.reshape(n, outputs, *counts), to_wide[(..., *inner)], to_weight
