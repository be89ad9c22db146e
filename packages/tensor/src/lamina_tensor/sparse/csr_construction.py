"""Matrices in compressed rows, made of their parts, of coordinates, or of a dense matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ArgumentTypeError, DType, IndexOutOfRange, ShapeError, UsageError
from lamina_flatarray import dtypes as dt

from ..devices.memory_formats import layout as Layout
from ..devices.memory_formats import sparse_csr
from ..functions.creation.options import DeviceLike
from ..tensor_class import Tensor
from .csr_tensor import CSRTensor, csr_rule
from .kinds import coalesce
from .sparse_tensor import SparseTensor, sparse_rule

__all__ = ["sparse_csr_tensor", "to_sparse_csr"]


def sparse_csr_tensor(
    crow_indices: Any,
    col_indices: Any,
    values: Any,
    size: Sequence[int] | None = None,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
) -> Tensor:
    """Make a sparse matrix in compressed rows.

    Args:
        crow_indices: (rows + 1,), int32 or int64: where each row begins among the values, and where the last ends.
        col_indices: (n,), of the same dtype: the column of each value, in order within a row, and none twice.
        values: (n,).
        size: the shape; by default as many columns as the indices need.
        dtype: the dtype of the values; by default that of `values`.
        layout: `torch.sparse_csr`, also for None.
        device: where the parts are put; by default where the values are.
        pin_memory: accepted and ignored.
        requires_grad: whether to record gradients for it.
        check_invariants: accepted: indices are always checked.

    Returns:
        A tensor of layout `torch.sparse_csr` that shares the memory of its parts.

    Raises:
        RuntimeError: the parts do not fit together, rows do not follow each other, or columns of a row are not in order.
        IndexOutOfRange: a column is negative, or beyond the size.

    >>> torch.sparse_csr_tensor([0, 1, 2], [2, 0], [3.0, 4.0], (2, 3)).to_dense()
    tensor([[0., 0., 3.],
            [4., 0., 0.]])
    """
    if layout is not None and layout is not sparse_csr:
        raise UsageError(f"sparse_csr_tensor: expected layout {sparse_csr} but got {layout}")
    entries = _values(values, dtype, device)
    starts, columns = (functions.as_tensor(part, device=entries.device) for part in (crow_indices, col_indices))
    starts, columns = (
        part.long() if not part.numel() and not isinstance(given, Tensor) else part
        for part, given in ((starts, crow_indices), (columns, col_indices))
    )
    if starts.dtype is not columns.dtype or starts.dtype not in (dt.int32, dt.int64):
        raise UsageError(
            f"sparse_csr_tensor: crow_indices and col_indices must both be int32 or int64, but got {starts.dtype} and {columns.dtype}"
        )
    if starts.ndim != 1 or columns.ndim != 1 or entries.ndim != 1:
        raise ShapeError(
            "sparse_csr_tensor: crow_indices, col_indices and values must have one dim each (batches and dense dims are not served), "
            f"but got shapes {list(starts.shape)}, {list(columns.shape)} and {list(entries.shape)}"
        )
    rows, count = max(starts.shape[0] - 1, 0), entries.shape[0]
    least = int(columns.max()) + 1 if count and columns.numel() else 0
    shape = (rows, least) if size is None else tuple(size)
    if len(shape) != 2:
        raise ShapeError(
            f"tensor dimensionality must be sum of batch, base, and dense dimensionalities (=0 + 2 + 0) but got {len(shape)}"
        )
    if rows != shape[0]:
        raise ShapeError(
            f"crow_indices.shape[-1] must be equal to the number of rows + 1 (={shape[0] + 1}), but got {starts.shape[0]}"
        )
    if columns.shape[0] != count:
        raise ShapeError(
            f"col_indices.shape[-1] must be equal to nnz (={count}) as defined by values.shape[0], but got {columns.shape[0]}"
        )
    _check(starts, columns, count, shape[1])
    entries = entries.view(entries.shape) if entries.requires_grad else entries.detach()
    if requires_grad:
        entries.requires_grad_()
    return CSRTensor(starts, columns, entries, shape)


def _values(values: Any, dtype: DType | None, device: DeviceLike) -> Tensor:
    if isinstance(values, Tensor):
        return values.to(device=device if device is not None else values.device, dtype=dtype or values.dtype)
    return functions.tensor(values, dtype=dtype, device=device)


def _check(starts: Tensor, columns: Tensor, count: int, width: int) -> None:
    """The conditions that the indices of compressed rows fulfil.

    Raises:
        RuntimeError: one does not hold.
    """
    if starts.numel() and int(starts[0]) != 0:
        raise UsageError("`crow_indices[..., 0] == 0` is not satisfied.")
    if (int(starts[-1]) if starts.numel() else 0) != count:
        raise UsageError("`crow_indices[..., -1] == nnz` is not satisfied.")
    lengths = starts[1:] - starts[:-1]
    if bool((lengths < 0).any()) or bool((lengths > width).any()):
        raise UsageError("`0 <= crow_indices[..., 1:] - crow_indices[..., :-1] <= ncols` is not satisfied.")
    if count and (int(columns.min()) < 0 or int(columns.max()) >= width):
        raise IndexOutOfRange("`0 <= col_indices < ncols` is not satisfied.")
    rows = functions.repeat_interleave(functions.arange(lengths.shape[0], device=columns.device), lengths.long())
    if bool(((columns[1:] <= columns[:-1]) & (rows[1:] == rows[:-1])).any()):
        raise UsageError(
            "`col_indices[..., crow_indices[..., i - 1]:crow_indices[..., i]] for all i = 1, ..., nrows are sorted and distinct "
            "along the last dimension values` is not satisfied."
        )


@csr_rule("to_sparse_csr")
@sparse_rule("to_sparse_csr")
def to_sparse_csr(tensor: Tensor, dense_dim: int | None = None) -> CSRTensor:
    """The items of a matrix that are not zero, row by row.

    Raises:
        ShapeError: it is no matrix.
        TypeError: dense dims are asked for.
    """
    if dense_dim:
        raise ArgumentTypeError(f"to_sparse_csr: dense_dim must be None or 0, as each item is a number; got {dense_dim}")
    if isinstance(tensor, CSRTensor):
        return tensor
    if tensor.ndim != 2:
        raise ShapeError(f"to_sparse_csr: wants a matrix, of 2 dims (batches are not served), but got shape {list(tensor.shape)}")
    stored = tensor if isinstance(tensor, SparseTensor) else tensor.to_sparse()
    if not isinstance(stored, SparseTensor) or stored.coordinates.shape[0] != 2:
        raise ShapeError(f"to_sparse_csr: wants a matrix without dense dims, but got {tensor.dense_dim()} of them")
    whole = coalesce(stored)
    counts = functions.bincount(whole.coordinates[0], minlength=whole.lengths[0])
    starts = functions.cat([functions.zeros(1, dtype=dt.int64, device=counts.device), functions.cumsum(counts, 0)])
    return CSRTensor(starts, whole.coordinates[1], whole.entries, whole.lengths)
