"""Sums of sparse tensors, and softmax over the items that are stored."""

from __future__ import annotations

from typing import Any

import lamina_tensor as functions
from lamina_flatarray import ArgumentTypeError, ArgumentValueError, UsageError

from ..tensor_class import Tensor
from .kinds import coalesce, keys
from .shapes import dim_of
from .sparse_tensor import SparseTensor, sparse_rule


@sparse_rule("sum")
def total(input: SparseTensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum over dims: dense where no sparse dim is left."""
    entries = input.entries if dtype is None else input.entries.to(dtype)
    if dim is None and keepdim:
        raise ArgumentTypeError("sum() takes keepdim together with dim only")
    if dim is None or dim == ():
        return functions.sum(entries)
    if keepdim:
        result = total(input, dim, dtype=dtype)
        for axis in sorted({dim_of(d, input.ndim) for d in ([dim] if isinstance(dim, int) else dim)}):
            result = functions.unsqueeze(result, axis)
        return result
    axes = {dim_of(d, input.ndim) for d in ([dim] if isinstance(dim, int) else dim)}
    count = input.coordinates.shape[0]
    dense = [d - count + 1 for d in axes if d >= count]
    entries = functions.sum(entries, dense) if dense else entries
    kept = [d for d in range(count) if d not in axes]
    if not kept:
        return functions.sum(entries, 0)
    lengths = [n for d, n in enumerate(input.lengths) if d not in axes]
    return coalesce(SparseTensor(functions.stack([input.coordinates[d] for d in kept]), entries, lengths))


@sparse_rule("norm")
def norm(input: SparseTensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None) -> Tensor:
    """The norm of all items, of which those that are not stored are 0.

    Raises:
        RuntimeError: it is asked for by dims, or with `keepdim`.
        ValueError: a dtype is given.
    """
    axes = [dim] if isinstance(dim, int) else [] if dim is None else list(dim)
    if axes and len({dim_of(d, input.ndim) for d in axes}) < input.ndim:
        raise UsageError(
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty or contain all dimensions of the input"
        )
    if keepdim:
        raise UsageError("norm_sparse currently does not support keepdim=True")
    if dtype is not None or out is not None:
        raise ArgumentValueError("norm: dtype and out are not supported for sparse tensors")
    return functions.norm(coalesce(input).entries, p)


def log_softmax(input: SparseTensor, dim: int) -> SparseTensor:
    """Of the stored items along a sparse dim, or of all along a dense one."""
    whole, axis, count = coalesce(input), dim_of(dim, input.ndim), input.coordinates.shape[0]
    if axis >= count:
        return whole.like(functions.log_softmax(whole.entries, axis - count + 1))
    others = [d for d in range(count) if d != axis]
    rows = functions.stack([whole.coordinates[d] for d in others]) if others else whole.coordinates[:0]
    line = keys(SparseTensor(rows, whole.entries, [whole.lengths[d] for d in others]))
    _, group = functions.unique(line, return_inverse=True)
    lines = int(group.max()) + 1 if group.numel() else 0
    shape = (lines, *whole.entries.shape[1:])
    spread = functions.reshape(group, (-1, *(1,) * (whole.entries.ndim - 1))).expand(whole.entries.shape)
    lowest = functions.full(shape, -float("inf"), dtype=whole.dtype, device=whole.device)
    greatest = functions.scatter_reduce(lowest, 0, spread, whole.entries.detach(), "amax")
    shifted = whole.entries - greatest[group]
    sums = functions.index_add(functions.zeros(shape, dtype=whole.dtype, device=whole.device), 0, group, functions.exp(shifted))
    return whole.like(shifted - functions.log(sums)[group])
