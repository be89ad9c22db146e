"""Inputs of ops over sliding windows: one to three spatial axes, and strides, paddings, dilations and groups that matter."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Final

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray.ops import OPS
from lamina_ndarray.layers.convolutions.sliding import window_counts

from .maker import Array, Maker, Params, Sample, Shape, Variants, results
from .values import numbers

__all__ = ["MAKERS"]

_CONVOLUTIONS: Final = (
    # shape, weight's shape, stride, padding, dilation, groups
    ((2, 3, 8), (4, 3, 3), (1,), (0,), (1,), 1),
    ((1, 2, 9), (2, 1, 4), (3,), (2,), (2,), 2),
    ((2, 4, 6, 5), (6, 2, 3, 2), (1, 1), (1, 0), (1, 1), 2),
    ((1, 3, 7, 8), (3, 1, 3, 3), (2, 1), (2, 1), (1, 2), 3),
    ((2, 2, 5, 5), (3, 2, 1, 1), (2, 2), (0, 0), (1, 1), 1),
    ((1, 1, 6, 6), (2, 1, 2, 2), (3, 3), (0, 0), (1, 1), 1),
    ((0, 2, 4, 4), (1, 2, 3, 3), (1, 1), (1, 1), (1, 1), 1),
    ((1, 2, 4, 5, 3), (2, 2, 2, 3, 2), (1, 2, 1), (0, 1, 1), (1, 1, 2), 1),
    ((4, 48, 12, 13), (49, 48, 3, 3), (1, 1), (1, 0), (1, 1), 1),  # so much that a fast algorithm may pay
)
_POOLS: Final = (
    # shape, kernel, stride, padding, dilation, ceil
    ((2, 3, 8), (3,), (2,), (1,), (1,), False),
    ((1, 2, 9), (2,), (3,), (0,), (2,), True),
    ((2, 2, 6, 7), (2, 3), (2, 2), (1, 1), (1, 1), False),
    ((1, 1, 7, 5), (3, 2), (1, 2), (1, 0), (2, 1), True),
    ((0, 2, 4, 4), (2, 2), (2, 2), (0, 0), (1, 1), False),
    ((1, 2, 4, 5, 3), (2, 2, 2), (1, 2, 1), (0, 1, 1), (1, 1, 1), True),
)

_GRIDS: Final = (
    # shape, counts of points
    ((2, 3, 4, 5), (3, 2)),
    ((1, 2, 1, 3), (2, 70)),
    ((0, 2, 3, 3), (2, 2)),
    ((2, 2, 3, 3), (0, 2)),
    ((1, 2, 3, 4, 2), (2, 3, 2)),
)


def _sliding(shape: Shape, kernel: Shape, params: Params) -> Shape:
    dilation = params.get("dilation", (1,) * len(kernel))
    return window_counts(shape[2:], kernel, params["stride"], params["padding"], dilation, params.get("ceil", False))


def _convolutions() -> Variants:
    for shape, _, *settings in _CONVOLUTIONS:
        yield shape, dict(zip(("stride", "padding", "dilation", "groups"), settings, strict=True))


def _transposed() -> Variants:
    for shape, weight, *settings in _CONVOLUTIONS:
        params = dict(zip(("stride", "padding", "dilation", "groups"), settings, strict=True))
        yield (shape[0], weight[0], *_sliding(shape, weight[2:], params)), {"lengths": shape[2:], **params}


def _of_weights() -> Variants:
    for shape, weight, *settings in _CONVOLUTIONS:
        params = dict(zip(("stride", "padding", "dilation", "groups"), settings, strict=True))
        yield (shape[0], weight[0], *_sliding(shape, weight[2:], params)), {"lengths": weight[2:], **params}


def _greatest() -> Variants:
    for shape, *settings in _POOLS:
        yield shape, dict(zip(("kernel", "stride", "padding", "dilation", "ceil"), settings, strict=True))


def _of_bins() -> Variants:
    for shape, counts in (
        ((2, 3, 8), (3,)), ((2, 2, 6, 7), (4, 7)), ((1, 2, 5, 3), (7, 2)), ((0, 2, 4, 4), (3, 1)), ((1, 1, 4, 5, 3), (3, 2, 2)),
    ):  # fmt: skip
        yield shape, {"counts": counts}


def _to_greatest() -> Variants:
    for shape, params in _greatest():
        yield (*shape[:2], *_sliding(shape, params["kernel"], params)), {"lengths": shape[2:]}


def _means() -> Variants:
    for shape, kernel, stride, padding, _, ceil in _POOLS:
        for count_padding, divisor in ((True, None), (False, None), (True, 3)):
            yield shape, {
                "kernel": kernel, "stride": stride, "padding": padding, "ceil": ceil, "count_padding": count_padding,
                "divisor": divisor,
            }  # fmt: skip


def _spread() -> Variants:
    for shape, params in _means():
        yield (*shape[:2], *_sliding(shape, params["kernel"], params)), {"lengths": shape[2:], **params}


def _convolution(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    place = list(MAKERS[op].variants()).index((shape, params))  # variants come in the order of the rows
    x, weight = _CONVOLUTIONS[place][:2]
    out = (x[0], weight[0], *_sliding(x, weight[2:], params))
    operands: dict[str, tuple[tuple[Shape, ...], Shape]] = {
        "convolution": ((x, weight, weight[:1]), out),
        "convolution_input_gradient": ((out, weight, x[1:2]), x),
        "convolution_weight_gradient": ((out, x), weight),
    }
    inputs, result = operands[op]
    return Sample([numbers(i, own, dtype) for i, own in enumerate(inputs)], results(op, result, dtype))


def _pooled(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    spatial = params["counts"] if op == "adaptive_max_pool" else _sliding(shape, params["kernel"], params)
    return Sample([numbers(0, shape, dtype)], results(op, (*shape[:2], *spatial), dtype))


def _unpooled(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    lengths = params["lengths"]
    indices = (np.arange(prod(shape)).reshape(shape) * 7 + 3) % prod(lengths)
    inputs = [numbers(0, shape, dtype), indices][: OPS[op].arity]
    return Sample(inputs, results(op, (*shape[:2], *lengths), dtype))


def _of_grids() -> Variants:
    """All settings of the first images, and of the others so many that each occurs."""
    every = list(product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"), (False, True)))
    for shape, _ in _GRIDS:
        for mode, padding, align_corners in every if shape == _GRIDS[0][0] else every[::5]:
            if mode != "bicubic" or len(shape) == 4:
                yield shape, {"mode": mode, "padding": padding, "align_corners": align_corners}


def _points(shape: Shape, counts: Shape) -> Array:
    """Coordinates of which some lie beyond the borders, none where an interpolation has a corner."""
    steps = np.arange(shape[0] * prod(counts) * len(counts), dtype=np.float64) * 0.6180339887 + 0.137
    return ((steps % 1) * 2.75 - 1.375).reshape((shape[0], *counts, len(counts)))


def _sampled(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    counts = dict(_GRIDS)[shape]
    x, grid, result = numbers(0, shape, dtype), _points(shape, counts).astype(dtype.numpy), (*shape[:2], *counts)
    if op == "grid_sample":
        return Sample([x, grid], results(op, result, dtype))
    return Sample([numbers(2, result, dtype), x, grid], [(shape, dtype), (grid.shape, dtype)])


MAKERS: Final = {
    "adaptive_max_pool": Maker(_of_bins, _pooled),
    "average_pool": Maker(_means, _pooled),
    "average_pool_gradient": Maker(_spread, _unpooled),
    "convolution": Maker(_convolutions, _convolution),
    "convolution_input_gradient": Maker(_transposed, _convolution),
    "convolution_weight_gradient": Maker(_of_weights, _convolution),
    "grid_sample": Maker(_of_grids, _sampled),
    "grid_sample_gradient": Maker(_of_grids, _sampled),
    "max_pool": Maker(_greatest, _pooled),
    "max_pool_gradient": Maker(_to_greatest, _unpooled),
}
"""By the name that an op's record gives."""
