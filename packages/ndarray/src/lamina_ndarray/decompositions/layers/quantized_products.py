"""Products with a weight of few bits, and their gradient: blocks of the weight's rows as floats, one after another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...dispatch.namespace import namespace
from ...layers.quantized_products import dequantized
from ..registering import composed, widened

__all__: list[str] = []

_BLOCK: Final = 1 << 20
"""About how many items are floats at a time."""


def _blocks(
    weight: Any, scale: Any, zero_point: Any, length: int, bits: int, group_size: int, dtype: Any
) -> Iterator[tuple[slice, Any]]:
    """Blocks of rows as floats, each with its place in the weight."""
    step = max(1, _BLOCK // max(1, length))
    for first in range(0, weight.shape[0], step):
        block = slice(first, first + step)
        zeros = None if zero_point is None else zero_point[block]
        yield block, dequantized(weight[block], scale[block], zeros, length, bits, group_size, dtype)


@composed("quantized_linear")
def quantized_linear(
    x: Any, weight: Any, scale: Any, zero_point: Any, bias: Any, bits: int, group_size: int
) -> Any:
    """Compute `x @ ((weight - zero_point) * scale).T + bias`."""
    xp, x = namespace(x), widened(x)
    blocks = _blocks(weight, scale, zero_point, x.shape[-1], bits, group_size, x.dtype)
    products = [xp.matmul(x, floats.T) for _, floats in blocks]
    product = xp.concat(products, -1) if products else xp.zeros((*x.shape[:-1], 0), dtype=x.dtype, device=x.device)
    return product if bias is None else product + widened(bias)


@composed("quantized_linear_gradient")
def quantized_linear_gradient(
    gradient: Any, weight: Any, scale: Any, zero_point: Any, length: int, bits: int, group_size: int
) -> Any:
    """Compute `gradient @ ((weight - zero_point) * scale)`."""
    xp, gradient = namespace(gradient), widened(gradient)
    total = xp.zeros((*gradient.shape[:-1], length), dtype=gradient.dtype, device=gradient.device)
    for block, floats in _blocks(weight, scale, zero_point, length, bits, group_size, gradient.dtype):
        total = total + xp.matmul(gradient[..., block], floats)
    return total
