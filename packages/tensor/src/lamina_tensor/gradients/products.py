"""Gradients of matrix products."""

from __future__ import annotations

from math import prod
from typing import Any

from ..autograd.rules import rule
from ..dispatch.dispatched import dispatched

__all__ = ["rows"]

transpose, unsqueeze, squeeze, conj, matmul, total, reshape = (
    dispatched(n) for n in ("transpose", "unsqueeze", "squeeze", "conj", "matmul", "sum", "reshape")
)


def _left(g: Any, a_shape: tuple[int, ...], b: Any) -> Any:
    if len(b.shape) == 1:
        g, b = unsqueeze(g, -1), unsqueeze(b, -1)
    if len(a_shape) == 1:
        product = matmul(unsqueeze(g, -2), conj(transpose(b)))
        return squeeze(product, -2)
    return matmul(g, conj(transpose(b)))


def _right(g: Any, a: Any, b_shape: tuple[int, ...]) -> Any:
    vector = len(b_shape) == 1
    if vector:
        g = unsqueeze(g, -1)
    if len(a.shape) == 1:
        g, a = unsqueeze(g, -2), unsqueeze(a, 0)
    product = matmul(conj(transpose(a)), g)
    return squeeze(product, -1) if vector else product


rule("matmul", a=_left, b=_right, node_name="MmBackward0")


def rows(x: Any) -> Any:
    """As a matrix, which may have no rows or no columns."""
    return reshape(x, (prod(x.shape[:-1]), x.shape[-1]))


def _linear_x(g: Any, weight: Any) -> Any:
    if len(weight.shape) == 1:
        return matmul(unsqueeze(g, -1), conj(unsqueeze(weight, 0)))
    return matmul(g, conj(weight))


def _linear_weight(g: Any, x: Any) -> Any:
    if len(g.shape) < len(x.shape):  # a weight that is a vector
        return squeeze(matmul(reshape(g, (1, prod(g.shape))), conj(rows(x))), 0)
    return matmul(transpose(rows(g)), conj(rows(x)))


rule(
    "linear",
    weight=_linear_weight,  # after which what x was computed from is over, before there is a gradient of x's size
    bias=lambda g: total(rows(g), 0) if g.shape else g,
    x=_linear_x,
    node_name="AddmmBackward0",
)
