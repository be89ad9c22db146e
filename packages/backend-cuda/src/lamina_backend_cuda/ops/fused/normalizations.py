"""Normalisations of lines, groups of channels and batches, and their gradients: one launch for items, two more for vectors."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple

from lamina_flatarray.dtypes import DType

from ..operands import address, blank, device_of, dtype_of
from ..walks import walks
from .lines import FLOATING, Program, View, few_axes, in_dtype, parts_of, program, run, wide

__all__ = ["KERNELS"]

_LEAST: Final = 512  # items of a part of a sum
_WALKS: Final = ("Walk<6> outer", "Walk<6> inner")

Shape = tuple[int, ...]


# -- programs -----------------------------------------------------------------------------------------------------------


@lru_cache(16)
def _normalize(dtype: DType, centred: bool) -> Program:
    parameters = ("In* out", "W* means", "W* rstds", "const In* x", "const In* weight", "const In* bias", *_WALKS, "W eps")
    files = ["normalizations/deviations", "normalizations/normalize"]
    return program(dtype, files, {"lines": parameters}, f"#define CENTRED {int(centred)}")


@lru_cache(16)
def _normalize_gradient(dtype: DType, centred: bool) -> Program:
    parameters = (
        "In* out", "W* means", "W* rstds", "const In* gradient", "const In* x", "const In* weight", *_WALKS, "W eps", "int given",
    )  # fmt: skip
    files = ["normalizations/deviations", "normalizations/normalize_gradient"]
    return program(dtype, files, {"lines": parameters}, f"#define CENTRED {int(centred)}")


@lru_cache(16)
def _affine_gradient(dtype: DType, variances: bool) -> Program:
    lines = (
        "In* of_weight", "In* of_bias", "const In* gradient", "const In* x", "const W* means", "const W* scales", "Two* kept",
        *_WALKS, "W eps", "i64 parts",
    )  # fmt: skip
    joined = ("In* of_weight", "In* of_bias", "Two* kept", "Walk<2> outer", "i64 parts")
    own = f"#define VARIANCES {int(variances)}"
    return program(dtype, ["normalizations/affine_gradient"], {"lines": lines, "join_parts": joined}, own)


@lru_cache(8)
def _channels(dtype: DType) -> Program:
    kernels = {
        "batch_norm": (
            "In* out", "const In* x", "const W* means", "const W* variances", "const In* weight", "const In* bias", "Walk<6> walk",
            "W eps",
        ),
        "batch_norm_gradient": (
            "In* out", "const In* gradient", "const In* x", "const W* means", "const W* variances", "const In* weight",
            "const Two* sums", "Walk<7> walk", "W eps", "W n", "int training",
        ),
    }  # fmt: skip
    return program(dtype, ["normalizations/channels"], kernels)


@lru_cache(8)
def _channel_moments(dtype: DType) -> Program:
    lines = ("W* means", "W* variances", "const In* x", "Two* kept", "Walk<3> outer", "Walk<3> inner", "i64 parts")
    joined = ("W* means", "W* variances", "const Two* kept", "Walk<2> outer", "i64 size", "i64 parts")
    return program(dtype, ["normalizations/channel_moments"], {"lines": lines, "join_parts": joined})


# -- axes ---------------------------------------------------------------------------------------------------------------


class _Axes(NamedTuple):
    """The axes of items, where channels are split into groups where these have statistics.

    Attributes:
        shape: their lengths.
        statistics: the axes that mean and deviation have.
        vectors: those that weight and bias have.
    """

    shape: Shape
    statistics: Shape
    vectors: Shape

    @property
    def _grouped(self) -> bool:
        return self.vectors == (1, 2) and self.statistics == (0, 1)

    def lengths(self, axes: Shape) -> Shape:
        return tuple(self.shape[axis] for axis in axes)

    def others(self, axes: Shape) -> Shape:
        return tuple(axis for axis in range(len(self.shape)) if axis not in axes)

    def items(self, x: Any) -> Shape:
        strides: Shape = tuple(x.layout.strides)
        return (strides[0], strides[1] * self.shape[2], *strides[1:]) if self._grouped else strides

    def statistic(self, x: Any) -> Shape:
        return self._placed(() if x is None else x.layout.strides, self.statistics)

    def vector(self, x: Any) -> Shape:
        own = () if x is None else tuple(x.layout.strides)
        return self._placed((own[0] * self.shape[2], own[0]) if own and self._grouped else own, self.vectors)

    def _placed(self, strides: Shape, axes: Shape) -> Shape:
        placed = dict(zip(axes, strides, strict=bool(strides)))
        return tuple(placed.get(axis, 0) for axis in range(len(self.shape)))

    def view(self, x: Any, strides: Shape, counted: Shape) -> View:
        """An operand as lines, which the axes `counted` count."""
        return View(x, tuple(strides[a] for a in counted), tuple(strides[a] for a in self.others(counted)))


def _last(x: Any, ndim: int) -> _Axes:
    at = x.layout.ndim - ndim
    return _Axes(tuple(x.layout.shape), tuple(range(at)), tuple(range(at, x.layout.ndim)))


def _groups(x: Any, groups: int) -> _Axes:
    n, channels, *places = x.layout.shape
    return _Axes((n, groups, channels // groups, *places), (0, 1), (1, 2))


def _of_channels(x: Any) -> _Axes:
    return _Axes(tuple(x.layout.shape), (1,), (1,))


# -- kernels ------------------------------------------------------------------------------------------------------------


def _normalized(axes: _Axes, out: Any, mean: Any, rstd: Any, x: Any, weight: Any, bias: Any, eps: float) -> None:
    code = _normalize(dtype_of(x), mean is not None)
    counted = axes.statistics
    views = [
        axes.view(out, axes.items(out), counted),
        *(axes.view(s, axes.statistic(s), counted) for s in (mean, rstd)),
        axes.view(x, axes.items(x), counted),
        *(axes.view(v, axes.vector(v), counted) for v in (weight, bias)),
    ]
    run(code, axes.lengths(counted), axes.lengths(axes.others(counted)), views, eps, like=3)


def _gradients(axes: _Axes, outs: Any, gradient: Any, x: Any, weight: Any, mean: Any, rstd: Any, eps: float, centred: bool) -> None:
    dtype, counted = dtype_of(x), axes.statistics
    has_statistics = rstd is not None and (mean is not None or not centred)
    if has_statistics:
        mean, rstd = in_dtype(mean, wide(dtype)), in_dtype(rstd, wide(dtype))
    else:
        rstd = blank(x, axes.lengths(counted), wide(dtype))
        mean = blank(x, axes.lengths(counted), wide(dtype)) if centred else None
    views = [
        axes.view(outs[0], axes.items(outs[0]), counted),
        *(axes.view(s, axes.statistic(s), counted) for s in (mean, rstd)),
        *(axes.view(o, axes.items(o), counted) for o in (gradient, x)),
        axes.view(weight, axes.vector(weight), counted),
    ]
    code = _normalize_gradient(dtype, centred)
    run(code, axes.lengths(counted), axes.lengths(axes.others(counted)), views, eps, int(has_statistics), like=4)
    _sums(axes, outs[1], outs[2] if centred else None, gradient, x, mean, rstd, eps, False)


def _sums(
    axes: _Axes, of_weight: Any, of_bias: Any, gradient: Any, x: Any, mean: Any, scale: Any, eps: float, variances: bool
) -> Any:
    """The gradients in weight and bias; returns what they were rounded from, as pairs by item."""
    dtype, counted = dtype_of(x), axes.vectors
    outer, inner = axes.lengths(counted), axes.lengths(axes.others(counted))
    device, lines, length = device_of(x), prod(outer), prod(inner)
    alone = axes.items(x)[-1] == 1 and axes.vectors[-1] == len(axes.shape) - 1  # neighbouring lines lie side by side
    parts = parts_of(device, lines // 256 if alone else lines, length, 16 if alone else _LEAST)
    partials = blank(x, (2 * lines * parts,), wide(dtype))
    views = [
        *(axes.view(v, axes.vector(v), counted) for v in (of_weight, of_bias)),
        *(axes.view(o, axes.items(o), counted) for o in (gradient, x)),
        *(axes.view(s, axes.statistic(s), counted) for s in (mean, scale)),
    ]
    code = _affine_gradient(dtype, variances)
    run(code, outer, inner, views, eps, parts, beside=[partials], like=3, parts=parts)
    if parts > 1:
        _joined(code, outer, (of_weight, of_bias), partials, tuple(view.outer for view in views[:2]), parts)
    return partials


def _joined(code: Program, outer: Shape, outs: tuple[Any, Any], partials: Any, strides: tuple[Shape, ...], *numbers: int) -> None:
    device = device_of(partials)
    join = device.functions(code.text, code.signatures)["join_parts"]
    for walk in walks(outer, strides, True):
        firsts = [0 if out is None else address(out, begin) for out, begin in zip(outs, walk.begins, strict=True)]
        device.launch(join, walk.size, (*firsts, address(partials), *walk.values, *numbers))


@few_axes("layer_norm")
def layer_norm(out: Any, x: Any, weight: Any, bias: Any, ndim: int, eps: float) -> None:
    """(x - mean) * rstd * weight + bias over the last axes, mean and rstd."""
    _normalized(_last(x, ndim), out[0], out[1], out[2], x, weight, bias, eps)


@few_axes("layer_norm_gradient")
def layer_norm_gradient(out: Any, gradient: Any, x: Any, weight: Any, mean: Any, rstd: Any, ndim: int, eps: float) -> None:
    """The gradients in x, weight and bias."""
    _gradients(_last(x, ndim), out, gradient, x, weight, mean, rstd, eps, True)


@few_axes("rms_norm")
def rms_norm(out: Any, x: Any, weight: Any, ndim: int, eps: float) -> None:
    """x * rstd * weight over the last axes, and rstd."""
    _normalized(_last(x, ndim), out[0], None, out[1], x, weight, None, eps)


@few_axes("rms_norm_gradient")
def rms_norm_gradient(out: Any, gradient: Any, x: Any, weight: Any, rstd: Any, ndim: int, eps: float) -> None:
    """The gradients in x and weight."""
    _gradients(_last(x, ndim), out, gradient, x, weight, None, rstd, eps, False)


@few_axes("group_norm")
def group_norm(out: Any, x: Any, weight: Any, bias: Any, groups: int, eps: float) -> None:
    """As layer_norm over groups of channels."""
    _normalized(_groups(x, groups), out[0], out[1], out[2], x, weight, bias, eps)


@few_axes("group_norm_gradient")
def group_norm_gradient(out: Any, gradient: Any, x: Any, weight: Any, mean: Any, rstd: Any, groups: int, eps: float) -> None:
    """The gradients in x, weight and bias."""
    _gradients(_groups(x, groups), out, gradient, x, weight, mean, rstd, eps, True)


@few_axes("channel_moments")
def channel_moments(out: Any, x: Any) -> None:
    """Mean and variance of each channel."""
    axes, dtype = _of_channels(x), dtype_of(x)
    outer, inner = axes.lengths((1,)), axes.lengths(axes.others((1,)))
    parts = parts_of(device_of(x), prod(outer), prod(inner), _LEAST)
    partials = blank(x, (2 * prod(outer) * parts,), wide(dtype))
    code = _channel_moments(dtype)
    views = [*(axes.view(s, axes.statistic(s), (1,)) for s in out), axes.view(x, axes.items(x), (1,))]
    run(code, outer, inner, views, parts, beside=[partials], like=2, parts=parts)
    if parts > 1:
        _joined(code, outer, out, partials, tuple(view.outer for view in views[:2]), prod(inner), parts)


@few_axes("batch_norm")
def batch_norm(out: Any, x: Any, mean: Any, variance: Any, weight: Any, bias: Any, eps: float) -> None:
    """(x - mean) / sqrt(variance + eps) * weight + bias, all of them per channel."""
    axes, dtype = _of_channels(x), dtype_of(x)
    mean, variance = in_dtype(mean, wide(dtype)), in_dtype(variance, wide(dtype))
    vectors = (mean, variance, weight, bias)
    strides = (axes.items(out), axes.items(x), *(axes.vector(v) for v in vectors))
    _each_item(dtype, "batch_norm", axes.shape, (out, x, *vectors), strides, eps)


@few_axes("batch_norm_gradient")
def batch_norm_gradient(
    out: Any, gradient: Any, x: Any, mean: Any, variance: Any, weight: Any, eps: float, training: bool
) -> None:
    """The gradients in x, weight and bias; in training, through mean and variance, too."""
    axes, dtype = _of_channels(x), dtype_of(x)
    if mean is None or variance is None:
        mean, variance = (blank(x, axes.lengths((1,)), wide(dtype)) for _ in range(2))
        channel_moments((mean, variance), x)
    mean, variance = in_dtype(mean, wide(dtype)), in_dtype(variance, wide(dtype))
    sums = _sums(axes, out[1], out[2], gradient, x, mean, variance, eps, True)
    operands = (out[0], gradient, x, mean, variance, weight, sums)
    pairs = tuple(int(axis == 1) for axis in range(len(axes.shape)))
    strides = (*map(axes.items, operands[:3]), *map(axes.vector, operands[3:6]), pairs)
    n = prod(axes.lengths(axes.others((1,))))
    _each_item(dtype, "batch_norm_gradient", axes.shape, operands, strides, eps, n, int(training))


def _each_item(dtype: DType, kernel: str, shape: Shape, operands: tuple[Any, ...], strides: tuple[Shape, ...], *numbers: Any) -> None:
    code, device = _channels(dtype), device_of(operands[0])
    function = device.functions(code.text, code.signatures)[kernel]
    for walk in walks(shape, strides):
        firsts = [0 if x is None else address(x, begin) for x, begin in zip(operands, walk.begins, strict=True)]
        device.launch(function, walk.size, (*firsts, *walk.values, *numbers))


KERNELS: Final = {
    "layer_norm": (layer_norm, FLOATING),
    "layer_norm_gradient": (layer_norm_gradient, FLOATING),
    "rms_norm": (rms_norm, FLOATING),
    "rms_norm_gradient": (rms_norm_gradient, FLOATING),
    "group_norm": (group_norm, FLOATING),
    "group_norm_gradient": (group_norm_gradient, FLOATING),
    "channel_moments": (channel_moments, FLOATING),
    "batch_norm": (batch_norm, FLOATING),
    "batch_norm_gradient": (batch_norm_gradient, FLOATING),
}
"""By op, its kernel and the dtypes that it serves."""
