"""The gradient of a product with a weight of few bits: in what is multiplied, and in the bias; integers have none."""

from __future__ import annotations

from typing import Any

from lamina_ndarray.layers.quantized_products import quantized_linear, quantized_linear_gradient

from ...autograd.recording import array_of, recorded
from ...autograd.rules import RULES, rule
from ...dispatch.dispatched import dispatched
from ...tensor_fields import AnyTensor
from ..products import rows

total = dispatched("sum")


def _of_x(g: Any, weight: Any, scale: Any, zero_point: Any, x_shape: tuple[int, ...], bits: int, group_size: int) -> Any:
    params: dict[str, Any] = {"length": x_shape[-1], "bits": bits, "group_size": group_size}
    if not isinstance(g, AnyTensor):
        return quantized_linear_gradient(g, weight, scale, zero_point, **params)
    arrays = array_of(weight), array_of(scale), array_of(zero_point)
    result = quantized_linear_gradient(g.array, *arrays, **params)
    return recorded(RULES["quantized_linear_gradient"], result, (g, *arrays), **params)


def _of_gradient(g: Any, weight: Any, scale: Any, zero_point: Any, bits: int, group_size: int) -> Any:
    if not isinstance(g, AnyTensor):
        return quantized_linear(g, weight, scale, zero_point, None, bits, group_size)
    arrays = array_of(weight), array_of(scale), array_of(zero_point)
    result = quantized_linear(g.array, *arrays, None, bits, group_size)
    return recorded(RULES["quantized_linear"], result, (g, *arrays, None), bits=bits, group_size=group_size)


rule("quantized_linear", x=_of_x, bias=lambda g: total(rows(g), 0))
rule("quantized_linear_gradient", gradient=_of_gradient)
