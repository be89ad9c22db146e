"""From floats to the nearest items of few bits, and back."""

from __future__ import annotations

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DType, DTypeError, ShapeError, float32, int8, uint8
from lamina_ndarray.layers.quantized_products import dequantized
from lamina_tensor import Tensor, no_grad

from .weight import QuantizedWeight

__all__ = ["dequantize", "quantize"]


def quantize(weight: Tensor, bits: int = 8, group_size: int | None = None, symmetric: bool = True) -> QuantizedWeight:
    """Round a weight to the nearest items of few bits: each is at most half a scale off.

    Symmetric scales are the greatest size of a group over `(2**bits - 1) / 2`; else they spread `2**bits` levels evenly from the
    least item to the greatest.

    Args:
        weight: (out_features, in_features), of a floating dtype; it is computed in float32.
        bits: 8 or 4.
        group_size: how many items of a row have one scale, even for 4 bits; the last group may be shorter. None for the whole row.
        symmetric: whether 0 stays 0 without zero points.

    Returns:
        A `QuantizedWeight` with float32 scales.

    Raises:
        ArgumentValueError: there are no such bits or groups, or an item is infinite or NaN.
        DTypeError: the weight is not of a floating dtype.
        ShapeError: it has not 2 dims.

    >>> weight = torch.quantization.quantize(torch.tensor([[15.0, -4.0, 2.0, 0.0]]), bits=4)
    >>> weight.scales.tolist(), weight.values.tolist()
    ([[2.0]], [[111, 137]])
    >>> torch.quantization.dequantize(weight)
    tensor([[14., -4.,  2.,  0.]])
    """
    if not weight.dtype.is_floating_point:
        raise DTypeError(f"quantize: a weight of {weight.dtype.name} given; it wants a floating dtype")
    if weight.ndim != 2:
        raise ShapeError(f"quantize: a weight {tuple(weight.shape)} given; it wants (out_features, in_features)")
    if bits not in (4, 8):
        raise ArgumentValueError(f"quantize: {bits} bits given; it wants 8 or 4")
    rows, length = weight.shape
    size = max(length, 1) if group_size is None else group_size
    if size < 1 or (bits == 4 and size % 2 and size < length):
        raise ArgumentValueError(f"quantize: groups of {size} of {bits} bits given; it wants at least 1, of 4 bits an even number")
    size = min(size, max(length, 1))
    levels, first = 2**bits, -128 if bits == 8 else 0
    with no_grad():
        groups = _grouped(weight.detach().to(float32), size)
        if symmetric:
            scales, zeros = groups.abs().amax(-1) / ((levels - 1) / 2), None
            scales = lt.where(scales == 0, lt.ones_like(scales), scales)
            q = lt.round(groups / scales.unsqueeze(-1)) + (first + levels // 2)
        else:
            low, high = groups.amin(-1), groups.amax(-1)
            scales = (high - low) / (levels - 1)
            alone = lt.where(low == 0, lt.ones_like(low), low.abs())  # of a group whose items are all one: that is exact
            scales = lt.where(scales == 0, alone, scales)
            zeros = first - low / scales
            q = lt.round((groups - low.unsqueeze(-1)) / scales.unsqueeze(-1)) + first
        if weight.device.type != "meta" and not bool(lt.isfinite(scales).all()):
            raise ArgumentValueError("quantize: the weight has infinite items, or NaN")
        q = q.clamp(first, first + levels - 1).reshape(rows, -1)[:, :length]
        values = q.to(int8) if bits == 8 else _packed(q.to(uint8))
        return QuantizedWeight(values, scales, zeros, bits, size, length)


def _grouped(weight: Tensor, size: int) -> Tensor:
    """(rows, groups, size); what the last group lacks are copies of its last item."""
    rows, length = weight.shape
    lacking = -length % size
    if lacking:
        weight = lt.cat([weight, weight[:, -1:].expand(rows, lacking)], 1)
    return weight.reshape(rows, (length + lacking) // size, size)


def _packed(items: Tensor) -> Tensor:
    """Two items of 4 bits to a byte, the first in the lower bits."""
    rows, length = items.shape
    if length % 2:
        items = lt.cat([items, lt.zeros(rows, 1, dtype=items.dtype, device=items.device)], 1)
    pairs = items.reshape(rows, (length + 1) // 2, 2)
    return pairs[..., 0] | (pairs[..., 1] << 4)


def dequantize(weight: QuantizedWeight, dtype: DType = float32) -> Tensor:
    """Return the floats that a quantized weight stands for: `(q - zero_point) * scale`.

    Args:
        weight: of 8 or 4 bits.
        dtype: of the result, which is computed in float32.

    Returns:
        A tensor (out_features, in_features).

    >>> weight = torch.quantization.quantize(torch.tensor([[0.0, 255.0]]), symmetric=False)
    >>> torch.quantization.dequantize(weight)
    tensor([[  0., 255.]])
    """
    length, size = weight.shape[1], weight.group_size or 1
    floats: Tensor = dequantized(weight.values, weight.scales, weight.zero_points, length, weight.bits, size, float32)
    return floats.to(dtype)
