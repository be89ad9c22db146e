"""Gradients of sums over sliding windows and other neighbours: convolutions of convolutions, so that they have gradients again."""

from __future__ import annotations

from math import prod
from typing import Any

from lamina_ndarray import Layout
from lamina_ndarray.layers.convolutions.correlation import convolved_layout
from lamina_ndarray.layers.resampling.weighting import transposed_weights
from lamina_ndarray.layouts.image_order import arranged

from ...autograd.rules import joint_rule, not_differentiable, rule
from ...dispatch.dispatched import dispatched, fused_or_formula
from ...methods.shapes.memory_order import lying
from ...tensor_fields import AnyTensor

convolution, input_gradient, weight_gradient, max_pool_gradient, average_pool, average_pool_gradient, sliding_windows, overlap_add = (
    dispatched(n)
    for n in (
        "convolution", "convolution_input_gradient", "convolution_weight_gradient", "max_pool_gradient", "average_pool",
        "average_pool_gradient", "sliding_windows", "overlap_add",
    )
)  # fmt: skip
total, conj, reshape, gather, weighted_items = (
    dispatched(n) for n in ("sum", "conj", "reshape", "gather", "weighted_items")
)


def _lying(gradient: Any, *operands: Layout) -> Any:
    """As the result does, whatever order the gradient of that lies in."""
    layout = convolved_layout(gradient.shape, *operands)
    return lying(gradient, layout) if isinstance(gradient, AnyTensor) else arranged(gradient, layout)


# The three are one form, the sum over gradient, input and weight: held to two of them, it is linear in the third.

rule(
    "convolution",
    x=lambda g, x_layout, weight, weight_layout, stride, padding, dilation, groups: _lying(input_gradient(
        g, conj(weight), None, x_layout.shape[2:], stride, padding, dilation, groups), x_layout, weight_layout),
    weight=lambda g, x, x_layout, weight_layout, stride, padding, dilation, groups: _lying(weight_gradient(
        g, conj(x), weight_layout.shape[2:], stride, padding, dilation, groups), x_layout, weight_layout),
    bias=lambda g: total(g, (0, *range(2, g.ndim))),
)  # fmt: skip
rule(
    "convolution_input_gradient",
    gradient=lambda g, gradient_layout, weight, weight_layout, stride, padding, dilation, groups: _lying(convolution(
        g, conj(weight), None, stride, padding, dilation, groups), gradient_layout, weight_layout),
    weight=lambda g, gradient, gradient_layout, weight_layout, stride, padding, dilation, groups: _lying(weight_gradient(
        conj(gradient), g, weight_layout.shape[2:], stride, padding, dilation, groups), gradient_layout, weight_layout),
    bias=lambda g: total(g, (0, *range(2, g.ndim))),
    node_name="ConvolutionBackward0",
)  # fmt: skip
rule(
    "convolution_weight_gradient",
    gradient=lambda g, x, stride, padding, dilation, groups: convolution(conj(x), g, None, stride, padding, dilation, groups),
    x=lambda g, gradient, x_shape, stride, padding, dilation, groups: input_gradient(
        conj(gradient), g, None, x_shape[2:], stride, padding, dilation, groups),
    node_name="ConvolutionBackwardBackward0",
)  # fmt: skip

rule("sliding_windows", x=lambda g, x_shape, stride, padding, dilation: overlap_add(
    g, x_shape[2:], stride, padding, dilation), node_name="Im2ColBackward0")  # fmt: skip


def _shown(g: Any, windows_shape: tuple[int, ...], stride: Any, padding: Any, dilation: Any) -> Any:
    return sliding_windows(g, windows_shape[2 : len(windows_shape) // 2 + 1], stride, padding, dilation)


rule("overlap_add", inputs="windows", windows=_shown, node_name="Col2ImBackward0")


def _at_greatest(g: Any, positions: Any) -> Any:
    """The items of g at the positions, window by window."""
    n, channels, *counts = positions.shape
    flat = reshape(g, (n, channels, prod(g.shape[2:])))
    return reshape(gather(flat, reshape(positions, (n, channels, prod(counts))), 2), tuple(positions.shape))


rule("max_pool", x=lambda g, y, x_shape: max_pool_gradient(g[0], y[1], x_shape[2:]),
     node_name="MaxPool2DWithIndicesBackward0")  # fmt: skip
rule("adaptive_max_pool", x=lambda g, y, x_shape: max_pool_gradient(g[0], y[1], x_shape[2:]),
     node_name="AdaptiveMaxPool2DBackward0")  # fmt: skip
rule("max_pool_gradient", gradient=lambda g, positions: _at_greatest(g, positions), node_name="MaxPool2DBackwardBackward0")
rule("average_pool", x=lambda g, x_shape, kernel, stride, padding, ceil, count_padding, divisor: average_pool_gradient(
    g, x_shape[2:], kernel, stride, padding, ceil, count_padding, divisor), node_name="AvgPool2DBackward0")  # fmt: skip
rule(
    "average_pool_gradient",
    gradient=lambda g, kernel, stride, padding, ceil, count_padding, divisor: average_pool(
        g, kernel, stride, padding, ceil, count_padding, divisor),
    node_name="AvgPool2DBackwardBackward0",
)  # fmt: skip
rule("weighted_items", x=lambda g, x_shape, axis, places, weights, used: weighted_items(
    g, axis, *transposed_weights(x_shape[axis], places, weights, used)), node_name="UpsampleBackward0")  # fmt: skip

_sampled = fused_or_formula("grid_sample_gradient")

joint_rule("grid_sample", "x grid", lambda g, x, grid, mode, padding, align_corners: _sampled(
    g, x, grid, mode=mode, padding=padding, align_corners=align_corners), node_name="GridSampler2DBackward0")  # fmt: skip
not_differentiable("grid_sample_gradient")  # recorded as what it is composed of
