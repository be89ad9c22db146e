"""Rows of a table picked by index, one by one or folded in bags."""

from __future__ import annotations

import warnings

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError, UsageError
from lamina_flatarray import dtypes as dt
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.batching import all_slices
from lamina_ndarray.dispatch.operands import common_kernels, same_device
from lamina_ndarray.indexing.advanced_indices import from_front
from lamina_ndarray.indexing.bag_sums import bags_of
from lamina_ndarray.layouts.layout import Layout
from lamina_tensor import Tensor, is_grad_enabled, no_grad
from lamina_tensor.autograd.recording import recorded
from lamina_tensor.autograd.rules import RULES
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

__all__ = ["embedding", "embedding_bag"]


def _places(op: str, input: Tensor, rows: int) -> NDArray:
    """The indices as int64, none of them outside of the table."""
    places = input.array
    if places.flat.dtype is not nd.int64:
        if places.dtype.kind not in "ui" or places.dtype.itemsize < 4:
            raise DTypeError(f"{op}: expected indices in int64 or int32, but got {places.dtype.name}")
        places = nd.astype(places, nd.int64)
    if not places.flat.kernels.backend.checks_positions:
        from_front(op, places, rows, 0)
    return places


def _rows(weight: Tensor, places: NDArray, padding_idx: int | None, by_frequency: bool, sparse: bool) -> Tensor:
    table = weight.array
    kernels = table.flat.kernels
    if places.flat.kernels is not kernels.sibling(nd.int64):
        kernels = common_kernels("embedding", (table, places)).sibling(table.dtype)
    result = empty_of(kernels, Layout.dense(places.layout.shape + table.layout.shape[1:]))
    try:
        if kernels.backend.checks_positions:
            kernels["index"](result, table, places, from_front=True)
        else:
            kernels["index"](result, table, places)
    except IndexError:
        from_front("embedding", places, table.layout.shape[0], 0)
        raise
    if sparse:
        if by_frequency and weight.requires_grad and is_grad_enabled():
            raise UsageError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
        return recorded(RULES["embedding_sparse"], result, (weight,), indices=places, padding=padding_idx)
    return recorded(RULES["embedding"], result, (weight,), indices=places, padding=padding_idx, by_frequency=by_frequency)


def _padding(op: str, padding_idx: int, rows: int) -> int:
    """The padding's row, counted from the front.

    Raises:
        AssertionError: the table of an embedding has no such row.
        UsageError: that of bags has none.
    """
    if -rows <= padding_idx < rows:
        return padding_idx % rows
    if op == "embedding":
        raise AssertionError(f"embedding: padding_idx {padding_idx} must be within num_embeddings {rows}")
    raise UsageError(f"{op}: padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got {padding_idx}")


@no_grad()
def _renormalize(weight: Tensor, places: NDArray, max_norm: float, norm_type: float) -> None:
    """Shorten, in place, the rows at these places that are longer than `max_norm`."""
    if weight.is_meta:
        return
    used = lt.Tensor(nd.unique(all_slices(places)))
    rows = weight[used]
    lengths = lt.norm(rows, norm_type, dim=1, keepdim=True)
    weight[used] = af.where(lengths > max_norm, rows * (max_norm / (lengths + 1e-7)), rows)


@torch_function
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Pick rows of a table by index.

    Args:
        input: int64 or int32 indices of any shape.
        weight: the table, (rows, columns).
        padding_idx: a row that gets no gradient.
        max_norm: rows used that are longer are shortened to it first, in place.
        norm_type: by which norm lengths are measured.
        scale_grad_by_freq: whether a row's gradient is divided by how often it is used in `input`.
        sparse: whether the table's gradient is sparse: of the rows that were read only.

    Returns:
        The rows, (*input.shape, columns).

    Raises:
        IndexOutOfRange: an index is no row.
        DTypeError: the indices are not int64 or int32.
        ShapeError: the table is no matrix.
        AssertionError: the padding is no row.
        UsageError: sparse gradients are to be scaled by frequency, and gradients are wanted.

    >>> torch.nn.functional.embedding(torch.tensor([1, 0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    if not isinstance(input, Tensor):
        raise DTypeError(f"embedding(): argument 'indices' must be Tensor, not {type(input).__name__}")
    shape = weight.array.layout.shape
    if len(shape) != 2:
        raise ShapeError(f"embedding: 'weight' must be 2-D, got shape {shape}")
    padding = None if padding_idx is None else _padding("embedding", padding_idx, shape[0])
    places = _places("embedding", input, shape[0])
    if max_norm is not None:
        _renormalize(weight, places, max_norm, norm_type)
    return _rows(weight, places, padding, scale_grad_by_freq, sparse)


@torch_function
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Pick rows of a table by index and reduce them bag by bag.

    Args:
        input: indices: (bags, length), or (n,) with `offsets`.
        weight: the table, (rows, columns).
        offsets: where in `input` each bag begins, (bags,), the first at 0.
        max_norm, norm_type, scale_grad_by_freq, sparse: as of `embedding`.
        mode: "sum", "mean" or "max"; a bag without indices gives zeros.
        per_sample_weights: factors of the rows, of input's shape; in mode "sum" only.
        include_last_offset: whether the last of the offsets is where the last bag ends.
        padding_idx: indices that count for nothing.

    Returns:
        (bags, columns).

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: the mode is unknown.
        IndexOutOfRange: an index is no row.
        UsageError: the padding is no row.
        NotImplementedError: the mode is "max" and sparse is true, or weights are given for another mode than "sum".

    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[2., 3.]])
    """
    if weight.dtype is nd.int64 and input.dtype.is_floating_point:
        warnings.warn("embedding_bag(weight, input) is deprecated; the order is embedding_bag(input, weight)", stacklevel=2)
        input, weight = weight, input
    if per_sample_weights is not None and input.shape != per_sample_weights.shape:
        raise ShapeError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the same "
            f"shape as the input ({input.shape})"
        )
    if weight.ndim != 2:
        raise ShapeError(f"embedding_bag: weight has to be a 2D Tensor, but got Tensor of dimension {weight.ndim}")
    _check_mode(mode, scale_grad_by_freq, per_sample_weights)
    if sparse and mode == "max":
        raise NotImplementedError("embedding_bag: max mode does not support sparse weights")
    same_device("embedding_bag", input, weight, *(x for x in (offsets, per_sample_weights) if x is not None))
    places = _places("embedding_bag", input, weight.shape[0])
    padding = None if padding_idx is None else _padding("embedding_bag", padding_idx, weight.shape[0])
    if max_norm is not None:
        _renormalize(weight, places, max_norm, norm_type)
    if per_sample_weights is not None and per_sample_weights.dtype is not weight.dtype:
        raise DTypeError(
            f"embedding_bag: expected weight and per_sample_weights to have the same dtype, but got "
            f"{weight.dtype.name} and {per_sample_weights.dtype.name}"
        )
    ends = _ends(input, offsets, include_last_offset)
    places = nd.reshape(places, (-1,))
    if mode != "max" and padding is None and not sparse and not scale_grad_by_freq:
        factors = None if per_sample_weights is None else lt.flatten(per_sample_weights)
        return _averaged(fused.bag_sums(weight, places, ends, factors), ends, mode)
    picked = _rows(weight, places, padding, scale_grad_by_freq, sparse)
    if per_sample_weights is not None:
        picked = picked * per_sample_weights.reshape(-1, 1)
    bag, count = lt.Tensor(bags_of(ends, places.layout.shape[0])), ends.layout.shape[0]
    if padding is not None and not input.is_meta:
        mask = lt.flatten(input) != padding
        picked, bag = picked[mask], bag[mask]
    return _folded(picked, bag, count, mode)


def _check_mode(mode: str, scale_grad_by_freq: bool, per_sample_weights: Tensor | None) -> None:
    if mode not in ("sum", "mean", "max"):
        raise ArgumentValueError(f"embedding_bag: mode has to be one of sum, mean or max, not {mode!r}")
    if mode == "max" and scale_grad_by_freq:
        raise ArgumentValueError("embedding_bag: max mode does not support scaling the gradient by the frequency")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(f"embedding_bag: per_sample_weights are only supported for mode='sum', not {mode!r}")


def _ends(input: Tensor, offsets: Tensor | None, include_last_offset: bool) -> NDArray:
    """Where in the flattened input each bag ends."""
    device = input.device
    if input.ndim == 2:
        if offsets is not None:
            raise ShapeError(
                "embedding_bag: if input is 2D, then offsets has to be None, as input is treated as a mini-batch of "
                f"fixed length sequences. However, found offsets of type {type(offsets)}"
            )
        bags, length = input.shape
        return nd.arange(1, bags + 1, device=device) * length
    if input.ndim != 1:
        raise ShapeError(f"embedding_bag: input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if offsets is None or offsets.ndim != 1:
        raise ShapeError(f"embedding_bag: offsets has to be a 1D Tensor but got {offsets if offsets is None else offsets.shape}")
    n = input.shape[0]
    if offsets.is_meta:
        return nd.empty((len(offsets) - include_last_offset,), dtype=dt.int64, device=device)
    starts = nd.to_device(all_slices(offsets.array), "cpu").numpy()
    if include_last_offset and not starts.size:
        raise ShapeError("embedding_bag: include_last_offset: number of offset should be at least 1")
    if starts.size and starts[0] != 0:
        raise ShapeError(f"embedding_bag: offsets[0] has to be 0, i.e., the first sequence begins at 0, but it is {starts[0]}")
    if starts.size and starts[-1] > n:
        raise ShapeError(f"embedding_bag: offsets[-1] can not be greater than input's length {n}, but it is {starts[-1]}")
    if (starts[1:] < starts[:-1]).any():
        raise ShapeError(f"embedding_bag: offsets must not decrease, but they are {starts.tolist()}")
    ends = nd.astype(offsets.array[1:], dt.int64, copy=False)
    return ends if include_last_offset or not starts.size else nd.concat([ends, nd.full((1,), n, dtype=dt.int64, device=device)])


def _averaged(sums: Tensor, ends: NDArray, mode: str) -> Tensor:
    """Sums of bags, in mode "mean" divided by how many rows each has."""
    if mode == "sum" or not ends.layout.shape[0]:
        return sums
    sizes = nd.diff(ends, prepend=nd.zeros((1,), dtype=dt.int64, device=ends.device))
    return sums / lt.Tensor(nd.astype(nd.clip(nd.reshape(sizes, (-1, 1)), 1, None), sums.dtype))


def _folded(rows: Tensor, bag: Tensor, count: int, mode: str) -> Tensor:
    zeros = rows.detach().new_zeros((count, rows.shape[1]))
    if not rows.shape[0]:
        return zeros + rows.sum()
    if mode == "max":
        index = lt.unsqueeze(bag, 1).expand(-1, rows.shape[1])
        return lt.scatter_reduce(zeros, 0, index, rows, "amax", include_self=False)
    total = lt.index_add(zeros, 0, bag, rows)
    if mode == "sum":
        return total
    sizes = lt.index_add(zeros[:, :1], 0, bag, lt.ones_like(rows.detach()[:, :1]))
    return total / lt.where(sizes == 0, 1.0, sizes)
