"""Products of matrices, and linear maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Graph, Operand
from .elementwise import scaled_name
from .reductions import reduced
from .registry import lowers


@lowers("matmul", "bmm", "mm", "mv", "dot", "inner", "__matmul__", "__rmatmul__")
def matmul(g: Graph, input: Operand, other: Any = None, mat2: Any = None, vec: Any = None, tensor: Any = None) -> Any:
    """Write `matmul`, `bmm`, `mm` and the like as MatMul."""
    first, second = input, next(t for t in (other, mat2, vec, tensor) if t is not None)
    if g.call.name == "inner" and first.ndim + second.ndim > 2:
        raise g.unsupported("of matrices")
    if g.call.name == "__rmatmul__":
        first, second = second, first
    return g.op("MatMul", g.cast(first, g.result.dtype), g.cast(second, g.result.dtype))


@lowers("linear")
def linear(g: Graph, input: Operand, weight: Operand, bias: Any = None) -> Any:
    """Write `linear` as Gemm, or as MatMul where there are more dims."""
    if input.ndim == 2 and weight.ndim == 2:
        return g.op("Gemm", input, weight, bias, transB=1)
    turned = g.op("Transpose", weight, perm=[1, 0]) if weight.ndim == 2 else weight
    product = g.op("MatMul", input, turned)
    return product if bias is None else g.op("Add", product, bias)


@lowers("addmm", "baddbmm", "addmv")
def addmm(
    g: Graph, input: Operand, mat1: Any = None, mat2: Any = None, batch1: Any = None, batch2: Any = None, mat: Any = None, vec: Any = None,
    beta: Any = 1, alpha: Any = 1,
) -> Any:  # fmt: skip
    """Write `addmm`, `baddbmm` and `addmv` as MatMul and Add."""
    first = next(t for t in (mat1, batch1, mat) if t is not None)
    second = next(t for t in (mat2, batch2, vec) if t is not None)
    dtype = g.result.dtype
    product = scaled_name(g, g.op("MatMul", first, second), alpha, dtype)
    return product if beta == 0 else g.op("Add", scaled_name(g, input, beta, dtype), product)


@lowers("outer", "ger")
def outer(g: Graph, input: Operand, vec2: Operand) -> Any:
    """Write `outer` and `ger` as Mul and Unsqueeze."""
    dtype = g.result.dtype
    return g.op("Mul", g.op("Unsqueeze", g.cast(input, dtype), np.array([1])), g.cast(vec2, dtype))


@lowers("einsum")
def einsum(g: Graph, args: Any) -> Any:
    """Write `einsum` as Einsum."""
    if not isinstance(args[0], str):
        raise g.unsupported("with lists of dims")
    operands = args[1] if len(args) == 2 and isinstance(args[1], (list, tuple)) else args[1:]
    return g.op("Einsum", *operands, equation=args[0].replace(" ", ""))


@lowers("bilinear")
def bilinear(g: Graph, input1: Operand, input2: Operand, weight: Operand, bias: Any = None) -> Any:
    """Write `bilinear` as Einsum and Add."""
    product = g.op("Einsum", input1, weight, input2, equation="...i,oij,...j->...o")
    return product if bias is None else g.op("Add", product, bias)


@lowers("cosine_similarity")
def cosine_similarity(g: Graph, x1: Operand, x2: Operand, dim: int = 1, eps: float = 1e-8) -> Any:
    """Write `cosine_similarity` as a product of what has length 1."""
    least = g.number(eps, g.result.dtype)
    lengths = [g.op("Max", reduced(g, "ReduceL2", x, dim, True, x.ndim), least) for x in (x1, x2)]
    units = [g.op("Div", x, n) for x, n in zip((x1, x2), lengths, strict=True)]
    return reduced(g, "ReduceSum", g.op("Mul", *units), dim, False, len(g.result.shape) + 1)
