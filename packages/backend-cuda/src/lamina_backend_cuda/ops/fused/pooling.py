"""Pooling and its gradients: one launch each, a thread for each result; a block for each plane where gradients meet at positions."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES, DType
from lamina_flatarray.ops import OPS

from ..operands import address, blank, device_of, dtype_of
from ..sources import source
from ..walks import walks
from .lines import FLOATING, Program, few_axes, program, wide

__all__ = ["KERNELS", "padded"]

_AXES: Final = 3
_WINDOWS: Final = "27q"
_THREADS: Final = 256
_REAL: Final = tuple(name for name, dtype in DTYPES.items() if DTYPE_RULES[OPS["max_pool"].rule](dtype) is not None)

Lengths = tuple[int, ...]


# -- programs -----------------------------------------------------------------------------------------------------------


@lru_cache(64)
def _max_pool(dtype: DType, adaptive: bool) -> Program:
    parameters = ("In* out", "i64* positions", "const In* x", "Walk<3> planes", "Windows w")
    own = f"#define ADAPTIVE {int(adaptive)}\n{source('limits')}"
    files = ["windows/windows", "windows/max_pool"]
    return program(dtype, files, {"max_pool": parameters}, own, teams=False, structs={"Windows": _WINDOWS})


@lru_cache(8)
def _max_pool_gradient(dtype: DType) -> Program:
    parameters = ("In* out", "const In* gradient", "const i64* positions", "W* sums", "Walk<3> planes", "Windows w")
    files = ["windows/windows", "windows/max_pool_gradient"]
    return program(dtype, files, {"max_pool_gradient": parameters}, "#define ADAPTIVE 0", teams=False, structs={"Windows": _WINDOWS})


@lru_cache(8)
def _average_pool(dtype: DType) -> Program:
    parameters = ("Walk<2> planes", "Windows w", "int with_padding", "i64 divisor")
    kernels = {
        "average_pool": ("In* out", "const In* x", *parameters),
        "average_pool_gradient": ("In* out", "const In* gradient", *parameters),
    }
    files = ["windows/windows", "windows/average_pool"]
    return program(dtype, files, kernels, "#define ADAPTIVE 0", teams=False, structs={"Windows": _WINDOWS})


# -- windows ------------------------------------------------------------------------------------------------------------


def padded(values: Lengths, one: int) -> Lengths:
    """Return the numbers of three axes, of which the first may be missing.

    Args:
        values: one number for each axis that there is.
        one: what stands for the others.
    """
    return ((one,) * (_AXES - len(values)) + tuple(values))[-_AXES:]


def _windows(
    lengths: Lengths, counts: Lengths, operands: tuple[Any, Any, Any], kernel: Lengths = (), stride: Lengths = (),
    padding: Lengths = (), dilation: Lengths = (),
) -> tuple[int, ...]:  # fmt: skip
    """What Windows takes; the operands are those that x_steps, out_steps and position_steps are of."""
    settings = (padded(lengths, 1), padded(counts, 1), padded(kernel, 1), padded(stride, 1), padded(padding, 0), padded(dilation, 1))
    steps = (padded(() if x is None else tuple(x.layout.strides[2:]), 0) for x in operands)
    return tuple(n for row in (*settings, *steps) for n in row)


def _launch(code: Program, name: str, operands: tuple[Any, ...], each_plane: int, *numbers: int, beside: tuple[int, ...] = ()) -> None:
    """Queue a kernel over the planes of operands, whose first two axes count them."""
    device, lead = device_of(operands[0]), tuple(operands[0].layout.shape[:2])
    kernel = device.functions(code.text, code.signatures)[name]
    for walk in walks(lead, tuple(tuple(x.layout.strides[:2]) for x in operands), True):
        firsts = [address(x, begin) for x, begin in zip(operands, walk.begins, strict=True)]
        device.launch(kernel, walk.size * each_plane, (*firsts, *beside, *walk.values, *numbers), _THREADS)


# -- kernels ------------------------------------------------------------------------------------------------------------


@few_axes("max_pool")
def max_pool(out: Any, x: Any, kernel: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, ceil: bool) -> None:
    """The greatest of each window, and its index."""
    result, positions = out
    if len(kernel) > _AXES:
        decompositions["max_pool"](out, x, kernel=kernel, stride=stride, padding=padding, dilation=dilation, ceil=ceil)
        return
    counts = tuple(result.layout.shape[2:])
    windows = _windows(tuple(x.layout.shape[2:]), counts, (x, result, positions), kernel, stride, padding, dilation)
    _launch(_max_pool(dtype_of(x), False), "max_pool", (result, positions, x), prod(counts), *windows)


@few_axes("adaptive_max_pool")
def adaptive_max_pool(out: Any, x: Any, counts: Lengths) -> None:
    """The same of so many bins."""
    result, positions = out
    if len(counts) > _AXES:
        decompositions["adaptive_max_pool"](out, x, counts=counts)
        return
    windows = _windows(tuple(x.layout.shape[2:]), tuple(counts), (x, result, positions))
    _launch(_max_pool(dtype_of(x), True), "max_pool", (result, positions, x), prod(counts), *windows)


@few_axes("max_pool_gradient")
def max_pool_gradient(out: Any, gradient: Any, positions: Any, lengths: Lengths) -> None:
    """The gradient added up at the indices."""
    counts = tuple(gradient.layout.shape[2:])
    if len(lengths) > _AXES or max(prod(lengths), prod(counts)) >= 2**31 - _THREADS:
        decompositions["max_pool_gradient"](out, gradient, positions, lengths=lengths)
        return
    sums = blank(out, (out.layout.size,), wide(dtype_of(out)))
    windows = _windows(tuple(lengths), counts, (gradient, out, positions))
    code = _max_pool_gradient(dtype_of(out))
    _launch(code, "max_pool_gradient", (out, gradient, positions), _THREADS, *windows, beside=(address(sums),))


@few_axes("average_pool")
def average_pool(
    out: Any, x: Any, kernel: Lengths, stride: Lengths, padding: Lengths, ceil: bool, count_padding: bool, divisor: int | None
) -> None:
    """The mean of each window."""
    if len(kernel) > _AXES or divisor == 0:
        params = {"kernel": kernel, "stride": stride, "padding": padding, "ceil": ceil, "count_padding": count_padding}
        decompositions["average_pool"](out, x, **params, divisor=divisor)
        return
    counts = tuple(out.layout.shape[2:])
    windows = _windows(tuple(x.layout.shape[2:]), counts, (x, out, None), kernel, stride, padding)
    _launch(_average_pool(dtype_of(x)), "average_pool", (out, x), prod(counts), *windows, int(count_padding), divisor or 0)


@few_axes("average_pool_gradient")
def average_pool_gradient(
    out: Any, gradient: Any, lengths: Lengths, kernel: Lengths, stride: Lengths, padding: Lengths, ceil: bool,
    count_padding: bool, divisor: int | None,
) -> None:  # fmt: skip
    """The transpose of average_pool."""
    if len(kernel) > _AXES or divisor == 0:
        params = {"kernel": kernel, "stride": stride, "padding": padding, "ceil": ceil, "count_padding": count_padding}
        decompositions["average_pool_gradient"](out, gradient, lengths=lengths, **params, divisor=divisor)
        return
    counts = tuple(gradient.layout.shape[2:])
    windows = _windows(tuple(lengths), counts, (gradient, out, None), kernel, stride, padding)
    code = _average_pool(dtype_of(gradient))
    _launch(code, "average_pool_gradient", (out, gradient), prod(lengths), *windows, int(count_padding), divisor or 0)


KERNELS: Final = {
    "max_pool": (max_pool, _REAL),
    "adaptive_max_pool": (adaptive_max_pool, _REAL),
    "max_pool_gradient": (max_pool_gradient, FLOATING),
    "average_pool": (average_pool, FLOATING),
    "average_pool_gradient": (average_pool_gradient, FLOATING),
}
"""By op, its kernel and the dtypes that it serves."""
