"""Losses of scores against classes, and their gradients: one launch, and one more where all losses become one.

A target that is no class is told when the host next waits for the device; losses and gradients take such a one for ignored.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DType

from ..operands import address, blank, device_of, dtype_of, walks_of
from ..sources import source
from ..walks import walks
from .lines import FLOATING, Program, View, few_axes, program, run, wide

__all__ = ["KERNELS"]

_JOINED: Final = ("In* out", "const Two* kept", "i64 count", "int mean")
_WEIGHTS: Final = ("Two* out", "const i64* target", "const In* weight", "Walk<1> targets", "i64 ignored", "i64 classes", "i64 weight_step")
_BLOCK: Final = 256

Shape = tuple[int, ...]


# -- programs -----------------------------------------------------------------------------------------------------------


@lru_cache(8)
def _entropy(dtype: DType) -> Program:
    lines = (
        "In* losses", "double* logs", "const In* x", "const i64* target", "const In* weight", "Two* kept", "u64* wrong",
        "Walk<5> outer", "Walk<5> inner", "i64 ignored", "W smoothing", "i64 weight_step",
    )  # fmt: skip
    files = ["lines/exponentials", "losses/targets", "losses/cross_entropy"]
    return program(dtype, files, {"lines": lines, "join_losses": _JOINED}, source("outside"))


@lru_cache(8)
def _entropy_gradient(dtype: DType) -> Program:
    lines = (
        "In* out", "const In* gradient", "const In* x", "const i64* target", "const In* weight", "const double* logs",
        "const Two* sums", "u64* wrong", "Walk<6> outer", "Walk<6> inner", "i64 ignored", "W smoothing", "int mean", "i64 weight_step",
    )  # fmt: skip
    files = ["lines/exponentials", "losses/targets", "losses/cross_entropy_gradient"]
    return program(dtype, files, {"lines": lines, "sum_weights": _WEIGHTS}, source("outside"))


@lru_cache(8)
def _likelihood(dtype: DType) -> Program:
    kernels = {
        "nll_loss": (
            "In* losses", "const In* x", "const i64* target", "const In* weight", "Two* kept", "u64* wrong", "Walk<3> walk",
            "i64 ignored", "i64 classes", "i64 x_step", "i64 weight_step",
        ),
        "nll_loss_gradient": (
            "In* out", "const In* gradient", "const i64* target", "const In* weight", "const Two* sums", "u64* wrong",
            "Walk<3> outer", "i64 ignored", "i64 classes", "i64 out_step", "int mean", "i64 weight_step",
        ),
        "join_losses": _JOINED,
        "sum_weights": _WEIGHTS,
    }  # fmt: skip
    return program(dtype, ["losses/targets", "losses/nll_loss"], kernels, source("outside"))


# -- what is told once for all targets ----------------------------------------------------------------------------------


def _joined(code: Program, out: Any, partials: Any, count: int, reduction: str) -> None:
    device = device_of(out)
    join = device.functions(code.text, code.signatures)["join_losses"]
    device.launch(join, _BLOCK, (address(out), address(partials), count, int(reduction == "mean")))


def _weights(code: Program, target: Any, weight: Any, classes: int, ignored: int, dtype: DType) -> Any:
    """The sums of weights over all targets, and over all classes."""
    device, sums = device_of(target), blank(target, (2,), wide(dtype))
    kernel = device.functions(code.text, code.signatures)["sum_weights"]
    for walk in walks_of(target) or ():  # one, as there are few axes
        weight_at = 0 if weight is None else address(weight)
        arguments = (address(sums), address(target), weight_at, *walk.values, ignored, classes, _step(weight))
        device.launch(kernel, _BLOCK, arguments)
    return sums


def _step(vector: Any) -> int:
    return 0 if vector is None else int(vector.layout.strides[0])


def _without(values: Shape, axis: int) -> Shape:
    return (*values[:axis], *values[axis + 1 :])


def _lines(x: Any, axis: int) -> View:
    strides = tuple(x.layout.strides)
    return View(x, _without(strides, axis), (strides[axis],))


def _each(x: Any) -> View:
    return View(None, (), ()) if x is None else View(x, tuple(x.layout.strides), (0,))


# -- kernels ------------------------------------------------------------------------------------------------------------


@few_axes("cross_entropy")
def cross_entropy(
    out: Any, x: Any, target: Any, weight: Any, axis: int, smoothing: float, ignored: int, reduction: str
) -> None:
    """The negated log-softmax of the target class, times its weight; and the log of the sum of exponentials."""
    losses, logs = out
    shape, dtype = tuple(x.layout.shape), dtype_of(x)
    if not x.layout.size:
        decompositions["cross_entropy"](
            out, x, target, weight, axis=axis, smoothing=smoothing, ignored=ignored, reduction=reduction
        )
        return
    code, rows, errors = _entropy(dtype), _without(shape, axis), device_of(x).late_errors
    partials = None if reduction == "none" else blank(x, (2 * prod(rows),), wide(dtype))
    vector = View(weight, (0,) * len(rows), (_step(weight),))
    views = [_each(losses) if partials is None else _each(None), _each(logs), _lines(x, axis), _each(target), vector]
    numbers = (ignored, smoothing, _step(weight))
    run(code, rows, shape[axis : axis + 1], views, *numbers, beside=[partials], words=[errors.word("cross_entropy")], like=2)
    if partials is not None:
        _joined(code, losses, partials, prod(rows), reduction)
    errors.launched()


@few_axes("cross_entropy_gradient")
def cross_entropy_gradient(
    out: Any, gradient: Any, x: Any, target: Any, weight: Any, logsumexp: Any, axis: int, smoothing: float, ignored: int,
    reduction: str,
) -> None:  # fmt: skip
    """softmax(x) less 1 at the targets, times weights and gradient."""
    shape, dtype = tuple(x.layout.shape), dtype_of(x)
    if not x.layout.size:
        return
    code, rows, mean = _entropy_gradient(dtype), _without(shape, axis), reduction == "mean"
    sums = _weights(code, target, weight, shape[axis], ignored, dtype) if mean or smoothing else None
    slopes = _each(gradient) if reduction == "none" else View(gradient, (0,) * len(rows), (0,))
    vector = View(weight, (0,) * len(rows), (_step(weight),))
    views = [_lines(out, axis), slopes, _lines(x, axis), _each(target), vector, _each(logsumexp)]
    numbers, errors = (ignored, smoothing, int(mean), _step(weight)), device_of(x).late_errors
    word = errors.word("cross_entropy_gradient")
    run(code, rows, shape[axis : axis + 1], views, *numbers, beside=[sums], words=[word], like=2)
    errors.launched()


@few_axes("nll_loss")
def nll_loss(out: Any, x: Any, target: Any, weight: Any, axis: int, ignored: int, reduction: str) -> None:
    """The negated item of the target class, times its weight."""
    shape, dtype, device = tuple(x.layout.shape), dtype_of(x), device_of(x)
    if not x.layout.size:
        decompositions["nll_loss"](out, x, target, weight, axis=axis, ignored=ignored, reduction=reduction)
        return
    code, rows, errors = _likelihood(dtype), _without(shape, axis), device.late_errors
    partials = None if reduction == "none" else blank(x, (2 * prod(rows),), wide(dtype))
    kernel = device.functions(code.text, code.signatures)["nll_loss"]
    strides = tuple(x.layout.strides)
    own = tuple(out.layout.strides) if partials is None else (0,) * len(rows)
    for walk in walks(rows, (own, _without(strides, axis), tuple(target.layout.strides)), True):
        firsts = (address(out) if partials is None else 0, address(x), address(target), 0 if weight is None else address(weight))
        beside = (0 if partials is None else address(partials), errors.word("nll_loss"))
        numbers = (ignored, shape[axis], strides[axis], _step(weight))
        device.launch(kernel, walk.size, (*firsts, *beside, *walk.values, *numbers))
    if partials is not None:
        _joined(code, out, partials, prod(rows), reduction)
    errors.launched()


@few_axes("nll_loss_gradient")
def nll_loss_gradient(
    out: Any, gradient: Any, target: Any, weight: Any, axis: int, classes: int, ignored: int, reduction: str
) -> None:
    """-weight[target] * gradient at the targets, and 0 elsewhere."""
    dtype, device, rows = dtype_of(out), device_of(out), tuple(target.layout.shape)
    if not out.layout.size:
        return
    code, mean = _likelihood(dtype), reduction == "mean"
    sums = _weights(code, target, weight, classes, ignored, dtype) if mean else None
    kernel = device.functions(code.text, code.signatures)["nll_loss_gradient"]
    slopes = tuple(gradient.layout.strides) if reduction == "none" else (0,) * len(rows)
    strides, errors = tuple(out.layout.strides), device.late_errors
    for walk in walks(rows, (_without(strides, axis), slopes, tuple(target.layout.strides)), True):
        firsts = (address(out), address(gradient), address(target), 0 if weight is None else address(weight))
        numbers = (ignored, classes, strides[axis], int(mean), _step(weight))
        beside = (0 if sums is None else address(sums), errors.word("nll_loss_gradient"))
        device.launch(kernel, walk.size * classes, (*firsts, *beside, *walk.values, *numbers))
    errors.launched()


KERNELS: Final = {
    "cross_entropy": (cross_entropy, FLOATING),
    "cross_entropy_gradient": (cross_entropy_gradient, FLOATING),
    "nll_loss": (nll_loss, FLOATING),
    "nll_loss_gradient": (nll_loss_gradient, FLOATING),
}
"""By op, its kernel and the dtypes that it serves."""
