"""Softmax, its logarithm, and their gradients: one launch each."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.dtypes import DType

from ..operands import dtype_of
from .lines import FLOATING, Program, along, few_axes, program, run

__all__ = ["KERNELS"]


@lru_cache(16)
def _program(dtype: DType, logarithm: bool, gradient: bool) -> Program:
    own = f"#define LOGARITHM {int(logarithm)}"
    parameters: tuple[str, ...]
    if gradient:
        parameters = ("In* out", "const In* gradient", "const In* result", "Walk<3> outer", "Walk<3> inner")
        return program(dtype, ["lines/softmax_gradient"], {"lines": parameters}, own)
    parameters = ("In* out", "const In* x", "Walk<2> outer", "Walk<2> inner")
    return program(dtype, ["lines/exponentials", "lines/softmax"], {"lines": parameters}, own)


def _along_lines(code: Program, axis: int, *operands: Any) -> None:
    shape = tuple(operands[0].layout.shape)
    axes = (axis,) if shape else ()
    outer = tuple(n for a, n in enumerate(shape) if a not in axes)
    run(code, outer, tuple(shape[a] for a in axes), [along(x, axes) for x in operands])


@few_axes("softmax")
def softmax(out: Any, x: Any, axis: int) -> None:
    """exp(x - max) over its sum."""
    _along_lines(_program(dtype_of(x), False, False), axis, out, x)


@few_axes("log_softmax")
def log_softmax(out: Any, x: Any, axis: int) -> None:
    """x - max - log of the sum of exp(x - max)."""
    _along_lines(_program(dtype_of(x), True, False), axis, out, x)


@few_axes("softmax_gradient")
def softmax_gradient(out: Any, gradient: Any, result: Any, axis: int) -> None:
    """result * (gradient - sum(gradient * result))."""
    _along_lines(_program(dtype_of(result), False, True), axis, out, gradient, result)


@few_axes("log_softmax_gradient")
def log_softmax_gradient(out: Any, gradient: Any, result: Any, axis: int) -> None:
    """gradient - exp(result) * sum(gradient)."""
    _along_lines(_program(dtype_of(result), True, True), axis, out, gradient, result)


KERNELS: Final = {
    "softmax": (softmax, FLOATING),
    "log_softmax": (log_softmax, FLOATING),
    "softmax_gradient": (softmax_gradient, FLOATING),
    "log_softmax_gradient": (log_softmax_gradient, FLOATING),
}
"""By op, its kernel and the dtypes that it serves."""
