"""Gradients of activations, one kernel call each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ShapeError

from ..array import NDArray, empty_of
from ..dispatch.operands import cast, common_kernels
from ..layouts.layout import Layout
from .activations import with_arrays

__all__ = [
    "elu_gradient", "gelu_gradient", "gelu_tanh_gradient", "hardsigmoid_gradient", "hardswish_gradient", "hardtanh_gradient",
    "leaky_relu_gradient", "mish_gradient", "relu_gradient", "shrink_gradient", "sigmoid_gradient", "silu_gradient",
    "softplus_gradient", "tanh_gradient",
]  # fmt: skip


def _slope(op: str) -> Callable[..., NDArray]:
    def function(gradient: NDArray, at: NDArray, *numbers: Any) -> NDArray:
        kernels = at.flat.kernels
        for v in numbers:
            if v.__class__ is NDArray:
                kernels, numbers = with_arrays(op, at, numbers)
        if gradient.flat.kernels is not kernels:
            kernels = common_kernels(op, (gradient, at, *numbers)).sibling(at.dtype)
            gradient = cast(gradient, kernels)
        layout = at.layout
        if gradient.layout.shape != layout.shape:
            raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit {list(layout.shape)}")
        made = empty_of(kernels, Layout.dense(layout.shape))
        kernels[op](made, gradient, at, *numbers)
        return made

    function.__name__ = op
    function.__doc__ = f"""The gradient of {op.removesuffix("_gradient")}.

    Args:
        gradient: of the result.
        at: the argument or the result, as the op's row says; of the same shape.
        numbers: the activation's own, as its row names them; or arrays that broadcast to this shape.

    Raises:
        ShapeError: the shapes differ.
    """
    return function


(
    elu_gradient, gelu_gradient, gelu_tanh_gradient, hardsigmoid_gradient, hardswish_gradient, hardtanh_gradient,
    leaky_relu_gradient, mish_gradient, relu_gradient, shrink_gradient, sigmoid_gradient, silu_gradient, softplus_gradient,
    tanh_gradient,
) = map(_slope, __all__)  # fmt: skip
