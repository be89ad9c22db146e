"""One number for many items, to tell whether they are what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, EmptyAxis, OpNotImplemented, UsageError
from lamina_ndarray.layouts.broadcast import normalize_axes, reduced_shape

from ...dispatch.out import written
from ...dispatch.torch_function import torch_function
from .dims import Dims, dims_or_all

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["hash_tensor"]

_TOO_WIDE = (nd.uint16, nd.uint32, nd.uint64)


@torch_function
def hash_tensor(input: Tensor, dim: Dims = None, *, keepdim: bool = False, mode: int = 0, out: Tensor | None = None) -> Tensor:
    """Combine the bits of all items over dims by exclusive or, each item as 64 bits: float64 of numbers, int64 of integers.

    Args:
        input: the items, real or integers.
        dim: the dim or dims to reduce: all for None, and for an empty list.
        keepdim: whether reduced dims stay, with length 1.
        mode: how bits are combined: 0 for exclusive or, the only one that there is.
        out: a tensor in uint64 to write the result to.

    Returns:
        uint64: input's shape without the reduced dims. It carries no gradient.

    Raises:
        UsageError: there is no such mode.
        OpNotImplemented: the items are complex, or unsigned integers of 16 bits or more.
        IndexOutOfRange: input has no such dim, or nothing to combine along it.
        DTypeError: out has another dtype.

    >>> torch.hash_tensor(torch.tensor([[1, 2], [4, 4]]), 1)
    tensor([3, 0], dtype=lamina.uint64)
    """
    if mode != 0:
        raise UsageError(f"Unknown hash_tensor mode: {mode}")
    dtype, shape = input.dtype, tuple(input.shape)
    if dtype.is_complex or dtype in _TOO_WIDE:
        raise OpNotImplemented(f"hash_tensor: not implemented for {dtype}")
    if out is not None and out.dtype is not nd.uint64:
        raise DTypeError(f"hash_tensor: Expected result to be of dtype uint64, but got {out.dtype}")
    axes = normalize_axes(dims_or_all(dim), len(shape), "hash_tensor")
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    for axis in axes:
        if shape[axis] == 0:
            raise EmptyAxis(f"hash_tensor: Expected reduction dim {axis} to have non-zero size.")
    wide = input.detach().to(nd.float64 if dtype.is_floating_point else nd.int64).view(nd.int64)
    bits = wide.permute(*kept, *axes).flatten(len(kept)) if axes else wide[..., None]
    while bits.shape[-1] > 1:
        half = bits.shape[-1] // 2
        folded = bits[..., :half] ^ bits[..., half : 2 * half]
        if bits.shape[-1] % 2:
            folded[..., :1] ^= bits[..., -1:]
        bits = folded
    result = bits[..., 0].reshape(reduced_shape(shape, axes, keepdim)).view(nd.uint64)
    return result if out is None else written("hash_tensor", out, result)
