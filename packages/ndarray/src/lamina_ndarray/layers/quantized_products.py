"""Products of floats with a weight of few bits, and their gradient: one kernel call each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, float64, int8, uint8

from ..array_fields import empty_of
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import described, fused_kernels
from ..layouts.layout import Layout
from ..shapes.views import contiguous

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["dequantized", "quantized_linear", "quantized_linear_gradient"]


@generic
def dequantized(weight: Array, scale: Array, zero_point: Array | None, length: int, bits: int, group_size: int, dtype: Any) -> Array:
    """The floats that a weight of few bits stands for: `(weight - zero_point) * scale`.

    Args:
        weight, scale, zero_point, bits, group_size: as for `quantized_linear`.
        length: of the weight's rows.
        dtype: in which it is computed.

    Returns:
        (n, length).

    >>> from lamina_ndarray.layers.quantized_products import dequantized
    >>> dequantized(nd.asarray([[1, -2]], dtype=nd.int8), nd.asarray([[0.5]]), None, 2, 8, 2, nd.float32)
    NDArray([[ 0.5000, -1.0000]])
    """
    xp, rows = namespace(weight), weight.shape[0]
    if bits == 4:
        pairs = xp.stack([weight & 15, xp.bitwise_right_shift(weight, 4)], -1)
        weight = xp.reshape(pairs, (rows, 2 * weight.shape[1]))[:, :length]
    size = min(group_size, max(length, 1))

    def by_item(groups: Array) -> Array:
        spread = xp.broadcast_to(xp.expand_dims(xp.astype(groups, dtype), 2), (rows, groups.shape[1], size))
        return xp.reshape(spread, (rows, groups.shape[1] * size))[:, :length]

    numbers = xp.astype(weight, dtype)
    if zero_point is not None:
        numbers = numbers - by_item(zero_point)
    elif bits == 4:
        numbers = numbers - 8
    return numbers * by_item(scale)


def _check_weight(
    op: str, weight: NDArray, scale: NDArray, zero_point: NDArray | None, length: int, bits: int, group_size: int
) -> None:
    if bits not in (4, 8) or group_size < 1:
        raise ArgumentValueError(f"{op}: {bits} bits in groups of {group_size} given; it wants 4 or 8 bits in groups of at least 1 item")
    groups = -(-length // group_size)
    if bits == 4 and group_size % 2 and groups > 1:
        raise ArgumentValueError(f"{op}: groups of {group_size} of 4 bits given; they begin with a byte where their length is even")
    wanted = int8 if bits == 8 else uint8
    if weight.dtype is not wanted:
        raise DTypeError(f"{op}: a weight of {bits} bits is {wanted.name}, got {described([weight])}")
    columns = length if bits == 8 else (length + 1) // 2
    if weight.layout.ndim != 2 or weight.layout.shape[1] != columns:
        raise ShapeError(
            f"{op}: mat1 and mat2 shapes cannot be multiplied: rows of {length} items and weight {weight.layout.shape} of {bits} "
            f"bits, which wants (n, {columns})"
        )
    for name, given in (("scale", scale), ("zero_point", zero_point)):
        if given is None:
            continue
        if not given.dtype.is_floating_point or given.dtype is float64:
            raise DTypeError(f"{op}: {name} is {given.dtype.name}; it wants float32, float16 or bfloat16")
        if given.layout.shape != (weight.layout.shape[0], groups):
            raise ShapeError(
                f"{op}: {name} {given.layout.shape} does not fit weight {weight.layout.shape} in groups of {group_size}; it wants "
                f"({weight.layout.shape[0]}, {groups})"
            )


def _dense(x: NDArray | None) -> NDArray | None:
    return x if x is None or x.layout.contiguous else contiguous(x)


def quantized_linear(
    x: NDArray, weight: NDArray, scale: NDArray, zero_point: NDArray | None, bias: NDArray | None, bits: int, group_size: int
) -> NDArray:
    """Apply an affine map whose weight has few bits: `x @ ((weight - zero_point) * scale).T + bias`.

    Args:
        x: (..., k), of any floating dtype; 16 bits are computed in float32.
        weight: int8 (n, k) for 8 bits; for 4 bits uint8 (n, ceil(k / 2)), two items to a byte, the lower bits first.
        scale: (n, groups), for every `group_size` items of a row; the last group may be shorter. float32, float16 or bfloat16.
        zero_point: as scale; None for 0 of 8 bits, and 8 of 4 bits.
        bias: (n,) of x's dtype, or None.
        bits: 8 or 4.
        group_size: items of a row that have a scale; even for 4 bits, unless one group is the row.

    Returns:
        An array of shape (..., n), in x's dtype.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: a dtype is none of these.
        ArgumentValueError: there are no such bits or groups.
        DeviceError: the arrays live on different devices.

    >>> from lamina_ndarray.layers.quantized_products import quantized_linear
    >>> weight, scale = nd.asarray([[1, -2], [100, 0]], dtype=nd.int8), nd.asarray([[0.5], [0.25]])
    >>> quantized_linear(nd.asarray([10.0, 1.0]), weight, scale, None, None, 8, 2)
    NDArray([  4., 250.])
    """
    op = "quantized_linear"
    kernels = fused_kernels(op, x, weight, scale, zero_point, bias)
    if not x.layout.ndim:
        raise ShapeError(f"{op}: x has no axes; it wants (..., k)")
    _check_weight(op, weight, scale, zero_point, x.layout.shape[-1], bits, group_size)
    n = weight.layout.shape[0]
    if bias is not None:
        if bias.dtype is not x.dtype:
            raise DTypeError(f"{op}: {described([x, bias])}: both must have the same dtype")
        if bias.layout.shape != (n,):
            raise ShapeError(f"{op}: bias {bias.layout.shape} does not fit weight {weight.layout.shape}; it wants ({n},)")
    result = empty_of(kernels, Layout.dense((*x.layout.shape[:-1], n)))
    operands = [_dense(a) for a in (x, weight, scale, zero_point, bias)]
    kernels[op](result, *operands, bits=bits, group_size=group_size)
    return result


def quantized_linear_gradient(
    gradient: NDArray, weight: NDArray, scale: NDArray, zero_point: NDArray | None, length: int, bits: int, group_size: int
) -> NDArray:
    """The gradient of `quantized_linear` in x: `gradient @ ((weight - zero_point) * scale)`.

    Args:
        gradient: (..., n).
        length: of x's rows.
        weight, scale, zero_point, bits, group_size: as for `quantized_linear`.

    Returns:
        An array of shape (..., length), in the gradient's dtype.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: a dtype is none of those.
        ArgumentValueError: there are no such bits or groups.
    """
    op = "quantized_linear_gradient"
    kernels = fused_kernels(op, gradient, weight, scale, zero_point)
    _check_weight(op, weight, scale, zero_point, length, bits, group_size)
    if not gradient.layout.ndim or gradient.layout.shape[-1] != weight.layout.shape[0]:
        raise ShapeError(f"{op}: a gradient {gradient.layout.shape} does not fit weight {weight.layout.shape}")
    result = empty_of(kernels, Layout.dense((*gradient.layout.shape[:-1], length)))
    kernels[op](result, gradient, weight, scale, zero_point, length=length, bits=bits, group_size=group_size)
    return result
