"""Gradients of activations, one kernel call each, and the GELU that is made with a hyperbolic tangent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import ShapeError
from lamina_flatarray.dtype_rules import result_dtypes

from .array import NDArray, empty_of
from .layout import Layout
from .operands import cast, common_kernels

__all__ = [
    "gelu_gradient", "gelu_tanh", "gelu_tanh_gradient", "relu_gradient", "sigmoid_gradient", "silu_gradient",
    "softplus_gradient", "tanh_gradient",
]  # fmt: skip


def _slope(op: str) -> Callable[[NDArray, NDArray], NDArray]:
    def function(gradient: NDArray, at: NDArray) -> NDArray:
        kernels = at.flat.kernels
        if gradient.flat.kernels is not kernels:
            kernels = common_kernels(op, (gradient, at)).sibling(at.dtype)
            gradient = cast(gradient, kernels)
        layout = at.layout
        if gradient.layout.shape != layout.shape:
            raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit {list(layout.shape)}")
        made = empty_of(kernels, Layout.dense(layout.shape))
        kernels[op](made, gradient, at)
        return made

    function.__name__ = op
    function.__doc__ = f"""The gradient of {op.removesuffix("_gradient")}.

    Args:
        gradient: of the result.
        at: the argument or the result, as the op's row says; of the same shape.

    Raises:
        ShapeError: the shapes differ.
    """
    return function


(
    gelu_gradient, gelu_tanh_gradient, relu_gradient, sigmoid_gradient, silu_gradient, softplus_gradient, tanh_gradient
) = (
    _slope(f"{n}_gradient") for n in ("gelu", "gelu_tanh", "relu", "sigmoid", "silu", "softplus", "tanh")
)  # fmt: skip


def gelu_tanh(x: NDArray) -> NDArray:
    """`x * (1 + tanh((x + 0.044715 x**3) * sqrt(2 / pi))) / 2` (Hendrycks & Gimpel 2016).

    Raises:
        DTypeError: x is not floating.
    """
    result_dtypes("gelu_tanh", x.dtype)
    made: Any = empty_of(x.flat.kernels, Layout.dense(x.layout.shape))
    x.flat.kernels["gelu_tanh"](made, x)
    return made  # type: ignore[no-any-return]
