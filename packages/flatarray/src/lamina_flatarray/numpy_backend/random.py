"""Random fills, in the order of the items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .. import random
from ..contract import Kernel
from .view import view

__all__ = ["KERNELS"]


def _drawn(fill: Callable[..., Any]) -> Kernel:
    """A fill of contiguous memory as a kernel for any layout: draws follow the row-major order of out's items."""

    def kernel(out: Any, generator: Any, **params: Any) -> None:
        target = view(out)
        if target.flags.c_contiguous:
            fill(target.reshape(-1), generator, *params.values())
            return
        drawn = np.empty(target.size, target.dtype)
        fill(drawn, generator, *params.values())
        target[...] = drawn.reshape(target.shape)

    return kernel


def _integers(out: Any, generator: Any, low: int, high: int | None) -> None:
    if high is None:
        random.random_full(out, generator)
    else:
        random.random_integers(out, generator, low, high)


KERNELS: Final[dict[str, Kernel]] = {
    "random_uniform": _drawn(random.uniform),
    "random_normal": _drawn(random.normal),
    "random_integers": _drawn(_integers),
    "random_permutation": _drawn(random.permutation),
    "random_bernoulli": _drawn(random.bernoulli),
}
