"""Dropout by Philox's stream, and its gradient: one launch each; with a generator of the CPU, derived, as its numbers are made there."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DType
from lamina_flatarray.random import Philox

from ...launch_plans import next_offset
from ..operands import address, device_of, dtype_of, walks_of
from ..sources import FORMATS, TYPES, source
from ..walks import Walk, walk_format
from .lines import FLOATING, few_axes

__all__ = ["KERNELS"]

_BITS: Final = 8


@lru_cache(8)
def _text(dtype: DType) -> str:
    own = f"typedef {TYPES[dtype.name]} In;\n"
    return "\n".join((source("numbers", "walks", "philox"), own, source("fused/dropout")))


def _functions(x: Any) -> Any:
    dtype = dtype_of(x)
    letter, before = FORMATS[dtype.name], ("P", "P", "P", walk_format(2), "q", "i")
    signatures = {"dropout": (*before, "Q", "Q", "d", letter), "dropout_gradient": (*before, letter)}
    return device_of(x).functions(_text(dtype), signatures)


def _launch(kernel: Any, walk: Walk, out: Any, x: Any, mask: Any, *numbers: Any) -> None:
    firsts = (address(out, walk.begins[0]), address(x, walk.begins[1]))
    aligned = walk.dense and all(at % (_BITS * dtype_of(x).itemsize) == 0 for at in firsts)
    step = mask.layout.strides[0]
    device_of(out).launch(kernel, -(-walk.size // _BITS), (*firsts, address(mask), *walk.values, step, int(aligned), *numbers))


@few_axes("dropout")
def dropout(out: Any, x: Any, generator: Any, p: float) -> None:
    """x / (1 - p), but x * 0 with probability p; and which are kept, as bits."""
    result, mask = out
    if not isinstance(generator.source, Philox):
        decompositions["dropout"](out, x, generator=generator, p=p)
        return
    kernel = _functions(x)["dropout"]
    for walk in walks_of(result, x, ordered=True):  # one, as there are few axes
        seed, offset = next_offset(generator, device_of(x))
        _launch(kernel, walk, result, x, mask, seed, offset, 1 - p, 1 - p)


@few_axes("dropout_gradient")
def dropout_gradient(out: Any, gradient: Any, kept: Any, p: float) -> None:
    """The same map of the gradient."""
    kernel = _functions(gradient)["dropout_gradient"]
    for walk in walks_of(out, gradient, ordered=True):
        _launch(kernel, walk, out, gradient, kept, 1 - p)


KERNELS: Final = {"dropout": (dropout, FLOATING), "dropout_gradient": (dropout_gradient, FLOATING)}
"""By op, its kernel and the dtypes that it serves."""
