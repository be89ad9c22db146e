"""Convolution and its transposes as products of matrices that are never made: one launch, and one more where the depth is in parts."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple

from lamina_flatarray.backends.kernel_table import decompositions
from lamina_flatarray.dtypes import DType

from ..operands import address, blank, device_of, dtype_of
from .lines import FLOATING, Program, few_axes, parts_of, program, wide
from .pooling import padded
from .tiles import THREADS, declared, tile_of

__all__ = ["KERNELS"]

_AXES: Final = 3
_LEAST: Final = 512  # items along the depth that a part has
_SLIDING: Final = "48q"
_LARGEST: Final = 2**31 - 1

Lengths = tuple[int, ...]


@lru_cache(8)
def _program(dtype: DType) -> Program:
    kernels = {
        "slide": ("In* out", "W* kept", "const In* left", "const In* right", "const In* bias", "Sliding s", "i64 parts"),
        "join_parts": ("In* out", "const W* kept", "const In* bias", "Sliding s", "i64 parts"),
    }
    files = ["tiles/tiles", "tiles/convolution"]
    return program(dtype, files, kernels, declared(dtype), structs={"Sliding": _SLIDING})


class _Side(NamedTuple):
    """What columns, or the depth, are one of: some things, and a place along each axis, which moves the position.

    Attributes:
        things: how many there are.
        lengths: of the axes.
        scale, shift: a place times the one, plus the other, is what the position is moved by.
    """

    things: int
    lengths: Lengths
    scale: Lengths
    shift: Lengths

    @property
    def size(self) -> int:
        return self.things * prod(self.lengths)


class _Strides(NamedTuple):
    """How an operand of a group is walked: along rows or things, along places, and to the next group."""

    row: int
    things: int
    places: Lengths
    group: int


def _strides(x: Any, row: int, things: int, groups: int, group_axis: int) -> _Strides:
    """Of an operand whose axis `row` has rows and `things` has things; `group_axis` is the one that groups divide."""
    strides = tuple(x.layout.strides)
    return _Strides(strides[row], strides[things], strides[2:], strides[group_axis] * (x.layout.shape[group_axis] // groups))


def _slide(
    out: Any, left: Any, right: Any, bias: Any, rows: int, groups: int, columns: _Side, deep: _Side, steps: tuple[_Strides, ...],
    right_steps: tuple[int, int], divisors: Lengths, bounds: Lengths,
) -> None:  # fmt: skip
    """Queue the product. `steps` are those of out and left, `right_steps` those of a column's thing and of one along the depth."""
    dtype, device = dtype_of(out), device_of(out)
    of_out, of_left, of_right = steps
    numbers = (
        rows, columns.size, deep.size, groups, of_left.row, of_left.things, *padded(of_left.places, 0), of_left.group,
        *_packed(columns, right_steps[0]), *_packed(deep, right_steps[1]), *padded(divisors, 1), *padded(bounds, 1),
        *padded(of_right.places, 0), of_right.group, of_out.row, of_out.things, *padded(of_out.places, 0), of_out.group,
        *((0, 0) if bias is None else (bias.layout.strides[0], bias.layout.strides[0] * rows)),
    )  # fmt: skip
    tile = tile_of(dtype)
    tiles = groups * -(-rows // tile) * -(-columns.size // tile)
    parts = parts_of(device, tiles, deep.size, _LEAST)
    partials = blank(out, (parts * groups * rows * columns.size,), wide(dtype)) if parts > 1 else None
    code = _program(dtype)
    functions = device.functions(code.text, code.signatures)
    at, bias_at, partials_at = address(out), 0 if bias is None else address(bias), 0 if partials is None else address(partials)
    values = (at, partials_at, address(left), address(right), bias_at, *numbers, parts)
    device.launch(functions["slide"], tiles * parts * THREADS, values, THREADS)
    if partials is not None:
        device.launch(functions["join_parts"], groups * rows * columns.size, (at, partials_at, bias_at, *numbers, parts))


def _packed(side: _Side, step: int) -> tuple[int, ...]:
    return (*padded(side.lengths, 1), step, *padded(side.scale, 0), *padded(side.shift, 0))


def _too_much(*operands: Any) -> bool:
    """Whether there are more axes, or longer ones, than kernels count."""
    return any(x.layout.ndim - 2 > _AXES or x.layout.size > _LARGEST for x in operands)


def _opposite(values: Lengths) -> Lengths:
    return tuple(-n for n in values)


@few_axes("convolution")
def convolution(
    out: Any, x: Any, weight: Any, bias: Any, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> None:
    """out[n, o] = bias[o] + the sum of x[n, c] slid over weight[o, c], within groups."""
    n, outputs, *counts = out.layout.shape
    _, channels, *kernel = weight.layout.shape
    if _too_much(out, x, weight) or not weight.layout.size:
        params = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        decompositions["convolution"](out, x, weight, bias, **params)
        return
    if not out.layout.size:
        return
    columns = _Side(n, tuple(counts), stride, _opposite(padding))
    deep = _Side(channels, tuple(kernel), dilation, (0,) * len(kernel))
    steps = (_strides(out, 1, 0, groups, 1), _strides(weight, 0, 1, groups, 0), _strides(x, 1, 0, groups, 1))
    right_steps = (x.layout.strides[0], x.layout.strides[1])
    ones = (1,) * len(kernel)
    _slide(out, weight, x, bias, outputs // groups, groups, columns, deep, steps, right_steps, ones, tuple(x.layout.shape[2:]))


@few_axes("convolution_input_gradient")
def convolution_input_gradient(
    out: Any, gradient: Any, weight: Any, bias: Any, lengths: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths,
    groups: int,
) -> None:  # fmt: skip
    """The transpose of convolution in x."""
    n, channels = out.layout.shape[:2]
    outputs, _, *kernel = weight.layout.shape
    if _too_much(out, gradient, weight) or not weight.layout.size or not gradient.layout.size:
        params = {"lengths": lengths, "stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        decompositions["convolution_input_gradient"](out, gradient, weight, bias, **params)
        return
    if not out.layout.size:
        return
    ones = (1,) * len(kernel)
    columns = _Side(n, tuple(lengths), ones, tuple(padding))
    deep = _Side(outputs // groups, tuple(kernel), _opposite(dilation), (0,) * len(kernel))
    steps = (_strides(out, 1, 0, groups, 1), _strides(weight, 1, 0, groups, 0), _strides(gradient, 1, 0, groups, 1))
    right_steps = (gradient.layout.strides[0], gradient.layout.strides[1])
    bounds = tuple(gradient.layout.shape[2:])
    _slide(out, weight, gradient, bias, channels // groups, groups, columns, deep, steps, right_steps, tuple(stride), bounds)


@few_axes("convolution_weight_gradient")
def convolution_weight_gradient(
    out: Any, gradient: Any, x: Any, lengths: Lengths, stride: Lengths, padding: Lengths, dilation: Lengths, groups: int
) -> None:
    """The transpose of convolution in the weight."""
    outputs, channels = out.layout.shape[:2]
    n, _, *counts = gradient.layout.shape
    if _too_much(out, gradient, x) or not gradient.layout.size or not x.layout.size:
        params = {"lengths": lengths, "stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
        decompositions["convolution_weight_gradient"](out, gradient, x, **params)
        return
    if not out.layout.size:
        return
    columns = _Side(channels, tuple(lengths), dilation, (0,) * len(lengths))
    deep = _Side(n, tuple(counts), stride, _opposite(padding))
    steps = (_strides(out, 0, 1, groups, 0), _strides(gradient, 1, 0, groups, 1), _strides(x, 1, 0, groups, 1))
    right_steps = (x.layout.strides[1], x.layout.strides[0])
    ones = (1,) * len(lengths)
    _slide(out, gradient, x, None, outputs // groups, groups, columns, deep, steps, right_steps, ones, tuple(x.layout.shape[2:]))


KERNELS: Final = {
    "convolution": (convolution, FLOATING),
    "convolution_input_gradient": (convolution_input_gradient, FLOATING),
    "convolution_weight_gradient": (convolution_weight_gradient, FLOATING),
}
"""By op, its kernel and the dtypes that it serves."""
