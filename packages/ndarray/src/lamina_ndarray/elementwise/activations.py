"""Activations and their like that are one kernel call of a floating array and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.ops import OPS

from ..array import NDArray, empty_of, view_of
from ..dispatch.operands import cast, common_kernels

__all__ = [
    "elu", "gelu_tanh", "hardshrink", "hardsigmoid", "hardswish", "huber", "leaky_relu", "logsigmoid", "mish", "scaled_softplus",
    "softshrink", "where_finite",
]  # fmt: skip


def with_arrays(op: str, x: NDArray, numbers: tuple[Any, ...]) -> tuple[KernelTable, tuple[Any, ...]]:
    """The kernels for x and numbers, and these; arrays among them in x's dtype and broadcast to its shape."""
    kernels, shape = common_kernels(op, (x, *numbers)).sibling(x.dtype), x.layout.shape
    alike = [cast(v, kernels) for v in numbers]
    return kernels, tuple([view_of(v, v.layout.broadcast_to(shape)) if isinstance(v, NDArray) else v for v in alike])


def _item_by_item(op: str) -> Callable[..., NDArray]:
    def function(x: NDArray, *numbers: Any) -> NDArray:
        kernels = x.flat.kernels
        if not kernels.dtype.is_floating_point:
            result_dtypes(op, kernels.dtype)
        for v in numbers:
            if v.__class__ is NDArray:
                kernels, numbers = with_arrays(op, x, numbers)
        made = empty_of(kernels, x.layout.result)
        kernels[op](made, x, *numbers)
        return made

    row = OPS[op]
    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"""{row.doc[0].upper()}{row.doc[1:]}, item by item.

    Args:
        x: an array.
        numbers: {", ".join(row.inputs[1:]) or "none"}; or arrays of x's dtype that broadcast to its shape.

    Raises:
        DTypeError: x is not floating.
        ShapeError: an array does not broadcast to x's shape.
    """
    return function


(
    elu, gelu_tanh, hardshrink, hardsigmoid, hardswish, huber, leaky_relu, logsigmoid, mish, scaled_softplus, softshrink, where_finite,
) = map(_item_by_item, __all__)  # fmt: skip
