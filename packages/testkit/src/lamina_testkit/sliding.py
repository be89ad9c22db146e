"""The cases of ops over sliding windows: one to three spatial axes, and strides, paddings, dilations and groups that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from lamina_ndarray.layers.convolutions.sliding import window_counts

__all__ = ["SLIDING", "input_shapes", "output_shape"]

Shape = tuple[int, ...]
Variants = Iterator[tuple[Shape, dict[str, Any]]]

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


def _sliding(shape: Shape, kernel: Shape, params: dict[str, Any]) -> Shape:
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


SLIDING: Final[dict[str, Callable[[], Variants]]] = {
    "convolution": _convolutions,
    "convolution_input_gradient": _transposed,
    "convolution_weight_gradient": _of_weights,
    "max_pool": _greatest,
    "max_pool_gradient": _to_greatest,
    "adaptive_max_pool": _of_bins,
    "average_pool": _means,
    "average_pool_gradient": _spread,
}
"""Op -> its variants: shapes of the first input, with parameters for the kernel."""


def _convolution(op: str, shape: Shape, params: dict[str, Any]) -> tuple[Shape, Shape]:
    """The shapes of x and of the weight of the row that a variant was made of."""
    variants = SLIDING[op]
    place = next(i for i, variant in enumerate(variants()) if variant == (shape, params))
    return _CONVOLUTIONS[place][0], _CONVOLUTIONS[place][1]


def input_shapes(op: str, shape: Shape, params: dict[str, Any]) -> tuple[Shape, ...]:
    """The shapes of all inputs of a variant."""
    if op == "max_pool_gradient":
        return shape, shape
    if not op.startswith("convolution"):
        return (shape,)
    x, weight = _convolution(op, shape, params)
    if op == "convolution":
        return x, weight, weight[:1]
    if op == "convolution_input_gradient":
        return shape, weight, x[1:2]
    return shape, x


def output_shape(op: str, shape: Shape, params: dict[str, Any]) -> Shape:
    """The shape of the results of a variant."""
    if op == "convolution":
        _, weight = _convolution(op, shape, params)
        return (shape[0], weight[0], *_sliding(shape, weight[2:], params))
    if op == "convolution_input_gradient":
        return _convolution(op, shape, params)[0]
    if op == "convolution_weight_gradient":
        return _convolution(op, shape, params)[1]
    if op == "adaptive_max_pool":
        return (*shape[:2], *params["counts"])
    if op in ("max_pool_gradient", "average_pool_gradient"):
        return (*shape[:2], *params["lengths"])
    return (*shape[:2], *_sliding(shape, params["kernel"], params))
