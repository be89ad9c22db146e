"""Sparse tensors made of indices and values, or of a dense tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ArgumentTypeError, DType, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.errors import PositionOutOfRange

from ..devices.memory_formats import layout as Layout
from ..devices.memory_formats import sparse_csr, strided
from ..functions.creation.options import DeviceLike
from ..tensor_class import Tensor
from .sparse_tensor import SparseTensor, sparse_rule

__all__ = ["sparse_coo_tensor", "to_sparse"]


def _tensor(data: Any, dtype: DType | None, device: DeviceLike) -> Tensor:
    if isinstance(data, Tensor):
        return data.to(device=device, dtype=dtype) if device is not None else data if dtype is None else data.to(dtype)
    return functions.tensor(data, dtype=dtype, device=device)


def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Sequence[int] | None = None,
    *,
    dtype: DType | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Tensor:
    """Make a sparse tensor in coordinate format.

    Args:
        indices: (sparse dims, n): the coordinates of the values; a shape in their place gives a tensor of zeros.
        values: (n, *dense dims).
        size: the shape; by default the smallest that holds all indices.
        dtype: the dtype of the values; by default that of `values`.
        device: where the parts are put; by default where the values are.
        pin_memory: accepted and ignored.
        requires_grad: whether to record gradients for it.
        check_invariants: accepted: indices are always checked.
        is_coalesced: whether the indices are in order and none is there twice; where they are not, values at one place count as
            their sum.

    Returns:
        A sparse tensor that shares the memory of its parts.

    Raises:
        ShapeError: indices, values and size do not fit together.
        IndexOutOfRange: an index is negative, or beyond the size.
        UsageError: `is_coalesced` is not true of the indices.

    >>> x = torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
    >>> x.to_dense()
    tensor([[0., 0., 3.],
            [4., 0., 0.]])
    """
    if values is None:
        size = tuple(indices if size is None else size)
        indices, values = functions.zeros((len(size), 0), dtype=dt.int64, device=device), functions.zeros(0, dtype=dtype, device=device)
    entries, places = _tensor(values, dtype, device), _tensor(indices, dt.int64, device)
    if places.numel() == 0 and places.ndim == 2 and not isinstance(values, Tensor) and size is not None:
        entries = functions.reshape(entries, (0, *tuple(size)[places.shape[0] :]))
    if places.ndim != 2:
        raise ShapeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    if entries.ndim == 0 or entries.shape[0] != places.shape[1]:
        raise ShapeError(
            f"indices and values must have same nnz, but got nnz from indices: {places.shape[1]}, nnz from values: "
            f"{entries.shape[0] if entries.ndim else 1}"
        )
    sparse_dim, dense = places.shape[0], tuple(entries.shape[1:])
    least = [int(row.max()) + 1 if row.numel() else 0 for row in places]
    shape = (*least, *dense) if size is None else tuple(size)
    if len(shape) != sparse_dim + len(dense):
        raise ShapeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(shape)}, sparse_dim = {sparse_dim}, "
            f"dense_dim = {len(dense)}"
        )
    if shape[sparse_dim:] != dense:
        raise ShapeError(f"values has incorrect size, expected {[places.shape[1], *shape[sparse_dim:]]}, got {list(entries.shape)}")
    for dim, (row, longest) in enumerate(zip(places, least, strict=True)):
        if longest > shape[dim]:
            raise PositionOutOfRange(
                f"size is inconsistent with indices: for dim {dim}, size is {shape[dim]} but found index {longest - 1}"
            )
        if row.numel() and int(row.min()) < 0:
            raise PositionOutOfRange(f"found negative index {int(row.min())} for dim {dim}")
    entries = entries.view(entries.shape) if entries.requires_grad else entries.detach()
    if requires_grad:
        entries.requires_grad_()
    result = SparseTensor(places, entries, shape, places.shape[1] < 2)
    if is_coalesced:
        if result.coalesce()._nnz() != result._nnz() or not bool((result.coalesce().indices() == places).all()):
            raise UsageError("cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor")
        result.coalesced = True
    return result


@sparse_rule("to_sparse")
def to_sparse(
    tensor: Tensor,
    sparse_dim: int | None = None,
    *,
    layout: Layout | None = None,
    blocksize: int | Sequence[int] | None = None,
    dense_dim: int | None = None,
) -> Tensor:
    """The items of a tensor that are not zero, with their coordinates along the first `sparse_dim` dims.

    Raises:
        TypeError: `sparse_dim` is given with a keyword.
        UsageError: there are not as many dims, or a block size is given.
    """
    if sparse_dim is not None and not (layout is None and blocksize is None and dense_dim is None):
        raise ArgumentTypeError("to_sparse() takes either sparse_dim, or layout, blocksize and dense_dim")
    if layout is sparse_csr and blocksize is None:
        return tensor.to_sparse_csr(dense_dim)
    op = "to_sparse" if tensor.is_sparse else "dense_to_sparse"
    conversion = f"conversion from {'Sparse' if tensor.is_sparse else 'Strided'} to {'Sparse' if layout is not strided else 'Strided'}"
    if blocksize is not None:
        raise UsageError(f"{op}: {conversion} with blocksize argument given is not supported")
    if layout is strided:
        if dense_dim is not None:
            raise UsageError(f"{op}: {conversion} with dense_dim argument given is not supported")
        return tensor.to_dense()
    if isinstance(tensor, SparseTensor):
        if sparse_dim not in (None, tensor.sparse_dim()) or dense_dim not in (None, tensor.dense_dim()):
            raise UsageError(f"to_sparse: {conversion} with sparse_dim argument !=self.sparse_dim() is not supported")
        return tensor
    count = tensor.ndim - (dense_dim or 0) if sparse_dim is None else sparse_dim
    if not 0 <= count <= tensor.ndim:
        raise UsageError(f"dense_to_sparse: sparse_dim argument must be in [0,{tensor.ndim}] range, but {count} is given")
    if count == 0:
        places = functions.zeros((0, 1), dtype=dt.int64, device=tensor.device)
        return SparseTensor(places, functions.unsqueeze(tensor, 0), tensor.shape, True)
    mask = tensor.detach() != 0
    if count < tensor.ndim:
        mask = functions.any(functions.flatten(mask, count), -1)
    places = functions.nonzero(mask).t().contiguous()
    return SparseTensor(places, tensor[tuple(places)], tensor.shape, True)
