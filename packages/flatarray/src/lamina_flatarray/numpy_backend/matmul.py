"""Matrix products: BLAS by way of NumPy on the views as they are; 16-bit floating types in float32, weights of few bits by blocks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .quiet import quiet
from .view import is_narrow, view, wide

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]

_BLOCK: Final = 1 << 20
"""About how many items of a quantized weight are floats at a time."""


def matmul(out: Any, a: Any, b: Any) -> None:
    """Products over equal leading axes."""
    target = view(out)
    product = _product(target, view(a), view(b))
    if product is not target:
        target[...] = product


def linear(out: Any, x: Any, weight: Any, bias: Any = None) -> None:
    """x @ weight.T + bias, for x of any number of axes."""
    target, rows, columns = view(out), view(x), view(weight).T
    if rows.ndim > 2 and rows.size and target.size and rows.flags.c_contiguous and target.flags.c_contiguous:
        rows = rows.reshape(-1, rows.shape[-1])  # one product, not one per leading item
        target = target.reshape(-1, target.shape[-1])
    product = _product(target, rows, columns)
    if bias is not None:
        np.add(product, view(bias), out=target, casting="unsafe")
    elif product is not target:
        target[...] = product


def _product(target: Array, a: Array, b: Array) -> Any:
    """In `target`, or in float32 where target is narrower."""
    if is_narrow(target.dtype):
        return np.matmul(a.astype(np.float32), b.astype(np.float32))
    return np.matmul(a, b, out=target)


def quantized_linear(
    out: Any, x: Any, weight: Any, scale: Any, zero_point: Any, bias: Any, *, bits: int, group_size: int
) -> None:
    """x @ ((weight - zero_point) * scale).T + bias, by blocks of rows of weight."""
    target, rows = view(out), view(x)
    rows = rows.astype(wide(rows.dtype), copy=False)
    for block, floats in _unpacked(weight, scale, zero_point, rows.shape[-1], bits, group_size, rows.dtype):
        product = np.matmul(rows, floats.T)
        target[..., block] = product if bias is None else product + view(bias)[block].astype(rows.dtype)


def quantized_linear_gradient(
    out: Any, gradient: Any, weight: Any, scale: Any, zero_point: Any, *, length: int, bits: int, group_size: int
) -> None:
    """gradient @ ((weight - zero_point) * scale), by blocks of rows of weight."""
    target, rows = view(out), view(gradient)
    rows = rows.astype(wide(rows.dtype), copy=False)
    total = np.zeros(target.shape, rows.dtype)
    for block, floats in _unpacked(weight, scale, zero_point, length, bits, group_size, rows.dtype):
        total += np.matmul(rows[..., block], floats)
    target[...] = total


def _unpacked(
    weight: Any, scale: Any, zero_point: Any, length: int, bits: int, group_size: int, dtype: np.dtype[Any]
) -> Iterator[tuple[slice, Array]]:
    """Blocks of rows, each with the place that it has in the weight."""
    values, scales = view(weight), view(scale)
    step = max(1, _BLOCK // max(1, length))
    for first in range(0, len(values), step):
        block = slice(first, first + step)
        items = values[block]
        if bits == 4:
            items = np.stack([items & 15, items >> 4], -1).reshape(len(items), -1)[:, :length]
        numbers = items.astype(dtype)
        if zero_point is not None:
            numbers -= _by_item(view(zero_point)[block], group_size, length, dtype)
        elif bits == 4:
            numbers -= 8
        yield block, numbers * _by_item(scales[block], group_size, length, dtype)


def _by_item(groups: Array, group_size: int, length: int, dtype: np.dtype[Any]) -> Array:
    return np.repeat(groups.astype(dtype), min(group_size, max(length, 1)), axis=1)[:, :length]


KERNELS: Final[dict[str, Kernel]] = {
    function.__name__: quiet(function) for function in (matmul, linear, quantized_linear, quantized_linear_gradient)
}
