"""What sparse tensors tell of themselves, their parts, and what they become: dense, coalesced, of another dtype."""

from __future__ import annotations

from typing import Any, Final

import lamina_tensor as functions
from lamina_flatarray import UsageError
from lamina_flatarray import dtypes as dt

from ..autograd.backward import backward
from ..tensor_class import Tensor
from .sparse_tensor import SparseTensor, sparse_rule


@sparse_rule("size")
def _size(s: SparseTensor, dim: int | None = None) -> Any:
    return s.shape if dim is None else s.shape[dim]


sparse_rule("dim", "ndimension")(lambda s: len(s.lengths))
sparse_rule("numel", "nelement")(lambda s: s.shape.numel())
sparse_rule("__len__")(lambda s: s.lengths[0])
sparse_rule("sparse_dim")(lambda s: s.coordinates.shape[0])
sparse_rule("dense_dim")(lambda s: s.entries.ndim - 1)
sparse_rule("is_coalesced")(lambda s: s.coalesced)
sparse_rule("_nnz")(lambda s: s.entries.shape[0])
sparse_rule("_indices")(lambda s: s.coordinates)
sparse_rule("_values")(lambda s: s.entries.detach())
sparse_rule("is_floating_point")(lambda s: s.dtype.is_floating_point)
sparse_rule("is_complex")(lambda s: s.dtype.is_complex)
sparse_rule("is_contiguous")(lambda s, *_: False)
sparse_rule("is_same_size")(lambda a, b: a.shape == b.shape)
sparse_rule("to_sparse_coo")(lambda s: s)


@sparse_rule("indices")
def _indices(s: SparseTensor) -> Tensor:
    if not s.coalesced:
        raise UsageError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
    return s.coordinates


@sparse_rule("values")
def _values(s: SparseTensor) -> Tensor:
    if not s.coalesced:
        raise UsageError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
    return s.entries.view(s.entries.shape)


def keys(s: SparseTensor) -> Tensor:
    """The place of each entry among all of the sparse dims, counted row by row."""
    result = functions.zeros(s.coordinates.shape[1], dtype=dt.int64, device=s.device)
    for row, length in zip(s.coordinates, s.lengths, strict=False):
        result = result * length + row
    return result


@sparse_rule("coalesce")
def coalesce(s: SparseTensor) -> SparseTensor:
    """In order, with the sum of the values at each place."""
    if s.coalesced:
        return s
    places, inverse = functions.unique(keys(s), return_inverse=True)
    zeros = functions.zeros((places.shape[0], *s.entries.shape[1:]), dtype=s.dtype, device=s.device)
    rows: list[Tensor] = []
    for length in reversed(s.lengths[: s.coordinates.shape[0]]):
        rows.insert(0, places % max(length, 1))
        places = functions.floor_divide(places, max(length, 1))
    coordinates = functions.stack(rows) if rows else s.coordinates[:, : places.shape[0]]
    return SparseTensor(coordinates, functions.index_add(zeros, 0, inverse, s.entries), s.lengths, True)


@sparse_rule("to_dense")
def to_dense(s: SparseTensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    """All items."""
    if dtype is not None:
        raise UsageError("dtype argument is not supported by sparse_to_dense")
    return functions.zeros(s.lengths, dtype=s.dtype, device=s.device) + s


@sparse_rule("clone")
def _clone(s: SparseTensor, **_: Any) -> SparseTensor:
    return SparseTensor(s.coordinates.clone(), s.entries.clone(), s.lengths, s.coalesced)


sparse_rule("detach", "data")(lambda s: s.like(s.entries.detach()))


@sparse_rule("detach_")
def _detach_(s: SparseTensor) -> SparseTensor:
    s.entries = s.entries.detach()
    return s


@sparse_rule("requires_grad_")
def _requires_grad_(s: SparseTensor, requires_grad: bool = True) -> SparseTensor:
    s.entries.requires_grad_(requires_grad)
    return s


@sparse_rule("register_hook")
def _register_hook(s: SparseTensor, hook: Any) -> Any:
    def with_coordinates(g: Tensor) -> Tensor | None:
        answer = hook(s.like(g))
        return answer.entries if isinstance(answer, SparseTensor) else answer

    return s.entries.register_hook(with_coordinates)


@sparse_rule("backward")
def _backward(
    root: Tensor, gradient: Tensor | None = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    """From a sparse tensor, or from a dense one with a sparse gradient."""
    if gradient is not None and not root.is_sparse:
        gradient = gradient.to_dense()
    backward(root, gradient, retain_graph, create_graph, inputs=inputs)


@sparse_rule("to")
def _to(s: SparseTensor, *args: Any, **kwargs: Any) -> SparseTensor:
    entries = s.entries.to(*args, **kwargs)
    if entries is s.entries:
        return s
    return SparseTensor(s.coordinates.to(entries.device), entries, s.lengths, s.coalesced)


def _cast(name: str) -> None:
    @sparse_rule(name)
    def cast(s: SparseTensor) -> SparseTensor:
        entries = getattr(s.entries, name)()
        return s if entries is s.entries else SparseTensor(s.coordinates.to(entries.device), entries, s.lengths, s.coalesced)


CASTS: Final = ("double", "float", "half", "bfloat16", "int", "long", "short", "bool", "cpu")
for _name in CASTS:
    _cast(_name)


@sparse_rule("zero_")
def _zero_(s: SparseTensor) -> SparseTensor:
    s.coordinates, s.entries, s.coalesced = s.coordinates[:, :0], s.entries[:0].detach(), True
    return s


@sparse_rule("zeros_like", "empty_like")
def _zeros_like(s: SparseTensor, **_: Any) -> SparseTensor:
    return SparseTensor(s.coordinates[:, :0], s.entries[:0].detach(), s.lengths, True)


@sparse_rule("numpy")
def _numpy(s: SparseTensor, *_: Any, **__: Any) -> Any:
    raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")


@sparse_rule("sparse_mask")
def sparse_mask(x: Tensor, mask: SparseTensor) -> SparseTensor:
    """The items of x at the places of a sparse tensor."""
    if tuple(x.shape) != tuple(mask.shape):
        raise UsageError(f"sparse_mask(): operands have incompatible sizes; self has size {list(x.shape)} but mask has {list(mask.shape)}")
    return mask.like((to_dense(x) if isinstance(x, SparseTensor) else x)[tuple(mask.coordinates)])
