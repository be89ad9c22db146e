"""Integers that stand for numbers, by a scale and a zero point."""

from __future__ import annotations

from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_tensor import Tensor

from .node import Node, dtype_of, reads


def along(node: Node, x: Tensor, part: Tensor) -> Tensor:
    """A scale or a zero point in a shape that goes with x: one number, one for each slice of an axis, or one for each block of it."""
    axis, block = node.get("axis", 1), node.get("block_size", 0)
    if block:
        return lt.narrow(lt.repeat_interleave(part, block, axis), axis, 0, x.shape[axis])
    return (
        part.reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)])
        if part.ndim == 1 and part.numel() > 1
        else part.reshape(())
    )


@reads("QuantizeLinear")
def quantize_linear(node: Node, x: Tensor, scale: Tensor, zero: Any = None) -> Tensor:
    """Run QuantizeLinear."""
    number = node.get("output_dtype", 0)
    dtype = zero.dtype if zero is not None else dtype_of(node, number) if number else dtype_of(node, 2)
    if dtype.is_floating_point:
        raise node.unsupported(f"to {dtype}")
    units = lt.round(lt.div(x, along(node, x, scale)).float())
    if zero is not None:
        units = lt.add(units, along(node, x, zero).to(units.dtype))
    limits = np.iinfo(dtype.numpy)
    return lt.clamp(units, int(limits.min), int(limits.max)).to(dtype)


@reads("DequantizeLinear")
def dequantize_linear(node: Node, x: Tensor, scale: Tensor, zero: Any = None) -> Tensor:
    """Run DequantizeLinear."""
    units = x.to(scale.dtype)
    if zero is not None:
        units = lt.sub(units, along(node, x, zero).to(scale.dtype))
    return lt.mul(units, along(node, x, scale))


@reads("MatMulInteger")
def matmul_integer(node: Node, a: Tensor, b: Tensor, a_zero: Any = None, b_zero: Any = None) -> Tensor:
    """Run MatMulInteger."""
    left, right = a.int(), b.int()
    left = (
        left if a_zero is None else lt.sub(left, a_zero.int() if a_zero.ndim == 0 else lt.unsqueeze(a_zero.int(), -1))
    )
    right = right if b_zero is None else lt.sub(right, b_zero.int())
    return lt.matmul(left, right)
