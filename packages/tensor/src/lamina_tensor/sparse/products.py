"""Products of matrices and vectors of which an operand is sparse."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ShapeError
from lamina_flatarray import dtypes as dt

from ..tensor_class import Tensor
from .kinds import coalesce
from .shapes import transpose
from .sparse_tensor import SparseTensor, sparse_rule
from .stored_items import refused


@sparse_rule("matmul", "mm", "mv", "__matmul__", "__rmatmul__")
def matmul(input: Any, mat2: Any = None, *, other: Any = None, vec: Any = None) -> Any:
    """The product: sparse of two sparse matrices, else dense."""
    mat2 = mat2 if mat2 is not None else other if other is not None else vec
    for operand in (input, mat2):
        if operand.ndim > 2 or (isinstance(operand, SparseTensor) and (operand.ndim != 2 or operand.coordinates.shape[0] != 2)):
            refused("matmul")
    if input.shape[-1] != mat2.shape[0]:
        raise ShapeError(f"mm: mat1 and mat2 shapes cannot be multiplied ({list(input.shape)} and {list(mat2.shape)})")
    if isinstance(input, SparseTensor):
        return _sparse_sparse(coalesce(input), coalesce(mat2)) if isinstance(mat2, SparseTensor) else _sparse_dense(input, mat2)
    product = _sparse_dense(transpose(mat2, 0, 1), input if input.ndim == 1 else input.t())
    return product if input.ndim == 1 else product.t()


def _sparse_dense(a: SparseTensor, b: Tensor) -> Tensor:
    rows, columns = a.coordinates
    factors = a.entries if b.ndim == 1 else functions.unsqueeze(a.entries, 1)
    parts = factors * functions.index_select(b, 0, columns)
    zeros = functions.zeros((a.lengths[0], *b.shape[1:]), dtype=parts.dtype, device=a.device)
    return functions.index_add(zeros, 0, rows, parts)


def _sparse_sparse(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """Each entry of a with all of the row of b that it meets; b is in order of its rows."""
    counts = functions.bincount(b.coordinates[0], minlength=b.lengths[0])
    starts = functions.cumsum(counts, 0) - counts
    meets = counts[a.coordinates[1]]
    left = functions.repeat_interleave(functions.arange(meets.shape[0], device=a.device), meets)
    before = functions.cumsum(meets, 0) - meets
    right = starts[a.coordinates[1]][left] + functions.arange(left.shape[0], device=a.device, dtype=dt.int64) - before[left]
    places = functions.stack([a.coordinates[0][left], b.coordinates[1][right]])
    return coalesce(SparseTensor(places, a.entries[left] * b.entries[right], (a.lengths[0], b.lengths[1])))


@sparse_rule("addmm")
def addmm(input: Tensor, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""
    return input * beta + matmul(mat1, mat2) * alpha  # type: ignore[no-any-return]
